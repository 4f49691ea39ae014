/** One claim against the observations that it is said to rest on. */
import { checkAttributes } from "./attributes.ts";
import { type Claim, readClaim } from "./claim.ts";
import { readEvidence, type Reading } from "./evidence.ts";
import { checkExact } from "./exact.ts";
import type { Finding } from "./finding.ts";
import { checkHours } from "./hours.ts";
import { checkItems } from "./items.ts";
import { checkNamedNumbers } from "./named_numbers.ts";
import { checkProsePolarity } from "./prose_polarity.ts";
import { checkRows } from "./rows.ts";
import { checkNames } from "./names.ts";
import { type Overlap, overlapOf } from "./overlap.ts";
import type { ClaimCheck, ClaimReason, ClaimReasonKind, ClaimVerdict, Evidence } from "./types.ts";

/** Support below which a claim that nothing exact speaks for or against is unsupported. */
export const LEAST_SUPPORT = 0.4;
/**
 * The same where the evidence has fields of its own: they have been compared one by one, and a note that sums up a record
 * uses words of its own, so that wording alone says less.
 */
export const LEAST_SUPPORT_BESIDE_FIELDS = 0.25;
/** Support from which wording alone bears a claim out. */
export const GOOD_SUPPORT = 0.55;
/** The same for a record. */
export const GOOD_SUPPORT_BESIDE_FIELDS = 0.4;

/**
 * Checks one claim against the observations that it is said to rest on.
 *
 * Whatever the claim states exactly (identifiers, numbers with units, dates, times, names, listed items) has to be in the
 * evidence or, if it is a number, to follow from it; what it says of a field or a row has to be what that holds. One
 * finding against it makes it `unsupported`. Otherwise wording decides: the share that the best passages have.
 * The weights and limits are round numbers set by hand; nothing is fitted and nothing is known of any data set.
 *
 * Pure and deterministic. What is beyond {@link MAX_CLAIM}, {@link MAX_EVIDENCE} and {@link MAX_FIELDS} is not read: the
 * verdict is then `undetermined`, with the reason `not_read`, unless what was read contradicts the claim. Work is linear
 * in what is read.
 *
 * @param claim One statement; see {@link splitClaims}.
 * @param evidence The observations. Untrusted.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkClaim } from "./mod.ts";
 *
 * const evidence = [{ id: "refund", text: '{"refund": "none on file", "total": "$129.00"}' }];
 * assert.equal(checkClaim("No refund of the $129.00 yet.", evidence).verdict, "supported");
 * assert.equal(checkClaim("A refund was issued.", evidence).verdict, "unsupported");
 * ```
 */
export function checkClaim(claim: string, evidence: readonly Evidence[]): ClaimCheck {
  const read = readClaim(claim);
  const reading = readEvidence(evidence);
  const findings = [
    ...checkExact(read, reading),
    ...checkHours(read, reading),
    ...checkAttributes(read, reading),
    ...checkNames(read, reading),
    ...checkItems(read, reading),
    ...checkRows(read, reading),
    ...checkNamedNumbers(read, reading),
    ...checkProsePolarity(read, reading),
  ];
  const overlap = overlapOf(read.stems, reading);
  return conclude(read, reading, findings, overlap);
}

/**
 * Support from 0 to 1: the mean of the three shares of {@link Overlap}, the best window counting double. What has been
 * found exactly (a number, an hour, a field that says yes) counts as one more word that is borne out.
 */
export function supportOf({ words, anywhere, window, pairs }: Overlap, found: number): number {
  const wording = (anywhere + 2 * window + pairs) / 4;
  return words + found === 0 ? 0 : (wording * words + found) / (words + found);
}

/** Contradictions by something that was seen, not by something that was not. */
const FIRM: ReadonlySet<ClaimReasonKind> = new Set(["polarity", "null_asserted", "number", "unit", "value"]);

function conclude(
  claim: Claim,
  reading: Reading,
  findings: readonly Finding[],
  overlap: Overlap,
): ClaimCheck {
  const cut = reading.cut || claim.cut;
  // What is not found in evidence that was not read to its end may stand there; what was found stands.
  const against = findings.filter(({ weighs, kind }) => weighs === "against" && (!reading.cut || FIRM.has(kind)));
  const support = supportOf(overlap, findings.filter(({ weighs }) => weighs === "for").length);
  const wording: ClaimReason = { kind: "overlap", detail: `${Math.round(support * 100)} % of the wording` };
  const answer = (verdict: ClaimVerdict, sources: readonly number[], reasons: readonly ClaimReason[]): ClaimCheck => ({
    verdict,
    evidence: [...new Set(sources)].sort((a, b) => a - b).map((source) => reading.ids[source] ?? ""),
    reasons: cut
      ? [...reasons, { kind: "not_read", detail: "claim or evidence is longer than what is read" }]
      : reasons,
  });
  const plain = (some: readonly Finding[]) => some.map(({ kind, detail }): ClaimReason => ({ kind, detail }));
  const all = findings.flatMap(({ sources }) => sources);
  if (against.length > 0) {
    return answer(
      "unsupported",
      against.flatMap(({ sources }) => sources),
      plain(against),
    );
  }
  if (claim.stems.length + claim.mentions.length === 0) {
    return answer("undetermined", [], [{
      kind: "no_claim",
      detail: "states nothing that the evidence could bear out",
    }]);
  }
  if (cut) return answer("undetermined", all, [wording]);
  const [least, good] = isRecord(reading)
    ? [LEAST_SUPPORT_BESIDE_FIELDS, GOOD_SUPPORT_BESIDE_FIELDS]
    : [LEAST_SUPPORT, GOOD_SUPPORT];
  if (support >= good) return answer("supported", [...all, ...overlap.sources], [...plain(findings), wording]);
  // In a record, what has been found exactly is worth more than how it is worded.
  const exact = isRecord(reading) && findings.some(({ weighs }) => weighs === "for");
  if (support < least && !exact) return answer("unsupported", overlap.sources, [wording]);
  return answer("undetermined", [...all, ...overlap.sources], [wording]);
}

/** Whether the evidence is a record and not prose with a stray `Note: …`: fields are a quarter of its passages. */
function isRecord({ passages }: Reading): boolean {
  return passages.filter(({ field }) => field).length * 4 >= passages.length;
}
