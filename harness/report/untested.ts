/** What could not be tested and is no fault of the run: how much, where and why, in a line. */
import { count } from "./layout.ts";
import type { CellReport } from "./report.ts";

/** Most scenarios that are named. */
const MAX_NAMED = 2;
const REACHED = "faults.reached:";

/** What one reason explains. */
export interface Untested {
  /** In words that go behind a number. */
  readonly why: string;
  /** Whether they are faults that cannot strike; else checks. */
  readonly isFault: boolean;
  /** How many checks. */
  readonly checks: number;
  /** Names of the scenarios. */
  readonly scenarios: ReadonlySet<string>;
}

/** Gathers what cells declare to be untestable, cell by cell. Whatever else is untestable is a finding. */
export class UntestedList {
  readonly #found = new Map<string, Untested & { checks: number; readonly scenarios: Set<string> }>();

  /** Adds what is untestable by declaration in a cell. */
  addCell({ cell: { lane, scenario }, checks }: Pick<CellReport, "cell" | "checks">): void {
    for (const { id, outcome, declared } of checks) {
      if (outcome !== "untestable" || !declared) continue;
      const isFault = id.startsWith(REACHED);
      const why = isFault ? `cannot strike in ${lane}` : "on what the subject does not show";
      const known = this.#found.get(why) ?? { why, isFault, checks: 0, scenarios: new Set<string>() };
      known.checks++;
      known.scenarios.add(scenario);
      this.#found.set(why, known);
    }
  }

  /** One entry a reason. */
  list(): Untested[] {
    return [...this.#found.values()];
  }
}

/** Says it; nothing where everything could be tested. Only faults have their scenarios named: the rest is everywhere. */
export function untestedWords(untested: readonly Untested[]): string {
  return untested.map(({ why, isFault, checks, scenarios }) => {
    if (!isFault) return `${count(checks, "check")} ${checks === 1 ? "rests" : "rest"} ${why}`;
    const left = scenarios.size - MAX_NAMED;
    const named = [...scenarios].slice(0, MAX_NAMED).join(", ") + (left > 0 ? ` and ${left} more` : "");
    return `${count(checks, "fault")} ${why}: ${named}`;
  }).join("; ");
}
