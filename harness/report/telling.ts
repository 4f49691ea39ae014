/** Which cell of a run is most worth a look. */
import type { Answer } from "../../agents/mod.ts";
import type { Outcome } from "../score/check.ts";

/** How much a cell is worth a look, 0 the most: failed, broken, untestable, degraded, of a smoke scenario, any. */
export function tellingRank(
  { outcome, answer, isSmoke }: {
    readonly outcome: Outcome;
    readonly answer: Answer["status"] | undefined;
    readonly isSmoke: boolean;
  },
): number {
  const worst = (["fail", "error", "untestable"] as const).findIndex((one) => one === outcome);
  if (worst >= 0) return worst;
  return answer === "degraded" ? 3 : isSmoke ? 4 : 5;
}
