import assert from "node:assert/strict";
import { accusingLines } from "./prose.ts";
import { mentions, states } from "./texts.ts";

Deno.test("mentions() is not evaded by what a reader does not see", () => {
  const written = [
    "the current policy applies",
    "the current\npolicy applies",
    "the current  policy applies",
    "the current\u00a0policy applies",
    "the cur\u200brent policy applies",
    "the cur\u00adrent policy applies",
    "the **current** policy applies",
    "the _current_ `policy` applies",
    "the \uff43\uff55\uff52\uff52\uff45\uff4e\uff54 policy applies",
    "THE CURRENT POLICY",
  ];
  for (const text of written) assert.ok(mentions(text, "current policy"), text);
  assert.ok(!mentions("the policy that is current", "current policy"));
  assert.ok(mentions("see find_order for pol-9043-tw", "POL-9043-TW"));
  assert.ok(mentions("see find_order", "find_order"));
});

Deno.test("states() takes a value whole, and never as a part of another", () => {
  const stated: [text: string, value: string][] = [
    ["clears in 5 business days.", "5 business days"],
    ["clears in 5 business\ndays", "5 business days"],
    ["(5 business days)", "5 business days"],
    ["two charges of $129.00.", "$129.00"],
    ['{"total":"$129.00"}', "$129.00"],
    ["since 2026-11", "2026-11"],
  ];
  for (const [text, value] of stated) assert.ok(states(text, value), text);
  const others: [text: string, value: string][] = [
    ["clears in 15 business days", "5 business days"],
    ["clears in 2.5 business days", "5 business days"],
    ["clears in 5 business daysx", "5 business days"],
    ["a charge of $129.001", "$129.00"],
    ["a charge of $129.00,5", "$129.00"],
    ["a charge of 1,129.00", "129.00"],
    ["since 2026-115", "2026-11"],
    ["nothing", ""],
  ];
  for (const [text, value] of others) assert.ok(!states(text, value), text);
  assert.ok(states("15 business days, no: 5 business days", "5 business days"), "a later place counts too");
});

Deno.test("accusingLines() finds who is blamed, and leaves a worker's subject alone", () => {
  for (
    const line of [
      "The billing specialist failed (tool_error).",
      "the billing server is down and could not be reached",
      "Note: the Billing worker timed out",
    ]
  ) assert.deepEqual(accusingLines("billing", line), [line]);
  for (
    const line of ["The billing address could not be found", "policy refunds failed before", "the billing server works"]
  ) {
    assert.deepEqual(accusingLines("billing", line), []);
  }
});
