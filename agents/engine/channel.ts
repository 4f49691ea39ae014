/**
 * Channels: the parts of a graph's state, each with the rule by which updates become its next value.
 */

/**
 * One part of the state. Make it with {@linkcode lastValue}, {@linkcode append} or {@linkcode reducer}.
 *
 * @typeParam T The channel's value, as nodes read it.
 * @typeParam U What a node returns to update it.
 */
export interface Channel<T, U = T> {
  /** The value before any update. Shared by all runs, so never changed in place. */
  readonly initial: T;
  /** Whether updates are lists that may be joined and merged at once: n appends then cost O(n), not O(n²). */
  readonly joins: boolean;
  /** The next value. Pure: neither argument is changed. */
  merge(current: T, update: U): T;
}

/** The channels of a graph by name. */
export type Channels = Readonly<Record<string, Channel<unknown, unknown>>>;

/** The state that nodes read, inferred from the channels. */
export type StateOf<C extends Channels> = {
  readonly [K in keyof C]: C[K] extends Channel<infer T, infer _U> ? T : never;
};

/** What a node may return: an update for any of the channels. A channel left out, or `undefined`, is not updated. */
export type UpdateOf<C extends Channels> = {
  readonly [K in keyof C]?: C[K] extends Channel<infer _T, infer U> ? U : never;
};

/**
 * A channel that keeps the last update. Of several in one superstep, the one dispatched last wins.
 *
 * @param initial The value before any update.
 */
export function lastValue<T>(initial: T): Channel<T> {
  return { initial, joins: false, merge: (_current, update) => update };
}

/** A list channel: an update is a list of items, added at the end in dispatch order. */
export function append<T>(): Channel<readonly T[]> {
  return { initial: [], joins: true, merge: (current, update) => current.concat(update) };
}

/**
 * A channel with a rule of its own.
 *
 * @param initial The value before any update.
 * @param merge The next value from the current one and an update. Pure; it is called in dispatch order. When it throws,
 * the task whose update it was fails with `internal`, and nothing of that update is kept.
 */
export function reducer<T, U>(initial: T, merge: (current: T, update: U) => T): Channel<T, U> {
  return { initial, joins: false, merge };
}
