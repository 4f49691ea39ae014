import assert from "node:assert/strict";
import type { ClaimVerdict } from "../types.ts";
import { failedReport, report } from "./testing.ts";
import { verdictEvent, type Verifier, verifyReport } from "./verify.ts";

const observation = { id: "run/x", tool: "s.find", args: {}, text: "seen" };

/** A verifier that reads the verdict off the sentence, and names the observation whose text the sentence has. */
const plain: Verifier = {
  splitClaims: (note) => note.split(/(?<=\.) /),
  checkClaim: (claim, evidence) => ({
    verdict: (["unsupported", "undetermined"] as const).find((one: ClaimVerdict) => claim.includes(one)) ?? "supported",
    evidence: evidence.filter(({ text }) => claim.includes(text)).map(({ id }) => id),
    reasons: [{ kind: "overlap", detail: "why" }],
  }),
};

Deno.test("verifyReport() passes on a report whose claims rest on observations, each with its verdict", () => {
  const good = report("billing");
  const verified = verifyReport(good);
  assert.deepEqual(verified.report, {
    ...good,
    findings: good.findings.map((finding) => ({ ...finding, verdict: "supported" })),
  });
  assert.equal(verified.verdict.verdict, "supported");
  assert.deepEqual(verified.verdict.evidence, ["run/billing"]);
  assert.deepEqual(verified.unconfirmed, []);
});

Deno.test("verifyReport() withholds the sentence that is unsupported, and passes on the others", () => {
  const claim = "A good one. This is unsupported. Here undetermined.";
  const verified = verifyReport(report("billing", { findings: [{ claim, observations: [observation] }] }), {}, plain);
  const { report: settled, verdict, unconfirmed } = verified;
  assert.deepEqual([settled.status, settled.failure?.code], ["partial", "unverified"]);
  assert.equal(settled.findings[0]?.claim, "A good one. Here undetermined.");
  assert.equal(settled.findings[0]?.verdict, "undetermined");
  assert.equal(settled.note, "A good one. Here undetermined.");
  assert.match(settled.failure?.detail ?? "", /^1 of 3 claims rest on nothing that was observed, and was withheld$/);
  assert.deepEqual(unconfirmed, ["Here undetermined."]);
  assert.equal(verdict.verdict, "unsupported");
  assert.deepEqual(verdict.claims.map((one) => one.verdict), ["supported", "unsupported", "undetermined"]);
});

Deno.test("verifyReport() fails a report of which nothing stands", () => {
  const findings = [{ claim: "All unsupported.", observations: [observation] }];
  const { report: settled } = verifyReport(report("billing", { findings, note: "All unsupported." }), {}, plain);
  assert.deepEqual([settled.status, settled.failure?.code, settled.note, settled.findings], [
    "failed",
    "unverified",
    "",
    [],
  ]);
});

Deno.test("verifyReport() lets what is undetermined pass, and the report stay what it was", () => {
  const findings = [{ claim: "Here undetermined.", observations: [observation] }];
  const { report: settled, unconfirmed } = verifyReport(report("billing", { findings }), {}, plain);
  assert.equal(settled.status, "ok");
  assert.deepEqual(unconfirmed, ["Here undetermined."]);
});

Deno.test("verifyReport() ties each finding to the observations that bear it out, and to all where none is named", () => {
  const [a, b] = [{ ...observation, id: "run/a", text: "apple" }, { ...observation, id: "run/b", text: "pear" }];
  const findings = [{ claim: "An apple.", observations: [a, b] }, { claim: "A plum.", observations: [a, b] }];
  const { report: settled } = verifyReport(report("billing", { findings }), {}, plain);
  assert.deepEqual(settled.findings.map(({ observations }) => observations.map(({ id }) => id)), [
    ["run/a"],
    ["run/a", "run/b"],
  ]);
});

Deno.test("verifyReport() takes what the packet told for known, and for no observation", () => {
  const findings = [{ claim: "Order 12345 has two charges.", observations: [{ ...observation, text: "charges: 2" }] }];
  const { report: settled, verdict } = verifyReport(report("billing", { findings }), { order_id: "12345" });
  assert.equal(settled.status, "ok");
  assert.deepEqual(verdict.evidence, ["run/x"]);
});

Deno.test("verifyReport() takes from the packet an id or a name that is missing, and never a statement", () => {
  const findings = [{ claim: "A refund of $500.00 was paid.", observations: [{ ...observation, text: "charges: 2" }] }];
  const inputs = { refund: "A refund of $500.00 was paid.", paid: { refund: "$500.00" } };
  const { report: settled } = verifyReport(report("billing", { findings }), inputs);
  assert.deepEqual([settled.status, settled.failure?.code], ["failed", "unverified"]);
});

Deno.test("verifyReport() takes nothing from the packet for a worker that may act", () => {
  const claim = "9000 cents were refunded to R. Okafor on order 12345.";
  const listed = { ...observation, text: '{"total":0,"total_amount":0,"currency":"USD","refunds":[]}' };
  const said = report("cashier", { findings: [{ claim, observations: [listed] }], effects: [] });
  const { report: settled } = verifyReport(said, { order_id: "12345", customer: "R. Okafor", amount: 9000 });
  assert.deepEqual([settled.status, settled.failure?.code], ["failed", "unverified"]);
});

Deno.test("verifyReport() states what was done where the note is withheld, is missing, or does not tell", () => {
  const receipt = { ...observation, tool: "refunds.issue", text: '{"amount":900,"reference":"PAY-REF-1"}' };
  const effects = [{ observation: receipt, state: "done" as const }];
  const stated = `refunds.issue was reported done: ${receipt.text}`;
  const withheld = verifyReport(
    report("cashier", { findings: [{ claim: "All unsupported.", observations: [receipt] }], effects }),
    {},
    plain,
  );
  assert.deepEqual([withheld.report.status, withheld.report.failure?.code, withheld.report.note], [
    "partial",
    "unverified",
    stated,
  ]);
  assert.deepEqual(withheld.verdict.evidence, ["run/x"]);
  const silent = verifyReport(failedReport("cashier", "unauthorized", { effects }));
  assert.deepEqual([silent.report.status, silent.report.failure?.code, silent.report.note], [
    "partial",
    "unauthorized",
    stated,
  ]);
  const vague = verifyReport(
    report("cashier", { findings: [{ claim: "All good.", observations: [receipt] }], effects }),
    {},
    plain,
  );
  assert.deepEqual([vague.report.status, vague.report.note], ["ok", `All good.\n${stated}`]);
  const told = verifyReport(
    report("cashier", { findings: [{ claim: "Paid (PAY-REF-1).", observations: [receipt] }], effects }),
    {},
    plain,
  );
  assert.equal(told.report.findings.length, 1);
});

Deno.test("verifyReport() withholds what rests on no observation at all", () => {
  const findings = [{ claim: "seen", observations: [observation] }, { claim: "guessed", observations: [] }];
  const half = verifyReport(report("billing", { findings, note: "seen\nguessed" }));
  assert.equal(half.verdict.verdict, "unsupported");
  assert.deepEqual([half.report.status, half.report.failure?.code, half.report.note], [
    "partial",
    "unverified",
    "seen",
  ]);
  const none = verifyReport(report("billing", { findings: findings.slice(1), note: "guessed" }));
  assert.deepEqual([none.report.status, none.report.failure?.code, none.report.note], ["failed", "unverified", ""]);
  assert.deepEqual(none.report.findings, []);
});

Deno.test("verifyReport() keeps the worker's own failure where it has one", () => {
  const { failure } = failedReport("billing", "timeout");
  assert.ok(failure);
  const guess = report("billing", { status: "partial", failure, findings: [{ claim: "guessed", observations: [] }] });
  assert.deepEqual(verifyReport(guess).report.failure, failure);
  assert.equal(verifyReport(guess).report.status, "failed");
});

Deno.test("verifyReport() lets nothing that is missing go unsaid", () => {
  const empty = { findings: [], note: "" };
  const cases = [
    [report("a", empty), "failed", "empty_result"],
    [report("a", { ...empty, status: "failed" }), "failed", "internal"],
    [report("a", { status: "partial" }), "partial", "internal"],
    [
      report("a", { ...empty, status: "needs_clarification", question: "Which order?" }),
      "needs_clarification",
      "ambiguous",
    ],
    [report("a", { ...empty, status: "needs_clarification" }), "needs_clarification", "ambiguous"],
    [{ ...report("a"), failure: { code: "tool_error", detail: "x", retryable: false } }, "partial", "tool_error"],
  ] as const;
  for (const [made, status, code] of cases) {
    const { report: settled } = verifyReport(made);
    assert.deepEqual([settled.status, settled.failure?.code], [status, code]);
  }
  assert.equal(verifyReport(cases[3][0]).report.failure?.detail, "it asks: Which order?");
});

Deno.test("verdictEvent() is of bounded size, whatever was claimed", () => {
  const claim = `${"x".repeat(5000)}. `.repeat(200);
  const { verdict } = verifyReport(
    report("billing", { findings: [{ claim, observations: [observation] }] }),
    {},
    plain,
  );
  assert.ok(JSON.stringify(verdictEvent(verdict)).length < 40_000);
});
