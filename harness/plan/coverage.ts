import type { Match } from "./match.ts";
import type { GoldPlan, PlanNode, RequestPart } from "./node.ts";
import { contentWords } from "./words.ts";

/**
 * Parts of the request that no task meets. A part is met by its gold nodes, if the plan has all of them, or by its
 * keywords, if all of them are in one task's objective and inputs. The score is 1 - missing / parts.
 */
export function missingParts(nodes: readonly PlanNode[], gold: GoldPlan, match: Match): RequestPart[] {
  const there = new Set(match.pairs.map(({ gold: place }) => gold.nodes[place]?.id));
  const texts = nodes.map(({ objective, inputs }) => contentWords(`${objective} ${JSON.stringify(inputs)}`));
  return gold.parts.filter(({ nodes: ids = [], keywords = [] }) => {
    if (ids.length > 0 && ids.every((id) => there.has(id))) return false;
    const words = contentWords(keywords.join(" "));
    return words.size === 0 || !texts.some((text) => words.isSubsetOf(text));
  });
}
