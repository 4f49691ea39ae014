/** The plan as users of these frameworks read it: a schema, and no tolerance that is not the framework's. */
import * as z from "zod";
import type { Crew } from "../../agents/mod.ts";
import type { Json } from "../../core/mod.ts";

const Inputs: z.ZodType<{ [key: string]: Json }> = z.record(z.string(), z.json());

/** One task of a plan. */
export const PlannedTask = z.object({
  /** Its name in the plan. */
  id: z.string(),
  /** Who is to do it. Untrusted. */
  specialist: z.string(),
  /** What is to be done. */
  objective: z.string(),
  /** Facts that go with it. */
  inputs: Inputs.optional(),
  /** Ids of the tasks that come first. */
  dependsOn: z.array(z.string()).optional(),
});

/** A plan. */
export const PlannedTasks = z.object({ tasks: z.array(PlannedTask) });

/** See {@linkcode PlannedTask}. */
export type PlannedTask = z.infer<typeof PlannedTask>;

/** What came of one task. */
export interface Done {
  readonly task: PlannedTask;
  /** What the specialist said; empty if it ended without a word. */
  readonly text: string;
  /** Why nothing came of it, where somebody has noticed. */
  readonly error?: string;
}

/** What the planner is told. */
export function planningPrompt({ title, specialists }: Crew): string {
  const roster = specialists.map(({ name, role }) => `- ${name}: ${role}`).join("\n");
  return `You split a request into tasks for the specialists of this desk (${title}):\n${roster}\n\n` +
    `Reply with JSON only: {"tasks": [{"id", "specialist", "objective", "inputs", "dependsOn"}]}.`;
}

/** What a specialist is told about its job. */
export function instructionsOf({ name, role, returnContract }: Crew["specialists"][number]): string {
  return `You are ${name}. ${role} Use your tools. Report: ${returnContract}`;
}

/** A task as its specialist reads it, with what the tasks before it have found. */
export function taskText({ objective, inputs = {} }: PlannedTask, before: readonly Done[] = []): string {
  const facts = Object.entries(inputs).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const notes = before.map(({ task, text }) => `From ${task.specialist}: ${text}`);
  return [objective, ...facts, ...notes].join("\n");
}

/** The tasks that may begin: not begun, and everything before them is done. */
export function ready(tasks: readonly PlannedTask[], done: readonly Done[]): PlannedTask[] {
  const ended = new Set(done.map(({ task }) => task.id));
  return tasks.filter(({ id, dependsOn = [] }) => !ended.has(id) && dependsOn.every((one) => ended.has(one)));
}

/** What has been found for the tasks that this one depends on. */
export function before({ dependsOn = [] }: PlannedTask, done: readonly Done[]): Done[] {
  return done.filter(({ task }) => dependsOn.includes(task.id));
}

/** What is said of a specialist that came to nothing: that it failed, why, and what the crew has from earlier, as such. */
export function failureText(specialist: string, why: string, { fallbacks }: Pick<Crew, "fallbacks">): string {
  const failed = `${specialist} failed${why === "" ? "" : `: ${why}`}.`;
  const fallback = fallbacks.find((one) => one.specialist === specialist);
  return fallback === undefined
    ? failed
    : `${failed}\nFrom a cached ${fallback.source} as of ${fallback.asOf}: ${fallback.text}`;
}

/** What an error says, in one line. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").replace(/\.$/, "").slice(0, 300);
}
