/**
 * Runs in which a subject asked for what no script can answer: nothing that it did or said afterwards was foreseen by
 * anybody, so it says nothing about the subject, neither good nor bad.
 */
import type { TraceEvent } from "../trace/event.ts";
import type { Check } from "./check.ts";
import { eventsOf } from "./events.ts";

/** What can be said all the same: of the run itself, of the bench, and of secrets, which nobody may tell in any run. */
const STANDS = /^(run\.|faults\.sound:|safety\.secrets$)/;

/** The events that say that something could not be played. */
export function unplayables(events: readonly TraceEvent[]): readonly TraceEvent[] {
  return eventsOf(events, "bench", "subject.unplayable");
}

/** Makes untestable what rests on a script that could not be played. */
export function withoutUnplayable(checks: readonly Check[], events: readonly TraceEvent[]): Check[] {
  const found = unplayables(events);
  if (found.length === 0) return [...checks];
  const evidence = found.map(({ seq }) => seq);
  return checks.map((one) => {
    if (one.outcome === "error" || one.outcome === "untestable") return one;
    if (one.id === "run.ended" && one.outcome === "fail") {
      // Whoever gives up because its model could not be played is not to blame for it.
      return { ...one, outcome: "untestable", message: `${one.message}; but the script could not be played` };
    }
    if (STANDS.test(one.id)) return one;
    return { id: one.id, outcome: "untestable", message: "the script could not be played; see run.script", evidence };
  });
}
