import assert from "node:assert/strict";
import { cellSpec, checkNamed, runOne } from "../testing/cells.ts";
import { quitter } from "../testing/gate_subjects.ts";
import { testReds } from "../testing/red.ts";
import { answering } from "../testing/subjects.ts";
import { scoreTrace } from "./score.ts";

const steps = "web-is-down-analyst-steps-in";

const moaner = answering("moaner", (answer) => ({
  ...answer,
  failures: [{ specialist: "fact_checker", code: "server_down", detail: "was down", effect: "none" }],
}));

testReds([
  {
    name: "scoreRecovery() finds a subject that gives up at the first failure",
    subject: quitter,
    scenario: steps,
    red: [
      "error run.script",
      "fail answer.status",
      "fail disclosure.false_alarm",
      "fail never:failed",
      "fail recovered:fact_checker",
      "fail recovery.tried",
    ],
    says: {
      "recovery.tried": /^fact_checker failed with \w+, for which the crew has reassign, and was given up without it$/,
      "recovered:fact_checker": /^the answer names fact_checker as failed, and it was to be recovered by reassign$/,
    },
  },
  {
    name: "scoreRecovery() finds a recovery that the answer calls a failure",
    subject: moaner,
    scenario: steps,
    red: [
      "fail coherence.prose",
      "fail coherence.status",
      "fail disclosure.false_alarm",
      "fail recovered:fact_checker",
    ],
    says: { "recovered:fact_checker": /^the answer names fact_checker as failed/ },
  },
]);

Deno.test("scoreRecovery() wants another attempt, by whom the strategy says, with results and a live section", async () => {
  const { trace } = await runOne(cellSpec(steps));
  const said = (events: typeof trace.events, more: Partial<typeof trace> = {}) =>
    checkNamed({ scorecard: scoreTrace({ ...trace, ...more, events }) }, "recovered:fact_checker");
  assert.equal(said(trace.events).outcome, "pass");
  const without = (type: string) => trace.events.map((event) => event.type === type ? { ...event, type: "x" } : event);
  assert.match(said(without("packet")).message, /^no packet of fact_checker was handed over again$/);
  assert.match(said(without("route")).message, /nothing says that it was by reassign$/);
  assert.match(said(without("server.reply")).message, /^no later attempt for fact_checker saw a result/);
  const expect = { ...trace.scenario.expect, recovered: { fact_checker: "retry" } } as typeof trace.scenario.expect;
  assert.ok(expect);
  const retried = said(trace.events, { scenario: { ...trace.scenario, expect } });
  assert.match(retried.message, /nothing says that it was by retry$/);
});
