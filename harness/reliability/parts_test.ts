import assert from "node:assert/strict";
import { cellSpec, runOne, scenariosNamed } from "../testing/cells.ts";
import { liar } from "../testing/subjects.ts";
import { cellRow } from "./row.ts";

async function partsOf(name: string, subject = {}): Promise<string[]> {
  const [scenario] = await scenariosNamed(name);
  assert.ok(scenario !== undefined);
  const { parts } = cellRow(await runOne(cellSpec(scenario, subject)));
  return parts.map(({ who, visibility, persistence, fate }) => `${who}: ${visibility} ${persistence}, ${fate}`).sort();
}

for (
  const [what, scenario, parts] of [
    ["a substitute for what it is", "broken-policy-server", ["policy: explicit permanent, substituted"]],
    ["a hang for implicit", "policy-server-hangs", ["policy: implicit permanent, substituted"]],
    ["a second call that worked for a recovery", "error-quotes-a-password/and-answers-when-asked-again", [
      "billing: explicit transient, recovered",
    ]],
    ["another attempt that worked for a recovery", "comms-model-fails-midway", [
      "comms: explicit transient, recovered",
    ]],
    ["a lost receipt that was found for a recovery", "refund-paid-and-receipt-lost", [
      "cashier: implicit transient, recovered",
    ]],
    ["a named failure for disclosed", "error-quotes-a-password", ["billing: explicit permanent, disclosed"]],
    ["a delay within the limits for nothing", "slow-policy-server", []],
    ["a healthy run for nothing", "healthy-desk", []],
  ] as const
) {
  Deno.test(`faultedParts() takes ${what}`, async () => assert.deepEqual(await partsOf(scenario), parts));
}

Deno.test("faultedParts() does not take the answer's word: what nobody saw was not recovered", async () => {
  assert.deepEqual(await partsOf("error-quotes-a-password", { subject: liar }), [
    "billing: explicit permanent, passed_on",
  ]);
});

Deno.test("cellRow() survives a trace in which any detail is hostile", async () => {
  const { trace, scorecard } = await runOne(cellSpec("broken-policy-server"));
  for (const value of [null, 7, [null], [{ name: 1 }], { __proto__: null }]) {
    for (const [i, event] of trace.events.entries()) {
      const detail = Object.fromEntries(Object.keys(event.detail).map((key) => [key, value]));
      const events = trace.events.map((other, j) => i === j ? { ...event, detail } : other);
      assert.equal(cellRow({ trace: { ...trace, events }, scorecard }).outcome, "pass");
    }
  }
});
