/** Who takes part in a scenario, by its topology and its crew. */
import type { Crew } from "../../agents/crews/mod.ts";
import { ENTRY, HANDOFF } from "../../agents/peer/handoff.ts";
import { parsePlan } from "../../agents/planner/mod.ts";
import { FAULTS } from "../../servers/mod.ts";
import type { Scenario } from "./schema.ts";

/** Agents that are no specialists, by topology and crew: the one that sees the request, and the one that sums up. */
export interface Roster {
  /** Who sees the request: `planner`, or the first agent of peers. */
  readonly entry: string;
  /** Every agent that may have a script. */
  readonly agents: readonly string[];
  /** The crew's specialists. */
  readonly specialists: readonly string[];
}

/** The agents of a scenario. */
export function rosterOf({ topology }: Pick<Scenario, "topology">, crew: Crew): Roster {
  const specialists = crew.specialists.map(({ name }) => name);
  const entry = topology === "peer" ? ENTRY : "planner";
  const sums = topology === "supervisor" && crew.synthesizer === true ? ["synthesizer"] : [];
  return { entry, specialists, agents: [entry, ...specialists, ...sums] };
}

/** Whether a call of a script hands control over, and is no tool's. */
export function isHandoff({ topology }: Pick<Scenario, "topology">, call: string): boolean {
  return topology === "peer" && call.startsWith(HANDOFF);
}

/**
 * Whether a specialist may be asked more than once: it has several tasks, or something may fail and be tried again. What
 * comes of its script then is found out by running it.
 */
export function mayBeAskedAgain(scenario: Scenario, crew: Crew, specialist: string): boolean {
  const { topology, script, faults, expect, user, operator } = scenario;
  if (topology === "peer" || faults.some(({ fault }) => FAULTS.get(fault)?.outcome !== "ok")) return true;
  // A last word that is none, or that was cut off or refused, is a failure like any other.
  if ((script[specialist] ?? []).some(({ final, finish }) => final?.trim() === "" || finish !== undefined)) return true;
  const named = (name: string) =>
    expect === undefined || Object.hasOwn(expect.recovered ?? {}, name) ||
    Object.hasOwn(expect.failed, name) || Object.hasOwn(expect.notes ?? {}, name) ||
    Object.hasOwn(user?.answers ?? {}, name);
  const standsInFor = crew.specialists.find(({ name }) => name === specialist)?.standsInFor ?? [];
  return [specialist, ...standsInFor].some(named) || operator !== undefined || crew.budget !== undefined ||
    hasSeveralTasks(script.planner ?? [], crew, specialist);
}

/** Whether a plan that the planner may give, or the crew's own, has more than one task for a specialist. */
function hasSeveralTasks(turns: Scenario["script"][string], crew: Crew, specialist: string): boolean {
  const roster = crew.specialists.map(({ name }) => name);
  const plans = turns.map(({ say = "" }) => parsePlan(say, { roster }).plan?.tasks ?? []);
  return [...plans, crew.fallbackPlan].some((tasks) =>
    tasks.filter((task) => task.specialist === specialist).length > 1
  );
}
