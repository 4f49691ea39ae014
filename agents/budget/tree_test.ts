import assert from "node:assert/strict";
import { Random } from "../../core/mod.ts";
import type { Handoff, Usage } from "../types.ts";
import { allot, type Left, leftOf } from "./tree.ts";

const usage = (more: Partial<Usage>): Usage => ({ steps: 0, inputTokens: 0, outputTokens: 0, costUsd: null, ...more });
const packet = (id: string, more: Partial<Handoff> = {}): Handoff => ({
  id,
  sender: "supervisor",
  recipient: id,
  objective: "x",
  inputs: {},
  toolAllow: [],
  maxSteps: 3,
  dependsOn: [],
  returnContract: "x",
  ...more,
});
const ENDLESS: Left = { steps: Infinity, tokens: Infinity, costUsd: Infinity };

Deno.test("leftOf() is without limit where none is set, and never less than nothing", () => {
  assert.deepEqual(leftOf(undefined, [usage({ steps: 5 })], []), ENDLESS);
  const used = usage({ steps: 2, inputTokens: 70, outputTokens: 20, costUsd: 0.5 });
  assert.deepEqual(leftOf({ steps: 3, tokens: 100, costUsd: 1 }, [used], []), { steps: 1, tokens: 10, costUsd: 0.5 });
  const others = [usage({ steps: 9, inputTokens: 30, costUsd: 2 })];
  assert.deepEqual(leftOf({ steps: 3, tokens: 100, costUsd: 1 }, [used], others), { steps: 1, tokens: 0, costUsd: 0 });
});

Deno.test("allot() gives each packet what it wants, as long as there is any, and then what is left", () => {
  const { packets, refused, cut } = allot([packet("a"), packet("b"), packet("c")], { ...ENDLESS, steps: 5 });
  assert.deepEqual(packets.map(({ id, maxSteps }) => [id, maxSteps]), [["a", 3], ["b", 2]]);
  assert.deepEqual(refused.map(({ shortage }) => shortage), [{ packetId: "c", resource: "steps", wanted: 3, left: 0 }]);
  assert.deepEqual(cut, [{ packetId: "b", resource: "steps", wanted: 3, left: 2 }]);
});

Deno.test("allot() changes nothing where nothing is limited", () => {
  const wanted = [packet("a", { maxTokens: 10 }), packet("b")];
  assert.deepEqual(allot(wanted, ENDLESS), { packets: wanted, refused: [], cut: [] });
});

Deno.test("allot() shares tokens out among those that want all there are, after those that want less", () => {
  const wanted = [packet("a", { maxTokens: 40 }), packet("b"), packet("c")];
  const { packets } = allot(wanted, { ...ENDLESS, tokens: 101, costUsd: 3 });
  assert.deepEqual(packets.map(({ maxTokens, maxCostUsd }) => [maxTokens, maxCostUsd]), [[40, 1], [30, 1], [31, 1]]);
});

Deno.test("allot() never gives out more than is left, whatever is wanted", () => {
  const random = new Random("allot");
  for (let round = 0; round < 1000; round++) {
    const wanted = Array.from({ length: 1 + random.int(6) }, (_, i) =>
      packet(`t${i}`, {
        maxSteps: 1 + random.int(6),
        ...(random.int(2) === 0 ? {} : { maxTokens: 1 + random.int(500) }),
        ...(random.int(2) === 0 ? {} : { maxCostUsd: (1 + random.int(9)) / 4 }),
      }));
    const left = { steps: random.int(12), tokens: random.int(900), costUsd: random.int(5) };
    const { packets, refused } = allot(wanted, left);
    const sum = (of: (one: Handoff) => number) => packets.reduce((total, one) => total + of(one), 0);
    assert.ok(sum(({ maxSteps }) => maxSteps) <= left.steps);
    assert.ok(sum(({ maxTokens = Infinity }) => maxTokens) <= left.tokens);
    assert.ok(sum(({ maxCostUsd = Infinity }) => maxCostUsd) <= left.costUsd + 1e-9);
    assert.ok(packets.every(({ maxSteps, maxTokens = 1 }) => maxSteps >= 1 && maxTokens >= 1));
    assert.equal(packets.length + refused.length, wanted.length);
  }
});
