/** Statements about the search itself: they state no fact of the world. */
import { splitClaims } from "./split.ts";

const PATTERNS: readonly RegExp[] = [
  /\b(?:could|can|was|were|am|is|are|do|did|does) ?(?:not|n't|unable) (?:be )?(?:to )?(?:find|found|determine|determined|establish|established|look(?:ed)? up|verify|verified|confirm|confirmed|retrieve|retrieved|reach|reached|access|answer|answered|check|checked|tell|know|known|read)\b/,
  /\b(?:unable|failed|impossible) to (?:find|determine|establish|look|verify|confirm|retrieve|reach|access|answer|check|provide|read)\b/,
  /\b(?:tool|call|lookup|look-up|search|query|server|request)s? (?:has |have )?(?:failed|fails|timed out|returned (?:an error|nothing|no results?))\b/,
  /\b(?:not|never) (?:explicitly |specifically |clearly |directly )?(?:have )?(?:mention|mentioned|stated?|specified|specify|provided|given|indicated?|disclosed?)\b/,
  /\b(?:no|insufficient|not enough|not sufficient|sufficient) (?:information|details|data|evidence|mention)\b/,
  /^\W*(?:here is|here's|here are|below is|the following is)\b.*:\s*$/s,
  /\b(?:ask|asks|asked|check|confirm|find out|verify|clarify|unclear|unknown|not clear|question)\b.*\bwhether\b|\?\s*$/s,
  /\blet me know\b|\bhope this helps\b|\bfurther questions\b/,
];

/** Units of a claim that are looked at. */
const MAX_LOOK = 2000;

/** Where one statement of a sentence ends and the next begins. */
const SEAMS =
  /(?<=;)\s|,\s(?=(?:but|and|although|though|while|yet|so|whether)\s)|\s(?=(?:but|although|though|whereas)\s)/;

/** What a claim says beyond that something could not be found out; empty where that is all. */
export function withoutMeta(text: string): string {
  if (!isMeta(text)) return text;
  return splitClaims(text).flatMap((part) => isMeta(part) ? part.split(SEAMS) : [part]).filter((part) => !isMeta(part))
    .join(" ");
}

/** What every one of {@link PATTERNS} needs: most claims have none of it. */
const MAY_BE =
  /not|n['’]t|unable|never|fail|impossible|timed out|returned|\bno\b|sufficient|enough|here|below|following|whether|\?|let me know|hope this|further/i;

function isMeta(text: string): boolean {
  if (!MAY_BE.test(text)) return false;
  const lower = text.slice(0, MAX_LOOK).toLowerCase().replaceAll("’", "'").replaceAll("n't", " not").replaceAll(
    "cannot",
    "can not",
  );
  return PATTERNS.some((pattern) => pattern.test(lower));
}
