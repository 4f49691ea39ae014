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

Deno.test("timing() knows every server, bursts and agents, and asks each fault how long it takes", async () => {
  const twice = sound("    - final: Found.\n", "    - call: orders.refund_status\n    - final: Found.\n");
  const end = async (fault: string) => (await of(twice.replace(FAULTS, `  - { ${fault} }\n`))).end;
  assert.deepEqual(await end('fault: latency, at: "*", ms: 300'), [[600, 600]]);
  assert.deepEqual(await end("fault: latency, at: orders, ms: 300, when: { burst: { every: 2, length: 1 } }"), [
    [300, 300],
  ]);
  assert.deepEqual(await end("fault: latency, at: orders, ms: 300, jitter: 100"), [[400, 800]]);
  assert.deepEqual(await end("fault: one_at_a_time, at: orders, ms: 200"), [[400, 400]]);
  assert.deepEqual(await end("fault: pause_resume, at: orders, ms: 700, when: { calls: [2] }"), [[700, 700]]);
  assert.deepEqual(await end('fault: slow_first_token, at: "agent:billing", ms: 100'), [[300, 300]]);
  assert.deepEqual(await end('fault: slow_first_token, at: "agent:*", ms: 100, when: { calls: [3] }'), [[100, 100]]);
  assert.deepEqual(await end('fault: slow_first_token, at: "agent:policy", ms: 100'), [[0, 0]]);
  // It is over before there is any packet.
  assert.deepEqual(await end("fault: slow_start, at: orders, ms: 500"), [[0, 0]]);
  const [[drip = 0] = []] = await end("fault: slow_drip, at: orders.find_order, size: 32, pause: 100");
  assert.ok(drip >= 500 && drip < 2000);
});

Deno.test("timing() ends where a model never answers", async () => {
  const hung = await of(sound(FAULTS, '  - { fault: model_hang, at: "agent:billing", when: { calls: [2] } }\n'));
  assert.deepEqual([hung.hangs, hung.end], [true, []]);
});

Deno.test("timing() takes what follows a call that is never answered for another attempt", async () => {
  const hung = await of(sound(FAULTS, "  - { fault: black_hole, at: orders }\n"));
  assert.deepEqual([hung.events, hung.hangs, hung.end], [[], true, [[0, 0]]]);
  const once = await of(sound(FAULTS, "  - { fault: black_hole, at: orders, when: { probability: 0.5 } }\n"));
  assert.deepEqual([once.events, once.hangs, once.end], [[], true, [[0, 0]]]);
});

Deno.test("timing() begins anew with each attempt: after a last word, the last step or the deadline", async () => {
  const limits = { deadlineMs: 3000, callMs: Infinity, maxSteps: 2 };
  const at = async (turns: string, more: Partial<typeof limits> = {}) => {
    const text = sound("    - final: Found.\n", `${turns}    - final: Found.\n`)
      .replace("status: complete", "status: complete\n  recovered: { billing: retry }");
    const [scenario] = await resolved(text);
    assert.ok(scenario);
    return timing(scenario, "billing", { ...limits, ...more });
  };
  const call = "    - call: orders.find_order\n";
  assert.deepEqual((await at(`    - final: Not found.\n${call}`)).end, [[500, 500]]);
  assert.deepEqual((await at(`${call}${call}`)).end, [[500, 500]]);
  assert.deepEqual((await at(`${call}${call}`, { maxSteps: 9 })).end, [[1500, 1500]]);
  const missed = await at("    - { say: x, takes: 4000 }\n".replace("say: x", "call: orders.find_order"));
  assert.deepEqual([missed.late, missed.end], [true, [[0, 0]]]);
});

Deno.test("timing() ends a call at its limit, and adds what the operator takes", async () => {
  const limits = { deadlineMs: 9000, callMs: 2000, maxSteps: 9 };
  const [slow] = await resolved(sound("ms: 500", "ms: 7000"));
  assert.ok(slow);
  const { end, replies } = timing(slow, "billing", limits);
  assert.deepEqual([end, replies], [[[2000, 2000]], [{ turn: 0, at: [7000, 7000] }]]);
  const operator = "operator:\n  approvals: [{ tool: orders.find_order, decision: approve, takes: 1s }]\n";
  const [asked] = await resolved(SOUND + operator);
  assert.ok(asked);
  assert.deepEqual(timing(asked, "billing", limits).end, [[500, 500], [1500, 1500]]);
});
