/**
 * A compiled graph as data: what the builder collects, and what a run walks over.
 */
import type { Channel, Channels, StateOf } from "./channel.ts";
import type { Send, Source, Target } from "./target.ts";
import type { NodeFunction, RouterContext } from "./task.ts";

/** Options of a node. */
export interface NodeOptions {
  /**
   * Milliseconds allowed to each task of this node. When they are over, its signal aborts, its failure is `timeout`,
   * and what it returns later is dropped.
   *
   * @default no limit but the run's
   */
  readonly timeoutMs?: number;
}

/** A single way on that a router may choose. */
export type Choice = Target | Send;

/**
 * Chooses the way on from a node, once a superstep, after all results of the superstep are merged. It is pure and
 * synchronous: a resumed run may ask it again. If it throws or names no node, nothing of its choice is dispatched, and a
 * {@linkcode NodeFailure} `internal` says so.
 */
export type Router<C extends Channels> = (state: StateOf<C>, ctx: RouterContext) => Choice | readonly Choice[];

/** A router with the targets it is held to. */
export interface Branch<C extends Channels> {
  /** Chooses. */
  readonly router: Router<C>;
  /** Where it may lead; `undefined` for anywhere. */
  readonly targets: ReadonlySet<Target> | undefined;
}

/** A node's work and its limits. */
export interface NodeSpec<C extends Channels> {
  /** The work. */
  readonly run: NodeFunction<C>;
  /** Milliseconds allowed to one task; `undefined` for no limit. */
  readonly timeoutMs: number | undefined;
}

/** The whole graph. Everything that is looked up by name is a Map: names are data, and `__proto__` is one of them. */
export interface Plan<C extends Channels> {
  /** Channels by name. */
  readonly channels: ReadonlyMap<string, Channel<unknown, unknown>>;
  /** Nodes by name. */
  readonly nodes: ReadonlyMap<string, NodeSpec<C>>;
  /** Plain edges by source, in the order declared. */
  readonly edges: ReadonlyMap<Source, readonly Target[]>;
  /** Branches by source, in the order declared. */
  readonly branches: ReadonlyMap<Source, readonly Branch<C>[]>;
  /** Supersteps allowed. */
  readonly stepCap: number;
  /** Milliseconds allowed to the whole run; `undefined` for no limit. */
  readonly deadlineMs: number | undefined;
}
