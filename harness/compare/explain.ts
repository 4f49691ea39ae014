/** What a comparison comes to, in words. */
import { count } from "../report/layout.ts";
import { equation, number, percent } from "./format.ts";
import type { Paired } from "./pair.ts";
import { ALPHA, VERDICTS } from "./row.ts";
import { type CompareVerdict, pairsNeeded, type Row } from "./verdict.ts";

/** What is told. */
interface Facts {
  readonly rows: readonly Row[];
  readonly verdict: CompareVerdict;
  readonly paired: Paired;
  /** Pairs with an error or an untestable verdict. */
  readonly excluded: number;
  /** Pairs with different verdicts that are of flaky cells. */
  readonly flakyPairs: number;
  /** McNemar's p without them. */
  readonly steadyP: number;
}

/** The message and the notes of a comparison. A is the baseline, B what is compared with it. */
export function explain(facts: Facts): { message: string; notes: string[] } {
  return { message: message(facts), notes: notes(facts) };
}

function message({ rows, verdict, paired: { pairs }, flakyPairs }: Facts): string {
  const [verdicts] = rows;
  if (pairs.length === 0 || verdicts === undefined) return "nothing is paired: no cell is on both sides";
  const differing = verdicts.better + verdicts.worse;
  switch (verdict) {
    case "better":
    case "worse":
      return (["worse", "better"] as const).flatMap((one) =>
        rows.filter((row) => row.verdict === one).map((row) => shown(row))
      ).join("; ");
    case "flaky":
      return `${flakyPairs} of the ${differing} pairs that differ are of cells whose own repeats disagree; ` +
        "find out why these do before you compare, or run more repeats";
    case "not enough data": {
      const counted = rows.filter(({ n }) => n > 0).length;
      const most = Math.max(...rows.map(({ n }) => n));
      return `${count(most, "pair")} cannot show a difference, even if all turned the same way; ` +
        `at least ${pairsNeeded(counted)} are needed${counted > 1 ? ` for ${counted} scores at once` : ""}`;
    }
    case "no difference shown": {
      const row = rows.find((one) => one.verdict === verdict) ?? verdicts;
      const could = row.detectable === null
        ? ""
        : `; one of ${effect(row, row.detectable)} or more would be shown four times in five`;
      return `no difference is shown over ${row.n} pairs (${row.scorer}: ${row.better} better, ${row.worse} worse)${could}`;
    }
  }
}

/** One row that shows a difference. */
function shown(row: Row): string {
  const { scorer, verdict, a, b, better, worse, adjusted } = row;
  const pairs = `${better} better, ${worse} worse; ${equation(adjusted ?? 1)} after Holm`;
  const what = scorer === VERDICTS ? "B passes" : `${scorer} is ${verdict}: B has`;
  return `${what} ${amount(row, b)} where A ${scorer === VERDICTS ? "passes" : "has"} ${amount(row, a)} (${pairs})`;
}

function amount({ scorer, unit }: Row, value: number | null): string {
  if (scorer === VERDICTS) return percent(value);
  return unit === "ratio" || unit === "stretch" || unit === "count" ? number(value) : `${number(value)} ${unit}`;
}

/** A difference: of shares in points, which are not percent of anything. */
function effect(row: Row, value: number): string {
  return row.scorer === VERDICTS ? `${percent(value).replace("%", "")} points` : amount(row, value);
}

function notes({ rows, paired: { onlyA, onlyB }, excluded, flakyPairs, steadyP }: Facts): string[] {
  const told: string[] = [];
  const missing = onlyA.length + onlyB.length;
  if (missing > 0) told.push(`${count(missing, "cell")} on one side only, compared with nothing.`);
  if (excluded > 0) {
    told.push(`${count(excluded, "pair")} with an error or an untestable verdict on a side, not among the verdicts.`);
  }
  for (const { scorer, verdict, n, byScenario } of rows) {
    const isShown = verdict === "better" || verdict === "worse";
    if (!isShown) continue;
    if (scorer === VERDICTS && flakyPairs > 0 && steadyP > ALPHA) {
      told.push(`${scorer}: it rests on cells whose own repeats disagree; without them ${equation(steadyP)}.`);
    }
    if (byScenario !== null && byScenario.p > ALPHA) {
      told.push(
        `${scorer}: the ${n} pairs are of ${byScenario.n} scenarios. That holds for these; with each scenario taken as ` +
          `one, ${equation(byScenario.p)}, which shows nothing of others.`,
      );
    }
  }
  return told;
}
