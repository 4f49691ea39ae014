/** The table of prices that a run goes by: the project's own, and rows of the user's before it. */
import { type Price, PRICES, readOwnPrices } from "../../agents/models/live/prices.ts";
import { oneLine } from "../../core/text.ts";
import { UsageError } from "../cli/exit.ts";

/**
 * Reads `--prices FILE`. A row stands in the place of the project's row of the same model; the other rows stay.
 *
 * @param path Absolute; the project's own table alone if left out.
 * @throws {UsageError} If it cannot be read, or is no such table.
 */
export async function loadPrices(path: string | undefined): Promise<ReadonlyMap<string, Price>> {
  if (path === undefined) return PRICES;
  let value: unknown;
  try {
    value = JSON.parse(await Deno.readTextFile(path));
  } catch (error) {
    throw new UsageError(`--prices ${path} ${reasonOf(error)}`);
  }
  try {
    return new Map([...PRICES, ...readOwnPrices(value)]);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`--prices ${path}: ${oneLine(error.message)}; write { "prices": [${EXAMPLE}] }`);
  }
}

const EXAMPLE = '{ "model": "anthropic:NAME", "input": 3, "output": 15 }';

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "is not there";
  if (error instanceof SyntaxError) return `is no JSON: ${oneLine(error.message)}`;
  if (error instanceof Deno.errors.NotCapable) return "may not be read; give a file below where you stand, or in /tmp";
  return `cannot be read: ${oneLine(error instanceof Error ? error.message : String(error))}`;
}
