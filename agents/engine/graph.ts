/**
 * The graph: declared once, compiled, then run as often as one likes.
 */
import type { Channel, Channels, UpdateOf } from "./channel.ts";
import { resume, start } from "./launch.ts";
import type { Branch, NodeOptions, NodeSpec, Plan, Router } from "./plan.ts";
import type { RunOptions, RunResult } from "./run.ts";
import { show, type Source, type Target } from "./target.ts";
import type { NodeFunction } from "./task.ts";
import { findProblems, GraphError } from "./validate.ts";

/** Limits of every run of a graph. */
export interface CompileOptions {
  /**
   * Supersteps allowed; a run that needs more ends with `step_cap`.
   *
   * @default 100
   */
  readonly stepCap?: number;
  /**
   * Milliseconds allowed to a whole run.
   *
   * @default no limit
   */
  readonly deadlineMs?: number;
}

/** Options of a branch. */
export interface BranchOptions {
  /**
   * Where the router may lead. A choice outside it is the router's failure, and `compile` can find what is unreachable.
   *
   * @default anywhere
   */
  readonly targets?: readonly Target[];
}

/** A graph that can be run. It holds no state of a run: runs may overlap. */
export interface Graph<C extends Channels> {
  /**
   * Runs the graph from its start.
   *
   * @param input Updates of the initial state.
   * @throws {TypeError} If the input is not an update of the graph's channels.
   * @throws What a reducer threw for the input.
   * @throws {CheckpointError} If the run cannot be kept, or `runId` is missing or taken.
   */
  run(input: UpdateOf<C>, options: RunOptions): Promise<RunResult<C>>;
  /**
   * Goes on with a run that was killed, cancelled or cut by its deadline. Tasks that had finished do not run again. A
   * run that was done gives its result again.
   *
   * @throws {CheckpointError} If there is no such run, or it does not fit the graph.
   */
  resume(runId: string, options: Omit<RunOptions, "runId">): Promise<RunResult<C>>;
}

/**
 * Begins a graph.
 *
 * @param channels The state, channel by channel.
 * @example
 * ```ts
 * import { append, END, graph, send, START } from "./mod.ts";
 * import { VirtualClock } from "../../core/mod.ts";
 * import assert from "node:assert/strict";
 *
 * const research = graph({ topics: append<string>(), notes: append<string>() })
 *   .node("plan", () => ({ topics: ["tides", "moons"] }))
 *   .node("worker", (_state, { payload }) => ({ notes: [`read on ${payload}`] }))
 *   .node("collect", () => {})
 *   .edge(START, "plan")
 *   .branch("plan", ({ topics }) => topics.map((topic) => send("worker", topic)), { targets: ["worker"] })
 *   .edge("worker", "collect")
 *   .edge("collect", END)
 *   .compile({ stepCap: 10, deadlineMs: 60_000 });
 *
 * const clock = new VirtualClock();
 * const { status, state } = await clock.run(() => research.run({}, { clock }));
 * assert.equal(status, "done");
 * assert.deepEqual(state.notes, ["read on tides", "read on moons"]);
 * ```
 */
export function graph<C extends Channels>(channels: C): GraphBuilder<C> {
  return new GraphBuilder(channels);
}

/** Collects a graph's parts, in any order. Nothing is checked before {@linkcode GraphBuilder.compile}. */
export class GraphBuilder<C extends Channels> {
  readonly #channels: ReadonlyMap<string, Channel<unknown, unknown>>;
  readonly #nodes = new Map<string, NodeSpec<C>>();
  readonly #edges = new Map<Source, Target[]>();
  readonly #branches = new Map<Source, Branch<C>[]>();
  readonly #duplicates: string[] = [];

  /**
   * The same as {@linkcode graph}.
   *
   * @param channels The state, channel by channel.
   */
  constructor(channels: C) {
    this.#channels = new Map(Object.entries(channels));
  }

  /** Adds a node. */
  node(name: string, run: NodeFunction<C>, { timeoutMs }: NodeOptions = {}): this {
    if (this.#nodes.has(name)) this.#duplicates.push(`two nodes are called ${show(name)}; a name is unique`);
    this.#nodes.set(name, { run, timeoutMs });
    return this;
  }

  /** Adds an edge that is always followed, also when the node has failed. */
  edge(from: Source, to: Target): this {
    push(this.#edges, from, to);
    return this;
  }

  /** Adds a way on that a router chooses, once a superstep, also when the node has failed. */
  branch(from: Source, router: Router<C>, { targets }: BranchOptions = {}): this {
    push(this.#branches, from, { router, targets: targets && new Set(targets) });
    return this;
  }

  /**
   * Checks the graph and makes it ready to run. What is added to the builder later is not part of it.
   *
   * @throws {GraphError} With everything that is wrong: unknown names, duplicates, nodes that are unreachable or lead
   * nowhere, no way on from START, limits that are no limits.
   */
  compile({ stepCap = 100, deadlineMs }: CompileOptions = {}): Graph<C> {
    const plan: Plan<C> = {
      channels: this.#channels,
      nodes: new Map(this.#nodes),
      edges: copy(this.#edges),
      branches: copy(this.#branches),
      stepCap,
      deadlineMs,
    };
    const problems = [...this.#duplicates, ...findProblems(plan)];
    if (problems.length > 0) throw new GraphError(problems);
    return {
      run: (input, options) => start(plan, input, options),
      resume: (runId, options) => resume(plan, runId, options),
    };
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

const copy = <K, V>(map: ReadonlyMap<K, readonly V[]>) => new Map([...map].map(([key, list]) => [key, [...list]]));
