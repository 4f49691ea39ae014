/** How long the run took, where that is exact: on the virtual clock. */
import { type Check, check } from "./check.ts";
import { eventsOf } from "./events.ts";
import type { TraceView } from "./view.ts";

/** Makespan in milliseconds: from the subject's start to its end, by the cell's clock. */
export function makespan({ trace: { events } }: Pick<TraceView, "trace">): number | undefined {
  const at = (name: string) => eventsOf(events, "bench", name)[0]?.t;
  const [start, settled] = [at("run.start"), at("run.settled")];
  // Of two times to the microsecond, the difference is one too.
  return start === undefined || settled === undefined ? undefined : Math.round((settled - start) * 1000) / 1000;
}

/** Scores the makespan against the expected one, in `sim`. */
export function scoreLatency(view: TraceView): Check[] {
  const { cell, scenario: { expect }, events } = view.trace;
  if (expect?.makespan === undefined || cell.lane !== "sim") return [];
  if (cell.model !== "scripted") {
    // Scripts take as long as they say; a recording took what its model took.
    const message = `${cell.model} takes the time that it takes, and the scenario foresees the script's`;
    return [{ id: "latency.makespan", outcome: "untestable", message, evidence: [], declared: true }];
  }
  const took = makespan(view);
  const message = took === undefined ? "the run was not measured" : `took ${took} ms`;
  const evidence = eventsOf(events, "bench", "run.settled").map(({ seq }) => seq);
  return [
    check("latency.makespan", took === expect.makespan, `${message}, expected ${expect.makespan} ms`, evidence),
  ];
}
