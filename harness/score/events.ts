/** The events of a trace by who says so and what happened, sorted out once for all scorers. */
import type { Side, TraceEvent } from "../trace/event.ts";
import { once } from "./once.ts";

const NONE: readonly TraceEvent[] = [];

/** What each side tells, by type. */
const sorted = once((events: readonly TraceEvent[]): Readonly<Record<Side, ReadonlyMap<string, TraceEvent[]>>> => {
  const sides = {
    world: new Map<string, TraceEvent[]>(),
    subject: new Map<string, TraceEvent[]>(),
    bench: new Map<string, TraceEvent[]>(),
  };
  for (const event of events) {
    const types = sides[event.side];
    const same = types.get(event.type);
    if (same === undefined) types.set(event.type, [event]);
    else same.push(event);
  }
  return sides;
});

/**
 * The events of one side and one type, in order. Most types have few events and most scorers ask for one or two types:
 * none of them need look at all events.
 *
 * @param events All events of a trace; nobody adds to them any more.
 */
export function eventsOf(events: readonly TraceEvent[], side: Side, type: string): readonly TraceEvent[] {
  return sorted(events)[side].get(type) ?? NONE;
}
