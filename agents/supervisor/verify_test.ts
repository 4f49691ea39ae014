import assert from "node:assert/strict";
import { failedReport, report } from "./testing.ts";
import { verifyReport } from "./verify.ts";

const observation = { id: "run/x", tool: "s.find", args: {}, text: "x" };

Deno.test("verifyReport() passes on a report whose claims rest on observations", () => {
  const good = report("billing");
  assert.deepEqual(verifyReport(good), {
    report: good,
    verdict: { worker: "billing", packetId: "billing", verdict: "supported", evidence: ["run/billing"] },
  });
});

Deno.test("verifyReport() withholds what rests on nothing, and says so", () => {
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
