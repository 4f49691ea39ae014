/** The lives of a subject that was killed and went on: what it has begun in one, it may begin again in the next. */
import type { TraceEvent } from "../trace/event.ts";
import { eventsOf } from "./events.ts";

/** The lives of a run. */
export interface Lives {
  /** How many there are; 1 without a kill. */
  readonly count: number;
  /** The life in which an event was recorded, from 0. */
  at(seq: number): number;
}

/** Reads the lives of a run from the bench's own record of its kills. */
export function livesOf(events: readonly TraceEvent[]): Lives {
  const resumed = eventsOf(events, "bench", "subject.resumed");
  return { count: resumed.length + 1, at: (seq) => resumed.filter((event) => event.seq < seq).length };
}
