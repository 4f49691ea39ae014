/** One claim against the observations that it is said to rest on. */
import { checkAttributes } from "./attributes.ts";
import { type Claim, readClaim } from "./claim.ts";
import { readEvidence, type Reading } from "./evidence.ts";
import { checkExact } from "./exact.ts";
import type { Finding } from "./finding.ts";
import { checkHours } from "./hours.ts";
import { checkItems } from "./items.ts";
import { checkNamedNumbers } from "./named_numbers.ts";
import { checkOccurrences } from "./occurrences.ts";
import { oppositeWord } from "./opposites.ts";
import { openBound } from "./bounds.ts";
import { checkProsePolarity } from "./prose_polarity.ts";
import { checkRows } from "./rows.ts";
import { checkNames } from "./names.ts";
import { remembered } from "./remembered.ts";
import { GOOD_SUPPORT, type Overlap, overlapOf, supportOf } from "./overlap.ts";
import { statedIn } from "./stated.ts";
import { swappedWord } from "./swapped.ts";
import type { ClaimCheck, ClaimReason, ClaimReasonKind, ClaimVerdict, Evidence } from "./types.ts";

/** Support below which a claim that nothing exact speaks for or against is unsupported. */
export const LEAST_SUPPORT = 0.4;
/**
 * The same where the evidence has fields of its own: they have been compared one by one, and a note that sums up a record
 * uses words of its own, so that wording alone says less.
 */
export const LEAST_SUPPORT_BESIDE_FIELDS = 0.25;
/** {@link GOOD_SUPPORT} for a record. */
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
 * verdict is then `undetermined`, with the reason `not_read`, unless what was read contradicts the claim or states it
 * word for word, or an observation that was read to its end bears it out. Work is linear in what is read.
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
  return remembered(claim, evidence, () => {
    const read = readClaim(claim);
    const reading = readEvidence(evidence);
    const check = checkReading(read, reading);
    if (!reading.cut || read.cut || check.verdict !== "undetermined") return check;
    // What was read to its end may bear the claim out by itself.
    const whole = evidence.filter((_, i) => reading.observations[i]?.cut === false);
    const alone = whole.length === 0 ? check : checkReading(read, readEvidence(whole));
    return alone.verdict === "supported" ? { ...alone, reasons: [...alone.reasons, NOT_READ] } : check;
  });
}

const NOT_READ: ClaimReason = { kind: "not_read", detail: "claim or evidence is longer than what is read" };

function checkReading(claim: Claim, reading: Reading): ClaimCheck {
  const findings = [
    ...checkExact(claim, reading),
    ...checkHours(claim, reading),
    ...checkAttributes(claim, reading),
    ...checkNames(claim, reading),
    ...checkItems(claim, reading),
    ...checkRows(claim, reading),
    ...checkNamedNumbers(claim, reading),
    ...checkOccurrences(claim, reading),
    ...checkProsePolarity(claim, reading),
  ];
  return conclude(claim, reading, findings, overlapOf(claim.stems, reading));
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
  const support = supportOf(overlap, findings.filter(({ weighs }) => weighs === "for").length);
  const wording: ClaimReason = { kind: "overlap", detail: `${Math.round(support * 100)} % of the wording` };
  const answer = (verdict: ClaimVerdict, sources: readonly number[], reasons: readonly ClaimReason[]): ClaimCheck => ({
    verdict,
    evidence: [...new Set(sources)].sort((a, b) => a - b).map((source) => reading.ids[source] ?? ""),
    reasons: cut ? [...reasons, NOT_READ] : reasons,
  });
  const [least, good] = isRecord(reading)
    ? [LEAST_SUPPORT_BESIDE_FIELDS, GOOD_SUPPORT_BESIDE_FIELDS]
    : [LEAST_SUPPORT, GOOD_SUPPORT];
  // What is not found in evidence that was not read to its end may stand there; what was found stands.
  const against = findings.filter(({ weighs, kind, absent }) =>
    weighs === "against" && (!reading.cut || FIRM.has(kind) && absent !== true)
  );
  const stated = against.length > 0 || support < good || cut ? statedIn(claim, reading) : undefined;
  // What one observation says is not contradicted by what another one lacks.
  const standing = stated === undefined ? against : against.filter((one) => !isElsewhere(one, stated));
  if (standing.length > 0) {
    return answer("unsupported", standing.flatMap(({ sources }) => sources), plain(standing));
  }
  const bearing = findings.filter(({ weighs }) => weighs === "for");
  const all = bearing.flatMap(({ sources }) => sources);
  if (claim.stems.length + claim.mentions.length === 0) return answer("undetermined", [], [NO_CLAIM]);
  if (stated !== undefined && !claim.cut && openBound(claim, reading) === undefined) {
    return answer("supported", [...all, stated], [...plain(bearing), wording]);
  }
  if (cut) return answer("undetermined", all, [wording]);
  const rests = [...all, ...overlap.sources];
  if (support >= good) {
    const bound = openBound(claim, reading);
    if (bound !== undefined) {
      return answer("undetermined", rests, [
        { kind: "wording", detail: `the evidence has the number, and not that it is ${bound}` },
        wording,
      ]);
    }
    const swap = swappedWord(claim, reading) ?? oppositeWord(claim, reading);
    return swap === undefined
      ? answer("supported", rests, [...plain(bearing), wording])
      : answer("undetermined", rests, [
        { kind: "wording", detail: `the evidence has ${swap.seen} for ${swap.said}` },
        wording,
      ]);
  }
  // In a record, what has been found exactly is worth more than how it is worded.
  const exact = isRecord(reading) && bearing.length > 0;
  if (support < least && !exact) return answer("unsupported", overlap.sources, [wording]);
  return answer("undetermined", rests, [wording]);
}

/** Whether a finding rests on what is missing or empty in other observations than the one that states the claim. */
const isElsewhere = ({ absent, kind, sources }: Finding, stated: number): boolean =>
  absent === true || kind === "null_asserted" && !sources.includes(stated);

const NO_CLAIM: ClaimReason = { kind: "no_claim", detail: "states nothing that the evidence could bear out" };

const plain = (some: readonly Finding[]) => some.map(({ kind, detail }): ClaimReason => ({ kind, detail }));

/** Whether the evidence is a record and not prose with a stray `Note: …`: fields are a quarter of its passages. */
function isRecord({ passages }: Reading): boolean {
  return passages.filter(({ field }) => field).length * 4 >= passages.length;
}
