/**
 * What a graph must satisfy before it may run.
 */
import type { Channels } from "./channel.ts";
import type { Plan } from "./plan.ts";
import { END, show, type Source, START, type Target } from "./target.ts";

/** A graph that cannot be run, with everything that is wrong with it. */
export class GraphError extends Error {
  /** Tells it from other errors, also across realms. */
  override readonly name = "GraphError";
  /**
   * Joins the problems into one message.
   *
   * @param problems One sentence for each thing that is wrong, saying what is allowed.
   */
  constructor(readonly problems: readonly string[]) {
    super(problems.length === 1 ? problems[0] : `${problems.length} problems:\n- ${problems.join("\n- ")}`);
  }
}

/** Finds everything that is wrong with a graph; an empty list means that it can run. */
export function findProblems<C extends Channels>(plan: Plan<C>): string[] {
  return [...badNumbers(plan), ...unknownNames(plan), ...deadEnds(plan), ...unreachable(plan)];
}

function* badNumbers<C extends Channels>({ stepCap, deadlineMs, nodes }: Plan<C>): Iterable<string> {
  if (!Number.isSafeInteger(stepCap) || stepCap < 1) {
    yield `stepCap must be a whole number of supersteps, at least 1; got ${stepCap}`;
  }
  if (deadlineMs !== undefined && !isDuration(deadlineMs)) yield badDuration("deadlineMs", deadlineMs);
  for (const [name, { timeoutMs }] of nodes) {
    if (timeoutMs !== undefined && !isDuration(timeoutMs)) {
      yield badDuration(`timeoutMs of node ${show(name)}`, timeoutMs);
    }
  }
}

const isDuration = (ms: number): boolean => Number.isFinite(ms) && ms > 0;
const badDuration = (what: string, ms: number): string =>
  `${what} must be a finite number of milliseconds, more than 0; got ${ms}`;

function* unknownNames<C extends Channels>({ nodes, edges, branches }: Plan<C>): Iterable<string> {
  const known = () => [...nodes.keys()].map(show).join(", ") || "none";
  const badSource = (name: Source) => name !== START && !isNode(name);
  const badTarget = (name: Target) => name !== END && !isNode(name);
  const isNode = (name: unknown) => typeof name === "string" && nodes.has(name);
  for (const [from, targets] of edges) {
    if (badSource(from)) yield `an edge starts from ${show(from)}, which is not a node; allowed: START, ${known()}`;
    for (const to of targets) {
      if (badTarget(to)) {
        yield `the edge from ${show(from)} leads to ${show(to)}, which is not a node; allowed: END, ${known()}`;
      }
    }
  }
  for (const [from, list] of branches) {
    if (badSource(from)) yield `a branch starts from ${show(from)}, which is not a node; allowed: START, ${known()}`;
    for (const to of list.flatMap(({ targets }) => [...targets ?? []])) {
      if (badTarget(to)) {
        yield `the branch from ${show(from)} may lead to ${show(to)}, which is not a node; allowed: END, ${known()}`;
      }
    }
  }
}

function* deadEnds<C extends Channels>({ nodes, edges, branches }: Plan<C>): Iterable<string> {
  const leadsOn = (from: Source) => edges.has(from) || branches.has(from);
  if (!leadsOn(START)) yield "nothing leads from START: add edge(START, node) or branch(START, router)";
  for (const name of nodes.keys()) {
    if (!leadsOn(name)) {
      yield `node ${show(name)} has no way on: add an edge or a branch from it, or edge(${show(name)}, END)`;
    }
  }
}

/** A branch without declared targets may lead anywhere, so one that is reachable makes every node reachable. */
function* unreachable<C extends Channels>({ nodes, edges, branches }: Plan<C>): Iterable<string> {
  if (!edges.has(START) && !branches.has(START)) return; // said already; everything would be unreachable
  const reached = new Set<Source | Target>();
  const open: (Source | Target)[] = [START];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    if (from === END || reached.has(from)) continue;
    reached.add(from);
    open.push(...edges.get(from) ?? []);
    for (const { targets } of branches.get(from) ?? []) open.push(...targets ?? nodes.keys());
  }
  for (const name of nodes.keys()) {
    if (!reached.has(name)) yield `node ${show(name)} is unreachable: no edge or branch leads to it from START`;
  }
}
