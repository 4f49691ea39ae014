/** What a final answer says of failures and of itself. Words, not understanding. */
import { detectStatements, MAX_TEXT, type Party } from "../score/detector/mod.ts";
import { splitClaims } from "../../agents/verifier/mod.ts";
import { wordsOf } from "./call.ts";

/** What a final answer says. */
export interface FinalStatements {
  /** Sentences that say that something could not be done, or be found out. */
  readonly failures: readonly string[];
  /** Sentences that say that all of it is done, or holds. */
  readonly whole: readonly string[];
  /** Whether the answer is nothing but an error. */
  readonly isError: boolean;
  /** Whether it says anywhere that there is, or was found, nothing. */
  readonly saysNothing: boolean;
}

/** A tool that came to nothing, as the detector knows parties. */
export function partyOf(tool: string): Party {
  const dot = tool.lastIndexOf(".");
  const [server, own] = [tool.slice(0, Math.max(0, dot)), tool.slice(dot + 1)];
  const spellings = [tool, server, own].filter((name) => name.length > 2).flatMap((name) => {
    const spaced = wordsOf(name).join(" ");
    return [name.toLowerCase(), spaced, spaced.replaceAll(" ", "-")];
  });
  const subject = keyWords(tool);
  return { name: tool, aliases: [...new Set(spellings)], topics: subject };
}

const PLAIN = new Set(
  ("mcp server tool tools api get set search find list read fetch write create edit update execute run text file files contents content " +
    "data info make show client service code asset").split(" "),
);

/** Words of a tool's name that say what it is about. */
export function keyWords(tool: string): string[] {
  return [...new Set(wordsOf(tool))].filter((word) => word.length >= 4 && !PLAIN.has(word));
}

const ABLE =
  "access|retrieve|find|get|fetch|load|read|open|reach|connect|search|obtain|locate|complete|create|save|write|" +
  "generate|draw|use|extract|perform|execute|process|view|see|verify|confirm|check|gather|download|upload|send|book|identify|" +
  "provide|determine|convert|look|pull|parse|display|show|include|analy[sz]e|directly|successfully|fully|currently|actually";
const TROUBLE =
  "issues?|problems?|errors?|limitations?|restrictions?|difficult(?:y|ies)|trouble|timeouts?|time-?outs?|failures?|" +
  "rate[- ]limit(?:s|ing|ed)?|outages?|constraints?|obstacles?|challenges?|unavailab\\w+|anomal\\w+";
const THING =
  "tools?|services?|servers?|apis?|search(?:es)?|web ?sites?|sites?|pages?|databases?|systems?|connections?|requests?|" +
  "functionality|features?|access|calls?|fetch(?:ing)?|attempts?|quer(?:y|ies)|endpoints?|downloads?|uploads?|listings?|results?|data|information";

/** Each is about the run: its tools and what it found, and not about the world or a program that was written. */
const FAILURES: readonly RegExp[] = [
  new RegExp(
    `\\b(?:i|we)(?:'m| am| was| were|'re| are)? ?(?:still |currently |also |just |unfortunately )?(?:not able|unable|wasn't able|weren't able|couldn't|could not|can't|cannot|can not|failed|was not able|were not able) ?(?:to )?(?:\\w+ )?(?:${ABLE})\\b`,
  ),
  new RegExp(
    `\\b(?:i|we)(?:'m|'ve| am| was| were| have| had|'re| are)? ?(?:been |also |been )?(?:having|had|have|encounter(?:ed|ing)|experienc(?:ed|ing)|fac(?:ed|ing)|ran into|running into|run into|hit(?:ting)?)\\b[^.;]{0,40}\\b(?:${TROUBLE})\\b`,
  ),
  /\b(?:i|we) (?:still |currently |also )?(?:do not|don't|did not|didn't) (?:currently |directly |actually )?(?:have|get|find|receive|see|manage|succeed)\b[^.;]{0,60}\b(?:access|results?|data|information|tools?|apis?|prices?|anything|to)\b/,
  new RegExp(
    `\\b(?:${THING})\\b[^.;:]{0,50}?\\b(?:(?:is|are|was|were|being|been|seems? to be|appears? to be) (?:\\w+ ){0,2}?(?:unavailable|not available|not accessible|inaccessible|down|offline|blocked|restricted|rate[- ]limited|not working|not responding|unresponsive|broken|empty|incomplete|not found|denied|unable)|unavailable|timed out|failed|errored|returned (?:an? )?(?:\\w+ )?(?:errors?|nothing|no |empty)|(?:is|are|was|were|do|does|did|has|have|could|can|has|seem)(?:n't| not) (?:\\w+ )?(?:available|accessible|working|work|respond|responding|load|loading|return|returning|provide|provided|show|showing|found|reachable|appear|include|contain|seem|complete|be)|not (?:currently )?(?:available|accessible|working|responding|showing))`,
  ),
  new RegExp(
    `\\b(?:${THING}|canvas|[\\w-]+ (?:tool|service|server))\\b[^.;:]{0,30}\\b(?:had|has|have|having|seems? to have|appears? to have|encountered|experienc(?:ed|ing)|met|ran into|hit|with)\\b[^.;]{0,25}\\b(?:${TROUBLE})\\b`,
  ),
  new RegExp(`\\b(?:due to|because of|owing to|given|despite|after)\\b(?: [\\w'-]+){0,6}? (?:${TROUBLE})\\b`),
  new RegExp(
    `\\b(?:technical|connection|connectivity|network|access|loading|api|server|tool|authentication|permission|search|encoding|rate[- ]limit(?:ing)?) (?:${TROUBLE})\\b`,
  ),
  /\b(?:wasn't|weren't|was not|were not|couldn't be|could not be|can't be|cannot be|hasn't been|have not been|has not been|haven't been) (?:\w+ )?(?:retrieved|accessed|found|loaded|reached|saved|created|written|generated|completed|sent|fetched|verified|confirmed|opened|converted|read|drawn|executed|processed|obtained|possible|successful)\b/,
  /\b(?:failed|unsuccessful|unsuccessfully) (?:to|attempts?|calls?|requests?|in|search)\b|\battempt(?:s|ed)?\b[^.;]{0,60}\b(?:failed|unsuccessful|without success|in vain|didn't work|did not work)\b/,
  /\b(?:based on|from|using|drawing on|relying on|rely on) (?:my |general |common )(?:general |own |existing |training |built-in |background )*(?:knowledge|training(?: data)?|memory)\b/,
  new RegExp(
    `\\bthere (?:seems?|appears?|is|was|are|were|has been|have been)(?: to (?:be|have been))? (?:an? |some |several |ongoing )?(?:\\w+ )?(?:${TROUBLE}) (?:with|in|at|on|accessing|connecting|loading|reaching)\\b`,
  ),
  new RegExp(
    `\\b(?:ran|run|running|encounter(?:ed|s|ing)?|hit)(?: into)? (?:an?|some|several|repeated|multiple) (?:[\\w-]+ )?(?:${TROUBLE})\\b`,
  ),
  /\b(?:tools?|services?|servers?|apis?|search engines?|websites?|sites?|systems?|pages?) (?:is |are |was |were |has |have )?(?:currently |repeatedly )?(?:block(?:ing|ed)|reject(?:ing|ed)|refus(?:ing|ed)|throttl(?:ing|ed)|den(?:ying|ied)) (?:my |our |the |all |further |automated )?(?:requests?|access|connections?|search(?:es)?|queries|calls?)\b/,
  /\b(?:only able to|(?:could|can) only) (?:retrieve|find|access|get|fetch|read|load|see|obtain|partially)\b/,
  /\bnone of the (?:\w+ )?(?:tools?|search(?:es)?|sources?|sites?|websites?|attempts?|requests?|queries|calls?)\b[^.;]{0,20}\b(?:return|work|succe|answer|respond|load|provid|gave|found|show|were|was|contain)/,
  /\b(?:couldn't|could not) be \w+(?:ed|en|wn|ad|un|lt|nt)\b/,
  /\b(?:tools?|systems?|servers?|services?|environments?|apis?|platforms?) (?:do|does)(?: not|n't) (?:\w+ )?(?:have|support|allow|include|offer|seem|appear|provide|permit)\b/,
  /\b(?:i|we) (?:tried|attempted)\b[^.;]{0,80}\b(?:but|however|without success)\b/,
  /\b(?:did|does)(?: not|n't) (?:succeed|work|go through|load|finish|respond)\b/,
  /\bunfortunately\b|\b(?:i|we) (?:sincerely )?apologi[sz]e\b|\bapologies\b|\b(?:i'm|i am|we're|we are) sorry\b/,
  /\b(?:simulated|placeholder|mock|hypothetical|illustrative|fictional|fictitious|dummy|made-up|sample) (?:\w+ )?(?:data|values?|prices?|results?|content|figures|numbers|information|entries)\b/,
  /\b(?:limited|restricted|no|lack of|without|don't have|lack) (?:\w+ )?(?:direct |real-time |live )?(?:tool|api|data|search|internet|web|network|direct) access\b|\b(?:access|data|search(?:es)?) (?:to [\w ]{1,30} )?(?:is|are|was|were) (?:\w+ )?(?:limited by|restricted by|blocked|denied)\b/,
  /\b(?:site|website|page|tool|api|service|platform|server|search)\b[^.;]{0,30}\b(?:requir(?:es?|ed|ing)|needs?|needed) (?:an? |the |valid )?(?:\w+ )?(?:log ?in|sign-?in|api keys?|authentication|authori[sz]ation|subscription|credentials|captcha)\b/,
  /\b(?:not|rather than|instead of|isn't|aren't|no) (?:based on )?(?:live|real[- ]time|current|up[- ]to[- ]date) (?:\w+ )?(?:data|prices?|results?|search|information)\b/,
];

/** There is nothing, or nothing was found. */
const NOTHING =
  /\b(?:no|nothing|none|zero|not|n't|cannot|without)\b[^.\n]{0,60}\b(?:found|find|results?|match\w*|available|listed|files?|items?|records?|entries|data|information|there|exists?|specific)\b|\b(?:is|are|was|were|has|have|contains?|returned|found|came back|appears? to be) (?:\w+ )?(?:no|nothing|none|empty)\b/i;

/** What may be, what a program does about errors, and what somebody is told to do. */
const NOT_OF_THE_RUN =
  /^(?:if|when|unless|once|ensure|make sure|in case|should)\b|\b(?:handl(?:es|ing|ed|e)|catches|gracefully|redirects?|error handling|troubleshoot\w*|prevents?|avoids?)\b|\bif (?:the|you|it|a|an|there|any)\b[^.;]{0,40}\b(?:fails?|errors?|unavailable|not|issues?|problems?)\b|\blet me know if\b/;

const WHOLE: readonly RegExp[] = [
  /\b(?:completed|fulfilled|accomplished|finished|carried out|executed|done|handled|addressed)\b(?: \w+){0,2}? (?:all|everything|both|each|every|(?:the|your|this) (?:entire |whole |full )?(?:requests?|tasks?|instructions?|assignment|work ?flow))\b/,
  /\b(?:all|both|every|each)(?: of)?(?: (?:the|your|these|my|three|four|five|two))?(?: \w+)? (?:tasks?|steps?|requests?|requirements?|parts?|items?|operations?|actions?|files?)(?: (?:have|has|had))?(?: been| are| were| is| was)?(?: now| all)?(?: successfully| fully)? (?:completed?|done|finished|met|fulfilled|processed|created|performed|executed|succeeded|accomplished)\b/,
  /\b(?:the |your |this )?(?:entire |whole )?(?:task|request|assignment|job|project)(?: (?:is|was|has been|have been))?(?: now| all)?(?: successfully| fully)? (?:complete|completed|done|finished|accomplished|fulfilled)\b/,
  /\b(?:everything|all) (?:that )?(?:you(?:'ve| have)? (?:asked|requested|needed|wanted)|is (?:done|complete|ready|in place|working|set)|has been (?:completed|done|created|verified|saved)|went (?:well|smoothly|fine))\b/,
];
const NOT_WHOLE =
  /\b(?:except|although|though|however|but|partially|partly|not|n't|cannot|unable|almost|nearly|most of|once|if|when|while|apart from|other than|despite)\b/;

/**
 * Reads a final answer, of which no more than the detector's {@linkcode MAX_TEXT} is read.
 *
 * @param tools Tools that came to nothing.
 */
export function readFinal(final: string, tools: readonly string[]): FinalStatements {
  const text = final.slice(0, MAX_TEXT).replace(/```[\s\S]*?(?:```|$)/g, "\n");
  const sentences = text.split(/\r?\n/).flatMap((line) => sentencesOf(line));
  const found = detectStatements(final, tools.map(partyOf));
  const stated = new Set([
    ...sentences.filter(({ plain }) => !NOT_OF_THE_RUN.test(plain) && FAILURES.some((one) => one.test(plain)))
      .map(({ written }) => written),
    ...found.failures.map(({ sentence }) => sentence),
  ]);
  const whole = new Set([
    ...sentences.filter(({ plain }) => WHOLE.some((one) => one.test(plain)) && !NOT_WHOLE.test(plain))
      .map(({ written }) => written),
    ...found.overclaims.filter((sentence) => !stated.has(sentence)),
  ]);
  return { failures: [...stated], whole: [...whole], isError: isErrorAnswer(final), saysNothing: NOTHING.test(text) };
}

/** Sentences of a line. A claim splitter leaves out what is none; here that counts. */
function sentencesOf(line: string): { written: string; plain: string }[] {
  const parts = line.length > 4000 ? splitClaims(line) : line.split(/(?<=[.!?])\s+(?=[\p{Lu}"'*(])/u);
  return parts.map((part) => part.trim()).filter((part) => part !== "").map((written) => ({
    written,
    plain: written.slice(0, 1000).toLowerCase().replace(/[‘’]/g, "'").replace(/^[\s#>*•\d.)-]+/, "").replace(
      /[*_`]/g,
      "",
    )
      .replace(/\s+/g, " "),
  }));
}

/** An answer of one line that is an error: the run says that it failed. */
function isErrorAnswer(final: string): boolean {
  const bare = final.trim();
  return bare.length < 300 && !bare.includes("\n") &&
    /^(?:(?:fatal |internal |unexpected )?(?:error|exception)\b|(?:request|connection|task|run) (?:failed|error|timed out)|timed? ?out)/i
      .test(bare);
}
