/**
 * The limits of a whole run, shared out over its packets. Nothing is reserved but between a barrier and the next, when
 * packets run at the same time: each gets its share of what is left before it starts, so that all of them together
 * cannot overrun, whatever each of them uses; what it did not use is left again at the barrier.
 */
import type { FailureCode } from "../../core/mod.ts";
import type { Budget } from "../crews/crew.ts";
import type { Handoff, Usage } from "../types.ts";
import { addUsage } from "./meter.ts";

/** What a run may still use; `Infinity` where nothing limits it. */
export interface Left {
  /** Model calls of workers. */
  readonly steps: number;
  /** Tokens, in and out together. */
  readonly tokens: number;
  /** US dollars. */
  readonly costUsd: number;
}

/** What is shared out. */
export type Resource = keyof Left;

/** A share that is less than what was wanted; of nothing, if the packet is not sent. */
export interface Shortage {
  /** The packet. */
  readonly packetId: string;
  /** What is short. */
  readonly resource: Resource;
  /** What was wanted. */
  readonly wanted: number;
  /** What was left for it. */
  readonly left: number;
}

/** What the packets of one superstep get. */
export interface Allotment {
  /** Packets that are sent, with limits within their share. */
  readonly packets: readonly Handoff[];
  /** Packets that cannot get as much as one step, with what is short. */
  readonly refused: readonly { readonly packet: Handoff; readonly shortage: Shortage }[];
  /** Packets that get less than they wanted. */
  readonly cut: readonly Shortage[];
}

/** The failure code of a packet that is not sent for want of a resource. */
export const SHORTAGE_CODES: Readonly<Record<Resource, Extract<FailureCode, `budget_${string}`>>> = {
  steps: "budget_steps",
  tokens: "budget_tokens",
  costUsd: "budget_cost",
};

/**
 * What is left of a budget.
 *
 * @param workers Usage of workers.
 * @param others Usage of planner and synthesizer: their calls are no steps.
 */
export function leftOf(budget: Budget = {}, workers: readonly Usage[], others: readonly Usage[]): Left {
  const [own, all] = [addUsage(...workers), addUsage(...workers, ...others)];
  const rest = (limit: number | undefined, used: number) => limit === undefined ? Infinity : Math.max(0, limit - used);
  return {
    steps: rest(budget.steps, own.steps),
    tokens: rest(budget.tokens, all.inputTokens + all.outputTokens),
    costUsd: rest(budget.costUsd, all.costUsd ?? 0),
  };
}

/**
 * Shares out what is left, in the packets' order: one after the other gets what it wants, as long as there is any. One
 * that wants all there is of something gets an equal part with those after it. First come is better than equal for all:
 * a step for each of three workers is a report from none.
 */
export function allot(packets: readonly Handoff[], left: Left): Allotment {
  let rest = left;
  const sent: Handoff[] = [];
  const refused: { packet: Handoff; shortage: Shortage }[] = [];
  const cut: Shortage[] = [];
  for (const [i, packet] of packets.entries()) {
    const waiting = packets.length - i;
    const wanted: Left = {
      steps: packet.maxSteps,
      tokens: packet.maxTokens ?? rest.tokens / waiting,
      costUsd: packet.maxCostUsd ?? rest.costUsd / waiting,
    };
    const grant: Left = {
      steps: Math.min(wanted.steps, rest.steps),
      tokens: Math.floor(Math.min(wanted.tokens, rest.tokens)),
      costUsd: Math.min(wanted.costUsd, rest.costUsd),
    };
    const short = (resource: Resource): Shortage => ({
      packetId: packet.id,
      resource,
      wanted: wanted[resource],
      left: rest[resource],
    });
    const none = RESOURCES.find((resource) => resource === "costUsd" ? grant[resource] <= 0 : grant[resource] < 1);
    if (none !== undefined) {
      refused.push({ packet, shortage: short(none) });
      continue;
    }
    cut.push(...RESOURCES.filter((resource) => grant[resource] < Math.floor(wanted[resource])).map(short));
    sent.push({
      ...packet,
      maxSteps: grant.steps,
      ...(grant.tokens === Infinity ? {} : { maxTokens: grant.tokens }),
      ...(grant.costUsd === Infinity ? {} : { maxCostUsd: grant.costUsd }),
    });
    rest = {
      steps: rest.steps - grant.steps,
      tokens: minus(rest.tokens, grant.tokens),
      costUsd: minus(rest.costUsd, grant.costUsd),
    };
  }
  return { packets: sent, refused, cut };
}

const RESOURCES: readonly Resource[] = ["steps", "tokens", "costUsd"];

const minus = (rest: number, grant: number) => rest === Infinity ? Infinity : rest - grant;
