/** Animals whose vice is in what becomes of a plan. */
import type { ModelTurn, Subject, SubjectWorld } from "../../agents/mod.ts";
import type { Json } from "../../core/mod.ts";
import { animal, planning } from "./vice.ts";

/** See its summary. A plan that cannot be read is left to the reference. */
export const serial: Subject = animal(
  "serial",
  planning((turn, world) => {
    const tasks = tasksIn(turn.text);
    if (turn.finish === "length" || tasks === undefined) return turn;
    const chained = chain(tasks, world);
    return chained === tasks ? turn : { ...turn, text: withTasks(turn.text, chained) };
  }),
);

/** See its summary: neither the task nor a word of what it was for is left. */
export const skimper: Subject = animal(
  "skimper",
  planning((turn) => {
    const tasks = tasksIn(turn.text);
    const last = tasks?.at(-1)?.["id"];
    if (turn.finish === "length" || tasks === undefined || tasks.length < 2) return turn;
    const rest = tasks.slice(0, -1).map((task): Task =>
      Array.isArray(task["dependsOn"]) ? { ...task, dependsOn: task["dependsOn"].filter((id) => id !== last) } : task
    );
    return { ...turn, text: withTasks(turn.text, rest).replace(PARTS, "") };
  }),
);

/** See its summary: each task that the model had finished writing is kept. */
export const planless: Subject = animal(
  "planless",
  planning((turn) => {
    if (!isCut(turn)) return turn;
    const tasks = finishedTasks(turn.text);
    return tasks.length === 0 ? turn : { ...turn, text: JSON.stringify({ tasks }), finish: "stop" };
  }),
);

type Task = { [key: string]: Json };

/** The list of tasks, from its first bracket to the last one of all, whatever stands around it. */
const LISTS = [/(?<="tasks"\s*:\s*)\[[^]*\]/, /\[[^]*\]/];
/** What a planner says of the request's parts. */
const PARTS = /"parts"\s*:\s*\[[^]*?\}\s*\]\s*,/;

function listIn(text: string): string | undefined {
  return LISTS.flatMap((list) => list.exec(text)?.[0] ?? []).at(0);
}

function withTasks(text: string, tasks: readonly Task[]): string {
  const list = listIn(text);
  return list === undefined ? text : text.replace(list, () => JSON.stringify(tasks));
}

function tasksIn(text: string): readonly Task[] | undefined {
  const list = listIn(text);
  const read: unknown = list === undefined ? undefined : parsed(list);
  return Array.isArray(read) && read.length > 0 && read.every(isTask) ? read : undefined;
}

/** Each task of a specialist that there is waits for the one before it, if nothing waits for it in turn. */
function chain(tasks: readonly Task[], { crew }: SubjectWorld): readonly Task[] {
  const names = new Set(crew.specialists.map(({ name }) => name));
  const needs = new Map(tasks.map(({ id, dependsOn }) => [id, Array.isArray(dependsOn) ? dependsOn : []]));
  const reaches = (from: Json | undefined, to: Json | undefined): boolean =>
    from === to || (needs.get(from) ?? []).some((next) => reaches(next, to));
  let before: Json | undefined;
  let changed = false;
  const chained = tasks.map((task): Task => {
    if (typeof task["specialist"] !== "string" || !names.has(task["specialist"])) return task;
    const last = before;
    before = task["id"];
    if (typeof last !== "string" || reaches(task["id"], last) || reaches(last, task["id"])) return task;
    changed = true;
    const dependsOn = [...needs.get(task["id"]) ?? [], last];
    needs.set(task["id"], dependsOn);
    return { ...task, dependsOn };
  });
  return changed ? chained : tasks;
}

/** By the model's own word, or because the braces do not close. */
function isCut({ finish, text, calls }: ModelTurn): boolean {
  const opened = text.split("{").length - text.split("}").length + text.split("[").length - text.split("]").length;
  return calls.length === 0 && (finish === "length" || opened > 0);
}

/** The innermost objects that name a specialist. */
function finishedTasks(text: string): Task[] {
  return [...text.matchAll(/\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g)]
    .map(([object]) => parsed(object))
    .filter((one) => isTask(one))
    .filter((task) => typeof task["specialist"] === "string");
}

function isTask(value: unknown): value is Task {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
