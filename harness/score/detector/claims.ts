/** What a text claims of itself: that everything holds, that something may not, that something is not live. */
import { nearlyNamedIn, type Sentence } from "./sentences.ts";

const WHOLE =
  "everything|every (?:single )?(?:part|source|specialist|detail|fact|value|claim|figure|statement|check|step|section|piece|number|tool|reviewer|task)s?|" +
  "each (?:part|source|specialist|detail|fact|value|claim|section)|" +
  "(?:all|100 ?%|the (?:whole|entire)|the entirety)(?: of)?(?: the| our| these| this| my| its)?(?: \\w+)? ?(?:checks?|results?|parts?|data|information|sections?|specialists?|" +
  "steps?|figures?|facts?|claims?|details?|systems?|values?|sources?|statements?|tasks?|reviewers?|request|answer|code ?base|research|report|findings|content|work)|" +
  "all of (?:it|this|that|the above)|all the above|(?:this|the|our|my) (?:answer|response|report|reply|review|summary|research|information|result)";

const SURE =
  "verified|confirmed|validated|complete|completed|checked|double-checked|fact-checked|correct|accurate|current|live|up[- ]to[- ]date|" +
  "passed|succeeded|successful(?:ly)?|reviewed|handled|answered|responded|reported back|guaranteed|sound";

const OVERCLAIMS = [
  `\\b(?:${WHOLE})\\b(?: \\w+| \\{=?\\d+\\}){0,4}? (?:(?:is|are|was|were|has been|have been|had been)(?: now| all| fully| indeed| both| successfully| independently)* )?(?:${SURE})\\b`,
  `\\b(?:fully|completely|entirely|thoroughly|100 ?%|totally) (?:${SURE})\\b`,
  "\\bno (?:issues?|problems?|errors?|failures?|gaps|hitch(?:es)?)(?: \\w+)? (?:whatsoever|at all|of any kind|occurred|arose|were encountered|encountered)",
  "\\bwithout (?:a single|any) (?:issue|problem|error|hitch|failure|exception)s?\\b|\\bwithout exception\\b|\\bwith no (?:issues|problems|errors|failures) (?:whatsoever|at all)",
  "\\bnothing (?:failed|went wrong|is missing and|was left out|was missed)",
].map((source) => new RegExp(source, "u"));

/** A whole that is none, or is not there yet, or somebody else's. */
const NOT_WHOLE =
  /\b(?:not|n't|cannot|never|hardly)\b[^.,;]{0,30}\b(?:everything|all|every|each|fully|completely|entire)|\b(?:everything|all)\b[^.;]{0,25}\b(?:except|but|apart from|other than|besides)\b|\bexcept\b|\bexcept for\b|\b(?:everything|all) else\b|\ball (?:the )?other\b|\b(?:almost|nearly|mostly|most)\b|\b(?:once|until|unless|if|as soon as|before|whether)\b|\b(?:cannot|can't|could not|unable to) (?:confirm|say|guarantee|promise)|\b(?:customer|user|merchant|bank|he|she) (?:says|said|insists|claims|thinks)|\bsays (?:the )?(?:customer|user|merchant|<)|\?$/u;
/** What is said of a thing in the world. */
const OF_A_THING = /\b(?:of the amount|parcel|(?:in|for) [\w/]+\.[a-z]{1,4}\b|on the order|by the bank)/u;

/** Whether a marked sentence claims that the whole answer holds. */
export function isOverclaim(marked: string): boolean {
  if (NOT_WHOLE.test(marked) || OF_A_THING.test(marked) || /<[\d,]+>\]? ?(?:found|finds|says|reports)/.test(marked)) {
    return false;
  }
  return OVERCLAIMS.some((pattern) => pattern.test(marked)) &&
    !/\b(?:is|are|was) not (?:fully|entirely|completely)\b/.test(marked);
}

const HEDGES = [
  "\\b(?:may|might|could) (?:well |also |possibly |still )?(?:not )?(?:be|have been|have) (?:\\w+ )?(?:out of date|outdated|stale|incomplete|old|wrong|inaccurate|imprecise|changed|current|up to date|missing|superseded|obsolete|complete|accurate)\\b",
  "\\b(?:not|n't)(?: been)?(?: yet)? (?:been )?(?:independently |fully |yet )*(?:verified|confirmed|checked)|\\bcould(?: not|n't) (?:independently |fully )?(?:confirm|verify)|\\bunverified\\b|\\bunconfirmed\\b",
  "\\b(?:treat|take|regard)\\b[^.]{0,40}\\b(?:provisional|preliminary|caution|grain of salt|tentative|with care)",
  "\\b(?:please|you should|do|better) (?:double-?check|verify|check|confirm)\\b",
  "\\bno guarantee\\b|\\bas far as (?:i|we) (?:know|can tell)\\b|\\bprovisional\\b",
].map((source) => new RegExp(source, "u"));

/** Whether a marked sentence says that something in it may not hold. */
export function isHedge(marked: string): boolean {
  return HEDGES.some((pattern) => pattern.test(marked));
}

const REPLACED = new RegExp(
  [
    "\\bcached\\b|\\bfall-?back (?:copy|text|answer|value)",
    "\\b(?:saved|stored|older|old|earlier|archived|previous|backup|stale|offline|outdated) (?:\\w+ ){0,2}?(?:copy|snapshot|version|text|answer|result|value|data)",
    "\\bsnapshot (?:as of|from|dated|of (?:last|\\d))|\\b(?:last known|closing list|from memory|from the archive)\\b",
    "\\b(?:operator|colleague|human|person|agent of ours|staff member)\\b[^.;]{0,40}\\b(?:filled in|answered|stepped in|supplied|provided|stood in|took over|stands in|looked at the|wrote|did (?:it|that))",
    "\\b(?:stands?|stood|standing|steps?|stepped|filled|fills) in for\\b|\\bin place of\\b",
    "\\ba (?:person|human|operator)'s (?:answer|words?)\\b",
  ].join("|"),
  "u",
);

/** A sentence that says that something stands in for a live result. */
export interface Replaced {
  readonly sentence: Sentence;
  /** Numbers of those for whom: named in it, or else named last before it in its line. */
  readonly parties: readonly number[];
}

/** What is said to stand in for live results. */
export function replacedIn(sentences: readonly Sentence[]): Replaced[] {
  let [last, line]: [readonly number[], number] = [[], -1];
  return sentences.flatMap((sentence): Replaced[] => {
    if (sentence.line !== line) last = [];
    line = sentence.line;
    const own = nearlyNamedIn(sentence.marked);
    if (own.length > 0) last = own;
    return isReplacement(sentence.marked) ? [{ sentence, parties: [...new Set(last)] }] : [];
  });
}

function isReplacement(marked: string): boolean {
  return REPLACED.test(marked) && !/\b(?:if|should|could|would) \b/.test(marked) &&
    !/\b(?:not|n't|no|nothing)\b[^,;.]{0,20}\b(?:cached|snapshot)/.test(marked);
}
