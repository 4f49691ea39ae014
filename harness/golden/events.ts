/** Short digests of a trace's events: enough to say where two runs part, without keeping the first one's trace. */
import { sha256 } from "../../core/mod.ts";
import { canonicalTrace } from "../trace/canonical.ts";
import type { Trace, TraceEvent } from "../trace/event.ts";

/** Hex digits of a digest. */
const DIGITS = 6;
/** Digests on a line of a golden. */
const ON_A_LINE = 14;

/** One digest an event, in order: of its canonical form, so without its time. */
export function eventDigests({ events }: Pick<Trace, "events">): string[] {
  return events.map((event) => sha256(canonicalTrace({ events: [event] })).slice(0, DIGITS));
}

/** Digests as lines of a golden. */
export function wrapDigests(digests: readonly string[]): string[] {
  const lines: string[] = [];
  for (let i = 0; i < digests.length; i += ON_A_LINE) lines.push(digests.slice(i, i + ON_A_LINE).join(" "));
  return lines;
}

/** {@linkcode wrapDigests} undone. */
export function unwrapDigests(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(" ")).filter((digest) => digest !== "");
}

/**
 * Says where a trace parts from another, of which only the digests are known.
 *
 * @returns One clause, or `undefined` if the events are the same in the same order.
 */
export function firstDifference(before: readonly string[], trace: Pick<Trace, "events">): string | undefined {
  const now = eventDigests(trace);
  const at = now.findIndex((digest, i) => digest !== before[i]);
  const { events } = trace;
  if (at < 0) {
    const lost = before.length - now.length;
    return lost === 0 ? undefined : `the trace ends after ${name(events.at(-1))}, ${lost} events earlier than before`;
  }
  // Something that was not there before says more than something that has only moved.
  const left = new Map<string, number>();
  for (const digest of before) left.set(digest, (left.get(digest) ?? 0) + 1);
  const fresh = now.findIndex((digest) => {
    const count = left.get(digest) ?? 0;
    left.set(digest, count - 1);
    return count <= 0;
  });
  if (fresh >= 0) return `first difference at ${name(events[fresh])}`;
  const gone = before.length - now.length;
  return gone === 0
    ? `the same events in another order, from ${name(events[at])}`
    : `${gone === 1 ? "one event is" : `${gone} events are`} gone, the first of them before ${name(events[at])}`;
}

function name(event: TraceEvent | undefined): string {
  return event === undefined ? "its start" : `event ${event.seq} (${event.type} ${event.span})`;
}
