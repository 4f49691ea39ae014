/**
 * How results become state: at the barrier, in dispatch order, whatever order they came in.
 */
import type { Channel, Channels, StateOf } from "./channel.ts";
import { show } from "./target.ts";
import type { TaskOutcome } from "./task.ts";

type Values = Iterable<readonly [string, unknown]>;
type ChannelMap = ReadonlyMap<string, Channel<unknown, unknown>>;

/**
 * Makes the state object that nodes see. Frozen, because nodes that run in parallel share it. `Object.fromEntries`
 * defines own properties, so that a channel called `__proto__` is a channel like any other.
 */
export function toState<C extends Channels>(values: Values): StateOf<C> {
  // The names and values come from the channels C itself, which the type system cannot follow through a Map.
  return Object.freeze(Object.fromEntries(values)) as StateOf<C>;
}

/**
 * Checks that something is an update of these channels.
 *
 * @throws {TypeError} Saying what it is instead, and what is allowed.
 */
export function assertUpdate(
  channels: ChannelMap,
  update: unknown,
): asserts update is Readonly<Record<string, unknown>> {
  if (typeof update !== "object" || update === null || Array.isArray(update)) {
    throw new TypeError(`an update must be an object of channel updates, or nothing; got ${show(update)}`);
  }
  for (const [name, value] of Object.entries(update)) {
    const channel = channels.get(name);
    if (channel === undefined) {
      const known = [...channels.keys()].map(show).join(", ");
      throw new TypeError(`there is no channel ${show(name)}; channels: ${known}`);
    }
    if (channel.joins && value !== undefined && !Array.isArray(value)) {
      throw new TypeError(`channel ${show(name)} is a list: its update must be an array of items`);
    }
  }
}

/** The merged state, and which updates their reducers refused. */
export interface Merged<C extends Channels> {
  /** The next state. */
  readonly state: StateOf<C>;
  /** What a reducer threw, by the index of the task whose update it was. Nothing of that update is in the state. */
  readonly refused: ReadonlyMap<number, unknown>;
}

/**
 * Merges the updates of one superstep.
 *
 * @param outcomes In dispatch order; failures and tasks without an outcome leave the state alone.
 */
export function merge<C extends Channels>(
  channels: ChannelMap,
  state: StateOf<C>,
  outcomes: readonly (TaskOutcome | undefined)[],
): Merged<C> {
  const values = new Map<string, unknown>();
  const valueOf = (name: string): unknown => values.has(name) ? values.get(name) : own(state, name);
  const joined = new Map<string, unknown[]>();
  const refused = new Map<number, unknown>();
  for (const [index, outcome] of outcomes.entries()) {
    if (!outcome?.ok) continue;
    try {
      // First all reducers, then all stores: an update is merged whole or not at all.
      const { update } = outcome;
      const names = Object.keys(update).filter((name) => update[name] !== undefined);
      const next = names.map((name) => {
        const channel = channels.get(name);
        return channel?.joins ? undefined : channel?.merge(valueOf(name), update[name]);
      });
      for (const [i, name] of names.entries()) {
        if (channels.get(name)?.joins) join(joined, name, update[name]);
        else values.set(name, next[i]);
      }
    } catch (thrown) {
      refused.set(index, thrown);
    }
  }
  for (const [name, items] of joined) values.set(name, channels.get(name)?.merge(valueOf(name), items));
  return { state: values.size === 0 ? state : changed(state, values), refused };
}

/** An own member, whatever it is called. */
function own(state: object, name: string): unknown {
  return Object.hasOwn(state, name) ? Reflect.get(state, name) : undefined;
}

/** A state with other values of some channels, as {@linkcode toState} makes one. Nothing that stays is looked at. */
function changed<C extends Channels>(state: StateOf<C>, values: Values): StateOf<C> {
  const next: Record<string, unknown> = { ...state };
  for (const [name, value] of values) {
    // A channel called `__proto__` is a channel like any other: assigning to it would set the prototype.
    if (name !== "__proto__") next[name] = value;
    else Reflect.defineProperty(next, name, { value, enumerable: true, configurable: true, writable: true });
  }
  // The names are those of the state that it was copied from.
  return Object.freeze(next) as StateOf<C>;
}

function join(joined: Map<string, unknown[]>, name: string, items: unknown): void {
  if (!Array.isArray(items)) return; // excluded by assertUpdate
  const list = joined.get(name);
  if (list === undefined) joined.set(name, [...items]);
  else for (const item of items) list.push(item); // not push(...items): a long list would overflow the stack
}
