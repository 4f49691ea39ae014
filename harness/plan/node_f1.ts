import type { Match } from "./match.ts";
import type { GoldPlan, PlanNode } from "./node.ts";
import { type Ratio, ratio } from "./ratio.ts";

/**
 * Node precision, recall and F1: nodes that are gold nodes, over the plan's nodes and over the gold nodes (the node F1
 * of TaskBench, Shen et al. 2023).
 */
export function nodeF1(nodes: readonly PlanNode[], gold: GoldPlan, match: Match): Ratio {
  return ratio(match.pairs.length, nodes.length, gold.nodes.length);
}
