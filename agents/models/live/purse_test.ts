import assert from "node:assert/strict";
import { Purse } from "./purse.ts";

const { signal } = new AbortController();

Deno.test("Purse never lets more be used than its limit, whatever calls come at once", async () => {
  const purse = new Purse({ maxTokens: 100 });
  const first = await purse.reserve({ tokens: 60, costUsd: undefined }, signal);
  let began = false;
  const second = purse.reserve({ tokens: 60, costUsd: undefined }, signal).then((held) => (began = true, held));
  await Promise.resolve();
  assert.equal(began, false, "both together would be too much, and the first may use less");
  first.settle({ tokens: 10, costUsd: undefined });
  (await second).settle({ tokens: 50, costUsd: undefined });
  assert.equal(purse.spent.tokens, 60);
  const refusal = { code: "budget_tokens", detail: /100 tokens: 60 are used, and this call may use 41/ };
  await assert.rejects(purse.reserve({ tokens: 41, costUsd: undefined }, signal), refusal);
  assert.equal(purse.spent.refused, 1);
});

Deno.test("Purse keeps a limit of money, and refuses a call whose price nobody knows", async () => {
  const purse = new Purse({ maxCostUsd: 1 });
  (await purse.reserve({ tokens: 1, costUsd: 0.6 }, signal)).settle({ tokens: 1, costUsd: 0.55 });
  await assert.rejects(purse.reserve({ tokens: 1, costUsd: 0.46 }, signal), { code: "budget_cost" });
  await assert.rejects(purse.reserve({ tokens: 1, costUsd: undefined }, signal), { code: "budget_cost" });
  (await purse.reserve({ tokens: 1, costUsd: 0.45 }, signal)).settle({ tokens: 1, costUsd: 0.45 });
  assert.equal(purse.spent.costUsd, 1);
});

Deno.test("Purse counts what nobody has told against its limit, and tells it apart", async () => {
  const purse = new Purse({ maxTokens: 100 });
  (await purse.reserve({ tokens: 70, costUsd: undefined }, signal)).settle(undefined);
  assert.deepEqual([purse.spent.tokens, purse.spent.untold.tokens], [0, 70]);
  await assert.rejects(purse.reserve({ tokens: 31, costUsd: undefined }, signal), { code: "budget_tokens" });
});

Deno.test("Purse counts the most that a call may have cost whose price is not known afterwards", async () => {
  const purse = new Purse({ maxCostUsd: 1 });
  (await purse.reserve({ tokens: 1, costUsd: 0.6 }, signal)).settle({ tokens: 1, costUsd: undefined });
  assert.deepEqual([purse.spent.costUsd, purse.spent.unpriced], [0, 1]);
  await assert.rejects(purse.reserve({ tokens: 1, costUsd: 0.6 }, signal), { code: "budget_cost" });
});

Deno.test("Purse counts what was used before it, and has an account that is never too low", async () => {
  const purse = new Purse({ maxTokens: 100, maxCostUsd: 1 });
  const told: number[] = [];
  purse.watch(({ tokens, untold }) => told.push(tokens + untold.tokens));
  const held = await purse.reserve({ tokens: 60, costUsd: 0.5 }, signal);
  const killed = purse.account;
  assert.deepEqual(
    [killed.tokens, killed.untold],
    [0, { calls: 1, tokens: 60, costUsd: 0.5 }],
    "it may have used all of it",
  );
  held.settle({ tokens: 10, costUsd: undefined });
  assert.deepEqual(told, [60, 10]);
  const { calls, tokens, unpriced, doubtfulUsd, untold, unbounded } = purse.account;
  assert.deepEqual([calls, tokens, unpriced, doubtfulUsd, untold.calls, unbounded], [1, 10, 1, 0.5, 0, 0]);
  const later = new Purse({ maxTokens: 100, maxCostUsd: 1.2 });
  later.carry(killed);
  later.carry(purse.account);
  assert.deepEqual([later.spent.calls, later.account.calls], [0, 0], "that is not its own");
  await assert.rejects(later.reserve({ tokens: 31, costUsd: 0 }, signal), {
    detail: /: 70 are used, 70 of them before,/,
  });
  await assert.rejects(later.reserve({ tokens: 1, costUsd: 0.3 }, signal), {
    detail: /\$1 are spent, \$1 of them before/,
  });
  (await later.reserve({ tokens: 30, costUsd: 0.2 }, signal)).settle({ tokens: 30, costUsd: 0.2 });
});

Deno.test("Purse tells of calls of which not even the most that they cost is known", async () => {
  const purse = new Purse();
  const first = await purse.reserve({ tokens: 1, costUsd: undefined }, signal);
  assert.equal(purse.account.unbounded, 1);
  first.settle({ tokens: 1, costUsd: 0.1 });
  (await purse.reserve({ tokens: 1, costUsd: undefined }, signal)).settle(undefined);
  (await purse.reserve({ tokens: 1, costUsd: undefined }, signal)).settle({ tokens: 1, costUsd: undefined });
  assert.deepEqual([purse.account.unbounded, purse.account.unpriced, purse.account.costUsd], [2, 1, 0.1]);
});

Deno.test("Purse tells what a refused call lacks, and limits that suffice for it when the cell begins anew", async () => {
  const limits = { maxTokens: 100, maxCostUsd: 0.02 };
  const purse = new Purse(limits);
  purse.carry({ ...(new Purse().account), calls: 1, tokens: 10, costUsd: 0.001 });
  (await purse.reserve({ tokens: 60, costUsd: 0.01 }, signal)).settle({ tokens: 50, costUsd: 0.009 });
  const before = purse.shortfall;
  assert.equal(before, undefined);
  const most = { tokens: 70, costUsd: 0.0111 };
  for (const small of [{ tokens: 41, costUsd: 0.001 }, most]) await assert.rejects(purse.reserve(small, signal));
  const { suffice, left } = purse.shortfall ?? assert.fail();
  assert.deepEqual([purse.shortfall?.most, left.tokens, suffice.maxTokens], [most, 40, 10 + 50 + 50 + 70]);
  const later = new Purse(suffice);
  later.carry(purse.earlier);
  later.carry(purse.account);
  (await later.reserve({ tokens: 60, costUsd: 0.01 }, signal)).settle({ tokens: 50, costUsd: 0.009 });
  (await later.reserve(most, signal)).settle(most);
  const unpriced = new Purse(limits);
  await assert.rejects(unpriced.reserve({ tokens: 1, costUsd: undefined }, signal));
  assert.equal(unpriced.shortfall, undefined, "no limit of money is high enough for what has no price");
});

Deno.test("Purse stops waiting with its caller", async () => {
  const purse = new Purse({ maxTokens: 100 });
  const _held = await purse.reserve({ tokens: 60, costUsd: undefined }, signal);
  const caller = new AbortController();
  const waiting = purse.reserve({ tokens: 60, costUsd: undefined }, caller.signal);
  caller.abort(new Error("gone"));
  await assert.rejects(waiting, /gone/);
});
