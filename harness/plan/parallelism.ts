import type { Match } from "./match.ts";
import type { GoldPlan, PlanNode } from "./node.ts";
import { Closure } from "./order.ts";

/** Tasks that could run at the same time, and those of them that do not. */
export interface Parallelism {
  /** Pairs of gold nodes of which neither waits for the other, both of them in the plan. */
  readonly independent: number;
  /** Those of them that the plan puts one after the other, as ids of the plan. */
  readonly serialised: readonly (readonly [string, string])[];
  /** 1 - serialised / independent. */
  readonly score: number;
}

/**
 * Unused parallelism: independent pairs of the gold plan that the plan serialises, directly or through other nodes.
 * `undefined` where no two matched nodes are independent (there is nothing to lose), or the plan has a cycle.
 */
export function parallelism(nodes: readonly PlanNode[], gold: GoldPlan, match: Match): Parallelism | undefined {
  const [own, wanted] = [Closure.of(nodes), Closure.of(gold.nodes)];
  if (own === undefined || wanted === undefined) return undefined;
  const serialised: (readonly [string, string])[] = [];
  let independent = 0;
  for (const [i, first] of match.pairs.entries()) {
    for (const second of match.pairs.slice(i + 1)) {
      if (wanted.orders(first.gold, second.gold)) continue;
      independent++;
      if (!own.orders(first.node, second.node)) continue;
      const [a, b] = own.has(first.node, second.node) ? [first, second] : [second, first];
      serialised.push([nodes[a.node]?.id ?? "", nodes[b.node]?.id ?? ""]);
    }
  }
  return independent === 0 ? undefined : { independent, serialised, score: 1 - serialised.length / independent };
}
