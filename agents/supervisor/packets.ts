/** From a plan to packets: who may start, and what each gets. */
import type { FailureCode, Json } from "../../core/mod.ts";
import type { Crew, Specialist } from "../crews/crew.ts";
import type { Plan, PlanTask } from "../planner/plan.ts";
import type { Handoff, Report } from "../types.ts";
import { attemptsAt, standing } from "./attempts.ts";
import { untoldBefore } from "./effects.ts";

/** Tasks with no report yet whose dependencies all have one, in the plan's order. */
export function readyTasks(plan: Plan, reports: readonly Report[]): PlanTask[] {
  const done = new Set(reports.map(({ packetId }) => packetId));
  return plan.tasks.filter((task) => !done.has(task.id) && task.dependsOn.every((id) => done.has(id)));
}

/** Reports of the tasks that can never start, because what they depend on came to nothing. */
export function blockedReports(plan: Plan, reports: readonly Report[], now: number): Report[] {
  const blocked: Report[] = [];
  for (;;) {
    const known = [...reports, ...blocked];
    const usable = new Set(known.filter(({ findings }) => findings.length > 0).map(({ packetId }) => packetId));
    const task = readyTasks(plan, known).find(({ dependsOn }) => !dependsOn.every((id) => usable.has(id)));
    if (task === undefined) return blocked;
    const missing = task.dependsOn.filter((id) => !usable.has(id));
    blocked.push(unstartedReport(task, "not_started", `it needs ${missing.join(", ")}, which came to nothing`, now));
  }
}

/**
 * The packet for a task: what the plan says, what the crew allows, and the notes of the tasks it depends on.
 *
 * @param facts What the plan resolved for all tasks; a task that names facts gets those alone, and its own inputs win.
 * @throws {RangeError} If the crew has no such specialist; the parser has dropped such tasks by name.
 */
export function packetFor(
  task: PlanTask,
  crew: Crew,
  reports: readonly Report[],
  facts: { readonly [key: string]: Json } = {},
): Handoff {
  const specialist = specialistOf(task.specialist, crew);
  const shared = Object.entries(facts).filter(([key]) => task.uses === undefined || task.uses.includes(key));
  const notes = task.dependsOn.flatMap((id) => {
    const attempts = attemptsAt(id, reports);
    const report = standing(attempts);
    if (report === undefined) return [];
    const notes = [...untoldBefore(attempts, report), report].map(({ note }) => note);
    return [[`from ${id}`, notes.join("\n")] as const];
  });
  return {
    id: task.id,
    sender: "supervisor",
    recipient: specialist.name,
    objective: task.objective,
    inputs: { ...Object.fromEntries(shared), ...task.inputs, ...Object.fromEntries(notes) },
    ...limitsOf(specialist),
    // A plan may ask for less than the crew grants, never for more.
    maxSteps: Math.min(task.maxSteps ?? specialist.maxSteps, specialist.maxSteps),
    dependsOn: [...task.dependsOn],
  };
}

/** The packet of another attempt by another specialist: the same objective and inputs, its own tools and limits. */
export function reassigned(packet: Handoff, name: string, crew: Crew): Handoff {
  const { id, sender, objective, inputs, dependsOn } = packet;
  return { id, sender, recipient: name, objective, inputs, ...limitsOf(specialistOf(name, crew)), dependsOn };
}

/** The specialist of that name. */
export function specialistOf(name: string, crew: Crew): Specialist {
  const specialist = crew.specialists.find((one) => one.name === name);
  if (specialist === undefined) throw new RangeError(`no specialist ${name} in crew ${crew.name}`);
  return specialist;
}

function limitsOf({ toolAllow, maxSteps, maxTokens, maxCostUsd, deadlineMs, returnContract }: Specialist) {
  return {
    toolAllow: [...toolAllow],
    maxSteps,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    deadlineMs,
    returnContract,
  };
}

/** The report of a task that never ran. */
export function unstartedReport(
  task: Pick<PlanTask, "id" | "specialist" | "objective">,
  code: FailureCode,
  detail: string,
  now: number,
): Report {
  return {
    worker: task.specialist,
    packetId: task.id,
    objective: task.objective,
    status: "failed",
    failure: { code, detail, retryable: false },
    findings: [],
    note: "",
    provenance: { kind: "live" },
    usage: { steps: 0, inputTokens: 0, outputTokens: 0, costUsd: null },
    startedAt: now,
    endedAt: now,
  };
}

/** The plan that is used when the planner gives none: the crew's own, if it has one. */
export function fallbackPlan(crew: Crew): Plan {
  return {
    tasks: crew.fallbackPlan.map(({ specialist, objective }, i) => ({
      id: `fallback${i + 1}`,
      specialist,
      objective,
      inputs: {},
      dependsOn: [],
    })),
  };
}
