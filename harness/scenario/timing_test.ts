import assert from "node:assert/strict";
import { resolved, SOUND, sound } from "./test_folder.ts";
import { timing } from "./timing.ts";

const FAULTS = "  - { fault: latency, at: orders.find_order, ms: 500 }\n";

async function of(text: string) {
  const [scenario] = await resolved(text);
  assert.ok(scenario);
  return timing(scenario, "billing");
}

Deno.test("timing() adds what the model takes and what faults add", async () => {
  const { events, end, hangs } = await of(sound("- final: Found.", "- { final: Found., takes: 200ms }"));
  assert.deepEqual(events, [{ turn: 0, at: [500, 500] }, { turn: 1, at: [700, 700] }]);
  assert.deepEqual([end, hangs], [[[700, 700]], false]);
});

Deno.test("timing() counts calls of one turn side by side", async () => {
  const calls = "- calls: [{ call: orders.find_order }, { call: orders.find_order }]";
  assert.deepEqual(
    (await of(SOUND.replace('- call: orders.find_order\n      with: { order_id: "12345" }', calls))).end,
    [
      [500, 500],
    ],
  );
});

Deno.test("timing() follows a schedule where it can, and both ways where chance decides", async () => {
  const twice = sound("    - final: Found.\n", "    - call: orders.find_order\n    - final: Found.\n");
  const when = (text: string) => twice.replace("ms: 500 }", `ms: 500, when: ${text} }`);
  assert.deepEqual((await of(twice)).end, [[1000, 1000]]);
  assert.deepEqual((await of(when("{ calls: [2] }"))).end, [[500, 500]]);
  assert.deepEqual((await of(when("{ probability: 0.5 }"))).end, [[0, 0], [500, 500], [1000, 1000]]);
});

Deno.test("timing() ends where a call is never answered", async () => {
  const hung = await of(sound(FAULTS, "  - { fault: black_hole, at: orders }\n"));
  assert.deepEqual(hung, { events: [], hangs: true, end: [] });
  const once = await of(sound(FAULTS, "  - { fault: black_hole, at: orders, when: { probability: 0.5 } }\n"));
  assert.deepEqual(once, { events: [], hangs: true, end: [[0, 0]] });
});
