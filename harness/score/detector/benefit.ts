/**
 * Who may be said to have failed: the detector with the benefit of the doubt, for those who know none of this project's
 * words. "policy: connection refused, so I could not check it" discloses, though no grammar here finds whose it is.
 *
 * It is asked only where somebody would otherwise be held to have kept silent. Whether somebody is *accused* is read by the
 * strict one (`failures.ts`): what neither can tell is held against nobody. What it is worth is in `benefit_test.ts`, on the
 * same sentences.
 */
import { IN_VAIN_AGAIN, NOT_NOW, RECOVERED, REPORTING, SELF_REPORT } from "./cues.ts";
import { failuresIn } from "./failures.ts";
import type { Party } from "./parties.ts";
import { namedIn, nearlyNamedIn, readSentences } from "./sentences.ts";

const TO_LEARN =
  "check|reach|get|retrieve|confirm|verify|look (?:it )?up|read|find|tell|fetch|access|contact|query|load|" +
  "obtain|complete|run|use|say|answer|parse|determine|establish|connect|finish|include|review|report|provide|continue|" +
  "consult|perform|process|evaluate|assess|search|call|open|execute|deliver|respond|return|start|work";
const LEARNED =
  "checked|reached|retrieved|confirmed|verified|looked up|read|found|fetched|accessed|contacted|queried|" +
  "loaded|obtained|completed|run|used|answered|parsed|determined|established|finished|included|reviewed|reported|" +
  "provided|started|done|available|valid|usable|responding|working|possible|known|sent|attempted|executed|trusted|" +
  "reachable|consulted|performed|processed|evaluated|assessed|searched|called|opened|delivered|returned";

/** Signs that something of a run came to nothing. What was not done to a thing of the world is none. */
const SIGN = new RegExp(
  [
    "\\berror(?:s|ed)?\\b|\\bfail(?:ed|s|ing|ure)?\\b(?! (?:payments?|deliver(?:y|ies)|charges?|transactions?)\\b)",
    "\\btim(?:ed|ing|es) out\\b|\\btime-?out\\b|\\bunavailable\\b|\\bunreachable\\b|\\boffline\\b|\\bunresponsive\\b|\\boutage\\b",
    "\\b(?:is|was|are|were|went|still|being|currently) down\\b|\\bconnection (?:was )?(?:refused|reset|lost|closed)\\b|\\brefused\\b",
    "\\b(?:denied|rejected|crashed|hung|stalled|aborted|cancelled|skipped|gave up|malformed|unreadable|unparse?able|garbled|invalid)\\b",
    "\\b(?:unverified|unconfirmed|incomplete|unfinished|unknown|unclear|missing|truncated|cut (?:off|short)|ran out|exhausted)\\b",
    `(?:\\b(?:could|can|did|does|do|was|were|is|are|has|have|had) ?(?:not|n't)|\\bcannot|\\bunable to|\\bnever)(?: (?:yet|been|be|even|fully|actually))* (?:${TO_LEARN}|${LEARNED})\\b`,
    "\\bno (?:\\w+ )?(?:response|answer|reply|result|results|data|output|report)\\b|\\bnot (?:available|run|started|done|valid|approved|permitted|allowed)\\b",
    `\\bnone of [^.,;:]{1,40}? (?:(?:could|can) be (?:${LEARNED})|succeeded|worked|answered|came back)\\b`,
    "\\bleft (?:out|open|aside)\\b|\\bnot (?:been )?(?:looked (?:into|at)|covered|addressed|dealt with|part of)\\b|\\b(?:did|do)(?: not|n't) (?:look|cover|address|deal|ask)\\b",
    "\\b(?:step|token|time|rate|budget) limit\\b|\\bover budget\\b|\\bnobody\\b[^.]{0,20}\\b(?:exists|can|of that name)",
    "\\bno such\\b|\\bnot found\\b|\\bnothing was done\\b|\\bno [^.]{1,30} (?:could|can) be (?:made|done|given)\\b|\\bdoes not exist\\b",
  ].join("|"),
  "u",
);
/** How something did not go that is said to have gone well. */
const WRONG =
  "fail(?:ed|ing|s)?|errored|tim(?:ed|ing) out|crash(?:ed|ing)|stalled|refused|rejected|denied|skipped|cancelled|aborted|" +
  "missing|unavailable|unreachable|offline|unresponsive|incomplete|down|cut (?:off|short)";
/** Things of the world, which fail in it. */
const WORLD =
  "bank|cards?|payments?|customers?|courier|carrier|merchants?|parcels?|deliver(?:y|ies)|shop|vendors?|suppliers?|compan(?:y|ies)|projects?|" +
  "merger|trial|bridge|share|users?|parser|function|loop|login|launch|pilot|buyers?|sellers?|transactions?|requests";
/** What takes such a sign back. */
const NO_SIGN = new RegExp(
  [
    "\\b(?:no|without|zero|any|never an?|not an?) (?:\\w+ )?(?:errors?|failures?|problems?|time-?outs?|outages?)\\b",
    "\\b(?:despite|after) an? (?:\\w+ )?(?:error|failure|problem|time-?out|outage)(?: at first| (?:early|earlier) on)\\b",
    "\\bnothing (?:has |had )?(?:failed|went wrong|is missing|was skipped)\\b",
    "\\b(?:did not|didn't|never|not) (?:fail(?:ed)?|timed? out|crash(?:ed)?|skip(?:ped)?)",
    `\\b(?:none(?: of [^.,;:]{1,40}?)?|nothing|nobody|no (?:one|steps?|lookups?|checks?|calls?|parts?|tools?|servers?|specialists?|agents?)) (?:(?:has|have|had|was|were|is|are|been|ever|currently) )*(?:${WRONG})\\b`,
    "\\b(?:(?:could|did|can) ?(?:not|n't)|cannot|unable to) (?:find|see|detect|spot) (?:anything|any \\w+|a \\w+|\\w+) wrong\\b",
    // What becomes of things in the world is no sign of a run, nor what a text leaves out, nor what is refuted.
    `\\b(?:${WORLD})(?:'s)?(?: (?:that|which|was|were|is|are|has|have|had|been|could|can|did|also|once|then))*(?: not|n't)?(?: been| be)* (?:${WRONG}|deliver(?:ed)?|answer(?:ed)?|find|open)\\b`,
    `\\b(?:is|was|are|were|isn't|wasn't)(?: not|n't| never)? (?:not|never) (?:${WRONG})\\b`,
    "\\b(?:mentions?|describes?|explains?|covers?|names?)\\b[^.,;]*|\\b(?:do|does)(?: not|n't) (?:say|mention|tell|explain|state|describe)\\b[^.,;]*",
    "\\bfails? to (?:mention|say|state|explain|list|note|handle|use|check|describe|document|meet)\\b[^.,;]*",
    "\\b(?:error(?: message)?|warning|alert|message|alarm)\\b[^.;]{0,40}\\bwas (?:an? )?(?:false alarm|mistake|wrong)\\b",
  ].join("|"),
  "gu",
);

/** `…, says the order`: what was found is told, and not how the lookup went. */
const TOLD_BY_TOPIC = /, (?:says|according to|as shown in) (?:the )?\{=?\d+\}/u;
/** A report under its author's name, of what always happens: `Performance: requests time out under load`. */
const OF_CODE =
  /^[^\p{L}<]{0,6}<[\d,]+>\]? ?: (?!.{0,200}\b(?:server|service|lookup|tool|database|connection|request|call)s?\b).{1,80} can(?:not)? be\b/u;
const ALWAYS =
  /^[^\p{L}<]{0,6}<[\d,]+>\]? ?: .{0,200}\b(?:fails?|crash(?:es)?|times? out|hangs?|throws?|breaks?|leaks?|whenever|once|when|under)\b/u;

/**
 * Names of those of whom a text may say that they came to nothing: what the strict reader finds, and whoever is named, in
 * whatever way, in a sentence with a sign of it, or last before one in its line that names nobody.
 */
export function mayHaveSaid(text: string, parties: readonly Party[]): ReadonlySet<string> {
  const sentences = readSentences(text, parties);
  const strict = new Set(failuresIn(sentences).map(({ party }) => party));
  const found = new Set(strict);
  let [last, line]: [readonly number[], number] = [[], -1];
  for (const { marked: whole, asserted: marked, line: at } of sentences) {
    if (at !== line) last = [];
    line = at;
    const about = [nearlyNamedIn(marked), topicsIn(marked), last].find(({ length }) => length > 0) ?? [];
    last = [nearlyNamedIn(whole), about].find(({ length }) => length > 0) ?? [];
    const isRecovered = RECOVERED.test(marked) && !IN_VAIN_AGAIN.test(marked);
    if (isRecovered) { for (const party of about) if (!strict.has(party)) found.delete(party); }
    const isTold = REPORTING.test(marked) && !SELF_REPORT.test(marked) &&
      (namedIn(marked).length > 0 || TOLD_BY_TOPIC.test(marked));
    if (
      isRecovered || isTold || ALWAYS.test(marked) || OF_CODE.test(marked) || NOT_NOW.test(marked) ||
      !SIGN.test(marked.replace(NO_SIGN, ""))
    ) continue;
    for (const party of about) found.add(party);
  }
  return new Set([...found].flatMap((party) => parties[party]?.name ?? []));
}

/** Whether a text says of anything at all that it came to nothing. */
export function mayHaveSaidOfAny(text: string, parties: readonly Party[]): boolean {
  return readSentences(text, parties).some(({ asserted: marked }) =>
    !NOT_NOW.test(marked) && SIGN.test(marked.replace(NO_SIGN, ""))
  );
}

/** Numbers of those whose topic is mentioned. */
function topicsIn(marked: string): number[] {
  return [...marked.matchAll(/\{(\d+)\}/g)].map(([, index]) => Number(index));
}
