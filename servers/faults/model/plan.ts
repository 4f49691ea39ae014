/**
 * The plan in a planner's text. Simple on purpose: the first balanced JSON object or array that holds tasks. What faults
 * do to it must not depend on how clever the parser of a system under test is.
 */
import type { Json } from "../../../core/mod.ts";

/** A task of a plan, as the planner wrote it. */
export type PlanTask = { readonly [key: string]: Json };

/** A plan, found. */
export interface FoundPlan {
  /** Its tasks. */
  readonly tasks: readonly PlanTask[];
  /** Its JSON, as it stands in the text. */
  readonly json: string;
  /** The text before its JSON. */
  readonly before: string;
  /** The text after its JSON. */
  readonly after: string;
  /** The JSON with other tasks. */
  render(tasks: readonly PlanTask[]): string;
}

const LISTS = ["tasks", "steps", "plan", "subtasks"];

/** Names of a task's specialist. */
export const SPECIALIST: readonly string[] = ["specialist", "worker", "agent", "assignee"];
/** Names of a task's dependencies. */
export const NEEDS: readonly string[] = ["dependsOn", "needs", "depends_on", "dependencies", "after"];
/** Names of a task's facts. */
export const INPUTS: readonly string[] = ["inputs", "input", "args", "arguments"];

/** So many opening brackets are tried, so that a text made of them costs little. */
const MOST_TRIED = 100;

/** Finds the plan in a text, if there is one. */
export function findPlan(text: string): FoundPlan | undefined {
  let start = nextOpening(text, 0);
  for (let tried = 0; start >= 0 && tried < MOST_TRIED; tried++, start = nextOpening(text, start + 1)) {
    const end = closing(text, start);
    if (end === undefined) continue;
    const json = text.slice(start, end);
    const found = readPlan(json);
    if (found !== undefined) return { ...found, json, before: text.slice(0, start), after: text.slice(end) };
  }
  return undefined;
}

/** A task's id. */
export function idOf(task: PlanTask, index: number): string {
  const { id } = task;
  return typeof id === "string" || typeof id === "number" ? String(id) : `t${index + 1}`;
}

function readPlan(json: string): Pick<FoundPlan, "tasks" | "render"> | undefined {
  let value: Json;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (Array.isArray(value)) {
    return areTasks(value) ? { tasks: value, render: (tasks) => JSON.stringify(tasks) } : undefined;
  }
  if (!isObject(value)) return undefined;
  for (const list of LISTS) {
    const tasks = Object.hasOwn(value, list) ? value[list] : undefined;
    if (areTasks(tasks)) return { tasks, render: (others) => JSON.stringify({ ...value, [list]: others }) };
  }
  return undefined;
}

function areTasks(value: Json | undefined): value is PlanTask[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((task) => isObject(task) && SPECIALIST.some((name) => Object.hasOwn(task, name)));
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nextOpening(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "{" || text[at] === "[") return at;
  }
  return -1;
}

/** Where the value that opens here ends, if it does. */
function closing(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === "\\") at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1;
  }
  return undefined;
}
