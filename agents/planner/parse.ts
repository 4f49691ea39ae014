/**
 * The one parser for what a planner's model says. The text is untrusted: it may be fenced, wrapped, cut, doubled,
 * hostile or no plan at all.
 *
 * What it takes is taken whole. It mends how a plan is written (see `REPAIRS`) and never what it says; where two
 * readings are possible it rejects, since asking once more costs less than running a plan that nobody made.
 */
import type { FinishReason } from "../models/model.ts";
import { canonicalJson } from "../../core/mod.ts";
import { checkGraph } from "./graph_check.ts";
import { sameNode, toJson, toRecord } from "./node.ts";
import { type PlanOutcome, type Problem, reject } from "./outcome.ts";
import { PlanPart, type PlanTask } from "./plan.ts";
import { soundsLikeRefusal } from "./refusal.ts";
import { quote } from "./repairs.ts";
import { splitByRoster } from "./roster.ts";
import { type FoundPlan, type Search, searchPlans } from "./search.ts";
import { readTasks } from "./tasks.ts";

export type { FinishReason };

/** How {@linkcode parsePlan} reads. */
export interface ParsePlanOptions {
  /** The specialists that exist. */
  readonly roster: readonly string[];
  /** Why the model stopped, where that is known. `length` rejects, however complete the text looks. */
  readonly finish?: FinishReason;
  /**
   * Most tasks that a plan may have, those for unknown specialists included.
   *
   * @default {50}
   */
  readonly maxTasks?: number;
}

/**
 * Reads a plan out of a planner's reply, or says why there is none. Never throws; pure; time in the text's length.
 *
 * Tasks for specialists that are not on the roster are left out by name and listed in `dropped`, with those that
 * depend on them. A caller that wants all or nothing checks that `dropped` is empty.
 *
 * @param text The model's whole reply.
 * @returns The plan with the repairs that were made, or a rejection with a reason and a failure code.
 * @example A fenced reply that names somebody who does not exist
 * ```ts
 * import { parsePlan } from "./parse.ts";
 * import assert from "node:assert/strict";
 *
 * const reply = `Here is my plan:
 * ~~~json
 * {"tasks": [
 *   {"id": "t1", "specialist": "orders", "objective": "Find order 1182."},
 *   {"id": "t2", "specialist": "lawyer", "objective": "Draft a letter.", "dependsOn": ["t1"]},
 * ]}
 * ~~~`;
 * const outcome = parsePlan(reply, { roster: ["orders", "policy"] });
 *
 * assert.equal(outcome.status, "repair");
 * assert.deepEqual(outcome.repairs, [{ id: "trailing_comma", count: 1, at: "5:92" }]);
 * assert.deepEqual(outcome.plan?.tasks.map((task) => task.id), ["t1"]);
 * assert.equal(outcome.dropped[0]?.reason, "unknown_specialist");
 * ```
 * @example A reply that was cut
 * ```ts
 * import { parsePlan } from "./parse.ts";
 * import assert from "node:assert/strict";
 *
 * const outcome = parsePlan(`{"tasks": [{"id": "t1", "worker": "orders", "ask": "Find it."}`, { roster: ["orders"] });
 *
 * assert.equal(outcome.status, "reject");
 * assert.equal(outcome.status === "reject" && outcome.reason, "truncated");
 * ```
 */
export function parsePlan(text: string, options: ParsePlanOptions): PlanOutcome {
  const { roster, finish, maxTasks = 50 } = options;
  const ended = checkFinish(finish);
  if (ended !== undefined) return reject(ended);

  const search = searchPlans(text);
  const main = search.plans.find((plan) => plan.foreign === undefined);
  const hard = search.hard[0];
  if (hard !== undefined) return reject(hard, [], main?.repairs.list());
  if (main === undefined) return reject(explainNothing(text, search));

  const tasks = readOne(main, search, maxTasks);
  const repairs = main.repairs.list();
  if ("reason" in tasks) return reject(tasks, [], repairs);
  const problem = checkGraph(tasks);
  if (problem !== undefined) return reject(problem, [], repairs);

  const { kept, dropped } = splitByRoster(tasks, roster);
  if (kept.length === 0) {
    const names = [...new Set(dropped.map((task) => quote(task.specialist)))].slice(0, 5).join(", ");
    const detail = `no task is left: the roster is ${roster.join(", ")}; the plan names ${names}`;
    return reject({ reason: "unknown_specialist", detail }, dropped, repairs);
  }
  const parts = readParts(main.parts);
  const plan = {
    tasks: kept,
    ...(main.facts === undefined ? {} : { facts: toRecord(main.facts) }),
    ...(parts === undefined ? {} : { parts }),
  };
  return { status: repairs.length > 0 ? "repair" : "ok", plan, dropped, repairs };
}

/**
 * The request's parts, where a planner lists them. Whatever is no part is left out: the tasks are the plan, and what they
 * are for is the planner's remark.
 */
function readParts(list: FoundPlan["parts"]): PlanPart[] | undefined {
  const read = (list ?? []).flatMap((node) => {
    // What else stands there, such as why nobody can, is no reason to keep the part itself from the user.
    const by = node instanceof Map ? node.get("by") : undefined;
    const ids = (Array.isArray(by) ? by : [by]).map((id) => typeof id === "number" ? String(id) : id);
    const part = PlanPart.safeParse({ part: node instanceof Map ? toJson(node.get("part") ?? null) : null, by: ids });
    return part.success ? [part.data] : [];
  });
  return read.length === 0 ? undefined : read;
}

function checkFinish(finish: FinishReason | undefined): Problem | undefined {
  switch (finish) {
    case "length":
      return { reason: "truncated", detail: "the reply reached its length limit" };
    case "refusal":
      return { reason: "refusal", detail: "the model declined" };
    case "content_filter":
      return { reason: "refusal", detail: "the provider's content filter stopped the reply" };
    default:
      return undefined;
  }
}

function explainNothing(text: string, { plans, loose, soft }: Search): Problem {
  const foreign = plans[0];
  if (foreign !== undefined) {
    const detail = `the plan at ${foreign.at} stands under "${quote(foreign.foreign ?? "")}", which may mean anything`;
    return { reason: plans.length > 1 ? "rival_plans" : "wrong_shape", detail };
  }
  const task = loose[0];
  if (task !== undefined) return { reason: "wrong_shape", detail: `the task at ${task.at} stands in no list` };
  if (soft[0] !== undefined) return soft[0];
  if (text.trim() === "") return { reason: "no_plan", detail: "the reply is empty" };
  if (soundsLikeRefusal(text)) return { reason: "refusal", detail: `the model declined: ${quote(text.trim())}` };
  return { reason: "no_plan", detail: `the reply holds no list of tasks: ${quote(text.trim())}` };
}

/** Reads the plan's tasks, if all that the reply holds of plans is this one. */
function readOne(main: FoundPlan, { plans, loose }: Search, maxTasks: number): PlanTask[] | Problem {
  if (main.list.length > maxTasks) {
    const detail = `the plan at ${main.at} has ${main.list.length} tasks, more than the ${maxTasks} allowed`;
    return { reason: "too_many_tasks", detail };
  }
  const tasks = readTasks(main);
  for (const other of plans) {
    if (other !== main && !samePlan(main, tasks, other)) {
      return { reason: "rival_plans", detail: `the plans at ${main.at} and ${other.at} differ` };
    }
  }
  const stray = loose.find(({ node }) => !main.list.some((task) => sameNode(task, node)));
  if (stray !== undefined) {
    return { reason: "rival_plans", detail: `the task at ${stray.at} is not in the plan at ${main.at}` };
  }
  if (main.list.length === 0) return { reason: "empty", detail: `the plan at ${main.at} has no tasks` };
  return tasks;
}

function samePlan(main: FoundPlan, tasks: PlanTask[] | Problem, other: FoundPlan): boolean {
  if (main.list.length !== other.list.length || !sameNode(main.facts ?? null, other.facts ?? null)) return false;
  if (main.list.every((task, i) => sameNode(task, other.list[i] ?? null))) return true;
  if ("reason" in tasks) return false;
  const others = readTasks(other);
  return !("reason" in others) && canonicalJson(tasks) === canonicalJson(others);
}
