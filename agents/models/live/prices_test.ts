import assert from "node:assert/strict";
import { costOf, mostOf, priceOf, PRICES, readOwnPrices, readPrices } from "./prices.ts";

Deno.test("PRICES says of each row when it was read, and where", () => {
  assert.ok(PRICES.size > 0);
  for (const { checked, source } of PRICES.values()) {
    assert.match(checked ?? "", /^20\d\d-/);
    assert.match(source ?? "", /^https:\/\//);
  }
});

const row = { model: "openai:m", input: 2, output: 10, checked: "2026-01-01", source: "https://example.com/" };

Deno.test("priceOf() finds a model by its name, and a dated one by its name without the date", () => {
  const prices = readPrices({ about: "", prices: [row] });
  for (const name of ["m", "m-2026-04-01", "m-20260401"]) {
    assert.equal(priceOf({ provider: "openai", name }, prices)?.input, 2, name);
  }
  for (const name of ["m2", "m-mini", "constructor"]) {
    assert.equal(priceOf({ provider: "openai", name }, prices), undefined, name);
  }
  assert.equal(priceOf({ provider: "anthropic", name: "m" }, prices), undefined);
});

Deno.test("costOf() counts cached tokens at their own price, and knows none beyond what its row is for", () => {
  const price = { ...row, cached: 0.5, cacheWrite: 2.5, upToInputTokens: 1_000_000 };
  const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cachedTokens: 400_000, cacheWriteTokens: 100_000 };
  assert.equal(costOf(usage, price), 0.5 * 2 + 0.4 * 0.5 + 0.1 * 2.5 + 0.1 * 10);
  assert.equal(costOf({ ...usage, inputTokens: 1_000_001 }, price), undefined);
  assert.equal(costOf(usage, undefined), undefined);
});

Deno.test("mostOf() is never less than what a call with so many tokens costs", () => {
  const price = { ...row, cached: 0.5, cacheWrite: 2.5 };
  for (const [cachedTokens, cacheWriteTokens] of [[0, 0], [900, 0], [0, 900], [450, 450]] as const) {
    const cost = costOf({ inputTokens: 900, outputTokens: 90, cachedTokens, cacheWriteTokens }, price);
    assert.ok((cost ?? NaN) <= (mostOf(900, 90, price) ?? NaN));
  }
});

for (
  const [what, prices, why] of [
    ["a model that stands there twice", [row, row], /has openai:m twice/],
    ["a price without a source", [{ ...row, source: "somewhere" }], /source/],
    ["a negative price", [{ ...row, input: -1 }], /input/],
    ["a key that it does not know", [{ ...row, inputs: 1 }], /prices\.0/],
  ] as const
) {
  Deno.test(`readPrices() refuses ${what}`, () => {
    assert.throws(() => readPrices({ about: "", prices }), { name: "RangeError", message: why });
  });
}

Deno.test("readOwnPrices() needs neither date nor source, and refuses whatever else readPrices() refuses", () => {
  const { checked: _, source: __, ...own } = row;
  assert.deepEqual(readOwnPrices({ prices: [own] }).get("openai:m"), own);
  assert.throws(() => readPrices({ about: "", prices: [own] }), { name: "RangeError", message: /checked/ });
  assert.throws(() => readOwnPrices({ prices: [own, own] }), { name: "RangeError", message: /has openai:m twice/ });
  assert.throws(() => readOwnPrices({ prices: [{ ...own, output: -1 }] }), { name: "RangeError", message: /output/ });
  for (const bad of [{ ...own, output: 1e300 }, { ...own, cached: Infinity }, { ...own, input: NaN }]) {
    assert.throws(() => readOwnPrices({ prices: [bad] }), { name: "RangeError", message: /output|cached|input/ });
  }
  // It is printed in a table.
  const hidden = { ...own, model: "openai:m\x1b[2J" };
  assert.throws(() => readOwnPrices({ prices: [hidden] }), { name: "RangeError", message: /prices\.0\.model/ });
  assert.throws(() => readOwnPrices([own]), { name: "RangeError", message: /the table of prices/ });
  const { output: ___, ...short } = own;
  for (
    const [table, message] of [
      [[own], "the table of prices is a list; give a map with the key prices"],
      [{}, "the table of prices: prices is missing; give a list of rows"],
      [{ price: [], prices: [] }, 'the table of prices has the unknown key "price"; allowed: about, prices'],
      [
        { prices: [own, { ...own, input: -1 }] },
        "the table of prices: prices.1.input is -1; give US dollars for a million tokens, a number from 0 to 1000000",
      ],
      [
        { prices: [short] },
        "the table of prices: prices.0.output is missing; give US dollars for a million tokens, a number from 0 to 1000000",
      ],
      [{ prices: [3] }, "the table of prices: prices.0 is 3; give a row, a map with the keys model, input and output"],
      [
        { prices: [{ ...own, model: "m" }] },
        'the table of prices: prices.0.model is "m"; give a model as on the command line: anthropic:NAME, openai:NAME or ' +
        "compatible:NAME",
      ],
    ] as const
  ) assert.throws(() => readOwnPrices(table), { name: "RangeError", message });
});
