import { isAllowed } from "../../agents/mod.ts";
import type { Match } from "./match.ts";
import type { GoldPlan, PlanNode } from "./node.ts";

/** What is granted, and how much of it is needed. */
export interface Privilege {
  /** Grants, over all nodes: (node, tool). */
  readonly granted: number;
  /** Those that no gold node needs, as `node tool`. */
  readonly excess: readonly string[];
  /** 1 - excess / granted. */
  readonly score: number;
}

/**
 * Least privilege (Saltzer and Schroeder 1975): grants that are needed, over grants. A node needs what its gold node
 * needs; one that is no gold node needs nothing. `undefined` where nothing says what is granted or what is needed.
 *
 * @param catalogue All tools that exist, so that `orders.` counts as the tools it lets in. Without it entries are
 *   compared as they are, and one that is wider than what is needed is excess.
 */
export function privilege(
  nodes: readonly PlanNode[],
  gold: GoldPlan,
  match: Match,
  catalogue?: readonly string[],
): Privilege | undefined {
  const spell = (entries: readonly string[]): readonly string[] =>
    catalogue?.filter((tool) => isAllowed(tool, entries)) ?? [...new Set(entries)];
  const excess: string[] = [];
  let granted = 0;
  for (const [place, { id, tools }] of nodes.entries()) {
    const goldPlace = match.goldOf.get(place);
    const needed = goldPlace === undefined ? [] : gold.nodes[goldPlace]?.tools;
    if (tools === undefined || needed === undefined) continue;
    for (const tool of spell(tools)) {
      granted++;
      if (!isAllowed(tool, needed)) excess.push(`${id} ${tool}`);
    }
  }
  return granted === 0 ? undefined : { granted, excess, score: 1 - excess.length / granted };
}
