import assert from "node:assert/strict";
import { Purse } from "../../agents/models/live/purse.ts";
import { UsageError } from "../cli/exit.ts";
import { shortfallWords, spentLine } from "./spent.ts";
import { keepSpending, readSpending, type SpendingBook } from "./spending.ts";

const { signal } = new AbortController();

/** A book of a run with these earlier lives. */
function bookOf(...before: string[]): SpendingBook & { readonly kept: string[] } {
  const kept: string[] = [];
  return { kept, spentBefore: () => before, spend: (text) => void kept.push(text) };
}

Deno.test("keepSpending() has kept enough of a run that is killed in a call, and the next one counts it", async () => {
  const [first, notes] = [bookOf(), [] as string[]];
  const killed = new Purse({ maxTokens: 100 });
  keepSpending(killed, first, (text) => notes.push(text));
  (await killed.reserve({ tokens: 30, costUsd: 0.1 }, signal)).settle({ tokens: 20, costUsd: 0.1 });
  await killed.reserve({ tokens: 50, costUsd: 0.2 }, signal);
  const second = bookOf(first.kept.at(-1) ?? "");
  const purse = new Purse({ maxTokens: 100 });
  keepSpending(purse, second, (text) => notes.push(text));
  await assert.rejects(purse.reserve({ tokens: 31, costUsd: 0 }, signal), { detail: /70 are used, 70 of them before/ });
  (await purse.reserve({ tokens: 30, costUsd: 0 }, signal)).settle({ tokens: 5, costUsd: 0 });
  const sum = readSpending([first.kept.at(-1) ?? "", second.kept.at(-1) ?? ""]);
  assert.deepEqual([sum.calls, sum.tokens, sum.untold], [2, 25, { calls: 1, tokens: 50, costUsd: 0.2 }]);
  assert.deepEqual(notes, []);
});

Deno.test("keepSpending() refuses a limit of money over calls whose cost nobody knows, and not one of tokens", async () => {
  const unlimited = new Purse();
  const book = bookOf();
  keepSpending(unlimited, book, () => {});
  (await unlimited.reserve({ tokens: 9, costUsd: undefined }, signal)).settle({ tokens: 7, costUsd: undefined });
  const again = bookOf(book.kept.at(-1) ?? "");
  assert.throws(() => keepSpending(new Purse({ maxCostUsd: 1 }), again, () => {}), {
    name: "UsageError",
    message: /^--max-cost cannot be kept: 1 of the calls so far were at no known price; limit with --max-tokens$/,
  });
  keepSpending(new Purse({ maxTokens: 10 }), again, () => {});
});

Deno.test("readSpending() refuses what is no account: a limit that rests on it could be passed", () => {
  assert.equal(readSpending([]).tokens, 0);
  for (const text of ["", "{}", "[", '{"tokens":-1}']) assert.throws(() => readSpending([text]), UsageError);
});

Deno.test("keepSpending() says once that nothing can be kept, and fails no call", async () => {
  const notes: string[] = [];
  const full: SpendingBook = {
    spentBefore: () => [],
    spend: () => {
      throw new Error("the disk is full");
    },
  };
  const purse = new Purse();
  keepSpending(purse, full, (text) => notes.push(text));
  for (let n = 0; n < 2; n++) {
    (await purse.reserve({ tokens: 1, costUsd: 0 }, signal)).settle({ tokens: 1, costUsd: 0 });
  }
  assert.deepEqual([notes, purse.spent.calls], [["what models use is not kept: the disk is full"], 2]);
});

Deno.test("spentLine() has no dollars for a model without a price, even if it was paid for nothing", async () => {
  const purse = new Purse();
  assert.equal(spentLine("m", purse), "m: 0 calls, 0 tokens, $0");
  for (let n = 0; n < 3; n++) {
    (await purse.reserve({ tokens: 9, costUsd: undefined }, signal)).settle({ tokens: 0, costUsd: 0 });
  }
  assert.equal(spentLine("m", purse), "m: 3 calls, 0 tokens, at no known price");
  (await purse.reserve({ tokens: 9, costUsd: undefined }, signal)).settle(undefined);
  assert.match(spentLine("m", purse), /^m: 4 calls, 0 tokens, at no known price; 1 of the calls broke off/);
});

Deno.test("shortfallWords() says what the next call needs of each limit that there is", () => {
  const most = { tokens: 4200, costUsd: 0.06301 };
  assert.equal(
    shortfallWords({ most, left: { tokens: undefined, costUsd: 0.02 }, suffice: {} }),
    "the next call may use up to $0.063, and $0.02 are left",
  );
  assert.equal(
    shortfallWords({ most, left: { tokens: 100, costUsd: 0.02 }, suffice: {} }),
    "the next call may use up to $0.063, and $0.02 are left; and up to 4200 tokens, and 100 are left",
  );
});
