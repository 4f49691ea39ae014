/**
 * What really happened at a fixture: every call that reached it, in order, and what each did to the world. It is kept on
 * the fixture's own side, so that nobody has to take the subject's word.
 */
import { canonicalJson, type Json } from "../core/mod.ts";

/** A change of the world: a message sent, a refund issued, a file written. */
export interface Effect {
  /** What was done, such as `message_sent`. */
  readonly kind: string;
  /** The idempotency key that came with the call, or `null` if there was none. */
  readonly key: string | null;
  /** What the caller asked for, without anything the fixture made up: done twice, it is the same twice. */
  readonly detail: { readonly [name: string]: Json };
}

/**
 * How a call ended: `answered` with a result; `failed` with an error that the caller reads; `aborted` by its caller or by
 * the end of the cell; `broke` by a defect of the fixture; `open` as long as it runs.
 */
export type CallOutcome = "open" | "answered" | "failed" | "aborted" | "broke";

/** One call, as the fixture saw it. */
export interface LedgerEntry {
  /** Its number: the first call of the cell is 1. */
  readonly call: number;
  /** When it arrived, in milliseconds of the cell's clock. */
  readonly at: number;
  /** The tool that was asked for, whether there is one of that name or not. */
  readonly tool: string;
  /** The arguments as they arrived, valid or not. */
  readonly args: unknown;
  /** The span under which the caller made it (`_meta["brownout/span"]`), or `null`. */
  readonly span: string | null;
  /** How it ended, so far. */
  readonly outcome: CallOutcome;
  /** What it did, in order. An effect counts even if the answer never arrived. */
  readonly effects: readonly Effect[];
}

/** An entry while its call runs, which only the fixture writes in. */
export interface OpenEntry extends LedgerEntry {
  outcome: CallOutcome;
  effects: readonly Effect[];
}

const NONE: readonly Effect[] = Object.freeze([]);

/** A call that has just arrived as the `call`-th of its cell. */
export function openEntry(
  call: number,
  at: number,
  tool: string,
  args: unknown,
  span: string | undefined,
): OpenEntry {
  return { call, at, tool, args, span: span ?? null, outcome: "open", effects: NONE };
}

/** An effect that was done more often than once. */
export interface RepeatedEffect {
  /** As it was done first. */
  readonly effect: Effect;
  /** The numbers of the calls that did it, two or more. */
  readonly calls: readonly number[];
}

/**
 * The effects that were done more than once. Two are the same if they are of one kind and have the same key, or, where
 * both come without a key, the same detail: a caller that gives two keys means two effects.
 *
 * @example
 * ```ts
 * import { type LedgerEntry, repeatedEffects } from "./ledger.ts";
 * import assert from "node:assert/strict";
 *
 * const sent = (call: number, key: string | null): LedgerEntry => ({
 *   call, at: 0, tool: "send_message", args: {}, span: null, outcome: "answered",
 *   effects: [{ kind: "message_sent", key, detail: { to: "a@example.com" } }],
 * });
 * const [twice] = repeatedEffects([sent(1, "k"), sent(2, "other"), sent(3, "k"), sent(4, null)]);
 * assert.deepEqual(twice?.calls, [1, 3]);
 * ```
 */
export function repeatedEffects(entries: readonly LedgerEntry[]): RepeatedEffect[] {
  const done = new Map<string, { effect: Effect; calls: number[] }>();
  for (const { call, effects } of entries) {
    for (const effect of effects) {
      const { kind, key, detail } = effect;
      const identity = canonicalJson(key === null ? { kind, detail } : { kind, key });
      const before = done.get(identity);
      if (before === undefined) done.set(identity, { effect, calls: [call] });
      else before.calls.push(call);
    }
  }
  return [...done.values()].filter(({ calls }) => calls.length > 1);
}
