/** Which faults a run has exercised, for which crew, and what they strike. */
import { FAULTS, type Phase } from "../../servers/mod.ts";
import type { Trace } from "../trace/event.ts";
import { count, type Line, wrap } from "./layout.ts";

/** One fault in one crew. */
export interface CoverageRow {
  /** The fault's id. */
  readonly fault: string;
  /** Its layer; `unknown` for a fault that this catalogue does not have. */
  readonly layer: string;
  /** Name of the crew. */
  readonly crew: string;
  /** What it strikes: the making of a connection, its beginning, the list of tools, a call, … */
  readonly phase: Phase | "unknown";
  /** How many cells have it. */
  readonly declared: number;
  /** In how many of them it struck. */
  readonly fired: number;
}

/** The phases, in the order in which a run comes to them. */
export const PHASES: readonly Phase[] = ["connect", "initialize", "list", "call", "stream", "close", "model"];

/** Up to so many faults a terminal needs no summary: the table of scenarios shows them. */
const FEW = 6;

/** A fault of one cell. */
export interface FaultFact {
  /** The fault's id. */
  readonly fault: string;
  /** What it strikes. */
  readonly phase: Phase | "unknown";
  /** Whether it struck. */
  readonly fired: boolean;
}

/** The faults of a cell, each once for each phase. */
export function faultFacts({ scenario, events }: Trace): FaultFact[] {
  const fired = new Set<unknown>();
  for (const { side, type, detail } of events) {
    if (side === "world" && (type === "server.fault" || type === "model.fault")) fired.add(detail["fault"]);
  }
  const own = new Map(scenario.faults.map((entry) => [`${entry.fault} ${phaseOf(entry)}`, entry]));
  return [...own.values()].map((entry) => {
    const { fault } = entry;
    return { fault, phase: phaseOf(entry), fired: fired.has(fault) };
  });
}

/** Counts the faults of cells. */
export class Coverage {
  readonly #rows = new Map<string, CoverageRow>();

  /** Adds those of the next cell. */
  add(crew: string, faults: readonly FaultFact[]): void {
    for (const { fault, phase, fired } of faults) {
      const key = JSON.stringify([fault, crew, phase]);
      const known = this.#rows.get(key);
      this.#rows.set(key, {
        fault,
        layer: FAULTS.get(fault)?.layer ?? "unknown",
        crew,
        phase,
        declared: (known?.declared ?? 0) + 1,
        fired: (known?.fired ?? 0) + (fired ? 1 : 0),
      });
    }
  }

  /** The rows, in the catalogue's order. */
  rows(): CoverageRow[] {
    const order = [...FAULTS.keys()];
    const rank = ({ fault }: CoverageRow) => (order.indexOf(fault) + order.length + 1) % (order.length + 1);
    return [...this.#rows.values()].sort((a, b) =>
      rank(a) - rank(b) || compare(a.crew, b.crew) || compare(a.phase, b.phase)
    );
  }
}

/** Counts the faults of traces, in the catalogue's order. */
export function coverageOf(traces: readonly Trace[]): CoverageRow[] {
  const coverage = new Coverage();
  for (const trace of traces) coverage.add(trace.crew.name, faultFacts(trace));
  return coverage.rows();
}

/** What a fault's occasions are under a scenario's parameters. The scenario of a trace may be anybody's. */
function phaseOf(
  { fault, at: _at, when: _when, ...params }: Trace["scenario"]["faults"][number],
): CoverageRow["phase"] {
  try {
    return FAULTS.get(fault)?.arm(params).phase ?? "unknown";
  } catch {
    return "unknown";
  }
}

/** How many faults of each phase struck, of those that were there, in one sentence; nothing where there were few. */
export function coverageLines(rows: readonly CoverageRow[], columns: number): Line[] {
  const faults = new Set(rows.map(({ fault }) => fault));
  if (faults.size <= FEW) return [];
  const struck = (own: readonly CoverageRow[]) =>
    new Set(own.filter(({ fired }) => fired > 0).map(({ fault }) => fault));
  const phases = PHASES.flatMap((phase) => {
    const own = struck(rows.filter((row) => row.phase === phase));
    return own.size === 0 ? [] : [`${phase} ${own.size}`];
  });
  const text = `${struck(rows).size} of ${count(faults.size, "fault")} struck: ${
    phases.join(", ")
  }; the table is in the report`;
  return wrap(text, columns - 8).map((line, i): Line => [[(i === 0 ? "faults" : "").padEnd(8), "dim"], line]);
}

const compare = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0;
