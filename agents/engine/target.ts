/**
 * Where a graph goes next: its two ends, and the `send` that fans out at run time.
 */

/** Where every run begins. An edge or a branch from it is required. */
export const START: unique symbol = Symbol("START");

/** Where nothing follows. */
export const END: unique symbol = Symbol("END");

/** What an edge or a branch starts from: a node's name or {@linkcode START}. */
export type Source = string | typeof START;

/** What an edge leads to: a node's name or {@linkcode END}. */
export type Target = string | typeof END;

/** Options of {@linkcode send}. */
export interface SendOptions {
  /**
   * The task's id, unique in its superstep.
   *
   * @default `node#k` for the k-th Send without a key to that node in the superstep, counted from 1
   */
  readonly key?: string;
}

/** One task for a node, with a payload of its own. Made by {@linkcode send}. */
export class Send {
  /**
   * The same as {@linkcode send}.
   *
   * @param node The node that is to run.
   * @param payload What the node finds in `ctx.payload`.
   * @param key The task's id, or `undefined` for a counted one.
   */
  constructor(readonly node: string, readonly payload: unknown, readonly key: string | undefined) {}
}

/**
 * Dispatches a task of its own for a node. A router returns as many as it likes: that is the run-time fan-out.
 *
 * @param node The node that is to run.
 * @param payload What the node finds in `ctx.payload`. JSON only, if the run is kept in SQLite.
 */
export function send(node: string, payload: unknown, options: SendOptions = {}): Send {
  return new Send(node, payload, options.key);
}

/** A source or target as error messages show it. */
export function show(name: unknown): string {
  return typeof name === "symbol" ? name.description ?? "a symbol" : JSON.stringify(name) ?? String(name);
}
