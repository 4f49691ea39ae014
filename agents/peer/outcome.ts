/** What the answer has to say beyond the reports: handoffs that were asked for and never took place. */
import { type Failure, type FailureCode, FAILURES } from "../../core/mod.ts";
import { NO_USAGE } from "../budget/meter.ts";
import type { Crew, Fallback } from "../crews/crew.ts";
import type { Checked } from "../supervisor/state.ts";
import { synthesize } from "../supervisor/synthesize.ts";
import type { Answer, Report } from "../types.ts";
import { type Asked, canonicalTask, type Refused } from "./handoff.ts";

/** A report of somebody who came to nothing. */
export function failedReport(
  { worker, packetId, objective }: Pick<Report, "worker" | "packetId" | "objective">,
  { code, detail }: Failure,
  now: number,
): Report {
  return {
    worker,
    packetId,
    objective,
    status: "failed",
    failure: { code, detail, retryable: FAILURES[code].retryable },
    findings: [],
    note: "",
    provenance: { kind: "live" },
    usage: { ...NO_USAGE },
    startedAt: now,
    endedAt: now,
  };
}

/**
 * Handoffs that were refused, and whose work nobody has done: one failed report for each specialist that the answer does
 * not name as failed already. Work is done if the same task was handed on to somebody else later, or has findings, or
 * if the specialist had found something when it was asked again, or got control later.
 *
 * @param accepted Every handoff that was accepted, oldest first.
 * @param reports Their verified reports.
 */
export function undone(
  refused: readonly Refused[],
  accepted: readonly Asked[],
  reports: readonly Report[],
  now: number,
): Report[] {
  const failing = new Set(reports.filter(({ failure }) => failure !== undefined).map(({ worker }) => worker));
  const lost = new Map<string, Report>();
  for (const [i, one] of refused.entries()) {
    if (failing.has(one.to) || lost.has(one.to) || isDone(one, accepted, reports)) continue;
    const { to: worker, objective } = one;
    lost.set(worker, failedReport({ worker, packetId: `refused${i + 1}`, objective }, failureOf(one), now));
  }
  return [...lost.values()];
}

function isDone(one: Refused, accepted: readonly Asked[], reports: readonly Report[]): boolean {
  const task = canonicalTask(one);
  return accepted.some((other, i) => {
    const found = (reports[i]?.findings.length ?? 0) > 0;
    const isLater = i >= one.after;
    const isTask = one.objective !== "" && canonicalTask(other) === task;
    if (isTask && (isLater || found)) return true;
    if (other.to !== one.to) return false;
    return one.outcome === "cycle" ? found : one.outcome === "second" && isLater;
  });
}

function failureOf({ from, to, outcome }: Refused): Failure {
  const asked = `${from} wanted to hand control to it`;
  const [code, why]: [FailureCode, string] = outcome === "unknown"
    ? ["unknown_specialist", "there is no such specialist"]
    : outcome === "cycle"
    ? ["not_started", `that would have been a cycle: ${to} had had control for just this, and found nothing`]
    : outcome === "second"
    ? ["not_started", "control went to another in the same turn"]
    : ["not_started", "the handoff was refused"];
  return { code, detail: `${asked}, and ${why}` };
}

/** What the crew has that may stand in for a failed report; only where the code's route has it. */
export function standInFor({ worker, failure }: Report, crew: Crew): Fallback | undefined {
  if (failure === undefined) return undefined;
  const route = crew.routes[failure.code] ?? FAILURES[failure.code].route;
  return route.some((one) => one === "fallback")
    ? crew.fallbacks.find(({ specialist }) => specialist === worker)
    : undefined;
}

/**
 * The answer of a run that is not begun, because names of the crew look alike: each of them is named, with the one that
 * it could be taken for.
 */
export function refuseNames(alike: readonly (readonly [string, string])[], now: number): Answer {
  const names = [...new Set(alike.flat())];
  const reports = names.map((worker) => {
    const others = alike.flatMap(([a, b]) => a === worker ? [b] : b === worker ? [a] : []);
    const detail = `its name looks like that of ${others.map((name) => JSON.stringify(name)).join(", ")}: work for ` +
      "one could reach the other, so nothing was begun; rename one";
    return failedReport({ worker, packetId: worker, objective: "" }, { code: "ambiguous", detail }, now);
  });
  return answerOf(reports.map((report) => ({ report, unconfirmed: [] })), []);
}

/** Renders an answer from checked reports, in their order. */
export function answerOf(checked: readonly Checked[], substitutes: readonly Report[]): Answer {
  const parts = checked.map((one) => ({ ...one, failed: one.report.failure === undefined ? [] : [one.report] }));
  return synthesize({ parts, substitutes, dropped: [] });
}
