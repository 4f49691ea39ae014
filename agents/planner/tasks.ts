import type { Json } from "../../core/mod.ts";
import { type Field, fieldOf, looksLikeTask, PLAIN_NAMES } from "./fields.ts";
import { readJson } from "./json_reader.ts";
import { type JsonNode, type JsonObject, sameNode, toJson, toRecord } from "./node.ts";
import type { Problem } from "./outcome.ts";
import { PlanTask } from "./plan.ts";
import { quote, type RepairLog } from "./repairs.ts";
import type { FoundPlan } from "./search.ts";

const OPTIONAL: ReadonlySet<Field> = new Set<Field>(["inputs", "dependsOn", "maxSteps"]);
/** All of a task but its inputs: those are JSON by construction, and zod's records leave a key `__proto__` out. */
const Head = PlanTask.omit({ inputs: true });

/** Reads the tasks of a plan that was found. Names of fields are normalised; types are checked and never coerced. */
export function readTasks({ list, repairs, where, at, facts }: FoundPlan): PlanTask[] | Problem {
  const tasks: PlanTask[] = [];
  const unknown: { readonly task: PlanTask; readonly key: string; readonly value: JsonNode; readonly at: string }[] =
    [];
  for (const [index, node] of list.entries()) {
    if (!(node instanceof Map)) return wrong(`task ${index + 1} of the plan at ${at} is not an object`);
    const place = where(node);
    const name = `task ${index + 1} at ${place}`;
    const fields = readFields(node, name, place, repairs);
    if ("reason" in fields) return fields;
    const read = readTask(fields.known, name, place, repairs);
    if ("reason" in read) return read;
    const task = facts === undefined ? read : readUses(read, fields.unknown, facts, name);
    if ("reason" in task) return task;
    tasks.push(task);
    for (const [key, value] of fields.unknown) unknown.push({ task, key, value, at: place });
  }
  const ids = new Set(tasks.map((task) => task.id));
  for (const { task, key, value, at } of unknown) {
    // The development replies have no such keys. A remark or a priority may be left out, and the repair says so;
    // an order of tasks or tasks of their own may not: that would run half of the plan.
    if (carriesPlan(value, task.id, ids)) {
      return wrong(`"${quote(key)}" of the task at ${at} names or holds other tasks, and is no field of a task`);
    }
    repairs.add("unknown_key", at, key);
  }
  return tasks;
}

interface Fields {
  readonly known: Map<Field, JsonNode>;
  readonly unknown: JsonObject;
}

function readFields(node: JsonObject, name: string, at: string, repairs: RepairLog): Fields | Problem {
  const known = new Map<Field, JsonNode>();
  const unknown: JsonObject = new Map();
  for (const [key, value] of node) {
    const field = fieldOf(key);
    if (field === undefined) {
      unknown.set(key, value);
      continue;
    }
    if (!PLAIN_NAMES.has(key)) repairs.add("renamed_key", at, key);
    const old = known.get(field);
    if (value === null && OPTIONAL.has(field)) repairs.add("null_as_absent", at, key);
    else if (old === undefined) known.set(field, value);
    else if (sameNode(old, value)) repairs.add("duplicate_field", at, key);
    else {
      const detail = `${name} gives its ${field} twice, and "${quote(key)}" differs`;
      return { reason: "conflicting_field", detail };
    }
  }
  return { known, unknown };
}

function readTask(known: Map<Field, JsonNode>, name: string, at: string, repairs: RepairLog): PlanTask | Problem {
  const inputs = readInputs(known.get("inputs"), at, repairs);
  if (inputs === undefined) return wrong(`${name}: inputs has to be an object`);
  const head: Record<string, Json> = { dependsOn: [] };
  for (const [field, value] of known) if (field !== "inputs") head[field] = toJson(value);
  const read = Head.safeParse(head);
  if (!read.success) {
    const issue = read.error.issues[0];
    return wrong(`${name}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "wrong"}`);
  }
  const specialist = read.data.specialist.trim();
  if (specialist !== read.data.specialist) repairs.add("trimmed_name", at, specialist);
  const dependsOn = [...new Set(read.data.dependsOn)];
  if (dependsOn.length < read.data.dependsOn.length) repairs.add("duplicate_dependency", at);
  return { ...read.data, specialist, inputs, dependsOn };
}

/** Which of the plan's facts a task needs. Without facts, the key means nothing here and is like any other. */
function readUses(task: PlanTask, unknown: JsonObject, facts: JsonObject, name: string): PlanTask | Problem {
  const node = unknown.get("uses");
  if (node === undefined || node === null) return task;
  unknown.delete("uses");
  const uses = Array.isArray(node) ? node.filter((one) => typeof one === "string") : [];
  if (!Array.isArray(node) || uses.length < node.length) return wrong(`${name}: uses has to be a list of names`);
  const strange = uses.find((one) => !facts.has(one));
  if (strange !== undefined) return wrong(`${name} uses "${quote(strange)}", which is no fact of the plan`);
  return { ...task, uses };
}

function readInputs(node: JsonNode | undefined, at: string, repairs: RepairLog): Record<string, Json> | undefined {
  if (node === undefined) return {};
  if (node instanceof Map) return toRecord(node);
  if (typeof node !== "string" || !node.startsWith("{")) return undefined;
  // Arguments as a JSON string, as in a tool call.
  const read = readJson(node, 0);
  if (read.kind === "broken" || read.end < node.trimEnd().length || read.conflicts.length > 0) return undefined;
  if (!(read.value instanceof Map)) return undefined;
  repairs.add("json_in_string", at);
  for (const { id } of read.mends) repairs.add(id, at);
  return toRecord(read.value);
}

function carriesPlan(value: JsonNode, own: string, ids: ReadonlySet<string>): boolean {
  if (looksLikeTask(value)) return true;
  const names = Array.isArray(value) ? value : [value];
  if (names.some(looksLikeTask)) return true;
  return names.length > 0 && names.every((name) => typeof name === "string" && name !== own && ids.has(name));
}

function wrong(detail: string): Problem {
  return { reason: "wrong_shape", detail };
}
