/** What the claim verifier is worth on labelled claims. A claim is *flagged* if its verdict is `unsupported`. */
import type { ClaimVerdict } from "../../agents/verifier/mod.ts";

/** A label and the verdict that the same claim got. */
export interface Judged {
  readonly label: "supported" | "unsupported";
  readonly verdict: ClaimVerdict;
}

/** Shares from 0 to 1; `null` where the denominator is 0. */
export interface VerifyFigures {
  readonly rows: number;
  /** Mean of recall on both labels; `undetermined` counts as not flagged. */
  readonly balancedAccuracy: number | null;
  /** Share of flagged claims that are unsupported. */
  readonly precision: number | null;
  /** Share of unsupported claims that are flagged. */
  readonly recall: number | null;
  /** Share of claims that are neither supported nor unsupported. */
  readonly undetermined: number | null;
  /** Balanced accuracy of the rest. */
  readonly balancedAccuracyDetermined: number | null;
}

/** The figures of one file. */
export function figuresOf(judged: readonly Judged[]): VerifyFigures {
  const flagged = judged.filter(({ verdict }) => verdict === "unsupported");
  const open = judged.filter(({ verdict }) => verdict === "undetermined");
  const wrong = judged.filter(({ label }) => label === "unsupported");
  const hits = flagged.filter(({ label }) => label === "unsupported").length;
  return {
    rows: judged.length,
    balancedAccuracy: balancedAccuracy(judged),
    precision: share(hits, flagged.length),
    recall: share(hits, wrong.length),
    undetermined: share(open.length, judged.length),
    balancedAccuracyDetermined: balancedAccuracy(judged.filter(({ verdict }) => verdict !== "undetermined")),
  };
}

function balancedAccuracy(judged: readonly Judged[]): number | null {
  const [wrong, right] = (["unsupported", "supported"] as const).map((label) =>
    judged.filter((one) => one.label === label)
  );
  const flagged = (some: readonly Judged[] = []) => some.filter(({ verdict }) => verdict === "unsupported").length;
  const [recall, alarms] = [share(flagged(wrong), wrong?.length ?? 0), share(flagged(right), right?.length ?? 0)];
  return recall === null || alarms === null ? null : (recall + 1 - alarms) / 2;
}

const share = (part: number, whole: number): number | null => whole === 0 ? null : part / whole;
