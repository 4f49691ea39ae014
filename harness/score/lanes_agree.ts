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

/** One check for each pair of cells that differ in nothing but the lane. */
export function scoreLanesAgree(cells: readonly ScoredTrace[]): Check[] {
  const wire = new Map(
    cells.filter(({ trace }) => trace.cell.lane === "wire").map((one) => [pairId(one.trace.cell), one]),
  );
  return cells.filter(({ trace }) => trace.cell.lane === "sim").flatMap((sim) => {
    const id = pairId(sim.trace.cell);
    const twin = wire.get(id);
    return twin === undefined ? [] : [comparePair(`lanes.agree:${id}`, sim, twin)];
  });
}

function pairId(cell: Cell): string {
  return cellId({ ...cell, lane: "sim" }).replace("@sim", "");
}

function comparePair(id: string, sim: ScoredTrace, wire: ScoredTrace): Check {
  if (hasBenchError(sim) || hasBenchError(wire)) {
    const message = "the bench failed in one of the lanes, so they cannot be compared";
    return { id, outcome: "untestable", message, evidence: [] };
  }
  const [a, b] = [outcomesOf(sim), outcomesOf(wire)];
  const odd = [...new Set([...a.keys(), ...b.keys()])].find((one) => a.get(one) !== b.get(one));
  if (odd !== undefined) {
    const message = `the lanes disagree on ${odd}: sim ${a.get(odd) ?? "has none"}, wire ${b.get(odd) ?? "has none"}`;
    return check(id, false, message, sim.scorecard.checks.find((one) => one.id === odd)?.evidence);
  }
  const [simLines, wireLines] = [canonicalTrace(sim.trace).split("\n"), canonicalTrace(wire.trace).split("\n")];
  const at = simLines.findIndex((line, i) => line !== wireLines[i]);
  if (at < 0 && simLines.length === wireLines.length) {
    return check(id, true, "both lanes gave the same canonical trace");
  }
  const message = `the canonical traces differ: sim ${excerpt(simLines[at])}, wire ${excerpt(wireLines[at])}`;
  return check(id, false, message);
}

function hasBenchError({ scorecard: { checks } }: ScoredTrace): boolean {
  return checks.some((one) => one.id === "run.ended" && one.outcome === "error");
}

function outcomesOf({ scorecard: { checks } }: ScoredTrace): Map<string, string> {
  return new Map(checks.filter(({ id }) => !ONE_LANE.has(id)).map(({ id, outcome }) => [id, outcome]));
}

/** Span and type of a canonical line, as far as they can be read. */
function excerpt(line: string | undefined): string {
  if (line === undefined || line === "") return "ends";
  const span = /"span":"([^"]*)"/.exec(line)?.[1] ?? "?";
  const type = /"type":"([^"]*)"/.exec(line)?.[1] ?? "?";
  return `has ${type} at ${span}`;
}
