/** Checks each report against its own observations before anything is passed on. */
import { type FailureCode, FAILURES } from "../../core/mod.ts";
import type { Finding, Report, ReportedFailure } from "../types.ts";

/** What was found about a report. */
export interface Verdict {
  /** The worker. */
  readonly worker: string;
  /** The packet. */
  readonly packetId: string;
  /** `supported`: each claim rests on an observation. `unsupported`: some claim does not. `none`: nothing is claimed. */
  readonly verdict: "supported" | "unsupported" | "none";
  /** Ids of the observations that the claims rest on. */
  readonly evidence: string[];
}

/** A report with its verdict; claims that rest on nothing have been withheld. */
export interface Verified {
  /** The report, as it is passed on. */
  readonly report: Report;
  /** What was found about it. */
  readonly verdict: Verdict;
}

/**
 * A claim that rests on no observation is withheld, and a report left without a claim fails with `unverified`. A report
 * that claims success without a claim fails with `empty_result`. A report that is not `ok` and does not say why gets a
 * code, so that nothing that is missing can go unsaid.
 */
export function verifyReport(report: Report): Verified {
  const { worker, packetId, findings } = report;
  const kept = findings.filter(({ observations }) => observations.length > 0);
  const evidence = [...new Set(kept.flatMap(({ observations }) => observations.map(({ id }) => id)))];
  const verdict = kept.length < findings.length ? "unsupported" : kept.length > 0 ? "supported" : "none";
  return { report: settled(report, kept), verdict: { worker, packetId, verdict, evidence } };
}

/** The report with the claims that are kept, and a status and a failure that agree with them. */
function settled(report: Report, kept: Finding[]): Report {
  const failure = report.failure ?? reasonFor(report, kept);
  if (failure === undefined) return report;
  const status = kept.length > 0 ? "partial" : report.status === "needs_clarification" ? report.status : "failed";
  const note = kept.length === report.findings.length ? report.note : kept.map(({ claim }) => claim).join("\n");
  return { ...report, status, failure, findings: kept, note };
}

/** What is wrong with a report that names no failure, if anything is. */
function reasonFor({ status, question, findings }: Report, kept: readonly Finding[]): ReportedFailure | undefined {
  const withheld = findings.length - kept.length;
  if (status === "needs_clarification") {
    return coded("ambiguous", question === undefined ? "it needs to know more" : `it asks: ${question}`);
  }
  if (withheld > 0) {
    return coded("unverified", `${withheld} of ${findings.length} claims rest on no observation and were withheld`);
  }
  if (status === "ok") {
    return kept.length > 0 ? undefined : coded("empty_result", "success is reported, and nothing is claimed");
  }
  return coded("internal", `the report is ${status} and does not say why`);
}

function coded(code: FailureCode, detail: string): ReportedFailure {
  return { code, detail, retryable: FAILURES[code].retryable };
}
