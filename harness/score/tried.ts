/**
 * Whether anybody was given up for whom the crew still had a way: its route for the failure, with its caps, stand-ins and
 * people, is what the scenario declares of recovery, in runs that nobody has foreseen, too.
 *
 * It is judged from the end of the run: by what the run had left then, of budget and of time, by the models' record, so that
 * nothing is demanded that could not have been afforded. Of the subject's own are the packets, the failures that its workers
 * reported (whose codes are held against the record by `record.codes`), and what it decided.
 */
import * as z from "zod";
import type { Left } from "../../agents/budget/tree.ts";
import { Code, Report as ReportSchema } from "../../agents/contracts.ts";
import type { Report } from "../../agents/mod.ts";
import { COUNTED, decide } from "../../agents/supervisor/route.ts";
import type { Decision } from "../../agents/supervisor/state.ts";
import { type FailureCode, FAILURES, type Json, type Strategy } from "../../core/mod.ts";
import type { TraceEvent } from "../trace/event.ts";
import { tasksOf } from "./attempts.ts";
import { type Check, check } from "./check.ts";
import { eventsOf } from "./events.ts";
import { modelSteps, tokensOf } from "./model_use.ts";
import { isWorker } from "./peers.ts";
import type { TraceView } from "./view.ts";

/** What the crew's policy demanded, and nobody did. */
interface Demand {
  readonly who: string;
  readonly code: FailureCode;
  readonly strategy: Strategy;
  /** The report of the failure. */
  readonly seq: number;
}

/** Scores what was given up; among peers control goes as they like. */
export function scoreTried(view: TraceView): Check[] {
  if (view.trace.scenario.topology === "peer") return [];
  const given = demands(view);
  const message = given.length === 0
    ? "whoever was given up had no way left that the crew provides for"
    : given.map(({ who, code, strategy }) =>
      `${who} failed with ${code}, for which the crew has ${strategy}, and was given up without it`
    ).join("; ");
  return [check("recovery.tried", given.length === 0, message, given.map(({ seq }) => seq))];
}

function demands(view: TraceView): Demand[] {
  const { trace: { crew, events, scenario } } = view;
  const timeOf = (name: string) => events.find(({ side, type }) => side === "bench" && type === name)?.t;
  const [start, settled] = [timeOf("run.start"), timeOf("run.settled")];
  const leftMs = start === undefined || settled === undefined ? 0 : crew.deadlineMs - (settled - start);
  // Whatever the run's own end cut off could not be tried again.
  if (leftMs <= 0) return [];
  const failed = tasksOf(view).flatMap(({ owner, attempts }) => {
    const last = attempts.at(-1);
    const told = last === undefined ? undefined : failureAt(last.span, view);
    return last === undefined || told === undefined ? [] : [{ owner, attempt: attempts.length, last, told }];
  });
  if (failed.length === 0) return [];
  const context = {
    crew,
    decisions: events.flatMap(({ side, type, detail }) =>
      side === "subject" && type === "route" ? decided(detail) : []
    ),
    left: leftIn(view),
    leftMs,
    facts: new Map<string, Json>(),
    hasOperator: scenario.operator !== undefined,
    hasUser: scenario.user !== undefined,
  };
  return failed.flatMap(({ owner, attempt, last, told: { report, seq } }): Demand[] => {
    const next = decide(report, { ...context, owner, packet: last.packet, attempt });
    return next === undefined || !COUNTED.has(next.strategy) || isPast(next, context.decisions, view)
      ? []
      : [{ who: owner, code: next.code, strategy: next.strategy, seq }];
  });
}

/**
 * Whether a strategy stands in the crew's route behind one that has put something in the place of what failed: then the
 * failure is settled.
 */
function isPast(
  { packetId, attempt, code, strategy }: Decision,
  decisions: readonly Decision[],
  view: TraceView,
): boolean {
  const route: readonly Strategy[] = view.trace.crew.routes[code] ?? FAILURES[code].route;
  const isReplaced = eventsOf(view.trace.events, "subject", "report").some(({ detail }) => {
    const read = ReportSchema.safeParse(detail["report"]);
    return read.success && read.data.packetId === packetId && read.data.provenance.kind !== "live";
  });
  return isReplaced &&
    decisions.some((one) =>
      one.packetId === packetId && one.attempt === attempt && STANDING_IN.has(one.strategy) &&
      route.indexOf(one.strategy) < route.indexOf(strategy)
    );
}

const STANDING_IN: ReadonlySet<Strategy> = new Set(["fallback", "escalate"]);

/** What a worker reported at the end of an attempt that failed. */
function failureAt(span: string, { trace: { events } }: TraceView): { report: Report; seq: number } | undefined {
  const event = events.findLast((one) => one.side === "subject" && one.type === "report" && one.span === span);
  const told = event?.detail["report"];
  const isFailed = typeof told === "object" && told !== null && !Array.isArray(told) && told["failure"] !== undefined;
  const read = isFailed ? ReportSchema.safeParse(told) : undefined;
  return event !== undefined && read?.success === true && read.data.provenance.kind === "live"
    ? { report: read.data, seq: event.seq }
    : undefined;
}

/** What has been decided about a failure, as its event tells it. */
const Told = z.object({
  packetId: z.string(),
  worker: z.string(),
  code: Code,
  strategy: z.enum(["retry", "extend", "reassign", "fallback", "clarify", "escalate", "disclose"]),
  attempt: z.number(),
  to: z.string().exactOptional(),
});

function decided(detail: TraceEvent["detail"]): Decision[] {
  const told = Told.safeParse(detail);
  return told.success ? [{ ...told.data, passed: [] }] : [];
}

/** What the run had left of the crew's budget at its end, by the models' record. */
function leftIn(view: TraceView): Left {
  const { steps = Infinity, tokens = Infinity, costUsd = Infinity } = view.trace.crew.budget ?? {};
  const used = modelSteps(view);
  const sum = (of: (step: (typeof used)[number]) => number) => used.reduce((total, step) => total + of(step), 0);
  return {
    steps: steps - used.filter(({ agent }) => isWorker(agent, view)).length,
    tokens: tokens - sum(tokensOf),
    costUsd: costUsd - sum((step) => step.costUsd),
  };
}
