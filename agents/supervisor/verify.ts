/** Checks each report against its own observations before anything is passed on. */
import { clip, type FailureCode, FAILURES, type Json } from "../../core/mod.ts";
import type { ClaimVerdict, Finding, Handoff, Report, ReportedFailure } from "../types.ts";
import { checkClaim, type ClaimCheck, type ClaimReasonKind, type Evidence, splitClaims } from "../verifier/mod.ts";
import { untold } from "./effects.ts";
import { heldToFindings } from "./findings_check.ts";
import type { Checked } from "./state.ts";

/** What was found about one sentence. */
export interface CheckedClaim extends Pick<ClaimCheck, "verdict" | "reasons"> {
  /** The sentence. */
  readonly claim: string;
  /** Ids of the observations that it rests on, or that speak against it. */
  readonly evidence: readonly string[];
}

/** What was found about a report. */
export interface Verdict {
  /** The worker. */
  readonly worker: string;
  /** The packet. */
  readonly packetId: string;
  /** That of its worst sentence; `none` if nothing is claimed. */
  readonly verdict: ClaimVerdict | "none";
  /** Ids of the observations that the claims which stand rest on. */
  readonly evidence: readonly string[];
  /** Sentence by sentence. */
  readonly claims: readonly CheckedClaim[];
}

/** A report with its verdict; claims that rest on nothing have been withheld. */
export interface Verified extends Checked {
  /** What was found about it. */
  readonly verdict: Verdict;
}

/** How claims are read and checked. */
export interface Verifier {
  /** The sentences of a note. */
  splitClaims(note: string): string[];
  /** One of them against what was observed. */
  checkClaim(claim: string, evidence: readonly Evidence[]): ClaimCheck;
}

/**
 * A sentence that the observations speak against, or that rests on none, is withheld, and a report left without any
 * fails with `unverified`. One that they neither bear out nor contradict is passed on, and listed. A report that claims
 * success without a claim fails with `empty_result`. A report that is not `ok` and does not say why gets a code, so that
 * nothing that is missing can go unsaid. What the worker has done and no claim that stands tells of is stated from the
 * record of its calls.
 *
 * @param inputs What the packet had told the worker. A note may repeat an id or a name from there, unless the worker may
 * act: of what has been done, only a result is evidence.
 */
export function verifyReport(
  report: Report,
  inputs: Handoff["inputs"] = {},
  verifier: Verifier = { checkClaim, splitClaims },
): Verified {
  const { worker, packetId } = report;
  const told = report.effects === undefined ? toldBy(inputs) : [];
  const checked = report.findings.map((finding) => checkFinding(finding, told, verifier));
  const said = checked.flatMap((one) => one.claims);
  const stated = untold(
    report.effects ?? [],
    said.filter(({ verdict }) => verdict === "supported"),
    report.failure?.code,
  );
  const claims = [...said, ...stated.map(claimOf)];
  const kept = [...checked.flatMap(({ finding }) => finding ?? []), ...stated];
  const evidence = [...new Set(kept.flatMap(({ observations }) => observations.map(({ id }) => id)))];
  const withheld = claims.filter(({ verdict }) => verdict === "unsupported").length;
  const unconfirmed = claims.filter(({ verdict }) => verdict === "undetermined").map(({ claim }) => claim);
  const counts = { withheld, of: said.length, stated: stated.length };
  const settledReport = heldToFindings(report, settled(report, kept, counts));
  return {
    report: settledReport,
    unconfirmed,
    verdict: { worker, packetId, verdict: worst(claims) ?? "none", evidence, claims },
  };
}

/** The longest lists and texts of an event about a check. */
const MAX_CLAIMS = 50;
const MAX_TEXT = 300;
const MAX_REASONS = 4;

/** A verdict as an event tells it: of bounded size, whatever was claimed. */
export function verdictEvent({ worker, packetId, verdict, evidence, claims }: Verdict): { [key: string]: Json } {
  return {
    worker,
    packetId,
    verdict,
    evidence: [...evidence],
    claims: claims.slice(0, MAX_CLAIMS).map((one) => ({
      claim: clip(one.claim, MAX_TEXT),
      verdict: one.verdict,
      evidence: [...one.evidence],
      reasons: one.reasons.slice(0, MAX_REASONS).map(({ kind, detail }) => ({ kind, detail: clip(detail, MAX_TEXT) })),
    })),
  };
}

/** The one place of evidence that is no observation. */
const INPUTS = "inputs";

/** The longest input that is an id or a name, and no statement. */
const MAX_INPUT = 40;
const MAX_INPUT_WORDS = 4;

/** The ids and names that a packet said, as evidence: one a line. */
function toldBy(inputs: Handoff["inputs"]): Evidence[] {
  const lines = Object.entries(inputs).flatMap(([key, value]) => {
    if (typeof value !== "string" && typeof value !== "number") return [];
    const text = String(value);
    return text.length > MAX_INPUT || text.split(/\s+/).length > MAX_INPUT_WORDS ? [] : [`${key}: ${text}`];
  });
  return lines.length === 0 ? [] : [{ id: INPUTS, text: lines.join("\n") }];
}

/** Reasons that say that something is named which was not seen, and not that something else was. */
const NOT_SEEN: ReadonlySet<ClaimReasonKind> = new Set(["reference_missing", "name_missing", "number_missing"]);

/** Against its observations alone; if all that they lack is what the packet named, with that besides. */
function checkBoth(
  sentence: string,
  own: readonly Evidence[],
  told: readonly Evidence[],
  { checkClaim }: Pick<Verifier, "checkClaim">,
): ClaimCheck {
  const alone = checkClaim(sentence, own);
  const isLacking = alone.verdict === "unsupported" && alone.reasons.every(({ kind }) => NOT_SEEN.has(kind));
  if (told.length === 0 || !isLacking) return alone;
  const filled = checkClaim(sentence, [...own, ...told]);
  return filled.evidence.some((id) => id !== INPUTS) ? filled : alone;
}

/** A statement from the record of calls, as a checked claim. */
function claimOf({ claim, observations }: Finding): CheckedClaim {
  return {
    claim,
    verdict: "supported",
    evidence: observations.map(({ id }) => id),
    reasons: [{ kind: "overlap", detail: "stated from the record of its calls" }],
  };
}

function checkFinding(finding: Finding, told: readonly Evidence[], verifier: Verifier) {
  const { claim, observations } = finding;
  const own = observations.map(({ id, text }) => ({ id, text }));
  const claims = verifier.splitClaims(claim).map((sentence): CheckedClaim => {
    if (observations.length === 0) return { claim: sentence, verdict: "unsupported", evidence: [], reasons: [] };
    const { verdict, evidence: ids, reasons } = checkBoth(sentence, own, told, verifier);
    return { claim: sentence, verdict, reasons, evidence: ids.filter((id) => id !== INPUTS) };
  });
  const kept = claims.filter(({ verdict }) => verdict !== "unsupported");
  if (kept.length === 0) return { claims };
  const named = new Set(kept.flatMap((one) => one.evidence));
  const rests = observations.filter(({ id }) => named.has(id));
  const stands: Finding = {
    ...finding,
    claim: kept.length === claims.length ? claim : kept.map((one) => one.claim).join(" "),
    observations: rests.length === 0 ? observations : rests,
    verdict: worst(kept) ?? "undetermined",
  };
  return { claims, finding: stands };
}

function worst(claims: readonly CheckedClaim[]): ClaimVerdict | undefined {
  return (["unsupported", "undetermined", "supported"] as const).find((verdict) =>
    claims.some((one) => one.verdict === verdict)
  );
}

/** How many sentences there were, and how many were withheld. */
interface Withheld {
  readonly withheld: number;
  readonly of: number;
  /** How many effects are stated that it did not tell of. */
  readonly stated: number;
}

/** The report with the claims that are kept, and a status and a failure that agree with them. */
function settled(report: Report, kept: Finding[], counts: Withheld): Report {
  const failure = report.failure ?? reasonFor(report, kept, counts);
  const note = counts.withheld + counts.stated === 0 ? report.note : kept.map(({ claim }) => claim).join("\n");
  if (failure === undefined) return { ...report, findings: kept, note };
  const status = kept.length > 0 ? "partial" : report.status === "needs_clarification" ? report.status : "failed";
  return { ...report, status, failure, findings: kept, note };
}

/** What is wrong with a report that names no failure, if anything is. */
function reasonFor(
  { status, question }: Report,
  kept: readonly Finding[],
  { withheld, of }: Withheld,
): ReportedFailure | undefined {
  if (status === "needs_clarification") {
    return coded("ambiguous", question === undefined ? "it needs to know more" : `it asks: ${question}`);
  }
  if (withheld > 0) {
    const them = of === 1 ? "its one claim rests" : `${withheld} of ${of} claims rest`;
    return coded("unverified", `${them} on nothing that was observed, and ${withheld === 1 ? "was" : "were"} withheld`);
  }
  if (status === "ok") {
    return kept.length > 0 ? undefined : coded("empty_result", "success is reported, and nothing is claimed");
  }
  return coded("internal", `the report is ${status} and does not say why`);
}

function coded(code: FailureCode, detail: string): ReportedFailure {
  return { code, detail, retryable: FAILURES[code].retryable };
}
