/**
 * What a request asks for, as its scenario knows it: the tasks of the gold plan, with what the script says of them. No
 * model is asked, and nothing of it depends on what happened.
 */
import { fallbackPlan } from "../../agents/supervisor/packets.ts";
import type { Json } from "../../core/mod.ts";
import type { Scenario } from "../scenario/schema.ts";
import { once } from "./once.ts";
import { plannedTasks } from "./planned.ts";
import type { TraceView } from "./view.ts";

/** A part of a request. */
export interface RequestPart {
  /** Id of its task in the gold plan. */
  readonly id: string;
  /** Whose it is; unknown where the script has no such task, and the crew nobody of its name. */
  readonly specialist: string | undefined;
  /** What it is, in the words of the scripted plan. */
  readonly objective: string | undefined;
  /** Facts that its packet gets. */
  readonly inputs: { readonly [key: string]: Json };
  /** What an answer must have of it if nobody works on it, where the ground truth says so. */
  readonly told: string | undefined;
  /** Tools that the script calls for it, and for no part of anybody else's. */
  readonly tools: readonly string[];
}

/** A plan as ground truth has it. */
export type GoldPlan = NonNullable<NonNullable<Scenario["expect"]>["plan"]>;

/**
 * The gold plan of a scenario, whether it stands for the run or for the request alone. Where nobody has written any ground
 * truth at all it is the plan of the script: what is run under every fault comes to something good without one.
 */
export function goldPlanOf({ crew, scenario }: TraceView["trace"]): GoldPlan | undefined {
  const { expect, gold, topology } = scenario;
  const written = expect === undefined ? gold : expect.plan;
  if (written !== undefined || expect !== undefined || topology === "peer") return written;
  const tasks = scriptedTasks({ crew, scenario });
  if (tasks.length === 0) return undefined;
  const edges = tasks.flatMap(({ id, dependsOn }) => dependsOn.map((before): [string, string] => [before, id]));
  return { nodes: tasks.map(({ id }) => id), edges, facts: {} };
}

/** The parts of a request; none where nothing says what they are, and where nobody plans. */
export const requestPartsOf = once(({ trace }: Pick<TraceView, "trace">): readonly RequestPart[] => {
  const plan = trace.scenario.topology === "peer" ? undefined : goldPlanOf(trace);
  if (plan === undefined) return [];
  const tasks = new Map(scriptedTasks(trace).map((task) => [task.id, task]));
  const toolsOf = (specialist: string | undefined) => new Set(turnsOf(specialist, trace).flatMap(callsIn));
  const leftOut = new Map(Object.entries(plan.left_out ?? {}));
  // The crew's own plan is made without reading the request, so its tasks are no parts of one. What else the script's planner
  // has no task for is one that it forgets.
  const ofCrew = new Set(fallbackPlan(trace.crew).tasks.map(({ id }) => id));
  const names = new Set(trace.crew.specialists.map(({ name }) => name));
  const ownerOf = (id: string) => tasks.get(id)?.specialist ?? (!leftOut.has(id) && names.has(id) ? id : undefined);
  const needed = [...plan.nodes.filter((id) => tasks.has(id) || !ofCrew.has(id)), ...leftOut.keys()];
  const owners = new Set(needed.flatMap((id) => ownerOf(id) ?? []));
  return needed.map((id): RequestPart => {
    const { objective, inputs = {} } = tasks.get(id) ?? {};
    const specialist = ownerOf(id);
    const others = [...owners].filter((name) => name !== specialist).map(toolsOf);
    const own = [...toolsOf(specialist)].filter((tool) => !others.some((tools) => tools.has(tool)));
    return { id, specialist, objective, inputs, told: leftOut.get(id), tools: own.sort() };
  });
});

/** The tasks of every plan that the script's planner gives, but for those that nobody of the crew could do. */
function scriptedTasks({ crew, scenario }: Pick<TraceView["trace"], "crew" | "scenario">) {
  const read = turnsOf("planner", { scenario }).flatMap(({ say, finish }) =>
    say === undefined || finish === "length" ? [] : plannedTasks(say, crew)
  );
  return [...new Map(read.map((task) => [task.id, task])).values()];
}

function turnsOf(agent: string | undefined, { scenario: { script } }: Pick<TraceView["trace"], "scenario">) {
  return agent !== undefined && Object.hasOwn(script, agent) ? script[agent] ?? [] : [];
}

function callsIn({ call, calls = [] }: Scenario["script"][string][number]): string[] {
  return [...call === undefined ? [] : [call], ...calls.map((one) => one.call)];
}
