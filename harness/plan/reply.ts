/** From a planner's reply to its score. */
import { parsePlan, type Plan, type planner, type Repair } from "../../agents/mod.ts";
import type { Json } from "../../core/mod.ts";
import { gatesOfRejection } from "./gates.ts";
import type { GoldPlan, PlanNode } from "./node.ts";
import { MAX_NODES, type PlanScore, scorePlan, unscored } from "./score.ts";

/** Somebody whom a plan may name. */
export interface RosterEntry {
  /** Name. */
  readonly name: string;
  /** Allowlist entries that its packets are granted; left out where nothing says. */
  readonly toolAllow?: readonly string[];
}

/** A planner's reply. */
export interface PlannerReply {
  /** All that the model has said. */
  readonly text: string;
  /** Why it stopped, where that is known. */
  readonly finish?: planner.FinishReason;
}

/** What a planner was asked, and the plan that it should have made. */
export interface PlanningTask {
  /** What the user asks. */
  readonly request: string;
  /** Specialists that exist. */
  readonly roster: readonly RosterEntry[];
  /** What the plan should be. Where it names no tools, a node needs those of its specialist on the roster. */
  readonly gold: GoldPlan;
  /** Most tasks that a plan may have. */
  readonly maxNodes?: number;
}

/** What a reply is worth. How it was written is told apart from what it says. */
export interface ReplyScore extends PlanScore {
  /** What the parser made of it: as asked, mended, or nothing. */
  readonly parsed: "ok" | "repair" | "reject";
  /** The mends. */
  readonly repairs: readonly Repair[];
  /** Why it was rejected. */
  readonly rejection?: { readonly reason: string; readonly detail: string };
}

/**
 * Scores a planner's reply: the parser's reading of it, against the gold plan. Never throws, whatever the reply is.
 *
 * Repairs and fences cost nothing here: they are counted apart, as parse rate.
 */
export function scorePlanReply(task: PlanningTask, { text, finish }: PlannerReply): ReplyScore {
  const { request, roster, maxNodes = MAX_NODES } = task;
  const names = roster.map(({ name }) => name);
  const outcome = parsePlan(text, { roster: names, maxTasks: maxNodes, ...(finish === undefined ? {} : { finish }) });
  const { status: parsed, repairs, dropped } = outcome;
  if (outcome.status === "reject") {
    const { reason, failure: { detail } } = outcome;
    return { ...unscored(gatesOfRejection(reason, detail)), parsed, repairs, rejection: { reason, detail } };
  }
  const toolsOf = new Map(roster.map(({ name, toolAllow }) => [name, toolAllow]));
  const gold = {
    ...task.gold,
    nodes: task.gold.nodes.map((node) => {
      const tools = node.tools ?? (node.specialist === undefined ? undefined : toolsOf.get(node.specialist));
      return tools === undefined ? node : { ...node, tools };
    }),
  };
  const nodes = nodesOf(outcome.plan).map((node) => {
    const tools = toolsOf.get(node.specialist);
    return tools === undefined ? node : { ...node, tools };
  });
  return { ...scorePlan({ request, nodes, gold, roster: names, dropped, maxNodes }), parsed, repairs };
}

/** A plan's tasks as nodes: each with the facts that its packet will carry. Its own inputs win. */
export function nodesOf({ tasks, facts = {} }: Plan): PlanNode[] {
  return tasks.map(({ id, specialist, objective, inputs, dependsOn, uses }) => {
    const all = new Map<string, Json>(
      Object.entries(facts).filter(([key]) => uses === undefined || uses.includes(key)),
    );
    for (const [key, value] of Object.entries(inputs)) all.set(key, value);
    return { id, specialist, objective, inputs: Object.fromEntries(all), dependsOn };
  });
}
