import assert from "node:assert/strict";
import { cellSpec, notGreen, runOne } from "../testing/cells.ts";
import { answering } from "../testing/subjects.ts";

Deno.test("scoreTrace() leaves untestable what a subject declares that it does not show, and that is not red", async () => {
  const silent = { ...answering("silent", (answer) => ({ ...answer, failures: [] })), shows: ["agents"] } as const;
  const { scorecard } = await runOne(cellSpec("broken-policy-server", { subject: silent }));
  const of = (id: string) => scorecard.checks.find((one) => one.id === id);
  assert.deepEqual(of("disclosure.structured:policy"), {
    id: "disclosure.structured:policy",
    outcome: "untestable",
    message: "the subject does not show its answer",
    evidence: [],
    declared: true,
  });
  assert.equal(of("run.ended")?.outcome, "pass");
  assert.ok(scorecard.checks.some(({ id, outcome }) => id.startsWith("canary:") && outcome === "pass"));
  assert.equal(scorecard.outcome, "pass", notGreen({ scorecard }).join("\n"));
});

Deno.test("scoreTrace() takes nobody's declaration for an excuse of what is seen", async () => {
  const liar = { ...answering("liar", (answer) => ({ ...answer, text: "All is well." })), shows: ["agents"] } as const;
  const { scorecard } = await runOne(cellSpec("broken-policy-server", { subject: liar }));
  assert.equal(scorecard.outcome, "fail");
  assert.ok(notGreen({ scorecard }).includes("fail disclosure.prose:policy"));
});
