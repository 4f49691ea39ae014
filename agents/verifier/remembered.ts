/** Checks that were made before. The same notes come again: when a run is resumed, and with every seed of a cell. */
import type { ClaimCheck, Evidence } from "./types.ts";

/** Checks that are remembered. */
const MAX_CHECKS = 500;
/** UTF-16 units of claim and evidence beyond which a check is not remembered. */
const MAX_UNITS = 6_000;

const checks = new Map<string, ClaimCheck>();

/** The check of a claim against evidence, as it was made before or as `check` makes it. `check` has to be pure. */
export function remembered(claim: string, evidence: readonly Evidence[], check: () => ClaimCheck): ClaimCheck {
  const key = keyOf(claim, evidence);
  if (key === undefined) return check();
  const before = checks.get(key);
  if (before !== undefined) return before;
  const made = frozen(check());
  const [oldest] = checks.keys();
  if (oldest !== undefined && checks.size >= MAX_CHECKS) checks.delete(oldest);
  checks.set(key, made);
  return made;
}

/** Lengths before texts: no text can pass for the end of another. */
function keyOf(claim: string, evidence: readonly Evidence[]): string | undefined {
  let key = `${claim.length}:${claim}`;
  for (const { id, text } of evidence) {
    if (key.length + id.length + text.length > MAX_UNITS) return undefined;
    key += `${id.length},${text.length}:${id}${text}`;
  }
  return key.length > MAX_UNITS ? undefined : key;
}

/** Handed out more than once, so that nobody may change it. */
function frozen(check: ClaimCheck): ClaimCheck {
  Object.freeze(check.evidence);
  Object.freeze(check.reasons);
  return Object.freeze(check);
}
