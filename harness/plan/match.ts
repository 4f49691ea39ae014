/** Which node of a plan is which node of the gold plan. */
import type { GoldNode, PlanNode } from "./node.ts";
import { contentWords, jaccard } from "./words.ts";

/** Two nodes are the same by text from this Jaccard index on. Found on the replies in `scenarios/plans/`. */
export const SAME_TEXT = 1 / 3;

/** A node and the gold node that it is. Places in the two lists. */
export interface Pair {
  /** Place among the plan's nodes. */
  readonly node: number;
  /** Place among the gold nodes. */
  readonly gold: number;
  /** What makes them the same; `text` is the fallback. */
  readonly by: "id" | "text";
}

/** Pairs, looked up from both sides. */
export interface Match {
  /** In the order of the gold nodes. */
  readonly pairs: readonly Pair[];
  /** From a node's place to its gold node's place. */
  readonly goldOf: ReadonlyMap<number, number>;
  /** From a gold node's place to its node's place. */
  readonly nodeOf: ReadonlyMap<number, number>;
}

/**
 * Matches nodes one to one, always in the same way.
 *
 * First by id: the same id, and the same specialist where the gold node names one. A planner chooses ids itself, so what
 * is left is matched by text: the same specialist, and content words of objective and inputs with a Jaccard index of
 * at least {@linkcode SAME_TEXT}; the likest pair first, ties in the order of the gold nodes, then of the plan's.
 */
export function matchNodes(nodes: readonly PlanNode[], gold: readonly GoldNode[]): Match {
  const goldOf = new Map<number, number>();
  const found = new Map<number, Pair>();
  const take = (pair: Pair): void => {
    if (goldOf.has(pair.node) || found.has(pair.gold)) return;
    goldOf.set(pair.node, pair.gold);
    found.set(pair.gold, pair);
  };
  const byId = new Map<string, number[]>();
  for (const [place, { id }] of gold.entries()) byId.set(id, [...byId.get(id) ?? [], place]);
  for (const [node, { id, specialist }] of nodes.entries()) {
    for (const place of byId.get(id) ?? []) {
      const wanted = gold[place]?.specialist;
      if (wanted === undefined || wanted === specialist) take({ node, gold: place, by: "id" });
    }
  }
  for (const { node, gold: place } of alike(nodes, gold, goldOf, found)) take({ node, gold: place, by: "text" });
  const pairs = [...found.values()].sort((a, b) => a.gold - b.gold);
  return { pairs, goldOf, nodeOf: new Map(pairs.map(({ gold, node }) => [gold, node])) };
}

/** Pairs that are the same by text, the likest first. */
function alike(
  nodes: readonly PlanNode[],
  gold: readonly GoldNode[],
  goldOf: ReadonlyMap<number, number>,
  found: ReadonlyMap<number, Pair>,
): { readonly node: number; readonly gold: number }[] {
  const free = new Map<string, [place: number, words: ReadonlySet<string>][]>();
  for (const [place, one] of gold.entries()) {
    const { specialist, objective, inputs } = one;
    if (specialist === undefined || objective === undefined || found.has(place)) continue;
    free.set(specialist, [...free.get(specialist) ?? [], [place, wordsOf({ objective, inputs })]]);
  }
  const [own, wanted] = [standings(nodes), standings(gold)];
  const pairs = nodes.flatMap((one, node) => {
    const rivals = goldOf.has(node) ? undefined : free.get(one.specialist);
    if (rivals === undefined) return [];
    const words = wordsOf(one);
    return rivals.map(([place, other]) => ({
      node,
      gold: place,
      likeness: jaccard(words, other),
      distance: distance(own[node], wanted[place]),
    }));
  }).filter(({ likeness }) => likeness >= SAME_TEXT);
  return pairs.sort((a, b) =>
    b.likeness - a.likeness || a.distance - b.distance || a.gold - b.gold ||
    inOrder(nodes[a.node]?.id ?? "", nodes[b.node]?.id ?? "") || a.node - b.node
  );
}

/** How many a node waits for, and how many wait for it. */
type Standing = readonly [before: number, after: number];

function standings(nodes: readonly Pick<PlanNode, "id" | "dependsOn">[]): Standing[] {
  const after = new Map<string, number>();
  for (const id of nodes.flatMap(({ dependsOn }) => dependsOn)) after.set(id, (after.get(id) ?? 0) + 1);
  return nodes.map(({ id, dependsOn }) => [dependsOn.length, after.get(id) ?? 0]);
}

const distance = ([a, b]: Standing = [0, 0], [c, d]: Standing = [0, 0]): number => Math.abs(a - c) + Math.abs(b - d);
const inOrder = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0;

function wordsOf({ objective, inputs }: Pick<PlanNode, "objective" | "inputs">): ReadonlySet<string> {
  const values = Object.values(inputs).map((value) => typeof value === "string" ? value : JSON.stringify(value));
  return contentWords([objective, ...values].join(" "));
}
