/** Plans with durations and a published optimum, as AsyncHow has them (Lin et al. 2024): rows of a `.jsonl` file. */
import * as z from "zod";
import { criticalPath, type Timed } from "./makespan.ts";
import { topological } from "./order.ts";

const Id = z.union([z.int(), z.string().min(1)]);
const Seconds = z.number().min(0);
/** Where every plan begins and ends; takes no time. */
const ENDS: ReadonlySet<string> = new Set(["START", "END"]);

/** One row. Times are in seconds. */
export const DagRow = z.strictObject({
  id: z.string().min(1),
  source: z.string().exactOptional(),
  /** What the plan is for. */
  task: z.string(),
  nodes: z.array(z.strictObject({
    id: Id,
    text: z.string(),
    duration_s: Seconds,
    duration_text: z.string().exactOptional(),
  })).min(1),
  /** Pairs [before, after]; `START` and `END` may be among them. */
  edges: z.array(z.tuple([Id, Id])),
  critical_path_s: Seconds.exactOptional(),
  /** The published optimum. */
  gold_optimal_s: Seconds,
  sequential_s: Seconds.exactOptional(),
  ideal_speedup: z.number().exactOptional(),
}).superRefine((row, context) => {
  // Beside "START" some write numbers as texts, too: 1 and "1" are one node.
  const ids = new Set<string>();
  for (const [i, { id }] of row.nodes.entries()) {
    const name = String(id);
    const message = ids.has(name) ? "two nodes have this id" : ENDS.has(name) ? "is the name of an end" : undefined;
    if (message !== undefined) context.addIssue({ code: "custom", path: ["nodes", i, "id"], message });
    ids.add(name);
  }
  for (const [i, edge] of row.edges.entries()) {
    for (const [j, id] of edge.entries()) {
      const name = String(id);
      const message = !ids.has(name) && !ENDS.has(name)
        ? "is no node of the plan"
        : name === (j === 0 ? "END" : "START")
        ? `nothing comes ${j === 0 ? "after the end" : "before the start"}`
        : undefined;
      if (message !== undefined) context.addIssue({ code: "custom", path: ["edges", i, j], message });
    }
  }
  if (topological(tasksOf(row)) === undefined) {
    context.addIssue({ code: "custom", path: ["edges"], message: "the nodes wait for each other" });
  }
});

/** See {@linkcode DagRow}. */
export type DagRow = z.infer<typeof DagRow>;

/** A plan's critical path beside its published optimum, in seconds. */
export interface DagScore {
  /** The row's id. */
  readonly id: string;
  /** Critical path. */
  readonly criticalPath: number;
  /** Published optimum. */
  readonly optimum: number;
  /** All durations, added up. */
  readonly sequential: number;
  /** Whether the two are equal, to a millisecond. */
  readonly isEqual: boolean;
}

/** Computes a row's critical path. */
export function scoreDag(row: DagRow): DagScore {
  const length = criticalPath(tasksOf(row))?.length ?? Infinity;
  return {
    id: row.id,
    criticalPath: length,
    optimum: row.gold_optimal_s,
    sequential: row.nodes.reduce((sum, { duration_s }) => sum + duration_s, 0),
    isEqual: Math.abs(length - row.gold_optimal_s) < 0.001,
  };
}

function tasksOf({ nodes, edges }: Pick<DagRow, "nodes" | "edges">): Timed[] {
  const before = new Map<string, string[]>();
  for (const [first, second] of edges) {
    const [one, key] = [String(first), String(second)];
    if (ENDS.has(one) || ENDS.has(key)) continue;
    before.set(key, [...before.get(key) ?? [], one]);
  }
  return nodes.map(({ id, duration_s }) => ({
    id: String(id),
    duration: duration_s,
    dependsOn: before.get(String(id)) ?? [],
  }));
}
