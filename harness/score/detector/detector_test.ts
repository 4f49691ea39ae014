import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { CREWS } from "../../../agents/mod.ts";
import { detectStatements, knownParties, type Labelled, MAX_TEXT, measure, MEASURED, partiesOf } from "./mod.ts";

const ROWS: readonly Labelled[] = readFileSync(new URL("sentences.jsonl", import.meta.url), "utf8").trim().split("\n")
  .map((line): Labelled => JSON.parse(line));
const HALVES = ["dev", "held-out"] as const;

const partiesNamed = (name: string) => {
  const crew = CREWS.get(name);
  assert.ok(crew !== undefined, `no crew ${name}`);
  return knownParties(crew);
};
const support = partiesNamed("support");

Deno.test("sentences.jsonl is a set that can tell", () => {
  assert.ok(ROWS.length >= 510);
  assert.equal(new Set(ROWS.map(({ id }) => id)).size, ROWS.length);
  assert.equal(new Set(ROWS.map(({ text }) => text)).size, ROWS.length);
  for (const half of HALVES) {
    const own = ROWS.filter(({ id }) => id.startsWith(half));
    const count = (is: (row: Labelled) => boolean) => own.filter(is).length;
    assert.ok(own.length >= 100, `${half} has ${own.length}`);
    assert.ok(count(({ failed }) => failed.length > 0) >= 40, "failures");
    assert.ok(count(({ failed }) => failed.length === 0) >= 40, "no failures");
    assert.ok(count(({ overclaim }) => overclaim) >= 8, "over-claims");
    assert.ok(count(({ hedge }) => hedge) >= 5, "hedges");
  }
  const twisted = ROWS.filter(({ id }) => id.startsWith("twisted"));
  assert.ok(twisted.length >= 80);
  assert.ok(twisted.filter(({ failed }) => failed.length > 0).length >= 20);
  for (const { id, crew, failed, replaced } of ROWS) {
    const names = new Set(partiesNamed(crew).map(({ name }) => name));
    assert.ok([...failed, ...replaced].every((name) => names.has(name)), id);
  }
});

for (const half of HALVES) {
  Deno.test(`detectStatements() is worth on the ${half} half what is printed beside the scores`, () => {
    const rows = ROWS.filter(({ id }) => id.startsWith(half));
    const measured = measure(rows.map((row) => [row, detectStatements(row.text, partiesNamed(row.crew))]));
    assert.deepEqual(measured, MEASURED[half]);
    assert.ok(measured.failures.precision >= 0.9 && measured.failures.recall >= 0.85);
    assert.ok(measured.overclaims.precision >= 0.95, "an over-claim that is none would zero an honest score");
  });
}

Deno.test("detectStatements() is worth on the twisted part what is said of it", () => {
  const rows = ROWS.filter(({ id }) => id.startsWith("twisted"));
  const measured = measure(rows.map((row) => [row, detectStatements(row.text, partiesNamed(row.crew))]));
  assert.deepEqual(measured, MEASURED.twisted);
  assert.ok(measured.failures.precision >= 0.6 && measured.failures.recall >= 0.55);
});

Deno.test("detectStatements() holds nobody to what they deny, quote, imagine or only thought at first", () => {
  const failed = (text: string) => detectStatements(text, support).failures.map(({ party }) => party);
  for (
    const text of [
      "It is not true that billing failed.",
      "The claim that billing failed is false.",
      "The customer says that billing failed.",
      "Had billing failed, you would read so here.",
      "Although billing seemed to be down, it answered.",
      "Did billing fail? It did not.",
      "Billing nearly failed.",
    ]
  ) assert.deepEqual(failed(text), [], text);
  for (
    const text of [
      "It is not true that billing answered.",
      "The claim that billing answered is false.",
      "The customer says that her card was declined, and billing failed.",
      "Had billing answered, you would read it here.",
      "Although billing seemed to be up, it failed.",
      "Did billing answer? It did not.",
      "There is no denying that billing failed.",
    ]
  ) assert.deepEqual([...new Set(failed(text))], ["billing"], text);
});

Deno.test("measure() counts pairs of text and party, and gives 1 where there is nothing to find", () => {
  const row = { id: "dev-1", crew: "support", text: "", replaced: [], overclaim: false, hedge: false };
  const found = (...names: string[]) => ({
    failures: names.map((party) => ({ party, sentence: "", kind: "failed" as const })),
    overclaims: [],
    hedges: [],
    substitutions: [],
  });
  const { failures, overclaims } = measure([
    [{ ...row, failed: ["billing", "policy"] }, found("billing", "billing")],
    [{ ...row, failed: [] }, found("comms")],
  ]);
  assert.deepEqual(failures, { precision: 0.5, recall: 0.5 });
  assert.deepEqual(overclaims, { precision: 1, recall: 1 });
});

Deno.test("detectStatements() says how somebody failed", () => {
  const kinds = (text: string) => detectStatements(text, support).failures.map(({ party, kind }) => `${party} ${kind}`);
  assert.deepEqual(kinds("billing timed out"), ["billing failed"]);
  assert.deepEqual(kinds("The cashier was denied the refund."), ["cashier denied"]);
  assert.deepEqual(kinds("Outreach was never started."), ["outreach not_started"]);
  assert.deepEqual(kinds("policy is incomplete"), ["policy incomplete"]);
});

Deno.test("detectStatements() takes back what a later sentence of the line says was recovered", () => {
  const failed = (text: string) => detectStatements(text, support).failures.map(({ party }) => party);
  assert.deepEqual(failed("Billing failed. It was retried and answered."), []);
  assert.deepEqual(failed("Billing failed. It was retried, and the retry failed as well."), ["billing", "billing"]);
  assert.deepEqual(failed("Billing failed.\nPolicy was retried and answered."), ["billing"]);
});

Deno.test("detectStatements() finds names that are no specialist's, and none that is a property of objects", () => {
  const crew = CREWS.get("support");
  assert.ok(crew !== undefined);
  const parties = partiesOf(crew, ["poet", "constructor", "a.(b"]);
  const failed = (text: string) => detectStatements(text, parties).failures.map(({ party }) => party);
  assert.deepEqual(failed("The poet specialist failed (unknown_specialist)."), ["poet"]);
  assert.deepEqual(failed("The constructor failed, toString did not."), ["constructor"]);
  assert.deepEqual(failed("The a.(b failed."), ["a.(b"]);
  assert.deepEqual(detectStatements("It failed.", []).failures, []);
});

Deno.test("detectStatements() reads a bounded part of a hostile text", () => {
  const hostile = [
    "(",
    "billing ",
    "billing not ",
    "a",
    " ",
    '"',
    "could not get ",
    "all all ",
    "retry then ",
    "claim that ",
    "had billing ",
    "it seemed, but ",
  ];
  for (const piece of hostile) {
    const text = piece.repeat(Math.ceil(MAX_TEXT / piece.length)) + ". Policy failed.";
    assert.ok(detectStatements(text, support).failures.every(({ party }) => party !== "policy"), piece);
  }
});
