import { canonicalJson } from "../../core/mod.ts";
import type { PlanNode } from "./node.ts";
import { contentWords } from "./words.ts";

/** What is done, and how often it is done again. */
export interface Redundancy {
  /** All calls, or nodes where the plan names no calls. */
  readonly total: number;
  /** Those that an earlier one has made needless. */
  readonly repeats: number;
  /** What is repeated, each once: a tool, or a specialist. */
  readonly repeated: readonly string[];
  /** 1 - repeats / (total - 1): 0 if all are the same. 1 where there are fewer than two. */
  readonly score: number;
}

/**
 * The same tool with the same arguments, more than once in the plan. A plan seldom names calls; in such a node the
 * specialist stands for the tool, and inputs and content words of the objective stand for the arguments.
 */
export function redundancy(nodes: readonly PlanNode[]): Redundancy {
  const seen = new Set<string>();
  const repeated: string[] = [];
  let total = 0;
  for (const { specialist, objective, inputs, calls } of nodes) {
    const own = calls?.map(({ tool, args }) => [tool, canonicalJson(args)]) ??
      [[specialist, canonicalJson(inputs), ...[...contentWords(objective)].sort()]];
    for (const work of own) {
      total++;
      const key = canonicalJson(work);
      if (seen.has(key)) repeated.push(work[0] ?? "");
      seen.add(key);
    }
  }
  const score = total < 2 ? 1 : 1 - repeated.length / (total - 1);
  return { total, repeats: repeated.length, repeated: [...new Set(repeated)], score };
}
