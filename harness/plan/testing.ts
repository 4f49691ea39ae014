/** For tests: plans in few words. */
import type { GoldNode, GoldPlan, PlanNode } from "./node.ts";

/** A node that is somehow sound; what is said of it wins. */
export function node(id: string, more: Partial<PlanNode> = {}): PlanNode {
  return { id, specialist: "orders", objective: `Find order/${id}.`, inputs: {}, dependsOn: [], ...more };
}

/** A gold plan of such nodes. */
export function gold(nodes: readonly GoldNode[], parts: GoldPlan["parts"] = []): GoldPlan {
  return { nodes, parts };
}
