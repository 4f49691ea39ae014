/** From a plan to packets: who may start, and what each gets. */
import type { Handoff, Report } from "../types.ts";
import type { Crew } from "../crews/crew.ts";
import type { Plan, PlanTask } from "../planner/plan.ts";

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
 * @throws {RangeError} If the crew has no such specialist; the parser has dropped such tasks by name.
 */
export function packetFor(task: PlanTask, crew: Crew, reports: readonly Report[]): Handoff {
  const specialist = crew.specialists.find(({ name }) => name === task.specialist);
  if (specialist === undefined) throw new RangeError(`no specialist ${task.specialist} in crew ${crew.name}`);
  const notes = task.dependsOn.flatMap((id) => {
    const report = reports.find(({ packetId }) => packetId === id);
    return report === undefined ? [] : [[`from ${id}`, report.note] as const];
  });
  return {
    id: task.id,
    sender: "supervisor",
    recipient: specialist.name,
    objective: task.objective,
    inputs: { ...task.inputs, ...Object.fromEntries(notes) },
    toolAllow: [...specialist.toolAllow],
    // A plan may ask for less than the crew grants, never for more.
    maxSteps: Math.min(task.maxSteps ?? specialist.maxSteps, specialist.maxSteps),
    deadlineMs: specialist.deadlineMs,
    dependsOn: [...task.dependsOn],
    returnContract: specialist.returnContract,
  };
}

/** The report of a task that never ran. */
export function unstartedReport(
  task: PlanTask,
  code: "not_started" | "internal" | "timeout" | "cancelled",
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
