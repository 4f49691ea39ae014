/** From a failure to what is done about it: a table, read by code and never by message. */
import { childId, FAILURES, type Json, type Strategy } from "../../core/mod.ts";
import type { Left } from "../budget/tree.ts";
import type { Crew, Fallback, Recovery } from "../crews/crew.ts";
import type { Handoff, Report } from "../types.ts";
import { factFor } from "./clarify.ts";
import { reassigned } from "./packets.ts";
import type { Decision } from "./state.ts";

/** How much is done about failures where a crew does not say. */
export const RECOVERY: Recovery = { maxPerPacket: 2, maxPerRun: 6, backoffMs: 500 };

/** Strategies that cost something, and that the limits of {@linkcode Recovery} count. What stands in costs nothing. */
export const COUNTED: ReadonlySet<Strategy> = new Set(["retry", "extend", "reassign", "clarify", "escalate"]);

/** How many times as much a packet gets when it is extended. */
const EXTENSION = 2;

/** What a decision depends on besides the report. */
export interface RouteContext {
  /** The team: its routes, fallbacks, stand-ins and limits. */
  readonly crew: Crew;
  /** The specialist whom the plan named for it, whoever made the last attempt. */
  readonly owner: string;
  /** The packet of the attempt that failed; `undefined` if none was ever sent. */
  readonly packet: Handoff | undefined;
  /** Which attempt failed, counted from 1. */
  readonly attempt: number;
  /** All decisions of the run so far. */
  readonly decisions: readonly Decision[];
  /** What the run may still use. */
  readonly left: Left;
  /** How long the run may still take, in milliseconds. */
  readonly leftMs: number;
  /** What the plan has resolved. */
  readonly facts: ReadonlyMap<string, Json>;
  /** Whether there is an operator. */
  readonly hasOperator: boolean;
  /** Whether there is a user to ask. */
  readonly hasUser: boolean;
}

/**
 * The first strategy of the code's route that can be carried out and has not been tried on this attempt. Every route ends
 * in `disclose`.
 *
 * @returns `undefined` for a report without a failure.
 */
export function decide(report: Report, context: RouteContext): Decision | undefined {
  const { worker, packetId, failure } = report;
  if (failure === undefined) return undefined;
  const { crew, attempt, decisions } = context;
  const tried = decisions.filter((one) => one.packetId === packetId && one.attempt === attempt);
  const passed: Decision["passed"] = [];
  const about = { packetId, worker, code: failure.code, attempt, passed };
  for (const strategy of crew.routes[failure.code] ?? FAILURES[failure.code].route) {
    if (strategy === "disclose") break;
    if (tried.some((one) => one.strategy === strategy)) continue;
    const verdict = capReached(strategy, packetId, context) ?? CHECKS[strategy](report, context);
    if (typeof verdict !== "string") return { ...about, strategy, ...verdict };
    passed.push({ strategy, because: verdict });
  }
  return { ...about, strategy: "disclose" };
}

/** What a strategy needs to know to be carried out; or why it cannot be. */
type Verdict = Pick<Decision, "delayMs" | "to"> | string;

const CHECKS: Readonly<Record<Exclude<Strategy, "disclose">, (report: Report, context: RouteContext) => Verdict>> = {
  retry({ packetId, failure }, { crew, packet, decisions, left, leftMs }) {
    if (packet === undefined) return "nothing was sent that could be sent again";
    // A call that may have acted is never made again blindly, whatever a crew's route says.
    if (failure?.code === "outcome_unknown") return "it is not known what the last attempt did";
    if (failure?.retryable !== true) return "the same attempt would fail again";
    if (!affordable(left)) return "nothing is left for another attempt";
    const earlier = decisions.filter((one) => one.packetId === packetId && one.strategy === "retry").length;
    const backoff = (crew.recovery ?? RECOVERY).backoffMs * 2 ** earlier;
    const delayMs = Math.max(backoff, failure.retryAfterMs ?? 0);
    return delayMs < leftMs ? { delayMs } : `it would have to wait ${delayMs} ms, and the run has less`;
  },
  extend(report, { packet, decisions, left }) {
    if (packet === undefined) return "nothing was sent that could be extended";
    if (decided("extend", report, decisions)) return "it has been extended once";
    return extended(packet, report, left) === undefined ? "there is no more to give" : {};
  },
  reassign({ packetId, worker, failure }, { crew, owner, packet, decisions, left }) {
    if (packet === undefined) return "nothing was sent that could be given to somebody else";
    if (failure?.code === "outcome_unknown") return "it is not known what the last attempt did";
    if (!affordable(left)) return "nothing is left for another attempt";
    const own = decisions.filter((one) => one.packetId === packetId);
    const asked = new Set([owner, worker, ...own.map(({ to }) => to)]);
    const to = crew.specialists.find(({ name, standsInFor = [] }) => standsInFor.includes(owner) && !asked.has(name));
    return to === undefined ? "nobody stands in for it" : { to: to.name };
  },
  fallback: (_report, { crew, owner }) => fallbackFor(owner, crew) === undefined ? "the crew has none for it" : {},
  clarify(report, { packet, decisions, left, facts, hasUser }) {
    const { question } = report;
    if (packet === undefined || question === undefined) return "it asks nothing";
    if (decided("clarify", report, decisions)) return "it has been answered once";
    if (!affordable(left)) return "nothing is left for another attempt";
    return hasUser || factFor(question, facts, packet.inputs) !== undefined ? {} : "nobody can answer";
  },
  escalate(report, { decisions, hasOperator }) {
    if (!hasOperator) return "there is no operator";
    return decided("escalate", report, decisions) ? "an operator has been asked" : {};
  },
};

/** The fallback that the crew has for a specialist. */
export function fallbackFor(owner: string, crew: Crew): Fallback | undefined {
  return crew.fallbacks.find(({ specialist }) => specialist === owner);
}

/** The packet with more of what ran out; `undefined` where no more can be given. */
export function extended(packet: Handoff, { failure }: Report, left: Left): Handoff | undefined {
  if (!affordable(left)) return undefined;
  switch (failure?.code) {
    case "budget_steps": {
      const maxSteps = Math.min(packet.maxSteps * EXTENSION, left.steps);
      return maxSteps > packet.maxSteps ? { ...packet, maxSteps } : undefined;
    }
    case "budget_tokens": {
      const maxTokens = Math.min((packet.maxTokens ?? 0) * EXTENSION, left.tokens);
      return maxTokens > (packet.maxTokens ?? Infinity) ? { ...packet, maxTokens } : undefined;
    }
    case "budget_cost": {
      const maxCostUsd = Math.min((packet.maxCostUsd ?? 0) * EXTENSION, left.costUsd);
      return maxCostUsd > (packet.maxCostUsd ?? Infinity) ? { ...packet, maxCostUsd } : undefined;
    }
    case "timeout":
      return packet.deadlineMs === undefined ? undefined : { ...packet, deadlineMs: packet.deadlineMs * EXTENSION };
    default:
      return undefined;
  }
}

/** The packet of the attempt that a decision leads to, but for its number; `undefined` if it leads to none. */
export function packetAfter(decision: Decision, packet: Handoff, report: Report, context: {
  readonly crew: Crew;
  readonly left: Left;
}): Handoff | undefined {
  switch (decision.strategy) {
    case "retry":
      return packet;
    case "extend":
      return extended(packet, report, context.left);
    case "reassign":
      return decision.to === undefined ? undefined : reassigned(packet, decision.to, context.crew);
    default:
      return undefined;
  }
}

/** The report that a fallback enters as: it says that it is cached, where it is from, and as of when. */
export function cachedReport(failed: Report, fallback: Fallback, now: number): Report {
  const provenance = { kind: "cached", asOf: fallback.asOf, source: fallback.source } as const;
  const id = childId("run/fallbacks", failed.packetId);
  return standIn(failed, { id, tool: fallback.source, text: fallback.text }, provenance, now);
}

/** The report that a person's answer enters as. */
export function humanReport(failed: Report, said: string, now: number): Report {
  const id = childId("run/people", failed.packetId);
  return standIn(failed, { id, tool: "operator", text: said }, { kind: "human" }, now);
}

function standIn(
  { worker, packetId, objective }: Report,
  { id, tool, text }: { readonly id: string; readonly tool: string; readonly text: string },
  provenance: Report["provenance"],
  now: number,
): Report {
  return {
    worker,
    packetId,
    objective,
    status: "ok",
    findings: [{ claim: text, observations: [{ id, tool, args: {}, text }] }],
    note: text,
    provenance,
    usage: { steps: 0, inputTokens: 0, outputTokens: 0, costUsd: null },
    startedAt: now,
    endedAt: now,
  };
}

function capReached(strategy: Strategy, packetId: string, { crew, decisions }: RouteContext): string | undefined {
  if (!COUNTED.has(strategy)) return undefined;
  const { maxPerPacket, maxPerRun } = crew.recovery ?? RECOVERY;
  const taken = decisions.filter((one) => COUNTED.has(one.strategy));
  if (taken.length >= maxPerRun) return `the run has tried ${taken.length} times`;
  const own = taken.filter((one) => one.packetId === packetId).length;
  return own >= maxPerPacket ? `the packet has been tried ${own} times again` : undefined;
}

const decided = (strategy: Strategy, { packetId }: Report, decisions: readonly Decision[]): boolean =>
  decisions.some((one) => one.packetId === packetId && one.strategy === strategy);

const affordable = ({ steps, tokens, costUsd }: Left): boolean => steps >= 1 && tokens >= 1 && costUsd > 0;
