/** Effects that were done more often than they were to be, by the servers' own record. */
import { canonicalJson, type Json } from "../../../core/mod.ts";
import type { Expect } from "../../scenario/schema.ts";
import { effectsOf, type SeenEffect } from "../effects.ts";
import type { TraceView } from "../view.ts";

type Expected = NonNullable<Expect["effects"]>;

/** An effect that was done too often. */
export interface Repeated {
  /** Its first time. */
  readonly effect: SeenEffect;
  /** How often it was done. */
  readonly times: number;
  /** How often it might be done. */
  readonly most: number;
}

/**
 * The effects that were done twice. Two are the same if server, kind and detail are: what a caller meant as two, the
 * ground truth says, and a new key makes no second effect of a retry.
 *
 * @returns `undefined` if no server has any effect on record.
 */
export function repeatedEffectsOf(view: Pick<TraceView, "trace">): readonly Repeated[] | undefined {
  const effects = effectsOf(view);
  if (effects.length === 0) return undefined;
  const expected = view.trace.scenario.expect?.effects;
  const groups = Map.groupBy(
    effectsOf(view),
    ({ server, kind, detail }) => canonicalJson([server, kind, plain(detail)]),
  );
  return [...groups.values()].flatMap((own): Repeated[] => {
    const [effect] = own;
    if (effect === undefined) return [];
    const most = mostOf(effect, expected);
    return own.length > most ? [{ effect, times: own.length, most }] : [];
  });
}

/** How often an effect might be done: as often as the ground truth has it, once where that does not know it. */
function mostOf({ server, kind, detail }: SeenEffect, expected: Expected | undefined): number {
  const own = (expected ?? []).filter((one) =>
    one.server === server && one.kind === kind &&
    Object.entries(one.detail).every(([key, value]) =>
      Object.hasOwn(detail, key) && canonicalJson(detail[key] ?? null) === canonicalJson(value)
    )
  );
  return Math.max(1, own.reduce((sum, { times }) => sum + times, 0));
}

function plain(detail: SeenEffect["detail"]): { readonly [key: string]: Json } {
  return Object.fromEntries(
    Object.entries(detail).flatMap(([key, value]) => value === undefined ? [] : [[key, value]]),
  );
}
