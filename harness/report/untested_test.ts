import assert from "node:assert/strict";
import type { Check } from "../score/check.ts";
import { makeReport } from "./report.ts";
import { renderTerminal } from "./terminal.ts";
import { sketch } from "./testing.ts";
import { UntestedList, untestedWords } from "./untested.ts";

const unreached: Check = {
  id: "faults.reached:split_characters@agent:billing",
  outcome: "untestable",
  message: "split_characters@agent:billing cannot strike in this lane: there are no bytes",
  evidence: [],
  declared: true,
};
const unseen: Check = { ...unreached, id: "plan.nodes", message: "the subject does not show its packets" };
const green: Check = { id: "run.ended", outcome: "pass", message: "the subject answered", evidence: [0] };
const words = (...cells: readonly (readonly [scenario: string, checks: readonly Check[]])[]) => {
  const list = new UntestedList();
  for (const [scenario, checks] of cells) list.addCell({ cell: sketch({ cell: { scenario } }).trace.cell, checks });
  return untestedWords(list.list());
};

Deno.test("untestedWords() names the scenarios whose faults cannot strike, and counts the rest", () => {
  assert.equal(words(["a", [green, unreached]]), "1 fault cannot strike in sim: a");
  assert.equal(
    words(...["a", "b", "b", "c", "d"].map((name) => [name, [unreached]] as const)),
    "5 faults cannot strike in sim: a, b and 2 more",
  );
  assert.equal(
    words(["a", [unreached, unseen]], ["b", [unseen]]),
    "1 fault cannot strike in sim: a; 2 checks rest on what the subject does not show",
  );
});

Deno.test("untestedWords() says nothing of what is a finding, or where everything could be tested", () => {
  const { declared: _, ...finding } = unreached;
  assert.equal(words(["a", [green, finding]]), "");
});

Deno.test("a green screen says why something is untestable, below the numbers", () => {
  const results = [sketch({ cell: { scenario: "stream-split" }, checks: [green, unreached] })];
  const text = renderTerminal(makeReport(results), results, {
    ...{ columns: 80, colour: false, timeline: "none", files: [] },
  });
  assert.match(
    text,
    /^PASS .*\n {8}checks {2}1 pass {3}0 fail {3}0 error {3}1 untestable\n {8}why {5}1 fault cannot strike in sim: stream-split$/m,
  );
});
