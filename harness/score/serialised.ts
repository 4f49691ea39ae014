/**
 * Whether tasks that do not need each other ran at once, by the world's record of their first attempts, whatever fails: in
 * runs that nobody has foreseen, too. A failure of the one is no reason for the other to begin late, or never, since it
 * could have begun before that.
 *
 * Held against nobody: an order that the gold plan has, or that whoever splits the request has asked for, by the model
 * endpoint's record and not by what the subject made of it; what was begun in a later life of a subject that was killed; and
 * what was never begun where the run's time or a budget of the crew may have ended.
 */
import type { PlanTask } from "../../agents/mod.ts";
import type { TraceEvent } from "../trace/event.ts";
import { type Check, check } from "./check.ts";
import { independentPairs, type Order } from "./latency/path.ts";
import { boundsOf, workOf } from "./latency/work.ts";
import { livesOf } from "./lives.ts";
import { textOf } from "./model_use.ts";
import { isEntry } from "./peers.ts";
import { plannedTasks } from "./planned.ts";
import { goldPlanOf } from "./request_parts.ts";
import type { TraceView } from "./view.ts";

/** Scores it, where the gold plan has more than one task that waits for nothing. */
export function scoreSerialised(view: TraceView): Check[] {
  const { trace } = view;
  const gold = trace.scenario.topology === "peer" ? undefined : goldPlanOf(trace);
  if (gold === undefined || freeIn(gold.nodes, gold.edges).length < 2) return [];
  const lives = livesOf(trace.events);
  const asked = tasksAskedFor(view);
  const edges = [...gold.edges, ...asked.flatMap(({ id, dependsOn }) => dependsOn.map((one) => [one, id] as const))];
  // What waits for one task rightly may begin when another has ended by chance.
  const nodes = freeIn(gold.nodes, edges);
  const pairs = independentPairs(view, workOf(view), boundsOf, { nodes, edges: [] });
  const late = pairs.filter(({ serialised, evidence: [ended = 0, begun = 0] }) =>
    serialised && lives.at(ended) === lives.at(begun)
  );
  const owners = new Map(asked.map(({ id, specialist }) => [id, specialist]));
  const unmoved = hadMeans(view) ? neverBegun(nodes, owners, view) : [];
  const wrong = [
    ...late.map(({ ids }) => `${ids.join(" and ")} do not need each other, and ran one after the other`),
    ...unmoved.map((id) => `${id} needs nobody, and was never begun`),
  ];
  const message = wrong.join("; ") || `no task waited that needs nobody (of ${nodes.length})`;
  const evidence = [...late.flatMap((pair) => pair.evidence), ...unmoved.length > 0 ? plansOf(view) : []];
  return [check("plan.serialised", wrong.length === 0, message, evidence)];
}

/** Tasks that wait for nothing. */
function freeIn(nodes: readonly string[], edges: Order["edges"]): string[] {
  const waits = new Set(edges.map(([, after]) => after));
  return nodes.filter((id) => !waits.has(id));
}

/**
 * Tasks of the plan that was asked for, where others went out and they, by the answer's own word, were not started. Of whom
 * the answer says nothing, `plan.coverage` speaks.
 */
function neverBegun(
  nodes: readonly string[],
  owners: ReadonlyMap<string, string>,
  { packets, answer }: TraceView,
): string[] {
  const sent = new Set(packets.map(({ packet }) => packet.id));
  const unstarted = new Set(
    (answer?.failures ?? []).flatMap((one) => one.code === "not_started" ? one.specialist : []),
  );
  if (!nodes.some((id) => sent.has(id))) return [];
  return nodes.filter((id) => unstarted.has(owners.get(id) ?? "") && !sent.has(id));
}

/** Whether neither the run's time nor a budget can have kept a task from being begun. */
function hadMeans({ trace: { crew, events } }: TraceView): boolean {
  const at = (name: string) => events.find(({ side, type }) => side === "bench" && type === name)?.t;
  const [start, settled] = [at("run.start"), at("run.settled")];
  return crew.budget === undefined && start !== undefined && settled !== undefined &&
    settled - start < crew.deadlineMs;
}

/** The turns in which a planner's model gave a plan, as they left its endpoint. */
function turnsOf(view: TraceView): TraceEvent[] {
  return view.trace.events.filter(({ side, type, detail: { agent, finish } }) =>
    side === "world" && type === "model.turn" && isEntry(textOf(agent), view) && finish !== "length"
  );
}

const plansOf = (view: TraceView): number[] => turnsOf(view).map(({ seq }) => seq);

/** The tasks of those plans that somebody of the crew can do. */
function tasksAskedFor(view: TraceView): PlanTask[] {
  return turnsOf(view).flatMap(({ detail: { text } }) => plannedTasks(textOf(text), view.trace.crew));
}
