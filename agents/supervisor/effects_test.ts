import assert from "node:assert/strict";
import type { Effect } from "../types.ts";
import { untold, untoldBefore } from "./effects.ts";
import { partsOf } from "./attempts.ts";
import { synthesize } from "./synthesize.ts";
import { failedReport, report, task } from "./testing.ts";
import { verifyReport } from "./verify.ts";

const args = { order_id: "A-12345", amount: 900 };
const text = '{"order_id":"A-12345","amount":900,"status":"paid","reference":"PAY-REF-1"}';
const paid = (more: Partial<Effect["observation"]> = {}, state: Effect["state"] = "done"): Effect => ({
  observation: { id: "run/pay", tool: "refunds.issue", args, text, ...more },
  state,
});
const claims = (effects: readonly Effect[], said: string, ids: readonly string[] = []) =>
  untold(effects, [{ claim: said, evidence: ids }]).map(({ claim }) => claim);
const stated = `refunds.issue was reported done: ${text}`;

Deno.test("untold() states an effect from its result unless a claim names a code that only the result has", () => {
  assert.deepEqual(claims([paid()], "Paid (PAY-REF-1)."), []);
  assert.deepEqual(claims([paid()], "Paid for order A-12345."), [stated]);
  assert.deepEqual(claims([paid()], "Paid (PAY-REF-10)."), [stated]);
  const second = paid({ text: text.replace("REF-1", "REF-2") });
  assert.deepEqual(claims([paid(), second], "Paid (PAY-REF-1)."), [stated.replace("REF-1", "REF-2")]);
});

Deno.test("untold() tells one effect that was asked for twice once, and says what was asked for where the result does not", () => {
  assert.deepEqual(claims([paid(), paid({ id: "run/again" })], "Done."), [stated]);
  assert.deepEqual(claims([paid({ text: "ok" })], "Done."), [
    'refunds.issue {"order_id":"A-12345","amount":900} was reported done: ok',
  ]);
});

Deno.test("untold() says what is in doubt, unless the failure does", () => {
  const doubt = [paid({ text: "timed out" }, "unknown")];
  assert.match(claims(doubt, "Done.", ["run/pay"])[0] ?? "", /^refunds\.issue .* may have been carried out/);
  assert.deepEqual(untold(doubt, [], "outcome_unknown"), []);
  assert.equal(untold(doubt, [], "budget_steps").length, 1);
});

Deno.test("untold() is content with a claim that rests on the result where nobody says that the tool acts", () => {
  assert.deepEqual(claims([paid({}, "possible")], "Two charges.", ["run/pay"]), []);
  assert.deepEqual(claims([paid({}, "possible")], "Two charges."), [`refunds.issue answered: ${text}`]);
});

Deno.test("what an earlier attempt has done is in the answer, whatever a later one says", () => {
  const first = verifyReport(failedReport("billing", "budget_steps", { effects: [paid()] }));
  assert.deepEqual([first.report.status, first.report.note], ["partial", stated]);
  const second = verifyReport(report("billing"));
  assert.deepEqual(untoldBefore([first.report, second.report], second.report).map(({ note }) => note), [stated]);
  const parts = partsOf({ tasks: [task("billing")] }, [first, second]);
  const answer = synthesize({ parts, substitutes: [], dropped: [] });
  assert.deepEqual(answer.sections.map((one) => one.text), [stated, "Found by billing."]);
  assert.equal(answer.status, "complete");
});
