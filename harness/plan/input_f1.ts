import { canonicalJson, type Json } from "../../core/mod.ts";
import type { Match } from "./match.ts";
import type { GoldPlan, PlanNode } from "./node.ts";
import { type Ratio, ratio } from "./ratio.ts";

/**
 * Input precision, recall and F1 over (node, name, value): facts of the request that reach the node that needs them
 * (after the parameter F1 of TaskBench, Shen et al. 2023). All inputs of a node that is no gold node are wrong; those
 * that its gold node has as `optional` are left out.
 */
export function inputF1(nodes: readonly PlanNode[], gold: GoldPlan, match: Match): Ratio {
  let [hits, found] = [0, 0];
  for (const [place, { inputs }] of nodes.entries()) {
    const goldPlace = match.goldOf.get(place);
    const wanted = goldPlace === undefined ? undefined : gold.nodes[goldPlace];
    for (const [key, value] of Object.entries(inputs)) {
      const isWanted = wanted !== undefined && Object.hasOwn(wanted.inputs, key);
      if (!isWanted && wanted?.optional?.includes(key)) continue;
      found++;
      const right = isWanted ? wanted.inputs[key] : undefined;
      if (right !== undefined && sameFact(value, right)) hits++;
    }
  }
  return ratio(hits, found, gold.nodes.reduce((sum, { inputs }) => sum + Object.keys(inputs).length, 0));
}

/** Whether two values say the same. `12345` and `"12345"` do, and so do texts that differ in case and white space. */
export function sameFact(a: Json, b: Json): boolean {
  return factText(a) === factText(b);
}

/** A value as a text that is the same for all values that say the same. */
export function factText(value: Json): string {
  if (value === null || typeof value === "object") return canonicalJson(value);
  return String(value).normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}
