/** The verification score: whether the subject knows which of its claims hold, and whether those of its answer do. */
import type { Score, ScoreComponent } from "../scores.ts";
import type { TraceView } from "../view.ts";
import { CHECKER_ACCURACY } from "./accuracy.ts";
import { checkAnswer, type CheckedClaim } from "./claims.ts";
import { compareFlags, type Flags } from "./flags.ts";

export { CHECKER_ACCURACY, type CheckerAccuracy } from "./accuracy.ts";

/**
 * Scores finding verification, from 0 to 1:
 *
 * ```text
 * verification = (0.5 × accuracy + 0.5 × supported) / the weights that have something to count
 * ```
 *
 * | component                  | weight | is                                                                                  |
 * | -------------------------- | ------ | ----------------------------------------------------------------------------------- |
 * | `flags_accuracy`           | 0.5    | share of the scenario's labels (supported, unsupported, undetermined) that the subject's verdicts meet |
 * | `flags_precision`, `flags_recall`, `flags_f1` |  | of the flag `unsupported` against those labels; beside them the counts, to be summed over cells |
 * | `supported`                | 0.5    | groundedness: share of the answer's claims that the bench's own checker finds borne out |
 * | `undetermined`, `unsupported` |     | the shares of the others                                                            |
 * | `checker_balanced_accuracy_…` |     | what that checker is worth: measured, the same in every cell; see {@linkcode CHECKER_ACCURACY} |
 *
 * Precision, recall and F1 are those of information retrieval (van Rijsbergen). Accuracy, and not F1, is the weighted
 * component, because a cell in which nothing is unsupported has no F1.
 */
export function verificationScore(view: TraceView): Score {
  const flags = compareFlags(view);
  const claims = checkAnswer(view);
  const supported = shareOf(claims, "supported");
  const weighted = [flags.accuracy, supported].filter((value) => value !== null);
  return {
    id: "verification",
    value: weighted.length === 0 ? null : rounded(weighted.reduce((sum, value) => sum + value, 0) / weighted.length),
    unit: "ratio",
    components: [
      { ...ratio("flags_accuracy", flags.accuracy), weight: 0.5 },
      ratio("flags_precision", flags.precision),
      ratio("flags_recall", flags.recall),
      ratio("flags_f1", flags.f1),
      { id: "flags_true_positives", value: flags.truePositives, unit: "count" },
      { id: "flags_false_positives", value: flags.falsePositives, unit: "count" },
      { id: "flags_false_negatives", value: flags.falseNegatives, unit: "count" },
      { ...ratio("supported", supported), weight: 0.5 },
      ratio("undetermined", shareOf(claims, "undetermined")),
      ratio("unsupported", shareOf(claims, "unsupported")),
      ...CHECKER_ACCURACY.map(({ id, balancedAccuracy }) => ratio(id, balancedAccuracy)),
    ],
    message: messageOf(flags, claims),
    evidence: [...flags.evidence, ...view.end === undefined ? [] : [view.end.seq]],
  };
}

const ratio = (id: string, value: number | null): ScoreComponent => ({
  id,
  value: value === null ? null : rounded(value),
  unit: "ratio",
});

function shareOf(claims: readonly CheckedClaim[], verdict: CheckedClaim["verdict"]): number | null {
  return claims.length === 0 ? null : claims.filter((one) => one.verdict === verdict).length / claims.length;
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

/** The longest claim that a message quotes. */
const MAX_QUOTE = 120;

function messageOf({ wrong }: Flags, claims: readonly CheckedClaim[]): string {
  const count = (verdict: CheckedClaim["verdict"]) => claims.filter((one) => one.verdict === verdict).length;
  const first = claims.find(({ verdict }) => verdict === "unsupported");
  const accuracy = CHECKER_ACCURACY.map(({ balancedAccuracy }) => balancedAccuracy.toFixed(2)).join(" and ");
  return [
    ...wrong,
    claims.length === 0
      ? "the answer claims nothing"
      : `of ${claims.length} claims of the answer ${count("supported")} are supported, ${
        count("undetermined")
      } undetermined, ` +
        `${count("unsupported")} unsupported, by a checker with a balanced accuracy of ${accuracy}`,
    ...first === undefined ? [] : [`unsupported: "${first.claim.slice(0, MAX_QUOTE)}"`],
  ].join("; ");
}
