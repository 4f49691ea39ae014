import assert from "node:assert/strict";
import { CREWS } from "../../agents/crews/mod.ts";
import { loadScenario } from "./load.ts";
import { resolve } from "./resolve.ts";
import { problemsOf, resolved, SOUND, sound, TestFolder } from "./test_folder.ts";

const ARTICLE = (reference: string) =>
  `{ id: K, title: Duplicate charges, body: They clear in 5 business days., reference: ${reference} }`;

Deno.test("resolveAll() gives the scenario itself and its variants, in the file's order", async () => {
  const scenarios = await resolved(`${SOUND}variants:
  slow: { faults: [{ fault: latency, at: kb, ms: 1s }] }
  broken:
    story: Orders fail.
    faults: [{ fault: tool_error, at: orders }]
    script: { billing: [{ call: orders.find_order }, { final: No. }] }
    expect: { status: failed, failed: { billing: tool_error } }
`);
  assert.deepEqual(scenarios.map(({ variant }) => variant), [null, "slow", "broken"]);
  const [base, slow, broken] = scenarios;
  assert.deepEqual(base?.faults.map(({ fault, ms }) => [fault, ms]), [["latency", 500]]);
  assert.deepEqual(slow?.faults.map(({ at, ms }) => [at, ms]), [["kb", 1000]]);
  assert.equal(slow?.story, "Nothing goes wrong.");
  assert.equal(broken?.story, "Orders fail.");
  assert.deepEqual(broken?.expect?.failed, { billing: "tool_error" });
  // Key by key: the planner's script is the scenario's still.
  assert.deepEqual(broken?.script.planner, base?.script.planner);
  assert.ok(!Object.hasOwn(base ?? {}, "variants") && !Object.hasOwn(base ?? {}, "world"));
});

Deno.test("resolve() fills in each server of the crew, scenario over world and variant over scenario", async () => {
  const world = `servers:
  kb: { articles: [${ARTICLE("WORLD-KB-1")}] }
  orders: { orders: {}, refunds: {} }
canaries: { WORLD-KB-1: kb.search_kb }
`;
  const text = `${SOUND}world: _world.yaml
servers:
  kb: { articles: [${ARTICLE("FILE-KB-1")}] }
canaries: { FILE-KB-1: kb.search_kb }
variants:
  other:
    servers: { kb: { articles: [] } }
`;
  const [base, other] = await resolved(text, { "_world.yaml": world });
  assert.deepEqual(Object.keys(base?.servers ?? {}), CREWS.get("support")?.servers);
  assert.match(JSON.stringify(base?.servers.kb), /FILE-KB-1/);
  assert.deepEqual(base?.servers.orders, { orders: {}, refunds: {} });
  assert.ok(Object.keys(base?.servers.policy ?? {}).length > 0, "the fixture's defaults are filled in");
  // Canaries of data that has been replaced are gone with it.
  assert.deepEqual(base?.canaries, { "FILE-KB-1": "kb.search_kb" });
  assert.deepEqual(other?.canaries, {});
});

Deno.test("resolve() checks servers' data against their fixtures, in whichever file it stands", async () => {
  assert.deepEqual(await problemsOf(`${SOUND}servers:\n  orders:\n    ordrs: {}\n`), [
    'x.yaml:18:5 unknown key "ordrs" (did you mean "orders"?); allowed: orders, refunds',
  ]);
  const world = "servers:\n  kb:\n    articles:\n      - { id: 1, title: A, body: B, reference: C }\n";
  assert.deepEqual(await problemsOf(`${SOUND}world: _world.yaml\n`, { "_world.yaml": world }), [
    '_world.yaml:4:15 "id": expected a text, found 1; put it in quotes to make it a text',
  ]);
  const variant = "variants:\n  odd:\n    servers:\n      kb: { articles: 3 }\n";
  assert.deepEqual(await problemsOf(SOUND + variant), [
    'x.yaml:19:23 "articles": expected a list, found 3 (in variant "odd")',
  ]);
});

Deno.test("resolve() reports an unknown crew and an unknown server", async () => {
  assert.deepEqual(await problemsOf(sound("crew: support", "crew: suport")), [
    `x.yaml:3:7 unknown crew "suport" (did you mean "support"?); allowed: ${[...CREWS.keys()].join(", ")}`,
  ]);
  assert.deepEqual(await problemsOf(`${SOUND}servers: { ordres: {} }\n`), [
    'x.yaml:16:12 unknown server "ordres" (did you mean "orders"?); allowed: ' +
    (CREWS.get("support")?.servers.join(", ") ?? ""),
  ]);
});

Deno.test("resolve() throws on a variant that does not exist", async () => {
  await using folder = await TestFolder.make({ "x.yaml": SOUND });
  const loaded = await loadScenario(`${folder.path}/x.yaml`);
  assert.ok(loaded.ok);
  assert.throws(() => resolve(loaded.value, "toString"), RangeError);
});

Deno.test("resolve() takes operator and user away with null, and keeps them where a variant says nothing", async () => {
  const scenarios = await resolved(`${SOUND}operator: { takeovers: { billing: By hand. } }
user: { answers: { billing: ["12345"] } }
variants:
  nobody: { operator: null, user: null }
  same: { story: The same. }
`);
  assert.deepEqual(scenarios.map((one) => [Object.hasOwn(one, "operator"), Object.hasOwn(one, "user")]), [
    [true, true],
    [false, false],
    [true, true],
  ]);
});
