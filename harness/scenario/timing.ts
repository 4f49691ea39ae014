/** When the scripted events of a worker happen, as far as a scenario tells: for finding events that compete. */
import { type FaultEntry, FAULTS, strikes } from "../../servers/mod.ts";
import { type Delayed, delayOf, type Span } from "./delay.ts";
import type { Scenario, Turn } from "./schema.ts";

/** Events that compete lie at least this far apart, in milliseconds, so that the wire lane is decided by no race. */
export const GUARD_MS = 1000;

/** What a worker's script comes to in time. */
export interface Timing {
  /** When its turns and replies may come, in milliseconds since the packet was handed over. */
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
  return at === "*" || at === tool || tool.startsWith(`${at}.`);
}

/** Follows an agent's script: what its model takes, and what the faults add to its turns and to the tools it calls. */
export function timing(scenario: Scenario, agent: string): Timing {
  const strikes = new Strikes(scenario, agent);
  const events: { turn: number; at: Span }[] = [];
  let ways: readonly Span[] = [[0, 0]];
  let hangs = false;
  for (const [turn, step] of (scenario.script[agent] ?? []).entries()) {
    const asked = strikes.onTurn(step.say ?? step.final ?? "");
    const takes = step.takes ?? 0;
    ways = added(ways, asked.waits.map(([from, to]): Span => [from + takes, to + takes]));
    hangs ||= asked.hangs;
    if (asked.stuck) return { events, hangs, end: [] };
    if (step.takes !== undefined || asked.waits.some(([, to]) => to > 0)) {
      events.push(...ways.map((at) => ({ turn, at })));
    }
    // The calls of one turn run side by side; the turn goes on with the last reply.
    let waits: readonly Span[] = [[0, 0]];
    let stuck = false;
    for (const tool of callsOf(step)) {
      const called = strikes.onCall(tool);
      hangs ||= called.hangs;
      stuck ||= called.stuck;
      waits = distinct(waits.flatMap(([a, b]) => called.waits.map(([c, d]): Span => [Math.max(a, c), Math.max(b, d)])));
    }
    if (stuck) return { events, hangs, end: [] };
    if (waits.some(([, to]) => to > 0)) {
      ways = added(ways, waits);
      events.push(...ways.map((at) => ({ turn, at })));
    }
  }
  return { events, hangs, end: ways };
}

/** What faults do to one call or turn. */
interface Struck {
  /** How much longer it may take. */
  readonly waits: readonly Span[];
  /** Whether it may never come back. */
  readonly hangs: boolean;
  /** Whether it never does. */
  readonly stuck: boolean;
}

/** Counts the occasions of an agent's faults. */
class Strikes {
  readonly #occasions = new Map<string, number>();

  constructor(private readonly scenario: Scenario, private readonly agent: string) {}

  onTurn(text: string): Struck {
    const { agent } = this;
    const faults = this.scenario.faults.filter(({ at }) => at === "agent:*" || at === `agent:${agent}`);
    return this.#strike(faults, "model", { agent, text }, () => false);
  }

  onCall(tool: string): Struck {
    const faults = this.scenario.faults.filter(({ at }) => covers(at, tool));
    const [server = ""] = tool.split(".");
    return this.#strike(faults, server, { tool }, ({ at }) => {
      const place = at === "*" ? server : at;
      return Object.entries(this.scenario.script).some(([other, turns]) =>
        other !== this.agent && turns.some((turn) => callsOf(turn).some((called) => covers(place, called)))
      );
    });
  }

  /** @param where Sets the occasions of a fault at many places apart. */
  #strike(
    faults: readonly FaultEntry[],
    where: string,
    what: Delayed,
    isShared: (fault: FaultEntry) => boolean,
  ): Struck {
    let waits: readonly Span[] = [[0, 0]];
    let [hangs, stuck] = [false, false];
    for (const fault of faults) {
      const key = `${this.scenario.faults.indexOf(fault)} ${where}`;
      const ordinal = (this.#occasions.get(key) ?? 0) + 1;
      this.#occasions.set(key, ordinal);
      const chance = strikesOn(fault, ordinal, isShared(fault));
      if (chance === "never") continue;
      const delay = delayOf(fault, what);
      if (FAULTS.get(fault.fault)?.outcome === "timeout" && delay[1] === 0) {
        hangs = true;
        stuck ||= chance === "always";
      }
      const struck = waits.map(([from, to]): Span => [from + delay[0], to + delay[1]]);
      waits = distinct(chance === "always" ? struck : [...waits, ...struck]);
    }
    return { waits, hangs, stuck };
  }
}

/** Whether a fault strikes on an occasion. Occasions that others share, times and chance are not foreseen. */
function strikesOn({ when }: FaultEntry, ordinal: number, isShared: boolean): "always" | "maybe" | "never" {
  if (when === undefined) return "always";
  if (isShared || (when.from ?? when.until ?? when.probability) !== undefined) return "maybe";
  return strikes(when, { ordinal, now: 0, draw: () => 0 }) ? "always" : "never";
}

function added(ways: readonly Span[], waits: readonly Span[]): readonly Span[] {
  return distinct(ways.flatMap(([a, b]) => waits.map(([c, d]): Span => [a + c, b + d])));
}

function distinct(spans: readonly Span[]): Span[] {
  return [...new Map(spans.map((span) => [span.join(), span])).values()].slice(0, MAX_WAYS);
}
