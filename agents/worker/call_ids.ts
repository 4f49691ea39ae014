import type { ToolCall } from "../models/model.ts";

/** A call with an id of its own, and whether its model gave it another call's. */
export interface NamedCall {
  /** The call. */
  readonly call: ToolCall;
  /** Whether another call of the same turn has its id. It is not made: which of the two was meant, nobody can tell. */
  readonly isDuplicate: boolean;
}

/**
 * Gives each call of a turn an id that no other has, so that each has exactly one result: the first keeps its id, and a
 * later one with the same gets another. Providers refuse a conversation in which an id stands twice.
 */
export function distinctCalls(calls: readonly ToolCall[]): NamedCall[] {
  const given = new Set(calls.map(({ id }) => id));
  const seen = new Set<string>();
  return calls.map((call) => {
    const isDuplicate = seen.has(call.id);
    seen.add(call.id);
    if (!isDuplicate) return { call, isDuplicate };
    let k = 2;
    while (given.has(`${call.id}~${k}`)) k++;
    const id = `${call.id}~${k}`;
    given.add(id);
    return { call: { ...call, id }, isDuplicate };
  });
}
