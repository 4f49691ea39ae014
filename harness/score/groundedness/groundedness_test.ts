import assert from "node:assert/strict";
import { reference, type Subject } from "../../../agents/mod.ts";
import { cellSpec, runOne } from "../../testing/cells.ts";
import { answering, telling } from "../../testing/subjects.ts";
import type { Score } from "../scores.ts";
import { viewTrace } from "../view.ts";
import { CHECKER_ACCURACY, verificationScore } from "./score.ts";

async function verificationOf(scenario: string, subject: Subject = reference): Promise<Score> {
  const { trace } = await runOne(cellSpec(scenario, { subject }));
  const score = verificationScore(viewTrace(trace));
  assert.ok(score.evidence.every((seq) => trace.events[seq] !== undefined));
  return score;
}

const numbers = ({ components }: Score) => Object.fromEntries(components.map(({ id, value }) => [id, value]));

/** Says of every claim that it is supported. */
const flatterer = telling(
  "flatterer",
  (type, detail) => type === "verify" ? { ...detail, verdict: "supported" } : detail,
);
/** Says of every claim that it is not. */
const doubter = telling(
  "doubter",
  (type, detail) => type === "verify" ? { ...detail, verdict: "unsupported" } : detail,
);
/** Says nothing of its checks. */
const uncritical = telling("uncritical", (type, detail) => type === "verify" ? undefined : detail);
/** Puts a sentence of its own into a section. */
const embroiderer = answering("embroiderer", (answer) => ({
  ...answer,
  sections: answer.sections.map((section) =>
    section.worker === "billing"
      ? { ...section, text: `${section.text} A voucher of $45.00 was mailed on 3 March.` }
      : section
  ),
}));

const labelled = "billing-adds-a-refund";

Deno.test("verificationScore() compares the subject's flags with the labels", async () => {
  const score = await verificationOf(labelled);
  const { flags_accuracy, flags_precision, flags_recall, flags_f1 } = numbers(score);
  assert.deepEqual([flags_accuracy, flags_precision, flags_recall, flags_f1], [1, 1, 1, 1]);
  assert.equal(score.value, 1);
});

const flawed: [Subject, Record<string, number | null>, RegExp][] = [
  [flatterer, {
    flags_accuracy: 0.5,
    flags_precision: null,
    flags_recall: 0,
    flags_f1: 0,
    flags_false_negatives: 1,
  }, /what billing says is unsupported, and the subject found it supported/],
  [doubter, {
    flags_accuracy: 0.5,
    flags_precision: 0.5,
    flags_recall: 1,
    flags_f1: 0.6667,
    flags_false_positives: 1,
  }, /what policy says is supported, and the subject found it unsupported/],
  [uncritical, {
    flags_accuracy: 0,
    flags_precision: null,
    flags_recall: 0,
    flags_f1: 0,
  }, /found it never worth a check/],
];
for (const [subject, expected, says] of flawed) {
  Deno.test(`verificationScore() finds the ${subject.name}`, async () => {
    const score = await verificationOf(labelled, subject);
    const found = numbers(score);
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((id) => [id, found[id]])), expected);
    assert.match(score.message, says);
  });
}

Deno.test("verificationScore() finds what the answer claims and no result bears out", async () => {
  const [honest, embroidered] = [
    await verificationOf("healthy-desk"),
    await verificationOf("healthy-desk", embroiderer),
  ];
  assert.equal(numbers(honest)["supported"], 1);
  assert.equal(honest.value, 1);
  assert.equal(numbers(honest)["flags_accuracy"], null, "no labels: nothing to count");
  assert.ok(Number(numbers(embroidered)["unsupported"]) > 0);
  assert.match(embroidered.message, /unsupported: "A voucher of \$45\.00 was mailed on 3 March\."$/);
  assert.match(embroidered.message, /by a checker with a balanced accuracy of 0\.84 and 0\.81/);
});

Deno.test("verificationScore() checks cached parts against the fallback, and a person's against that person", async () => {
  for (const scenario of ["broken-policy-server", "operator-takes-over-billing"]) {
    assert.equal(numbers(await verificationOf(scenario))["supported"], 1, scenario);
  }
  const aged = answering("aged", (answer) => ({
    ...answer,
    sections: answer.sections.map((section) =>
      section.provenance.kind === "cached" ? { ...section, text: "Refunds take 77 weeks." } : section
    ),
  }));
  assert.match((await verificationOf("broken-policy-server", aged)).message, /unsupported: "Refunds take 77 weeks\."/);
});

Deno.test("verificationScore() reads an answer in prose alone, and leaves its failures out", async () => {
  const plain = (text: string) => answering("plain", () => ({ status: "degraded", text, sections: [], failures: [] }));
  const score = await verificationOf(
    "broken-policy-server",
    plain("I could not reach the policy service. The order has two charges of $129.00. A drone delivered 14 parrots."),
  );
  const { supported, unsupported } = numbers(score);
  assert.deepEqual([supported, unsupported], [0.5, 0.5]);
});

Deno.test("verificationScore() has the checker's accuracy beside every figure, and nothing to count without an answer", async () => {
  const { trace } = await runOne(cellSpec("broken-policy-server"));
  const none = verificationScore({ ...viewTrace(trace), answer: undefined });
  assert.equal(none.value, null);
  for (const { id, balancedAccuracy } of CHECKER_ACCURACY) assert.equal(numbers(none)[id], balancedAccuracy);
});
