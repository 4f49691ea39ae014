import assert from "node:assert/strict";
import { FAULTS } from "../../servers/mod.ts";
import { findScenarios, resolveFound } from "./find.ts";
import { loadScenario } from "./load.ts";
import { expansionOf, resolveAll } from "./resolve.ts";
import { problemsOf, SOUND, TestFolder } from "./test_folder.ts";

const ALL = `${SOUND}variants: all-faults\n`;

async function expanded(text: string, group = "all-faults") {
  await using folder = await TestFolder.make({ "x.yaml": text });
  const loaded = await loadScenario(`${folder.path}/x.yaml`, "x.yaml");
  assert.ok(loaded.ok);
  const expansion = expansionOf(loaded.value, group);
  assert.ok(expansion.ok);
  return expansion.value;
}

Deno.test("expand() makes one scenario of each fault that applies, and says of the others why they do not", async () => {
  const { scenarios, inapplicable } = await expanded(ALL);
  const names = scenarios.map(({ variant }) => variant?.replace("all-faults.", ""));
  assert.deepEqual([...names, ...inapplicable.map(({ fault }) => fault)].sort(), [...FAULTS.keys()].sort());
  for (const { reason } of inapplicable) assert.ok(reason.length > 10);
  for (const { faults, expect, playback, smoke, variant } of scenarios) {
    assert.ok(variant?.endsWith(`.${faults.at(-1)?.fault}`));
    assert.equal(faults[0]?.fault, "latency", "what the scenario has stays");
    assert.deepEqual([expect, playback, smoke], [undefined, "lenient", false]);
  }
});

Deno.test("expand() puts each fault where it has something to do", async () => {
  const script = `  billing:
    - calls:
        - { call: orders.find_order, with: { order_id: "12345" } }
        - { call: orders.refund_status, with: { order_id: "12345" } }
    - final: Found.
  policy:
    - { call: policy.check_policy, with: { topic: refund } }
    - final: Found.
`;
  const { scenarios, inapplicable } = await expanded(ALL.replace(/ {2}billing:\n(.*\n){3}/, script));
  const places = new Map(scenarios.map(({ faults }) => [faults.at(-1)?.fault, faults.at(-1)?.at]));
  for (
    const [fault, place] of [
      ["server_down", "orders"],
      ["tool_error", "orders.find_order"],
      ["stale", "policy.check_policy"],
      ["corrupt_value", "orders.find_order"],
      ["swapped_replies", "orders"],
      ["fenced_plan", "agent:planner"],
      ["prose_for_schema", "agent:planner"],
      ["model_hang", "agent:billing"],
    ]
  ) assert.equal(places.get(fault), place, fault);
  const reasons = new Map(inapplicable.map(({ fault, reason }) => [fault, reason]));
  assert.equal(
    reasons.get("mojibake"),
    "it needs a result with letters beyond ASCII, and the script leads to none",
  );
  assert.match(reasons.get("split_multibyte") ?? "", /^it is in the bytes of a reply over HTTP/);
});

Deno.test("expand() has no place for a worker's fault where no worker calls anything", async () => {
  const { scenarios, inapplicable } = await expanded(ALL.replace(/ {2}billing:\n(.*\n){3}/, "  billing: []\n"));
  assert.ok(scenarios.length > 10 && scenarios.every(({ faults }) => faults.at(-1)?.at === "agent:planner"));
  assert.ok(inapplicable.some(({ reason }) => reason === "no specialist's script calls a tool"));
});

Deno.test("expand() keeps what a fault plants out of the scenario's artifacts", async () => {
  const { scenarios } = await expanded(ALL);
  const planted = scenarios.find(({ variant }) => variant === "all-faults.planted_secret");
  assert.deepEqual(Object.values(planted?.secrets ?? {}), [planted?.faults.at(-1)?.secret]);
});

Deno.test("findScenarios() selects what a word stands for by the word, one by one or by a glob, and never with the rest", async () => {
  const text = `${SOUND}variants: { slow: {}, everything: all-faults }\n`;
  await using folder = await TestFolder.make({ "scenarios/x.yaml": text });
  const find = (...selectors: string[]) =>
    findScenarios(`${folder.path}/scenarios`, selectors, { cwd: folder.path, base: folder.path });
  const names = async (...selectors: string[]) => (await find(...selectors)).flatMap(({ variants }) => variants);
  for (const selectors of [[], ["sound"], ["support"], ["s*"], ["scenarios/x.yaml"]]) {
    assert.deepEqual(await names(...selectors), [null, "slow"], selectors.join());
  }
  assert.deepEqual(await names("sound/everything.tool_error"), ["everything.tool_error"]);
  assert.deepEqual(await names("*/*.model_h*"), ["everything.model_http_error", "everything.model_hang"]);
  const all = await names("sound/everything");
  assert.ok(all.length > 100 && all.every((name) => name?.startsWith("everything.")));
  assert.deepEqual(await names("*/everything"), all);
  const resolved = resolveFound(await find("sound/everything.tool_error", "sound/slow"));
  assert.ok(resolved.ok);
  assert.deepEqual(resolved.value.map(({ variant }) => variant), ["slow", "everything.tool_error"]);
  await assert.rejects(find("sound/everything.tool_eror"), /did you mean "sound\/everything\.tool_error"\?/);
  await assert.rejects(find("sound/everthing"), /did you mean "sound\/everything"\?/);
});

Deno.test("resolveAll() validates what is written out whatever is wanted", async () => {
  const text = `${SOUND}variants: { odd: { faults: [{ fault: latency, at: nowhere }] }, all: all-faults }\n`;
  await using folder = await TestFolder.make({ "x.yaml": text });
  const loaded = await loadScenario(`${folder.path}/x.yaml`, "x.yaml");
  assert.ok(loaded.ok);
  assert.ok(!resolveAll(loaded.value, ["all.tool_error"]).ok);
});

Deno.test("loadScenario() says what is wrong inside a variant, and what a word may be", async () => {
  const of = (variants: string) => problemsOf(`${SOUND}variants: ${variants}\n`);
  assert.deepEqual(await of("all-fault"), [
    'x.yaml:16:11 "variants": expected all-faults or a map, found the text "all-fault"',
  ]);
  assert.deepEqual(await of("{ a: all }"), ['x.yaml:16:16 "a": expected all-faults or a map, found the text "all"']);
  assert.deepEqual(await of("{ a: { story: 1 } }"), [
    'x.yaml:16:25 "story": expected a text, found 1; put it in quotes to make it a text',
  ]);
  assert.deepEqual(await of("{ a: { stori: x } }"), [
    'x.yaml:16:18 unknown key "stori" (did you mean "story"?); allowed: story, servers, script, faults, operator, user, ' +
    "interrupts, model_via, crew_overrides, expect",
  ]);
});
