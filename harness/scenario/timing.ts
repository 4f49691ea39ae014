/** When the scripted events of a worker happen, as far as a scenario tells: for finding events that compete. */
import { type FaultEntry, FAULTS, strikes } from "../../servers/mod.ts";
import type { Scenario, Turn } from "./schema.ts";

/** Events that compete lie at least this far apart, in milliseconds, so that the wire lane is decided by no race. */
export const GUARD_MS = 1000;

/** A span of time in which something happens, in milliseconds since the packet was handed over. */
type Span = readonly [earliest: number, latest: number];

/** What a worker's script comes to in time. */
export interface Timing {
  /** When its turns and replies may come. */
  readonly events: readonly { readonly turn: number; readonly at: Span }[];
  /** Whether a call may never come back. */
  readonly hangs: boolean;
  /** When it may be through, if it does not hang. */
  readonly end: readonly Span[];
}

/** At most so many ways for a script to go are followed. */
const MAX_WAYS = 64;

/** The calls of a turn, in order. */
export function callsOf(turn: Turn): readonly string[] {
  return turn.call !== undefined ? [turn.call] : (turn.calls ?? []).map(({ call }) => call);
}

/** Whether a fault at a place strikes calls of a tool. */
export function covers(at: string, tool: string): boolean {
  return at === tool || tool.startsWith(`${at}.`);
}

/** Follows an agent's script: what its model takes, and what the faults add at the tools it calls. */
export function timing(scenario: Scenario, agent: string): Timing {
  const occasions = new Map<FaultEntry, number>();
  const events: { turn: number; at: Span }[] = [];
  let ways: readonly Span[] = [[0, 0]];
  let hangs = false;
  for (const [turn, step] of (scenario.script[agent] ?? []).entries()) {
    ways = ways.map(([from, to]) => [from + (step.takes ?? 0), to + (step.takes ?? 0)]);
    if (step.takes !== undefined) events.push(...ways.map((at) => ({ turn, at })));
    let stuck = false;
    // The calls of one turn run side by side; the turn goes on with the last reply.
    let waits: readonly Span[] = [[0, 0]];
    for (const tool of callsOf(step)) {
      let own: readonly Span[] = [[0, 0]];
      for (const fault of scenario.faults.filter(({ at }) => covers(at, tool))) {
        const ordinal = (occasions.get(fault) ?? 0) + 1;
        occasions.set(fault, ordinal);
        const chance = strikesOn(scenario, agent, fault, ordinal);
        if (chance === "never") continue;
        if (FAULTS.get(fault.fault)?.outcome === "timeout") {
          hangs = true;
          stuck ||= chance === "always";
        }
        const delay = delayOf(fault);
        const struck = own.map(([from, to]): Span => [from + delay[0], to + delay[1]]);
        own = distinct(chance === "always" ? struck : [...own, ...struck]);
      }
      waits = distinct(waits.flatMap(([a, b]) => own.map(([c, d]): Span => [Math.max(a, c), Math.max(b, d)])));
    }
    if (stuck) return { events, hangs, end: [] };
    if (waits.some(([, to]) => to > 0)) {
      ways = distinct(ways.flatMap(([a, b]) => waits.map(([c, d]): Span => [a + c, b + d])));
      events.push(...ways.map((at) => ({ turn, at })));
    }
  }
  return { events, hangs, end: ways };
}

/** Whether a fault strikes on an occasion. Occasions that others share, times and chance are not foreseen. */
function strikesOn(
  scenario: Scenario,
  agent: string,
  fault: FaultEntry,
  ordinal: number,
): "always" | "maybe" | "never" {
  const { when } = fault;
  if (when === undefined) return "always";
  const shared = Object.entries(scenario.script).some(([other, turns]) =>
    other !== agent && turns.some((turn) => callsOf(turn).some((tool) => covers(fault.at, tool)))
  );
  if (shared || (when.from ?? when.until ?? when.probability) !== undefined) return "maybe";
  return strikes(when, { ordinal, now: 0, draw: () => 0 }) ? "always" : "never";
}

function delayOf(fault: FaultEntry): Span {
  if (fault.fault !== "latency") return [0, 0];
  const [ms, jitter] = [Number(fault.ms), Number(fault.jitter)];
  return [Math.max(0, ms - jitter), ms + jitter];
}

function distinct(spans: readonly Span[]): Span[] {
  return [...new Map(spans.map((span) => [span.join(), span])).values()].slice(0, MAX_WAYS);
}
