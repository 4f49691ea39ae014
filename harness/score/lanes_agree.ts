/** Whether both lanes came to the same: the same outcomes, and the same canonical trace. A divergence is a bug. */
import { canonicalTrace } from "../trace/canonical.ts";
import { type Cell, cellId, type Trace } from "../trace/event.ts";
import { type Check, check, type Scorecard } from "./check.ts";

/** A cell that has been run and scored. */
export interface ScoredTrace {
  /** What happened. */
  readonly trace: Trace;
  /** What is thought of it. */
  readonly scorecard: Scorecard;
}

/** Checks that only one lane has. */
const ONE_LANE: ReadonlySet<string> = new Set(["latency.makespan"]);

/** A cell in one of the lanes. */
export interface LaneCell {
  /** Its checks. */
  readonly checks: readonly Check[];
  /** What happened. Asked for only if the checks agree. */
  trace(): Pick<Trace, "events">;
}

/** One check for each pair of cells that differ in nothing but the lane. */
export function scoreLanesAgree(cells: readonly ScoredTrace[]): Check[] {
  return agreeLanes(cells.map(({ trace }) => trace.cell), (index) => {
    const found = cells[index];
    if (found === undefined) throw new RangeError(`there is no cell ${index}`);
    return { checks: found.scorecard.checks, trace: () => found.trace };
  });
}

/**
 * The same, of cells that are not in memory: two at a time are.
 *
 * @param load The cell of an index.
 */
export function agreeLanes(cells: readonly Cell[], load: (index: number) => LaneCell): Check[] {
  return twinsOf(cells).map(({ id, sim, wire }) => comparePair(`lanes.agree:${id}`, load(sim), load(wire)));
}

/** Pairs of cells that differ in nothing but the lane, by their indices, in the order of those in `sim`. */
export function twinsOf(
  cells: readonly Cell[],
): { readonly id: string; readonly sim: number; readonly wire: number }[] {
  const wire = new Map(cells.flatMap((cell, i) => cell.lane === "wire" ? [[pairId(cell), i] as const] : []));
  if (wire.size === 0) return [];
  return cells.flatMap((cell, sim) => {
    if (cell.lane !== "sim") return [];
    const id = pairId(cell);
    const twin = wire.get(id);
    return twin === undefined ? [] : [{ id, sim, wire: twin }];
  });
}

function pairId(cell: Cell): string {
  return cellId({ ...cell, lane: "sim" }).replace("@sim", "");
}

function comparePair(id: string, sim: LaneCell, wire: LaneCell): Check {
  if (hasBenchError(sim) || hasBenchError(wire)) {
    const message = "the bench failed in one of the lanes, so they cannot be compared";
    return { id, outcome: "untestable", message, evidence: [] };
  }
  const [a, b] = [outcomesOf(sim), outcomesOf(wire)];
  // What one lane cannot have, and says so, is in the other one alone: then only the verdicts can be the same.
  const apart = [...sim.checks, ...wire.checks].filter(({ declared }) => declared).map(({ id }) => id);
  for (const id of apart) for (const outcomes of [a, b]) outcomes.delete(id);
  const odd = [...new Set([...a.keys(), ...b.keys()])].find((one) => a.get(one) !== b.get(one));
  if (odd !== undefined) {
    const message = `the lanes disagree on ${odd}: sim ${a.get(odd) ?? "has none"}, wire ${b.get(odd) ?? "has none"}`;
    return check(id, false, message, sim.checks.find((one) => one.id === odd)?.evidence);
  }
  const wireTrace = wire.trace();
  const via = wireTrace.events.find(({ side, type }) => side === "bench" && type === "run.start")?.detail["model_via"];
  if (via !== undefined) {
    // What a client says of an error is not what is said of it in the process.
    return check(id, true, `both lanes gave the same verdicts; in wire models were reached over HTTP`);
  }
  const [simLines, wireLines] = [canonicalTrace(sim.trace()).split("\n"), canonicalTrace(wireTrace).split("\n")];
  const at = simLines.findIndex((line, i) => line !== wireLines[i]);
  if (at < 0 && simLines.length === wireLines.length) {
    return check(id, true, "both lanes gave the same canonical trace");
  }
  const message = `the canonical traces differ: sim ${excerpt(simLines[at])}, wire ${excerpt(wireLines[at])}`;
  return check(id, false, message);
}

function hasBenchError({ checks }: LaneCell): boolean {
  return checks.some((one) => one.id === "run.ended" && one.outcome === "error");
}

function outcomesOf({ checks }: LaneCell): Map<string, string> {
  return new Map(checks.filter(({ id }) => !ONE_LANE.has(id)).map(({ id, outcome }) => [id, outcome]));
}

/** Span and type of a canonical line, as far as they can be read. */
function excerpt(line: string | undefined): string {
  if (line === undefined || line === "") return "ends";
  const span = /"span":"([^"]*)"/.exec(line)?.[1] ?? "?";
  const type = /"type":"([^"]*)"/.exec(line)?.[1] ?? "?";
  return `has ${type} at ${span}`;
}
