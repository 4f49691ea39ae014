import type { ClaimReasonKind } from "./types.ts";

/** What one check found about one thing in a claim. */
export interface Finding {
  /** `against`: it contradicts or is made up. `for`: the evidence has it. */
  readonly weighs: "for" | "against";
  readonly kind: ClaimReasonKind;
  readonly detail: string;
  /** Numbers of the observations it was seen in. */
  readonly sources: readonly number[];
  /** Whether all that speaks against the claim is that something was not found. */
  readonly absent?: true;
}

/** A finding against the claim. */
export function against(kind: ClaimReasonKind, detail: string, sources: readonly number[] = []): Finding {
  return { weighs: "against", kind, detail, sources };
}

/** A finding against the claim that rests on nothing that was seen. */
export function lacking(kind: ClaimReasonKind, detail: string, sources: readonly number[] = []): Finding {
  return { ...against(kind, detail, sources), absent: true };
}

/** A finding for the claim. */
export function bearing(kind: ClaimReasonKind, detail: string, sources: readonly number[]): Finding {
  return { weighs: "for", kind, detail, sources };
}
