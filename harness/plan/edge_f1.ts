import type { Match } from "./match.ts";
import type { GoldPlan, PlanNode } from "./node.ts";
import { Closure } from "./order.ts";
import { type Ratio, ratio } from "./ratio.ts";

/**
 * Edge precision, recall and F1 over pairs (before, after) (the edge F1 of TaskBench, Shen et al. 2023), taken over the
 * *transitive closure* of both plans; `undefined` if the plan is no graph without cycles.
 *
 * The closure is what a scheduler obeys. Over direct edges or the transitive reduction, writing out an order that
 * follows anyway would count as wrong, and one harmless step put between two others would lose their edge. With the
 * closure neither counts, and a plan that serialises n independent tasks has n(n-1)/2 wrong pairs instead of n-1.
 * A pair with a node that is no gold node is wrong as well.
 */
export function edgeF1(nodes: readonly PlanNode[], gold: GoldPlan, match: Match): Ratio | undefined {
  const [own, wanted] = [Closure.of(nodes), Closure.of(gold.nodes)];
  if (own === undefined || wanted === undefined) return undefined;
  let hits = 0;
  for (const first of match.pairs) {
    for (const second of match.pairs) {
      if (wanted.has(first.gold, second.gold) && own.has(first.node, second.node)) hits++;
    }
  }
  return ratio(hits, own.size, wanted.size);
}
