/** What a plan must be before its quality counts at all. */
import type { PlanOutcome, PlanRejection } from "../../agents/mod.ts";
import { clip, type Json, oneLine } from "../../core/mod.ts";
import type { PlanNode } from "./node.ts";
import { topological } from "./order.ts";

/** The gates, in order, each with what it asks. */
export const GATES = {
  complete: "the reply was not cut",
  extracted: "a plan was found in the reply",
  size: "there are no more tasks than the cap",
  arguments: "every field has its type and one value, and no input is a placeholder",
  acyclic: "ids are unique, dependencies exist, and none go round in a circle",
  specialists: "every specialist is on the roster",
} as const;

/** Names one gate. */
export type GateId = keyof typeof GATES;

/** What came of a gate. `untestable`: what it asks cannot be seen, since an earlier one has failed. */
export interface Gate {
  /** Which one it is. */
  readonly id: GateId;
  /** Whether the plan gets through. */
  readonly outcome: "pass" | "fail" | "untestable";
  /** What was found. */
  readonly message: string;
}

/** Which gate stops a reply that the parser rejects. */
const GATE_OF: Readonly<Record<PlanRejection, GateId>> = {
  refusal: "extracted",
  no_plan: "extracted",
  malformed_json: "extracted",
  too_deep: "extracted",
  rival_plans: "extracted",
  empty: "extracted",
  truncated: "complete",
  wrong_shape: "arguments",
  conflicting_field: "arguments",
  too_many_tasks: "size",
  duplicate_id: "acyclic",
  dangling_dependency: "acyclic",
  cycle: "acyclic",
  unknown_specialist: "specialists",
};

const IDS: readonly GateId[] = ["complete", "extracted", "size", "arguments", "acyclic", "specialists"];

/** The gates of a reply that gave no plan: one fails, those that the parser asks before it are passed. */
export function gatesOfRejection(reason: PlanRejection, detail: string): Gate[] {
  const failed = GATE_OF[reason];
  return IDS.map((id, i) => {
    if (id === failed) return { id, outcome: "fail", message: `${reason}: ${detail}` };
    // Placeholders are looked for in plans only.
    const isPassed = i < IDS.indexOf(failed) && id !== "arguments";
    return isPassed
      ? { id, outcome: "pass", message: GATES[id] }
      : { id, outcome: "untestable", message: "there is no plan to look at" };
  });
}

/** The gates of a plan that is there. */
export function gatesOf(
  nodes: readonly PlanNode[],
  { roster, maxNodes, dropped = [] }: {
    /** Specialists that exist; all are taken for known if it is left out. */
    readonly roster?: readonly string[];
    /** The cap. */
    readonly maxNodes: number;
    /** Tasks that the parser has left out. */
    readonly dropped?: Extract<PlanOutcome, { status: "ok" | "repair" }>["dropped"];
  },
): Gate[] {
  const known = roster === undefined ? undefined : new Set(roster);
  const strangers = [
    ...dropped.filter(({ reason }) => reason === "unknown_specialist").map(({ specialist }) => specialist),
    ...nodes.filter(({ specialist }) => known?.has(specialist) === false).map(({ specialist }) => specialist),
  ];
  const unfilled = nodes.flatMap(({ id, inputs }) =>
    Object.entries(inputs).flatMap(([key, value]) => isPlaceholder(value) ? [`${key} of ${id}`] : [])
  );
  const count = nodes.length + dropped.length;
  return [
    gate("complete", true, ""),
    gate("extracted", nodes.length > 0, "the plan has no tasks"),
    gate("size", count <= maxNodes, `${count} tasks, allowed are ${maxNodes}`),
    gate("arguments", unfilled.length === 0, `not filled in: ${shown(unfilled)}`),
    ordered(nodes),
    gate("specialists", strangers.length === 0, `not on the roster: ${shown(strangers)}`),
  ];
}

function ordered(nodes: readonly PlanNode[]): Gate {
  const ids = new Set(nodes.map(({ id }) => id));
  if (ids.size < nodes.length) return gate("acyclic", false, "two tasks have the same id");
  const dangling = nodes.flatMap(({ dependsOn }) => dependsOn.filter((id) => !ids.has(id)));
  if (dangling.length > 0) return gate("acyclic", false, `dependencies on nothing: ${shown(dangling)}`);
  return gate("acyclic", topological(nodes) !== undefined, "tasks wait for each other");
}

function gate(id: GateId, good: boolean, message: string): Gate {
  return { id, outcome: good ? "pass" : "fail", message: good ? GATES[id] : message };
}

const PLACEHOLDER =
  /^(?:<[^<>]*>|\{\{?[^{}]*\}?\}|\$\{[^{}]*\}|\[[A-Z_ ]+\]|todo|tbd|unknown|n\/?a|none|null|undefined|\.{3}|…|\?*)$/i;

/** Whether an input is a gap that was left to be filled: nothing, `<order id>`, `{{order}}`, `TODO`. */
export function isPlaceholder(value: Json): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some(isPlaceholder);
  return typeof value === "string" && PLACEHOLDER.test(value.trim());
}

function shown(names: readonly string[]): string {
  const some = [...new Set(names)].slice(0, 5).map((name) => oneLine(clip(name, 60)));
  return some.join(", ") + (names.length > 5 ? ", …" : "");
}
