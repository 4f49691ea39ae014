/** The claim verifier: what a note says against the observations that it rests on. */
export { checkClaim } from "./check.ts";
export { splitClaims } from "./split.ts";
export {
  CLAIM_REASON_KINDS,
  type ClaimCheck,
  type ClaimReason,
  type ClaimReasonKind,
  type ClaimVerdict,
  type Evidence,
} from "./types.ts";
