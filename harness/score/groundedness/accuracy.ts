/**
 * What the bench's own checker is worth. It is the code of the reference's verifier (`agents/verifier`), used as a library:
 * it has no part in the subject's run, but what it misreads the reference misreads, too. So no score rests on it alone, and
 * its measured accuracy is printed beside each that rests on it at all.
 */

/** Balanced accuracy on one set of labelled claims. */
export interface CheckerAccuracy {
  /** Id of the component that prints it. */
  readonly id: string;
  /** The set: RAGTruth, the half that was set aside for development. */
  readonly set: string;
  /** Mean of the recall on supported and on unsupported claims, from 0 to 1. */
  readonly balancedAccuracy: number;
}

/**
 * Measured on RAGTruth (Niu et al., 2024). To repeat: `deno task perf:verify -- FOLDER`, with the folder of the data; the
 * figures change with the verifier, and are then to be written here anew.
 */
export const CHECKER_ACCURACY: readonly CheckerAccuracy[] = [
  { id: "checker_balanced_accuracy_data2txt", set: "RAGTruth data2txt, dev", balancedAccuracy: 0.84 },
  { id: "checker_balanced_accuracy_qa", set: "RAGTruth QA, dev", balancedAccuracy: 0.812 },
];
