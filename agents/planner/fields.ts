import type { JsonNode, JsonObject } from "./node.ts";

/** A field of a task. */
export type Field = "id" | "specialist" | "objective" | "inputs" | "dependsOn" | "maxSteps";

/**
 * The names that models give to a task's fields, in any case and with or without `_`, `-` and spaces. A name in
 * {@linkcode PLAIN_NAMES} is taken as it is, any other is recorded as a repair.
 */
export const FIELD_NAMES: readonly (readonly [Field, readonly string[]])[] = [
  ["id", ["id", "task id", "step id"]],
  ["specialist", ["specialist", "worker", "agent", "assignee"]],
  ["objective", ["objective", "ask", "task", "goal", "instruction", "instructions", "description"]],
  ["inputs", ["inputs", "input", "args", "arguments", "params", "parameters", "facts"]],
  ["dependsOn", ["depends on", "needs", "after", "dependencies"]],
  ["maxSteps", ["max steps"]],
];

/** Names under which the list of tasks may stand. */
export const LIST_NAMES: readonly string[] = ["tasks", "steps", "plan", "subtasks"];

/** Keys whose single purpose is to hold the plan, or a text with the plan in it. */
export const WRAPPER_NAMES: readonly string[] = [
  ...[
    "plan",
    "task plan",
    "execution plan",
    "result",
    "results",
    "output",
    "response",
    "answer",
    "final",
    "final answer",
  ],
  ...["reply", "message", "content", "text", "data", "json", "value", "payload", "body", "return"],
  ...["input", "args", "arguments", "params", "parameters", "function", "tool call"],
];

/** Spellings that need no repair: the field's own, and the short ones that the development replies count as `ok`. */
export const PLAIN_NAMES: ReadonlySet<string> = new Set([
  ...["tasks", "id", "specialist", "objective", "inputs", "dependsOn", "maxSteps"],
  ...["worker", "ask", "needs"],
]);

const FIELDS: ReadonlyMap<string, Field> = new Map(
  FIELD_NAMES.flatMap(([field, names]) => names.map((name): [string, Field] => [plain(name), field])),
);
const LISTS: ReadonlySet<string> = new Set(LIST_NAMES.map(plain));
const WRAPPERS: ReadonlySet<string> = new Set(WRAPPER_NAMES.map(plain));

/** The field that a key means, if it is one of its usual names. */
export function fieldOf(key: string): Field | undefined {
  return FIELDS.get(plain(key));
}

/** Whether a list of tasks is expected under this key. */
export function isListName(key: string): boolean {
  return LISTS.has(plain(key));
}

/** Whether this key only wraps what is under it. */
export function isWrapperName(key: string): boolean {
  return WRAPPERS.has(plain(key));
}

/** Whether an object has at least two of the fields that make a task: an id, a specialist, an objective. */
export function looksLikeTask(node: JsonNode): node is JsonObject {
  if (!(node instanceof Map)) return false;
  return tellsTask([...node.keys()].filter((key) => !isListName(key)));
}

/** Whether keys, of an object or of a broken piece of one, are those of a plan's tasks. */
export function tellsTask(keys: Iterable<string>): boolean {
  const fields = new Set<Field>();
  let list = false;
  for (const key of keys) {
    const field = fieldOf(key);
    if (field === "id" || field === "specialist" || field === "objective") fields.add(field);
    list ||= isListName(key);
  }
  return fields.size >= (list ? 1 : 2);
}

function plain(key: string): string {
  return key.length > 40 ? key : key.toLowerCase().replace(/[\s_-]+/g, "");
}
