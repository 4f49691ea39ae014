/** The score of a plan: gates times components. */
import type { PlanOutcome } from "../../agents/mod.ts";
import { type Component, componentsOf, weightedMean } from "./components.ts";
import { type Gate, gatesOf } from "./gates.ts";
import { type Makespan, makespan } from "./makespan.ts";
import { type Match, matchNodes } from "./match.ts";
import type { GoldPlan, PlanNode } from "./node.ts";

/** Most tasks of a plan where nothing else is said: what the parser allows. */
export const MAX_NODES = 50;

/** A plan and what it is measured against. */
export interface PlanInput {
  /** What the user asks. */
  readonly request?: string;
  /** The plan. */
  readonly nodes: readonly PlanNode[];
  /** What it should be. */
  readonly gold: GoldPlan;
  /** Specialists that exist; every name is taken for known if it is left out. */
  readonly roster?: readonly string[];
  /** All tools that exist; allowlist entries are compared as they are written if it is left out. */
  readonly catalogue?: readonly string[];
  /** Tasks that the parser has left out. */
  readonly dropped?: Extract<PlanOutcome, { status: "ok" | "repair" }>["dropped"];
  /**
   * Most tasks that a plan may have.
   *
   * @default {50}
   */
  readonly maxNodes?: number;
}

/** What a plan is worth, and why. */
export interface PlanScore {
  /** Every gate, in order. */
  readonly gates: readonly Gate[];
  /** Every component, in order; none where there is no plan, or one that is too large to be looked at. */
  readonly components: readonly Component[];
  /** 0 if a gate fails, else the weighted mean of the components: from 0 to 1. */
  readonly score: number;
  /** Which node is which gold node. */
  readonly match: Match;
  /** How long it takes; not there where the gold plan has no durations, or there is no plan. */
  readonly makespan?: Makespan;
}

/**
 * Scores a plan. Pure, and free of models; time in the square of the number of tasks, which the cap bounds.
 *
 * @example A plan that does one of two things
 * ```ts
 * import { scorePlan } from "./score.ts";
 * import assert from "node:assert/strict";
 *
 * const order = { id: "a", specialist: "orders", objective: "Find order 1182.", inputs: {}, dependsOn: [] };
 * const policy = { id: "b", specialist: "policy", objective: "State the policy on returns.", inputs: {}, dependsOn: [] };
 * const { score, components } = scorePlan({ nodes: [order], gold: { nodes: [order, policy], parts: [] } });
 * assert.ok(score < 1);
 * assert.equal(components.find(({ id }) => id === "nodes")?.message, "1 of 2 tasks, 0 too many; missing: b");
 * ```
 */
export function scorePlan(input: PlanInput): PlanScore {
  const { nodes, gold, request, catalogue, roster, dropped, maxNodes = MAX_NODES } = input;
  const gates = gatesOf(nodes, {
    maxNodes,
    ...(roster === undefined ? {} : { roster }),
    ...(dropped === undefined ? {} : { dropped }),
  });
  if (gates.some(({ id, outcome }) => id === "size" && outcome === "fail")) return unscored(gates);
  const match = matchNodes(nodes, gold.nodes);
  const components = componentsOf({
    nodes,
    gold,
    match,
    ...(request === undefined ? {} : { request }),
    ...(catalogue === undefined ? {} : { catalogue }),
  });
  const isThrough = gates.every(({ outcome }) => outcome === "pass");
  const time = makespan(nodes, gold, match);
  return {
    gates,
    components,
    score: isThrough ? weightedMean(components) : 0,
    match,
    ...(time === undefined ? {} : { makespan: time }),
  };
}

/** The score where there is nothing to look at behind the gates. */
export function unscored(gates: readonly Gate[]): PlanScore {
  return { gates, components: [], score: 0, match: matchNodes([], []) };
}
