/**
 * What a plan leaves out of its request, found out without a model: what the planner itself lists and no task meets, what a
 * request enumerates and no task has a word of, and one of several things named in one breath of which the tasks name others.
 *
 * Words, not understanding. A part that the planner never lists, and that the request neither numbers nor names, is not seen:
 * of the 41 incomplete plans in `scenarios/plans/`, which list no parts, 3 are, and none of the 275 others there is accused.
 * Where the words are in doubt nothing is said, and yet a whole plan may be accused. Of 45 requests with whole plans and 22 with
 * one that leaves something out, written after the rules, 6 of the one kind were accused and 15 of the other seen; of the next 30
 * and 10, written when the rules had been mended for these, 3 and 8. All of them are in the test, and the rules mended for them,
 * so expect what the last ones gave: one whole plan in ten of requests that are made to be hard.
 */
import { clip, oneLine } from "../../core/mod.ts";
import type { DroppedTask, RepeatedTask } from "../planner/mod.ts";
import type { Plan, PlanPart } from "../planner/plan.ts";
import { askedText } from "./asked_text.ts";
import { unmetItems } from "./enumerated.ts";
import { unnamed } from "./named.ts";

/** What is known of a plan besides its tasks. */
export interface LeftAside {
  /** Tasks that are left out by name: the answer tells of them as it is. */
  readonly dropped?: readonly DroppedTask[];
  /** Tasks that another one does, too. */
  readonly repeated?: readonly RepeatedTask[];
}

/** As long as what is quoted may be, in UTF-16 units, and as much as is told of one plan. */
const QUOTE = 200;
const MAX_TOLD = 20;

/**
 * What of a request no task of its plan covers, in a sentence each, in the words of whoever names it. Untrusted, as plans are.
 *
 * @example
 * ```ts
 * import { uncovered } from "./coverage.ts";
 * import assert from "node:assert/strict";
 *
 * const task = { id: "t1", specialist: "orders", objective: "Find order 1182.", inputs: {}, dependsOn: [] };
 * const parts = [{ part: "where it is", by: ["t1"] }, { part: "whether it can go back", by: ["t2"] }];
 * assert.deepEqual(uncovered("Where are orders 1182 and 1183?", { tasks: [task], parts }), [
 *   'the plan has no task "t2", which was to meet "whether it can go back"',
 *   'no task of the plan mentions "1183", which the request names beside others',
 * ]);
 * ```
 */
export function uncovered(request: string, plan: Plan, { dropped = [], repeated = [] }: LeftAside = {}): string[] {
  const all = [...plan.tasks, ...dropped];
  const known = new Set(
    [...[...all, ...repeated].map(({ id }) => id), ...all.map(({ specialist }) => specialist)].map(bare),
  );
  const listed = (plan.parts ?? []).map((one) => [one, one.by.filter((id) => !known.has(bare(id)))] as const);
  const untold = listed.flatMap(([{ part, by }, lost]) =>
    by.length === 0
      ? [`no task of the plan covers ${quoted(part)}`]
      : lost.length === 0
      ? []
      : [`the plan has no task ${lost.map(quoted).join(", ")}, which was to meet ${quoted(part)}`]
  );
  const asked = askedText(request);
  const told = all.map((task) => ({
    objective: task.objective,
    inputs: "inputs" in task ? JSON.stringify(task.inputs) : "",
  }));
  const facts = JSON.stringify(plan.facts ?? {});
  // By the planner's word a task meets it, in whatever words.
  const met = listed.flatMap(([{ part, by }, lost]: readonly [PlanPart, readonly string[]]) =>
    by.length > lost.length ? [part] : []
  );
  const items = unmetItems(asked, told, [facts, ...met].join(" ")).map((item) =>
    `no task of the plan mentions ${quoted(item)}`
  );
  const names = unnamed(asked, [...told.flatMap(({ objective, inputs }) => [objective, inputs]), facts].join(" ")).map((
    name,
  ) => `no task of the plan mentions ${quoted(name)}, which the request names beside others`);
  const found = [...new Set([...untold, ...items, ...names])];
  const more = found.length - MAX_TOLD;
  return more > 0 ? [...found.slice(0, MAX_TOLD), `no task of the plan covers or mentions ${more} more parts`] : found;
}

const quoted = (text: string): string => `"${clip(oneLine(text.slice(0, 2 * QUOTE)).trim(), QUOTE)}"`;

/** An id as far as planners write it in the same way in both places: `T1`, `t-1` and `task 1` are one. */
function bare(id: string): string {
  const plain = id.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  return plain.replace(/^(?:task|step|t)(?=\p{N}+$)/u, "");
}
