/** Where time went that bought nothing: a broken worker that held the run up, retries, calls that nobody called off. */
import { canonicalJson } from "../../../core/mod.ts";
import { criticalPath } from "../../plan/makespan.ts";
import { isWithin } from "../attempts.ts";
import { eventsOf } from "../events.ts";
import { isFailedResult } from "../result_shape.ts";
import type { SeenCall, TraceView } from "../view.ts";
import { isEntry } from "../peers.ts";
import { boundsOf, callsIn, limitsOf, round, type StepWork, type TaskWork, unusedAttempts } from "./work.ts";

/** Time lost to one task, in milliseconds. */
export interface Lost {
  readonly id: string;
  readonly ms: number;
}

/**
 * What the worst broken worker cost: the gold plan's critical path on the durations that there were, from the first word
 * of a task to its last with all waiting between, minus the same without that task. A task is broken if a fault struck in
 * it, or if its specialist fails, or is recovered, by the ground truth.
 *
 * @returns `undefined` where nobody was broken, or there is no gold plan to say what waits for what.
 */
export function worstBroken(view: Pick<TraceView, "trace">, tasks: readonly TaskWork[]): Lost | undefined {
  const { events, scenario: { expect } } = view.trace;
  const gold = expect?.plan;
  if (gold === undefined) return undefined;
  const struck = ["server.fault", "model.fault"].flatMap((type) => eventsOf(events, "world", type)).map(({ span }) =>
    span
  );
  const fails = new Set([...Object.keys(expect?.failed ?? {}), ...Object.keys(expect?.recovered ?? {})]);
  const broken = tasks.filter(({ id, owner, attempts }) =>
    gold.nodes.includes(id) &&
    (fails.has(owner) || attempts.some(({ packet }) => struck.some((span) => isWithin(span, packet.span))))
  );
  const took = new Map(tasks.map((task) => [task.id, elapsed(task)]));
  const length = (without?: string) =>
    criticalPath(gold.nodes.map((id) => ({
      id,
      dependsOn: gold.edges.filter(([, after]) => after === id).map(([before]) => before),
      duration: id === without ? 0 : took.get(id) ?? 0,
    })))?.length ?? 0;
  const whole = broken.length === 0 ? 0 : length();
  return broken.map(({ id }): Lost => ({ id, ms: round(whole - length(id)) }))
    .reduce<Lost | undefined>((worst, one) => worst === undefined || one.ms > worst.ms ? one : worst, undefined);
}

function elapsed({ attempts }: TaskWork): number {
  const bounds = attempts.flatMap((attempt) => boundsOf(attempt) ?? []);
  const [start, end] = [bounds[0]?.first.t ?? 0, bounds.at(-1)?.last.t ?? 0];
  return end - start;
}

/** What was spent on attempts that were not used. */
export interface Waste {
  /** Milliseconds of model, server and people; what ran at once is added up. */
  readonly ms: number;
  /** Model calls and tool calls. */
  readonly calls: number;
  /** Where it begins. */
  readonly evidence: readonly number[];
}

/**
 * Attempts whose work went into nothing (see `unusedAttempts`), failed calls that were made again in the same attempt with
 * the same arguments, and the planner's replies that were asked for anew.
 */
export function retryWaste(view: TraceView, tasks: readonly TaskWork[], steps: readonly StepWork[]): Waste {
  const waste = { ms: 0, calls: 0, evidence: [] as number[] };
  const add = (ms: number, calls: number, seq: number) => {
    waste.ms += ms;
    waste.calls += calls;
    waste.evidence.push(seq);
  };
  for (const task of tasks) {
    const unused = new Set(unusedAttempts(task, view));
    for (const attempt of task.attempts) {
      const calls = callsIn(attempt, view);
      if (unused.has(attempt)) {
        const seq = attempt.packet.seq;
        add(attempt.ms, attempt.steps.length + calls.length, seq);
        continue;
      }
      const times = new Map(attempt.steps.flatMap((step) => [...step.calls]));
      for (const call of repeated(calls)) {
        const { sent, end } = times.get(call.span) ?? {};
        add(sent === undefined || end === undefined ? 0 : end.t - sent.t, 1, call.seq);
      }
    }
  }
  for (const { start, end } of steps.filter(({ agent }) => isEntry(agent, view)).slice(0, -1)) {
    // Among peers the one at the entry has turns of its own, and each of them counts.
    if (view.trace.scenario.topology !== "peer") add((end?.t ?? start.t) - start.t, 1, start.seq);
  }
  return { ...waste, ms: round(waste.ms) };
}

/** Calls that failed, and were made again. */
function repeated(calls: readonly SeenCall[]): SeenCall[] {
  const nameOf = ({ tool, args }: SeenCall) => `${tool} ${canonicalJson(args)}`;
  return calls.filter((call, i) =>
    (call.reply === undefined || call.reply.isError || isFailedResult(call.reply.text)) &&
    calls.slice(i + 1).some((later) => nameOf(later) === nameOf(call))
  );
}

/** A call that went on when its time was over. */
export interface Lag {
  /** How long it went on, in milliseconds; 0 if it was called off at once. */
  readonly ms: number;
  /** The call's first event. */
  readonly seq: number;
}

/**
 * The longest time from the moment at which a call was due, by its own limit or its packet's deadline, to the moment at
 * which its server heard that it was called off, or was let go.
 *
 * @returns `undefined` where no call came to its limit. One that was called off before had another reason.
 */
export function cancellationLag(view: Pick<TraceView, "trace">, tasks: readonly TaskWork[]): Lag | undefined {
  const over = view.trace.events.at(-1)?.t ?? 0;
  const lags = tasks.flatMap(({ attempts }) =>
    attempts.flatMap((attempt, i): Lag[] => {
      const { packet: { packet }, steps } = attempt;
      const { callMs, deadlineMs } = limitsOf(packet.recipient, view);
      const deadline = (i === 0 ? deadlineMs : undefined) ?? packet.deadlineMs ?? Infinity;
      const begun = steps[0]?.start.t ?? 0;
      return steps.flatMap(({ calls }) =>
        [...calls.values()].flatMap(({ sent, end }): Lag[] => {
          if (sent === undefined) return [];
          const lag = round((end?.t ?? over) - Math.min(sent.t + callMs, begun + deadline));
          return lag < 0 ? [] : [{ ms: lag, seq: sent.seq }];
        })
      );
    })
  );
  return lags.reduce<Lag | undefined>(
    (worst, one) => worst === undefined || one.ms > worst.ms ? one : worst,
    undefined,
  );
}
