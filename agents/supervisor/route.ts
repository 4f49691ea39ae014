/** From a failure to what is done about it: a table, read by code and never by message. */
import { childId, type FailureCode, FAILURES, type Strategy } from "../../core/mod.ts";
import type { Report } from "../types.ts";
import type { Crew, Fallback } from "../crews/crew.ts";

/** A decision about one failed or partial report. */
export interface Route {
  /** The packet whose report failed. */
  readonly packetId: string;
  /** The specialist. */
  readonly worker: string;
  /** Why it failed. */
  readonly code: FailureCode;
  /** What is done. */
  readonly strategy: Strategy;
  /** What stands in, for the strategy `fallback`. */
  readonly fallback?: Fallback;
}

/** Strategies that this supervisor can carry out. What a route names beyond them is passed over. */
export const AVAILABLE: ReadonlySet<Strategy> = new Set(["fallback", "disclose"]);

/**
 * The first strategy of the code's route that can be carried out: a fallback only where the crew has one for this
 * specialist. Every route ends in `disclose`.
 *
 * @returns `undefined` for a report without a failure.
 */
export function routeReport(report: Report, crew: Crew): Route | undefined {
  if (report.failure === undefined) return undefined;
  const { worker, packetId, failure: { code } } = report;
  const fallback = crew.fallbacks.find(({ specialist }) => specialist === worker);
  const wanted = crew.routes[code] ?? FAILURES[code].route;
  const strategy = wanted.find((one) => AVAILABLE.has(one) && (one !== "fallback" || fallback !== undefined)) ??
    "disclose";
  return { packetId, worker, code, strategy, ...(strategy === "fallback" && fallback ? { fallback } : {}) };
}

/** The report that a fallback enters as: it says that it is cached, where it is from, and as of when. */
export function cachedReport(failed: Report, fallback: Fallback, now: number): Report {
  const observation = {
    id: childId("run/fallbacks", failed.packetId),
    tool: fallback.source,
    args: {},
    text: fallback.text,
  };
  return {
    worker: failed.worker,
    packetId: failed.packetId,
    objective: failed.objective,
    status: "ok",
    findings: [{ claim: fallback.text, observations: [observation] }],
    note: fallback.text,
    provenance: { kind: "cached", asOf: fallback.asOf, source: fallback.source },
    usage: { steps: 0, inputTokens: 0, outputTokens: 0, costUsd: null },
    startedAt: now,
    endedAt: now,
  };
}
