/** The scores of a report, crew by crew. */
import { reliabilityOf, type Spread } from "../reliability/reliability.ts";
import { SCORE_IDS } from "../score/scores.ts";
import { digestOf } from "./digest.ts";
import type { RunReport } from "./report.ts";
import { lanesOf } from "./rows.ts";

/** One score of one crew. */
export interface CrewScore {
  /** Name of the crew; with subject and model where a report has more than one of them. */
  readonly crew: string;
  /** Mean, interval and worst. */
  readonly spread: Spread;
}

/**
 * The scores of each crew, in the order of the scores and then of the crews. Cells of one lane alone are counted, `sim` if
 * there are any: what ran in both would count twice, and there is no latency in `wire`.
 */
export function crewScores(report: RunReport): CrewScore[] {
  const [lane] = lanesOf(report);
  const cells = digestOf(report).briefs.filter(({ cell }) => cell.lane === lane);
  const sides = new Set(cells.map(({ cell: { subject, model } }) => JSON.stringify([subject, model])));
  const all = [...Map.groupBy(cells, ({ crew }) => crew)].flatMap(([crew, own]) =>
    reliabilityOf(own).flatMap(({ subject, model, scores }) =>
      scores.map((spread): CrewScore => ({
        crew: sides.size < 2 ? crew : `${crew} ${subject} ${model}`,
        spread,
      }))
    )
  );
  const rank = ({ spread: { id } }: CrewScore) => {
    const place = SCORE_IDS.findIndex((known) => known === id);
    return place < 0 ? SCORE_IDS.length : place;
  };
  return all.sort((a, b) => rank(a) - rank(b));
}

/** Name of a worst cell; that it is of `sim` goes without saying. */
export function worstName({ worstCell }: Spread): string {
  return worstCell.replace(/@sim$/, "");
}
