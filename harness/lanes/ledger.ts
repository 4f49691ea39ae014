/** What a server has on record at the end of a cell, as both lanes tell it. */
import * as z from "zod";
import type { Json } from "../../core/mod.ts";
import type { LedgerEntry } from "../../servers/mod.ts";

/** A change of the world. */
export type LedgerEffect = {
  readonly kind: string;
  readonly key: string | null;
  readonly detail: { readonly [name: string]: Json };
};

/** A call that has changed the world. Times are left out: lanes differ in them. */
export type LedgerCall = {
  /** Its number among all calls of its server. */
  readonly call: number;
  readonly tool: string;
  readonly args: Json;
  /** Where it was made, if its caller said so. */
  readonly span: string | null;
  /** How it ended for the server; `aborted` if it had not. */
  readonly outcome: string;
  readonly effects: LedgerEffect[];
};

/** A server's record of one cell. */
export type ServerLedger = {
  readonly server: string;
  /** How many calls reached it. */
  readonly total: number;
  /** Those that had an effect, by their spans, and by their numbers where the span is one. */
  readonly calls: LedgerCall[];
};

const JsonValue = z.json();
const Entry = z.object({
  call: z.int(),
  tool: z.string(),
  args: JsonValue,
  span: z.string().nullable(),
  outcome: z.string(),
  effects: z.array(z.object({
    kind: z.string(),
    key: z.string().nullable(),
    detail: z.record(z.string(), JsonValue),
  })),
});
const Calls = z.array(Entry);

/** Makes a server's record of what a fixture has in its ledger. */
export function ledgerOf(server: string, entries: readonly LedgerEntry[]): ServerLedger {
  // Most cells change nothing, and pay for nothing.
  const changing = entries.filter(({ effects }) => effects.length > 0);
  return summed(server, entries.length, changing.length === 0 ? [] : Calls.parse(JSON.parse(JSON.stringify(changing))));
}

/**
 * Makes a server's record of what it answered when it was asked for its ledger.
 *
 * @returns `undefined` if that is no ledger.
 */
export function readLedger(server: string, answer: unknown): ServerLedger | undefined {
  const parsed = z.object({ calls: Calls }).safeParse(answer);
  return parsed.success ? summed(server, parsed.data.calls.length, parsed.data.calls) : undefined;
}

function summed(server: string, total: number, calls: readonly LedgerCall[]): ServerLedger {
  return {
    server,
    total,
    calls: calls.filter(({ effects }) => effects.length > 0)
      // A cell's end stops a call in `sim`, and finds it running in `wire`.
      .map((call) => ({ ...call, outcome: call.outcome === "open" ? "aborted" : call.outcome }))
      .sort((a, b) => compare(a.span ?? "", b.span ?? "") || a.call - b.call),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
