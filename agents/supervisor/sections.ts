/** From what stands of the reports to the parts of an answer. */
import type { Finding, Report, Section, Severity } from "../types.ts";

/** How bad a finding is, as a number: worst first. */
const RANKS: Readonly<Record<Severity, number>> = { critical: 0, high: 1, medium: 2, low: 3 };
const UNRANKED = 4;

/** A section with what its place depends on. */
export interface Placed {
  /** The section. */
  readonly section: Section;
  /** Rank of its worst finding. */
  readonly rank: number;
}

/**
 * The section that a report makes. A finding's severity stands before it; a sentence that is not confirmed says so.
 *
 * @param unconfirmed Sentences that the check neither bore out nor contradicted.
 */
export function sectionOf({ worker, findings, provenance }: Report, unconfirmed: readonly string[]): Placed {
  const sorted = findings.toSorted((a, b) => rankOf(a) - rankOf(b));
  const text = sorted.map((finding) => worded(finding, unconfirmed)).join("\n");
  const said = unconfirmed.filter((sentence) => findings.some(({ claim }) => claim.includes(sentence)));
  const section = { worker, text, provenance, ...(said.length === 0 ? {} : { unconfirmed: said }) };
  return { section, rank: Math.min(UNRANKED, ...findings.map(rankOf)) };
}

/**
 * A report in parts, one for each severity that it has, worst first: what one worker found less bad does not come before
 * what another found worse.
 */
export function bySeverity(report: Report): Report[] {
  const ranks = [...new Set(report.findings.map(rankOf))].sort((a, b) => a - b);
  return ranks.map((rank) => ({ ...report, findings: report.findings.filter((one) => rankOf(one) === rank) }));
}

/** The worst first; of equals, as they came. */
export function worstFirst(sections: readonly Placed[]): Placed[] {
  return sections.toSorted((a, b) => a.rank - b.rank);
}

function rankOf({ severity }: Finding): number {
  return severity === undefined ? UNRANKED : RANKS[severity];
}

function worded({ claim, severity }: Finding, unconfirmed: readonly string[]): string {
  let text = "";
  let from = 0;
  for (const sentence of unconfirmed) {
    const at = claim.indexOf(sentence, from);
    if (at < 0) continue;
    text += `${claim.slice(from, at)}${sentence} (unconfirmed)`;
    from = at + sentence.length;
  }
  text += claim.slice(from);
  return severity === undefined ? text : `${severity.toUpperCase()}: ${text}`;
}
