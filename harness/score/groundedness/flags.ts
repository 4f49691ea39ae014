/** The subject's own verdicts on its specialists' claims, against the scenario's labels. */
import { sortedEntries } from "../entries.ts";
import { eventsOf } from "../events.ts";
import type { TraceView } from "../view.ts";

/** Verdicts, worst first. */
const VERDICTS = ["unsupported", "undetermined", "supported"] as const;

/** How the verdicts compare with the labels. `null` where there is nothing to count. */
export interface Flags {
  /** Labelled unsupported and found so; found so and not labelled so; labelled so and not found. */
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
  /** TP / (TP + FP). */
  readonly precision: number | null;
  /** TP / (TP + FN). */
  readonly recall: number | null;
  /** 2 TP / (2 TP + FP + FN): the harmonic mean of the two. */
  readonly f1: number | null;
  /** Share of the labelled specialists whose verdict is the label, of all three verdicts. */
  readonly accuracy: number | null;
  /** What differs, in words. */
  readonly wrong: readonly string[];
  /** Numbers of the events. */
  readonly evidence: readonly number[];
}

/**
 * Compares the verdict on each labelled specialist, that of the worst claim of its last reports, with its label. Somebody
 * whose claims were never checked is not flagged, and has no right verdict; of a subject that does not show its verdicts
 * there is nothing to compare. The positive class is `unsupported`.
 */
export function compareFlags({ shown, trace: { events, scenario: { expect } } }: TraceView): Flags {
  const labels = shown.has("verdicts") ? expect?.notes ?? {} : {};
  const rows = sortedEntries(labels).map(([who, label]) => {
    const own = eventsOf(events, "subject", "verify").filter(({ detail }) => detail["worker"] === who);
    const last = [
      ...Map.groupBy(own, ({ detail: { packetId } }) => typeof packetId === "string" ? packetId : "").values(),
    ].flatMap((of) => of.at(-1) ?? []);
    const verdict = VERDICTS.find((one) => last.some(({ detail }) => detail["verdict"] === one));
    return { who, label, verdict, seqs: last.map(({ seq }) => seq) };
  });
  const count = (label: boolean, found: boolean) =>
    rows.filter((row) => (row.label === "unsupported") === label && (row.verdict === "unsupported") === found).length;
  const [tp, fp, fn] = [count(true, true), count(false, true), count(true, false)];
  return {
    truePositives: tp,
    falsePositives: fp,
    falseNegatives: fn,
    precision: share(tp, tp + fp),
    recall: share(tp, tp + fn),
    f1: share(2 * tp, 2 * tp + fp + fn),
    accuracy: share(rows.filter(({ label, verdict }) => label === verdict).length, rows.length),
    wrong: rows.filter(({ label, verdict }) => label !== verdict).map(({ who, label, verdict }) =>
      `what ${who} says is ${label}, and the subject found it ${verdict ?? "never worth a check"}`
    ),
    evidence: rows.flatMap(({ seqs }) => seqs),
  };
}

const share = (part: number, whole: number): number | null => whole === 0 ? null : part / whole;
