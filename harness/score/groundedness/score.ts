/** The verification score: whether the subject knows which of its claims hold, and whether those of its answer do. */
import type { Score, ScoreComponent } from "../scores.ts";
import { unseen } from "../shown.ts";
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
 * | `supported`                | 0.5    | groundedness: of the answer's claims on which the bench's own checker can decide, the share that is borne out |
 * | `unsupported`              |        | the rest of those                                                                   |
 * | `undetermined`             |        | of all claims of the answer, the share on which it cannot decide                    |
 * | `checker_balanced_accuracy_…` |     | what that checker is worth: measured, the same in every cell; see {@linkcode CHECKER_ACCURACY} |
 *
 * Precision, recall and F1 are those of information retrieval (van Rijsbergen). Accuracy, and not F1, is the weighted
 * component, because a cell in which nothing is unsupported has no F1. Groundedness is the faithfulness of RAGAS (Es et al.,
 * 2024), but for claims that cannot be decided: that is the checker's limit and not the answer's, so they are counted apart
 * and stand neither for nor against. An answer of such claims alone has no groundedness, which is not 0.
 */
export function verificationScore(view: TraceView): Score {
  const flags = compareFlags(view);
  const claims = checkAnswer(view);
  const decided = claims.filter(({ verdict }) => verdict !== "undetermined");
  const supported = shareOf(decided, "supported");
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
      ratio("unsupported", shareOf(decided, "unsupported")),
      ...CHECKER_ACCURACY.map(({ id, balancedAccuracy }) => ratio(id, balancedAccuracy)),
    ],
    message: messageOf(flags, claims, view),
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

function messageOf({ wrong }: Flags, claims: readonly CheckedClaim[], { shown }: TraceView): string {
  const count = (verdict: CheckedClaim["verdict"]) => claims.filter((one) => one.verdict === verdict).length;
  const first = claims.find(({ verdict }) => verdict === "unsupported");
  const accuracy = CHECKER_ACCURACY.map(({ balancedAccuracy }) => balancedAccuracy.toFixed(2)).join(" and ");
  const hidden = unseen(shown, ["verdicts"]);
  return [
    ...wrong,
    ...hidden === undefined ? [] : [`${hidden}, so what it makes of its claims is not scored`],
    claims.length === 0
      ? "the answer claims nothing"
      : `of ${claims.length} claims of the answer ${count("supported")} are supported, ${
        count("undetermined")
      } undetermined, ` +
        `${count("unsupported")} unsupported, by a checker with a balanced accuracy of ${accuracy}`,
    ...first === undefined ? [] : [`unsupported: "${first.claim.slice(0, MAX_QUOTE)}"`],
  ].join("; ");
}
