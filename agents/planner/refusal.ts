// The words of a refusal, in English. A guess about prose that holds no plan, and only about that: a plan's own texts
// are never searched. It errs towards "no plan", which is asked for again; "Sorry, which order?" is no refusal.
const WORK = "(?:help|assist|comply|do|provide|answer|plan|fulfill?|create|generate|make|produce|support|continue|" +
  "process|complete|share|discuss|engage|participate|offer|be able)";
const DECLINES: readonly RegExp[] = [
  new RegExp(
    `\\b(?:i|we) (?:just |simply |really )?(?:can['’]?t|cannot|can not|won['’]?t|will not|must not) ${WORK}\\b`,
    "i",
  ),
  /\b(?:i['’]?m|i am|we['’]re|we are) (?:sorry, |afraid )?(?:unable|not able|not allowed|not permitted)\b/i,
  /\b(?:i|we) (?:must |have to |need to |will |respectfully )?(?:decline|refuse)\b/i,
  /\bsorry,? (?:but )?(?:no\b|i (?:can['’]?t|won['’]?t|cannot)\b)/i,
  /\bas an ai\b/i,
  /\b(?:against|violates?) (?:my|our|the) (?:\w{1,20} )?(?:guidelines|policy|policies|rules|principles)\b/i,
];

/** Whether prose without a plan declines the work. */
export function soundsLikeRefusal(text: string): boolean {
  return DECLINES.some((pattern) => pattern.test(text));
}
