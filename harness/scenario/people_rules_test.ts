import assert from "node:assert/strict";
import { CREWS } from "../../agents/mod.ts";
import { problemsOf, SOUND, sound } from "./test_folder.ts";

const names = CREWS.get("support")?.specialists.map(({ name }) => name).join(", ") ?? "";
const expecting = (text: string) => sound("status: complete", `status: degraded\n  ${text}`);

Deno.test("validateScenario() wants people to speak of tools and specialists that there are", async () => {
  const lines = await problemsOf(`${SOUND}operator:
  approvals: [{ tool: orders.find, decision: approve }]
  takeovers: { biling: By hand. }
user: { answers: { poet: ["yes"] } }
`);
  assert.equal(lines.length, 3);
  assert.match(lines[0] ?? "", /^x\.yaml:17:23 unknown tool "orders\.find"/);
  assert.equal(lines[1], `x.yaml:18:16 unknown specialist "biling" (did you mean "billing"?); allowed: ${names}`);
  assert.equal(lines[2], `x.yaml:19:20 unknown specialist "poet"; allowed: ${names}`);
});

Deno.test("validateScenario() wants recoveries, notes, effects, approvals and handoffs to be about what there is", async () => {
  const start = async (text: string) => (await problemsOf(expecting(text))).map((line) => line.slice(0, 60));
  assert.deepEqual(await start("recovered: { poet: retry }"), [
    'x.yaml:16:16 unknown specialist "poet"; allowed: billing, po',
  ]);
  assert.deepEqual(await problemsOf(expecting("failed: { billing: timeout }\n  recovered: { billing: retry }")), [
    'x.yaml:17:16 "billing" is in recovered and in failed; who recovers has not failed',
  ]);
  assert.deepEqual(await start("notes: { poet: supported }"), [
    'x.yaml:16:12 unknown specialist "poet"; allowed: billing, po',
  ]);
  assert.match(
    (await start("effects: [{ server: ordres, kind: x }]")).join(),
    /^x\.yaml:16:23 unknown server "ordres"/,
  );
  assert.match(
    (await start("approvals: [{ tool: a.b, decision: denied }]")).join(),
    /^x\.yaml:16:23 unknown tool "a\.b"/,
  );
  assert.deepEqual(await problemsOf(expecting("handoffs: []")), [
    "x.yaml:16:3 only peers hand over control; write `topology: peer`, or take this out",
  ]);
});

Deno.test("validateScenario() wants words for a person who stands in", async () => {
  const human = expecting("failed: { billing: timeout }\n  substituted: { billing: { by: human } }");
  assert.deepEqual(await problemsOf(human), [
    'x.yaml:17:18 nobody is scripted to stand in for "billing"; say what in operator.takeovers.billing',
  ]);
  assert.deepEqual(await problemsOf(`${human}operator: { takeovers: { billing: By hand. } }\n`), []);
});

Deno.test("validateScenario() takes triage and handoffs among peers, and no planner", async () => {
  const peer = sound(
    SOUND.slice(SOUND.indexOf("  planner:"), SOUND.indexOf("  billing:")),
    `  triage:
    - call: handoff.billing
      with: { objective: Look. }
`,
  ).replace("crew: support", "crew: support\ntopology: peer");
  assert.deepEqual(await problemsOf(peer), []);
  assert.match(
    (await problemsOf(SOUND.replace("crew: support", "crew: support\ntopology: peer"))).join(),
    /triage has no script/,
  );
  assert.match(
    (await problemsOf(sound("orders.find_order\n", "handoff.comms\n"))).join(),
    /unknown tool "handoff\.comms"/,
  );
});

Deno.test("validateScenario() lets a specialist speak again that may be asked again, and no other", async () => {
  const twice = sound(
    "    - final: Found.\n",
    "    - final: Nothing.\n    - call: orders.find_order\n    - final: Found.\n",
  );
  assert.match((await problemsOf(twice)).join(), /nothing is played after a `final`/);
  assert.deepEqual(
    await problemsOf(twice.replace("status: complete", "status: complete\n  recovered: { billing: retry }")),
    [],
  );
  assert.deepEqual(await problemsOf(`${twice}user: { answers: { billing: ["12345"] } }\n`), []);
});

Deno.test("validateScenario() lets a specialist with two tasks speak twice, and not one that is only named often", async () => {
  const twice = sound(
    "    - final: Found.\n",
    "    - final: Nothing.\n    - call: orders.find_order\n    - final: Found.\n",
  );
  const planned = (...tasks: object[]) =>
    problemsOf(twice.replace(/say: .*/, () => `say: '${JSON.stringify({ tasks })}'`));
  const look = { specialist: "billing", objective: "Look." };
  assert.deepEqual(await planned({ id: "one", ...look }, { id: "two", ...look }), []);
  assert.match(
    (await planned(
      { id: "billing", ...look },
      { id: "words", specialist: "comms", objective: "Find words.", dependsOn: ["billing"] },
      { id: "rules", specialist: "policy", objective: "Find rules.", dependsOn: ["billing"] },
    )).join(),
    /nothing is played after a `final`/,
  );
});
