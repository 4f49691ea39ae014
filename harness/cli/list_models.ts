/** `bench list --models`: how live models are chosen, and whose price is known, since when and from where. */
import { API_KEY, BASE_URL, type ProviderName } from "../../agents/models/live/choice.ts";
import { type Price, PRICES } from "../../agents/models/live/prices.ts";
import { oneLine } from "../../core/text.ts";
import { loadPrices } from "../models/price_file.ts";
import { EXIT } from "./exit.ts";
import type { CliIo } from "./io.ts";
import { wrap } from "./wrap.ts";

/** How the models of a provider are given. */
interface Form {
  readonly provider: ProviderName;
  /** As `--model` has it. */
  readonly form: string;
  /** The variable with the key. */
  readonly key: string;
  /** The variable that leads elsewhere; `null` where the form has the address. */
  readonly address: string | null;
}

const FORMS: readonly Form[] = [
  { provider: "anthropic", form: "anthropic:NAME", key: API_KEY.anthropic, address: BASE_URL.anthropic },
  { provider: "openai", form: "openai:NAME", key: API_KEY.openai, address: BASE_URL.openai },
  { provider: "compatible", form: "compatible:NAME@URL", key: API_KEY.compatible, address: null },
];

/** Tells it, asks nobody, and returns the exit code. */
export async function tellModels(json: boolean, file: string | undefined, io: CliIo): Promise<number> {
  const prices = await loadPrices(file);
  const isOwn = (price: Price) => PRICES.get(price.model) !== price;
  if (json) {
    const rows = [...prices.values()].map((price) => ({ ...price, own: isOwn(price) }));
    io.out(`${JSON.stringify({ forms: FORMS, prices: rows }, null, 2)}\n`);
    return EXIT.good;
  }
  const columns = Math.min(io.columns, 120);
  const width = Math.max(...FORMS.map(({ form }) => form.length));
  const rows = [...prices.values()];
  const sources = [...new Set(rows.filter((price) => !isOwn(price)).map(({ source = "-" }) => source))];
  const placeOf = (price: Price) => isOwn(price) ? "yours" : String(sources.indexOf(price.source ?? "-") + 1);
  io.out(
    [
      "deno task bench:live run … --model MODEL, for all agents, or AGENT=MODEL for one",
      ...FORMS.map(({ form, key }) => `  ${form.padEnd(width)}  key in ${key}`),
      "",
      "US dollars for a million tokens",
      ...table(rows.map((price) => cellsOf(price, placeOf(price)))),
      "",
      ...sources.flatMap((source, i) => wrap(oneLine(source), columns, `  ${String(i + 1).padStart(2)}  `)),
      "",
      ...wrap(
        "Any other model is asked all the same, at no known price; with --max-cost it is refused before anything is asked. " +
          "A price of your own: --prices FILE, of rows as in agents/models/live/prices.json, which go before these.",
        columns,
        "",
      ),
    ].map((line) => `${line}\n`).join(""),
  );
  return EXIT.good;
}

const HEADS = ["model", "in", "cached", "write", "out", "up to", "checked", "from"];

function cellsOf(price: Price, from: string): string[] {
  const { model, input, cached = input, cacheWrite = input, output, upToInputTokens, checked = "-" } = price;
  const most = upToInputTokens === undefined ? "" : `${upToInputTokens / 1000}k`;
  return [model, ...[input, cached, cacheWrite, output].map(String), most, checked, from];
}

/** Names on the left, numbers on the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const all = [HEADS, ...rows];
  const sizes = HEADS.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
  return all.map((row) => {
    const cells = row.map((text, i) => i === 0 ? text.padEnd(sizes[i] ?? 0) : text.padStart(sizes[i] ?? 0));
    return `  ${cells.join("  ")}`;
  });
}
