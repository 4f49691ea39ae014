/** What tokens cost: a table that can be edited, each row with its date and source. What is not in it has no known price. */
import * as z from "zod";
import { clip } from "../../../core/text.ts";
import table from "./prices.json" with { type: "json" };
import { type ModelSpec, specLabel } from "./choice.ts";
import type { ProviderUsage } from "./provider.ts";

/** The highest price that is taken for one: beyond it sums are no numbers any more, and no limit can be kept. */
const MAX_USD = 1e6;

const usd = z.number().nonnegative().max(MAX_USD);

const row = {
  /** The model, as on the command line. */
  model: z.string().regex(/^(?:anthropic|openai|compatible):[^\s\p{C}]+$/u),
  /** What is read. */
  input: usd,
  /** What comes from a cache; as `input` if left out. */
  cached: usd.exactOptional(),
  /** What is written into one; as `input` if left out. */
  cacheWrite: usd.exactOptional(),
  /** What is written. */
  output: usd,
  /** A call that reads more than this costs something else, which is not known here. */
  upToInputTokens: z.int().positive().exactOptional(),
};

/** The day on which the source was read, and where it stands. */
const Dated = z.strictObject({ ...row, checked: z.iso.date(), source: z.url() });

/** Whoever has a price of their own need not say since when, and may have it from wherever they like. */
const Own = z.strictObject({ ...row, checked: z.iso.date().exactOptional(), source: z.string().exactOptional() });

/** What a model's tokens cost, in US dollars for a million. */
export type Price = Readonly<z.output<typeof Own>>;

const PriceTable = z.strictObject({ about: z.string(), prices: z.array(Dated) });
const OwnTable = z.strictObject({ about: z.string().exactOptional(), prices: z.array(Own) });

/**
 * Reads a table each row of which has its date and its source.
 *
 * @throws {RangeError} If it is none, or a model stands in it twice.
 */
export function readPrices(value: unknown): ReadonlyMap<string, Price> {
  return byModel(PriceTable.safeParse(value), value);
}

/**
 * Reads a table of somebody's own.
 *
 * @throws {RangeError} If it is none, or a model stands in it twice.
 */
export function readOwnPrices(value: unknown): ReadonlyMap<string, Price> {
  return byModel(OwnTable.safeParse(value), value);
}

function byModel(
  parsed: z.ZodSafeParseResult<{ readonly prices: readonly Price[] }>,
  value: unknown,
): ReadonlyMap<string, Price> {
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RangeError(`the table of prices${issue === undefined ? " is none" : problemOf(issue, value)}`);
  }
  const prices = new Map<string, Price>();
  for (const price of parsed.data.prices) {
    if (prices.has(price.model)) throw new RangeError(`the table of prices has ${price.model} twice`);
    prices.set(price.model, price);
  }
  return prices;
}

const ROW = "a row, a map with the keys model, input and output";
const USD = `US dollars for a million tokens, a number from 0 to ${MAX_USD}`;

/** What each key may hold, in words. */
const ALLOWED: ReadonlyMap<PropertyKey, string> = new Map([
  ["about", "a text"],
  ["prices", "a list of rows"],
  ["model", "a model as on the command line: anthropic:NAME, openai:NAME or compatible:NAME"],
  ...["input", "cached", "cacheWrite", "output"].map((key) => [key, USD] as const),
  ["upToInputTokens", "a whole number of tokens, above 0"],
  ["checked", "a day, as in 2026-01-31"],
  ["source", "the address of the page where the price stands"],
]);

/** What is wrong with a table, as the rest of a sentence that begins with it. */
function problemOf(issue: z.core.$ZodIssue, table: unknown): string {
  const { path } = issue;
  const place = path.length === 0 ? "" : `: ${path.join(".")}`;
  if (issue.code === "unrecognized_keys") {
    const keys = path.length === 0 ? ["about", "prices"] : Object.keys(Own.shape);
    return `${place} has the unknown key ${shown(issue.keys[0])}; allowed: ${keys.join(", ")}`;
  }
  const key = path.at(-1);
  const wanted = key === undefined ? "a map with the key prices" : ALLOWED.get(key) ?? ROW;
  const found = path.reduce<unknown>(
    (value, key) => typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined,
    table,
  );
  return found === undefined ? `${place} is missing; give ${wanted}` : `${place} is ${shown(found)}; give ${wanted}`;
}

/** A value, in a few characters. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a map";
  return typeof value === "string" ? JSON.stringify(clip(value, 40)) : String(value);
}

/** The project's own table. */
export const PRICES: ReadonlyMap<string, Price> = readPrices(table);

/** The date at the end of a snapshot's name: `-20250929`, `-2025-04-14`. */
const DATED = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/** The price of a model: of its name, else of the name without a date. */
export function priceOf(spec: ModelSpec, prices: ReadonlyMap<string, Price> = PRICES): Price | undefined {
  const label = specLabel(spec);
  return prices.get(label) ?? prices.get(label.replace(DATED, ""));
}

/** What a reply cost, in US dollars; `undefined` where that is not known. */
export function costOf(usage: ProviderUsage, price: Price | undefined): number | undefined {
  if (price === undefined || usage.inputTokens > (price.upToInputTokens ?? Infinity)) return undefined;
  const { input, cached = input, cacheWrite = input, output } = price;
  const fresh = Math.max(0, usage.inputTokens - usage.cachedTokens - usage.cacheWriteTokens);
  const total = fresh * input + usage.cachedTokens * cached + usage.cacheWriteTokens * cacheWrite +
    usage.outputTokens * output;
  return Number((total / 1e6).toFixed(9));
}

/** The most that a call may cost, in US dollars; `undefined` where that is not known. */
export function mostOf(inputTokens: number, outputTokens: number, price: Price | undefined): number | undefined {
  if (price === undefined || inputTokens > (price.upToInputTokens ?? Infinity)) return undefined;
  const { input, cached = input, cacheWrite = input, output } = price;
  return (inputTokens * Math.max(input, cached, cacheWrite) + outputTokens * output) / 1e6;
}
