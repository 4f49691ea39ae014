/** Files of planning cases: a request, a roster, the gold plan, and replies with the score that each must get. */
import * as z from "zod";
import { CREWS, type planner } from "../../agents/mod.ts";
import type { Json } from "../../core/mod.ts";
import { duration } from "../../servers/mod.ts";
import { topological } from "./order.ts";

const JsonValue: z.ZodType<Json> = z.json();
const Facts = z.record(z.string(), JsonValue);
const Name = z.string().min(1);
const FINISH = [
  "stop",
  "tool_calls",
  "length",
  "content_filter",
  "refusal",
] as const satisfies readonly planner.FinishReason[];

/** One task of a gold plan. */
const GoldTask = z.strictObject({
  /** Name, unique in the plan. */
  id: Name,
  /** Who has to do it. */
  specialist: Name,
  /** What has to be done. */
  objective: z.string().regex(/\S/, "is blank"),
  /** Facts that its packet must carry. */
  inputs: Facts.default({}),
  /** Names of inputs that are neither wanted nor wrong. */
  optional: z.array(Name).default([]),
  /** Tasks whose results it needs. */
  dependsOn: z.array(Name).default([]),
  /** How long it takes, as in `500ms` or `2s`. */
  takes: duration,
  /** Tools that it needs; all of its specialist's if left out. */
  tools: z.array(Name).exactOptional(),
});

/** A part of the request and what meets it: gold tasks, all of them, or words that one task has. */
const Part = z.strictObject({
  part: Name,
  tasks: z.array(Name).min(1).exactOptional(),
  keywords: z.array(Name).min(1).exactOptional(),
}).refine(({ tasks, keywords }) => tasks !== undefined || keywords !== undefined, {
  message: "needs tasks or keywords, or else nothing can meet it",
});

/** A reply and the score that it must get. */
const Reply = z.strictObject({
  /** What it shows: `good`, or what is wrong with it. */
  kind: z.string().regex(/^[a-z][a-z0-9_]*$/, "is not a word of a-z, 0-9 and _"),
  /** All that the model has said. */
  text: z.string(),
  /** Why the model stopped, where that is known. */
  finish: z.enum(FINISH).exactOptional(),
  /** Its score, to ± 0.005; not compared if left out. */
  score: z.number().min(0).max(1).exactOptional(),
});

/** A whole file, or one line of a `.jsonl` file. */
export const CaseFile = z.strictObject({
  /** Its name, unique among all. */
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "is not a name of a-z, 0-9 and -"),
  /** What the user asks. */
  request: z.string().regex(/\S/, "is blank"),
  /** A crew, whose specialists are the roster. */
  crew: z.enum([...CREWS.keys()]).exactOptional(),
  /** The specialists, where they are no crew's. */
  roster: z.array(z.strictObject({ name: Name, toolAllow: z.array(Name).exactOptional() })).min(1).exactOptional(),
  /** What the plan should be. */
  gold: z.array(GoldTask).min(1),
  /** What the request asks for. */
  parts: z.array(Part).default([]),
  /** What planners have said. */
  replies: z.array(Reply).min(1),
}).superRefine(({ crew, roster, gold, parts }, context) => {
  const issue = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
  if ((crew === undefined) === (roster === undefined)) issue(["name"], "give either crew or roster");
  const specialists = new Set((roster ?? CREWS.get(crew ?? "")?.specialists ?? []).map(({ name }) => name));
  const ids = new Set<string>();
  for (const [i, { id, specialist }] of gold.entries()) {
    if (ids.has(id)) issue(["gold", i, "id"], "two tasks have this id; give each its own");
    ids.add(id);
    if (!specialists.has(specialist)) {
      issue(["gold", i, "specialist"], `is not on the roster; allowed: ${[...specialists].join(", ")}`);
    }
  }
  const known = (path: (string | number)[], names: readonly string[]) => {
    for (const [i, name] of names.entries()) if (!ids.has(name)) issue([...path, i], "is no task of the gold plan");
  };
  for (const [i, { dependsOn }] of gold.entries()) known(["gold", i, "dependsOn"], dependsOn);
  for (const [i, { tasks = [] }] of parts.entries()) known(["parts", i, "tasks"], tasks);
  if (topological(gold) === undefined) issue(["gold"], "the tasks wait for each other");
});

/** See {@linkcode CaseFile}. */
export type CaseFile = z.infer<typeof CaseFile>;
