import { type BrokenSpot, extract, type Extracted } from "./extract.ts";
import { isListName, isWrapperName, looksLikeTask, PLAIN_NAMES, tellsTask } from "./fields.ts";
import type { JsonNode, JsonObject } from "./node.ts";
import type { Problem } from "./outcome.ts";
import { placesOf } from "./place.ts";
import { quote, RepairLog } from "./repairs.ts";

/** A list of tasks that stands in a reply. */
export interface FoundPlan {
  readonly list: readonly JsonNode[];
  /** Where the value around it opens: `line:column`. */
  readonly at: string;
  /** Where an object inside it opens. */
  where(node: JsonNode): string;
  readonly repairs: RepairLog;
  /** The key it stands under, if that is no usual name for a plan or a wrapper. */
  readonly foreign: string | undefined;
  /** The facts that stand beside it, if they are an object. */
  readonly facts?: JsonObject;
  /** What stands beside it of the request's parts, if it is a list. */
  readonly parts?: readonly JsonNode[];
}

/** All that a reply holds of plans. */
export interface Search {
  readonly plans: FoundPlan[];
  /** Objects that are tasks and stand in no list. */
  readonly loose: { readonly node: JsonObject; readonly at: string }[];
  /** What makes the reply unusable, whatever else it holds. */
  readonly hard: Problem[];
  /** What explains that there is no plan, if there is none. */
  readonly soft: Problem[];
}

/** The key beside a plan's tasks under which its facts stand. */
const FACTS = "facts";
/** The same of the request's parts. */
const PARTS = "parts";
/** How often JSON in a string is opened. */
const MAX_STRINGS = 4;
/** More plans than this are rivals unread: comparing thousands would let a reply cost the square of its length. */
const MAX_PLANS = 16;

/** Finds every plan in a reply: in prose, under wrapper keys, in strings. */
export function searchPlans(text: string): Search {
  const search: Search = { plans: [], loose: [], hard: [], soft: [] };
  searchText(search, text, placesOf(text), 0, undefined);
  return search;
}

/** What is around a node. */
interface Around {
  readonly at: string;
  where(node: JsonNode): string;
  readonly strings: number;
  readonly foreign: string | undefined;
  /** Whether the node is the whole value, under no key. */
  readonly bare: boolean;
}

function searchText(
  search: Search,
  text: string,
  place: (at: number) => string,
  strings: number,
  foreign?: string,
): void {
  const { values, broken, noise, openReasoning } = extract(text);
  if (noise) search.hard.push({ reason: "malformed_json", detail: "the reply is mostly brackets" });
  if (openReasoning !== undefined) {
    const detail = `the reasoning that opens at ${place(openReasoning)} never ends`;
    search.hard.push({ reason: "truncated", detail });
  }
  for (const spot of broken) noteBroken(search, text, spot, place, strings);
  for (const value of values) searchValue(search, text, value, place, strings, foreign);
}

function noteBroken(
  search: Search,
  text: string,
  spot: BrokenSpot,
  place: (at: number) => string,
  strings: number,
): void {
  const opens = `the JSON that opens at ${place(spot.from)}`;
  if (spot.cause === "depth") {
    search.hard.push({ reason: "too_deep", detail: `${opens} has ${spot.why}` });
  } else if (spot.cause === "end") {
    // In a reply, whatever was begun may be the plan or a second one. In a string under some key it may be a remark.
    const problems = strings === 0 || tellsTask(spot.keys) ? search.hard : search.soft;
    problems.push({ reason: "truncated", detail: `${opens} is not finished: ${spot.why}` });
  } else {
    // `{"tasks": [...]}` in prose is a sketch of the form and does no harm beside a plan; a broken task does.
    const problems = tellsTask(spot.keys) ? search.hard : search.soft;
    const reason = /^(?:```|~~~)/.test(text.slice(spot.at, spot.at + 3)) ? "truncated" : "malformed_json";
    problems.push({ reason, detail: `${opens} cannot be read at ${place(spot.at)}: ${spot.why}` });
  }
}

function searchValue(
  search: Search,
  text: string,
  value: Extracted,
  place: (at: number) => string,
  strings: number,
  foreign?: string,
): void {
  const at = place(value.at);
  const where = (node: JsonNode) => place(value.offsets.get(node) ?? value.at);
  const plans = found(search, () => {
    if (looksLikeTask(value.value)) search.loose.push({ node: value.value, at });
    else searchNode(search, value.value, { at, where, strings, foreign, bare: true });
  });
  for (const { key, at } of value.conflicts) {
    if (plans.length === 0 && !isListName(key)) continue;
    const reason = isListName(key) || isWrapperName(key) ? "rival_plans" : "conflicting_field";
    search.hard.push({ reason, detail: `"${quote(key)}" is given again with another value at ${place(at)}` });
  }
  if (plans.length === 0) return;
  const stray = value.strayCloser;
  if (value.inBroken || (stray !== undefined && isMember(text, value.at))) {
    search.hard.push({
      reason: "malformed_json",
      detail: `the plan at ${at} is part of something that cannot be read`,
    });
  }
  for (const { repairs } of plans) {
    if (value.at > 0 && text.startsWith("\ufeff")) repairs.add("byte_order_mark", place(0));
    for (const mend of value.mends) repairs.add(mend.id, place(mend.at));
    if (stray !== undefined) repairs.add("stray_closer", place(stray));
  }
}

function searchNode(search: Search, node: JsonNode, around: Around): void {
  if (typeof node === "string") {
    if (around.strings >= MAX_STRINGS) return;
    const place = (at: number) => `${around.at} (character ${at + 1} of the text in a string)`;
    const plans = found(search, () => searchText(search, node, place, around.strings + 1, around.foreign));
    for (const { repairs } of plans) repairs.add("json_in_string", around.at);
  } else if (node instanceof Map) {
    searchObject(search, node, around);
  } else if (Array.isArray(node)) {
    if (node.some(looksLikeTask)) {
      const { repairs } = addPlan(search, node, around);
      if (around.bare) repairs.add("top_level_array", around.at);
    } else if (node.length === 0 && around.bare) {
      search.soft.push({ reason: "empty", detail: `the list at ${around.at} is empty` });
    } else {
      for (const item of node) {
        if (!(item instanceof Map)) continue;
        const plans = found(search, () => searchObject(search, item, { ...around, bare: false }));
        for (const { repairs } of plans) repairs.add("unwrapped", around.where(item));
      }
    }
  }
}

function searchObject(search: Search, object: JsonObject, around: Around): void {
  const at = around.where(object);
  const unused: string[] = [];
  const beside = object.get(FACTS);
  const facts = beside instanceof Map ? beside : undefined;
  const listed = object.get(PARTS);
  const parts = Array.isArray(listed) && !listed.some(looksLikeTask) ? listed : undefined;
  const plans = found(search, () => {
    for (const [key, value] of object) {
      const inside = { ...around, bare: false };
      const known = isListName(key) || isWrapperName(key);
      if (isListName(key) && Array.isArray(value) && !wrapsPlan(value)) {
        const { repairs } = addPlan(search, value, around, facts, parts);
        if (!PLAIN_NAMES.has(key)) repairs.add("renamed_key", at, key);
        continue;
      }
      // A plan under any other key is looked for as well: beside a plan it is a rival, and alone it is no answer.
      if (!known) inside.foreign ??= key;
      const wrapped = known || typeof value !== "string" ? found(search, () => searchNode(search, value, inside)) : [];
      for (const { repairs } of wrapped) repairs.add("unwrapped", at, key);
      const isRead = key === FACTS && facts !== undefined || key === PARTS && parts !== undefined;
      if (wrapped.length === 0 && !isRead) unused.push(key);
      if (wrapped.length === 0 && isListName(key)) {
        search.soft.push({ reason: "wrong_shape", detail: `"${quote(key)}" at ${at} has to be a list of tasks` });
      }
    }
  });
  for (const { repairs } of plans) for (const key of unused) repairs.add("unknown_key", at, key);
}

/** Whether a list holds plans and not tasks: `{"plan": [{"tasks": […]}]}`. */
function wrapsPlan(list: readonly JsonNode[]): boolean {
  return !list.some(looksLikeTask) &&
    list.some((item) =>
      item instanceof Map && [...item].some(([key, value]) => isListName(key) && Array.isArray(value))
    );
}

function addPlan(
  search: Search,
  list: readonly JsonNode[],
  { at, where, foreign }: Around,
  facts?: JsonObject,
  parts?: readonly JsonNode[],
): FoundPlan {
  const plan = {
    ...{ list, at, where, foreign, repairs: new RepairLog() },
    ...(facts === undefined ? {} : { facts }),
    ...(parts === undefined ? {} : { parts }),
  };
  if (search.plans.length < MAX_PLANS) search.plans.push(plan);
  else search.hard.push({ reason: "rival_plans", detail: `there are more than ${MAX_PLANS} plans` });
  return plan;
}

/** The plans that are found while something runs. */
function found(search: Search, run: () => void): FoundPlan[] {
  const before = search.plans.length;
  run();
  return search.plans.slice(before);
}

/** Whether a value stands after a key or a comma, as part of something whose opening is lost. */
function isMember(text: string, at: number): boolean {
  return /["”'][\s]{0,20}:?\s{0,20}$|,\s{0,20}$/.test(text.slice(Math.max(0, at - 50), at));
}
