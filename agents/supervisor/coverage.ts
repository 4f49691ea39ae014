/**
 * What a plan leaves out of its request, found out without a model: what the planner itself lists and no task meets, what a
 * request enumerates and no task has a word of, and one of several things named in one breath of which the tasks name others.
 *
 * Words, not understanding. A part that the planner never lists, and that the request neither numbers nor names, is not seen.
 */
import type { DroppedTask, RepeatedTask } from "../planner/mod.ts";
import type { Plan } from "../planner/plan.ts";

/** What is known of a plan besides its tasks. */
export interface LeftAside {
  /** Tasks that are left out by name: the answer tells of them as it is. */
  readonly dropped?: readonly DroppedTask[];
  /** Tasks that another one does, too. */
  readonly repeated?: readonly RepeatedTask[];
}

/** More of a request is not compared with a plan, in UTF-16 units. */
const MAX_REQUEST = 20_000;

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
 *   'no task of the plan covers "1183", which the request names beside others',
 * ]);
 * ```
 */
export function uncovered(request: string, plan: Plan, { dropped = [], repeated = [] }: LeftAside = {}): string[] {
  const known = new Set([...plan.tasks, ...dropped, ...repeated].map(({ id }) => id));
  const listed = (plan.parts ?? []).flatMap(({ part, by }) => {
    const lost = by.filter((id) => !known.has(id)).map((id) => `"${id}"`).join(", ");
    if (by.length === 0) return [`no task of the plan covers "${part}"`];
    return lost === "" ? [] : [`the plan has no task ${lost}, which was to meet "${part}"`];
  });
  const told = [...plan.tasks, ...dropped].map((task) =>
    `${task.objective} ${"inputs" in task ? JSON.stringify(task.inputs) : ""}`
  );
  const text = [...told, JSON.stringify(plan.facts ?? {})].join(" ");
  const asked = request.slice(0, MAX_REQUEST);
  const items = unmetItems(asked, text).map((item) => `no task of the plan covers "${item}"`);
  const names = unnamed(asked, text).map((name) =>
    `no task of the plan covers "${name}", which the request names beside others`
  );
  return [...new Set([...listed, ...items, ...names])];
}

/** Where an item of a list begins: a bullet at the beginning of a line, or a number or letter that counts. */
const ITEM = /(?:^|\n)\s*[-*•]\s+|(?:^|[\s(])(?:\d{1,2}|[a-h])[.)]\s+/giu;

/** Items of the request's lists of which the tasks have not one telling word. */
function unmetItems(request: string, text: string): string[] {
  const starts = [...request.matchAll(ITEM)];
  if (starts.length < 2) return [];
  const had = new Set(wordsOf(text));
  return starts.flatMap(({ index, 0: mark }, i) => {
    const item = (request.slice(index + mark.length, starts[i + 1]?.index).split(/\n\s*\n/)[0] ?? "").trim();
    const words = wordsOf(item);
    return words.length === 0 || words.some((word) => had.has(word)) ? [] : [item];
  });
}

/** A number, a file, an address, an id, or a name with a capital. */
const NAME = /[\p{L}\p{N}](?:[\p{L}\p{N}._/@-]*[\p{L}\p{N}])?/gu;
/** What stands between two things that are named in one breath, as in `orders 1182, 1183 and order 1184`. */
const BETWEEN = /^(?:\s*,\s*|\s*\/\s*|,?\s+(?:and|or|as well as)\s+|\s*&\s*)(?:the\s+)?(?:\p{Ll}+\s+)?$/u;

/** Things named in one breath of which the tasks name some, and not these. */
function unnamed(request: string, text: string): string[] {
  const names = [...request.matchAll(NAME)].filter(({ 0: name, index }) =>
    /[\p{N}._/@]/u.test(name) || index > 0 && /^\p{Lu}/u.test(name) && !/[.?!:]\s*$/.test(request.slice(0, index))
  );
  const had = new Set([...text.matchAll(NAME)].map(([name]) => name.toLowerCase()));
  const breaths: string[][] = [];
  for (const [i, { 0: name, index }] of names.entries()) {
    const before = names[i - 1];
    const between = before === undefined ? undefined : request.slice(before.index + before[0].length, index);
    const isNext = before !== undefined && between !== undefined && BETWEEN.test(between) &&
      shapeOf(before[0]) === shapeOf(name);
    if (isNext) breaths.at(-1)?.push(name);
    else breaths.push([name]);
  }
  return breaths.flatMap((breath) => {
    const missing = breath.filter((name) => !had.has(name.toLowerCase()));
    return missing.length < breath.length ? missing : [];
  });
}

/** What kind of name it is: where it has letters, where digits, where neither. */
function shapeOf(name: string): string {
  return name.replace(/\p{L}+/gu, "a").replace(/\p{N}+/gu, "9");
}

/** Words that any task or request may have. */
const PLAIN = new Set(
  ("about also and any been could does find for from give has have how into its just like look make more much need please say " +
    "see should show some state tell that the their them then there they this was what when where whether which who will with " +
    "would you your want know check").split(" "),
);

/** Telling words, without their endings: a guess that only has to be the same on both sides. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return words.filter((word) => !PLAIN.has(word)).map((word) =>
    word.replace(/(?<=\p{L}{3})(?:ies|ing|ed|es|s|e|y)$/u, "")
  );
}
