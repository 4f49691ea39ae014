/** When the scripted events of a worker happen, as far as a scenario tells: for finding events that compete. */
import type { Crew } from "../../agents/crews/mod.ts";
import { type FaultEntry, FAULTS, strikes } from "../../servers/mod.ts";
import { type Delayed, delayOf, type Span } from "./delay.ts";
import type { Scenario, Turn } from "./schema.ts";

/** Events that compete lie at least this far apart, in milliseconds, so that the wire lane is decided by no race. */
export const GUARD_MS = 1000;

/** What limits a worker's time, in milliseconds; `Infinity` for no limit. */
export interface Limits {
  /** Of one attempt at its work. */
  readonly deadlineMs: number;
  /** Of one call. */
  readonly callMs: number;
  /** How many model calls one attempt may cost. */
  readonly maxSteps: number;
}

/** What a crew gives a specialist. */
export function limitsOf({ specialists, superstepMs = Infinity }: Crew, name: string): Limits {
  const own = specialists.find((one) => one.name === name);
  return {
    deadlineMs: Math.min(own?.deadlineMs ?? Infinity, superstepMs),
    callMs: Math.min(own?.callTimeoutMs ?? Infinity, own?.idleTimeoutMs ?? Infinity),
    maxSteps: own?.maxSteps ?? Infinity,
  };
}

const NO_LIMITS: Limits = { deadlineMs: Infinity, callMs: Infinity, maxSteps: Infinity };

/** An event of a script, with the turn that it belongs to. */
interface Timed {
  readonly turn: number;
  readonly at: Span;
}

/** What a worker's script comes to in time. */
export interface Timing {
  /** When its turns and replies may come, in milliseconds since the packet of the attempt was handed over. */
  readonly events: readonly Timed[];
  /** How long its calls may take that take any time, in milliseconds. */
  readonly replies: readonly Timed[];
  /** Whether a call may never come back. */
  readonly hangs: boolean;
  /** Whether an attempt may miss its deadline. */
  readonly late: boolean;
  /** When the last attempt may be through, if it does not hang. */
  readonly end: readonly Span[];
}

/** At most so many ways for a script to go are followed. */
const MAX_WAYS = 64;

const START: readonly Span[] = [[0, 0]];

/** The calls of a turn, in order. */
export function callsOf(turn: Turn): readonly string[] {
  return turn.call !== undefined ? [turn.call] : (turn.calls ?? []).map(({ call }) => call);
}

/** Whether a fault at a place strikes calls of a tool. */
export function covers(at: string, tool: string): boolean {
  return at === "*" || at === tool || tool.startsWith(`${at}.`);
}

/**
 * Follows an agent's script: what its model takes, and what faults and people add to its turns and to the tools it
 * calls. Where an attempt ends for certain, by its last word, its steps or its deadline, what follows is another one.
 */
export function timing(scenario: Scenario, agent: string, limits: Limits = NO_LIMITS): Timing {
  const strikes = new Strikes(scenario, agent);
  const turns = scenario.script[agent] ?? [];
  const events: Timed[] = [];
  const replies: Timed[] = [];
  let ways = START;
  let steps = 0;
  let [hangs, late] = [false, false];
  for (const [turn, step] of turns.entries()) {
    const last = turn === turns.length - 1;
    const asked = strikes.onTurn(step.say ?? step.final ?? "");
    const takes = step.takes ?? 0;
    steps++;
    ways = added(ways, asked.waits.map(([from, to]): Span => [from + takes, to + takes]));
    hangs ||= asked.hangs;
    if (step.takes !== undefined || asked.waits.some(([, to]) => to > 0)) {
      events.push(...(asked.stuck ? [] : ways).map((at) => ({ turn, at })));
    }
    let stuck = asked.stuck;
    if (!stuck) {
      const called = calls(scenario, step, strikes, limits.callMs);
      hangs ||= called.hangs;
      replies.push(...called.replies.map((at) => ({ turn, at })));
      stuck = called.stuck;
      if (!stuck && called.waits.some(([, to]) => to > 0)) {
        ways = added(ways, called.waits);
        events.push(...ways.map((at) => ({ turn, at })));
      }
    }
    if (stuck && last) return { events, replies, hangs, late, end: [] };
    const missed = ways.filter(([earliest]) => earliest >= limits.deadlineMs);
    late ||= ways.some(([, latest]) => latest >= limits.deadlineMs);
    if (last) break;
    const over = stuck || (step.final ?? step.report_from) !== undefined || steps >= limits.maxSteps;
    if (over || missed.length === ways.length) [ways, steps] = [START, 0];
    else if (missed.length > 0) ways = distinct([...ways.filter((way) => !missed.includes(way)), [0, 0]]);
  }
  return { events, replies, hangs, late, end: ways };
}

/** The calls of one turn run side by side; the turn goes on with the last reply. */
function calls(
  scenario: Scenario,
  step: Turn,
  strikes: Strikes,
  limit: number,
): Struck & { readonly replies: readonly Span[] } {
  const replies: Span[] = [];
  let waits = START;
  let [hangs, stuck] = [false, false];
  for (const tool of callsOf(step)) {
    const called = strikes.onCall(tool);
    // A call that nobody answers ends with its limit.
    hangs ||= called.hangs && limit === Infinity;
    stuck ||= called.stuck && limit === Infinity;
    replies.push(...called.stuck ? [] : called.waits.filter(([, to]) => to > 0));
    const own = called.stuck && limit < Infinity
      ? [[limit, limit] as const]
      : called.waits.map(([from, to]): Span => [Math.min(from, limit), Math.min(to, limit)]);
    const decided = added(own, [[0, 0], ...decisions(scenario, tool)]);
    waits = distinct(waits.flatMap(([a, b]) => decided.map(([c, d]): Span => [Math.max(a, c), Math.max(b, d)])));
  }
  return { waits, hangs, stuck, replies };
}

/** How long the operator may take about a call. */
function decisions({ operator }: Scenario, tool: string): Span[] {
  return (operator?.approvals ?? []).flatMap((one): Span[] =>
    one.tool === tool && one.takes !== undefined ? [[one.takes, one.takes]] : []
  );
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
