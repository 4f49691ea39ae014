/** What makes a plan good, part by part. */
import { clip, oneLine } from "../../core/mod.ts";
import { missingParts } from "./coverage.ts";
import { edgeF1 } from "./edge_f1.ts";
import { inputF1 } from "./input_f1.ts";
import type { Match } from "./match.ts";
import type { GoldPlan, PlanNode } from "./node.ts";
import { nodeF1 } from "./node_f1.ts";
import { overlaps, overlapScore } from "./overlap.ts";
import { parallelism } from "./parallelism.ts";
import { privilege } from "./privilege.ts";
import type { Ratio } from "./ratio.ts";
import { redundancy } from "./redundancy.ts";
import { keptRules, testabilityProblems } from "./testability.ts";

/**
 * How much each component counts; together 1. A component that cannot be seen in a plan has no weight there, and the
 * others share it in proportion.
 *
 * The order is what a bad plan costs. Work that is missing is worst: it counts as a node, as a part and as its inputs. Then
 * comes work that nobody can check, and then what is done late, twice, or with more rights than it needs.
 */
export const WEIGHTS = {
  nodes: 0.2,
  coverage: 0.15,
  testability: 0.15,
  edges: 0.1,
  inputs: 0.1,
  overlap: 0.1,
  parallelism: 0.1,
  redundancy: 0.05,
  privilege: 0.05,
} as const;

/** Names one component. */
export type ComponentId = keyof typeof WEIGHTS;

/** One component of a plan's score. */
export interface Component {
  /** Which one it is. */
  readonly id: ComponentId;
  /** From 0 to 1; `null` where it cannot be seen. */
  readonly value: number | null;
  /** What was found, in a sentence. */
  readonly message: string;
}

/** What components are computed from. */
export interface ComponentInput {
  /** What the user asks; an objective that names what it names is concrete. */
  readonly request?: string;
  /** The plan. */
  readonly nodes: readonly PlanNode[];
  /** What it should be. */
  readonly gold: GoldPlan;
  /** Which node is which. */
  readonly match: Match;
  /** All tools that exist, see {@linkcode privilege}. */
  readonly catalogue?: readonly string[];
}

type Found = readonly [value: number | undefined, message: string];

const COMPONENTS: { readonly [Id in ComponentId]: (input: ComponentInput) => Found } = {
  nodes: ({ nodes, gold, match }) => {
    const found = nodeF1(nodes, gold, match);
    const missing = gold.nodes.filter((_, place) => !match.nodeOf.has(place)).map(({ id }) => id);
    const extra = nodes.filter((_, place) => !match.goldOf.has(place)).map(({ id }) => id);
    const byText = match.pairs.filter(({ by }) => by === "text").length;
    return [
      found.f1,
      sentence(counts(found, "task"), [
        ["missing", missing],
        ["not in the gold plan", extra],
        ["matched by text", byText === 0 ? [] : [String(byText)]],
      ]),
    ];
  },
  coverage: ({ nodes, gold, match }) => {
    if (gold.parts.length === 0) return [undefined, "nothing says what the request's parts are"];
    const missing = missingParts(nodes, gold, match).map(({ part }) => part);
    const met = gold.parts.length - missing.length;
    return [
      met / gold.parts.length,
      sentence(`${met} of ${gold.parts.length} parts of the request are met`, [
        ["no task for", missing],
      ]),
    ];
  },
  testability: ({ request, nodes }) => {
    const found = nodes.map((node) => testabilityProblems(node, request));
    const bad = nodes.flatMap(({ id }, i) => {
      const problems = found[i] ?? [];
      return problems.length === 0 ? [] : [`${id} (${problems.join(", ").replaceAll("_", " ")})`];
    });
    return [
      keptRules(found),
      bad.length === 0 ? "every objective can be tested" : sentence("objectives that cannot be tested", [["", bad]]),
    ];
  },
  edges: ({ nodes, gold, match }) => {
    const found = edgeF1(nodes, gold, match);
    return [found?.f1, found === undefined ? "the plan has no order" : counts(found, "ordered pair")];
  },
  inputs: ({ nodes, gold, match }) => {
    const found = inputF1(nodes, gold, match);
    return [found.f1, counts(found, "input")];
  },
  overlap: ({ nodes }) => {
    const pairs = overlaps(nodes);
    const named = pairs.map((pair) => pair.map((place) => nodes[place]?.id ?? "").join(" and "));
    return [
      overlapScore(nodes, pairs),
      pairs.length === 0 ? "no two tasks do the same" : sentence("tasks do much the same", [["", named]]),
    ];
  },
  parallelism: ({ nodes, gold, match }) => {
    const found = parallelism(nodes, gold, match);
    if (found === undefined) return [undefined, "nothing in this plan could run at the same time"];
    const late = found.serialised.map((pair) => pair.join(" before "));
    return [
      found.score,
      sentence(`${late.length} of ${found.independent} independent pairs run one after the other`, [["", late]]),
    ];
  },
  redundancy: ({ nodes }) => {
    const { total, repeats, repeated, score } = redundancy(nodes);
    return [score, sentence(`${repeats} of ${total} calls repeat an earlier one`, [["", repeated]])];
  },
  privilege: ({ nodes, gold, match, catalogue }) => {
    const found = privilege(nodes, gold, match, catalogue);
    if (found === undefined) return [undefined, "nothing says which tools are granted and needed"];
    return [
      found.score,
      sentence(`${found.excess.length} of ${found.granted} grants are not needed`, [["", found.excess]]),
    ];
  },
};

const IDS: readonly ComponentId[] = [
  "nodes",
  "coverage",
  "testability",
  "edges",
  "inputs",
  "overlap",
  "parallelism",
  "redundancy",
  "privilege",
];

/** All components, in the order of {@linkcode WEIGHTS}. */
export function componentsOf(input: ComponentInput): Component[] {
  return IDS.map((id) => {
    const [value, message] = COMPONENTS[id](input);
    return { id, value: value ?? null, message };
  });
}

/** Weighted mean of the components that can be seen, from 0 to 1; 0 if none can. */
export function weightedMean(components: readonly Component[]): number {
  let [sum, weights] = [0, 0];
  for (const { id, value } of components) {
    if (value === null) continue;
    sum += WEIGHTS[id] * value;
    weights += WEIGHTS[id];
  }
  return weights === 0 ? 0 : sum / weights;
}

function counts({ hits, found, wanted }: Ratio, noun: string): string {
  return `${hits} of ${wanted} ${noun}s, ${found - hits} too many`;
}

/** A statement with what it rests on; names come from a planner and are shown short and on one line. */
function sentence(text: string, lists: readonly (readonly [head: string, names: readonly string[]])[]): string {
  const parts = lists.filter(([, names]) => names.length > 0).map(([head, names]) => {
    const some = names.slice(0, 5).map((name) => oneLine(clip(name, 80))).join(", ") + (names.length > 5 ? ", …" : "");
    return head === "" ? some : `${head}: ${some}`;
  });
  return [text, ...parts].join("; ");
}
