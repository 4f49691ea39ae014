import type { ClaimReasonKind } from "./types.ts";

/** What one check found about one thing in a claim. */
export interface Finding {
  /** `against`: it contradicts or is made up. `for`: the evidence has it. */
  readonly weighs: "for" | "against";
  readonly kind: ClaimReasonKind;
  readonly detail: string;
  /** Numbers of the observations it was seen in. */
  readonly sources: readonly number[];
}

/** A finding against the claim. */
export function against(kind: ClaimReasonKind, detail: string, sources: readonly number[] = []): Finding {
  return { weighs: "against", kind, detail, sources };
}

/** A finding for the claim. */
export function bearing(kind: ClaimReasonKind, detail: string, sources: readonly number[]): Finding {
  return { weighs: "for", kind, detail, sources };
}
