/** Whether the world was changed as it was to be, and in no other way: by the servers' own record. */
import { canonicalJson, type Json } from "../../core/mod.ts";
import type { Expect } from "../scenario/schema.ts";
import type { TraceEvent } from "../trace/event.ts";
import { type Check, check } from "./check.ts";
import { eventsOf } from "./events.ts";
import type { TraceView } from "./view.ts";

type Expected = NonNullable<Expect["effects"]>[number];
type Fields = { readonly [key: string]: Json | undefined };

/** An effect as a server has it on record. */
export interface SeenEffect {
  /** The event. */
  readonly seq: number;
  /** The server. */
  readonly server: string;
  /** What was done. */
  readonly kind: string;
  /** What it came with. */
  readonly detail: Fields;
  /** Where the call that did it was made; `null` if it did not say. */
  readonly span: string | null;
}

/** Scores the effects, where the scenario says which there are, or says nothing of them and there are some. */
export function scoreEffects(view: TraceView): Check[] {
  const { expect } = view.trace.scenario;
  if (expect === undefined) return [];
  const expected = expect.effects;
  const id = "effects.expected";
  const ledgers = ledgersOf(view);
  if (expected === undefined) {
    const seen = effectsOf(view);
    if (seen.length === 0) return [];
    const what = seen.map(named).join(", ");
    const message = `nobody has declared effects; ${seen.length} happened: ${what}; list them in expect.effects`;
    return [check(id, false, message, [...new Set(seen.map(({ seq }) => seq))])];
  }
  const known = new Set(ledgers.map(({ detail }) => detail["server"]));
  const silent = [...new Set(view.calls.map(({ tool }) => tool.split(".")[0] ?? ""))].filter((one) => !known.has(one));
  const evidence = ledgers.map(({ seq }) => seq);
  if (silent.length > 0 || ledgers.length === 0) {
    const message = `${silent.join(", ") || "no server"} was called, and has left no record of what it did`;
    return [{
      id,
      outcome: "untestable",
      message: silent.length > 0 ? message : "no server has left a record",
      evidence,
    }];
  }
  const { missing, extra } = compare(expected, effectsOf(view));
  const parts = [
    ...(missing.length > 0 ? [`did not happen: ${missing.map(named).join(", ")}`] : []),
    ...(extra.length > 0 ? [`happened, and was not to: ${extra.map(named).join(", ")}`] : []),
  ];
  const total = expected.reduce((sum, { times }) => sum + times, 0);
  const good = total === 0 ? "nothing was changed" : `what was to happen happened, ${total} in all, and nothing else`;
  return [check(id, parts.length === 0, parts.join("; ") || good, evidence)];
}

/** What the servers have on record. */
export function ledgersOf({ trace: { events } }: Pick<TraceView, "trace">): readonly TraceEvent[] {
  return eventsOf(events, "world", "server.ledger");
}

/** Every effect of a run. */
export function effectsOf(view: Pick<TraceView, "trace">): SeenEffect[] {
  return ledgersOf(view).flatMap(({ seq, detail: { server, calls } }) =>
    list(calls).map(fields).flatMap(({ span, effects }) =>
      list(effects).map(fields).map(({ kind, detail }): SeenEffect => ({
        seq,
        server: text(server),
        kind: text(kind),
        detail: fields(detail),
        span: typeof span === "string" ? span : null,
      }))
    )
  );
}

/** Takes for each effect one that is expected, the ones that say most about theirs first. */
function compare(
  expected: readonly Expected[],
  seen: readonly SeenEffect[],
): { readonly missing: readonly Expected[]; readonly extra: readonly SeenEffect[] } {
  const open = expected.flatMap((one) => Array.from({ length: one.times }, () => one))
    .sort((a, b) => Object.keys(b.detail).length - Object.keys(a.detail).length);
  const extra = seen.filter((effect) => {
    const at = open.findIndex((one) => fits(one, effect));
    if (at >= 0) open.splice(at, 1);
    return at < 0;
  });
  return { missing: open, extra };
}

function fits({ server, kind, detail }: Expected, effect: SeenEffect): boolean {
  return server === effect.server && kind === effect.kind && Object.entries(detail).every(([key, value]) => {
    const got = Object.hasOwn(effect.detail, key) ? effect.detail[key] : undefined;
    return got !== undefined && canonicalJson(got) === canonicalJson(value);
  });
}

function named({ server, kind, detail }: Pick<SeenEffect, "server" | "kind" | "detail">): string {
  const about = Object.entries(detail).map(([key, value]) => `${key} ${canonicalJson(value ?? null)}`).join(", ");
  return `${kind} at ${server}${about === "" ? "" : ` (${about})`}`;
}

const text = (value: Json | undefined): string => typeof value === "string" ? value : "";
const list = (value: Json | undefined): readonly Json[] => Array.isArray(value) ? value : [];
const fields = (value: Json | undefined): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
