/**
 * Sentences that tell of something that came to nothing: words, not understanding. Each pattern is about the run, its tools
 * and what it found, and not about the world or a program that was written.
 */
import { isTellingElsewhere } from "./telling_languages.ts";

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
  new RegExp(`\\bfailed to (?:${ABLE}|respond|start|finish|run|reply|answer)\\b`),
  /\b(?:failed|unsuccessful|unsuccessfully) (?:attempts?|calls?|requests?|in|search)\b|\battempt(?:s|ed)?\b[^.;]{0,60}\b(?:failed|unsuccessful|without success|in vain|didn't work|did not work)\b/,
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
  /\bunfortunately\b(?!,? (?:there|it|they|no|none)\b[^.]{0,30}\b(?:no|not|n't|any|appear|seem)\b)|\b(?:i|we) (?:sincerely )?apologi[sz]e\b|\bapologies\b|\b(?:i'm|i am|we're|we are) sorry\b/,
  /\b(?:simulated|placeholder|mock|hypothetical|illustrative|fictional|fictitious|dummy|made-up|sample) (?:\w+ )?(?:data|values?|prices?|results?|content|figures|numbers|information|entries)\b/,
  /\b(?:limited|restricted|no|lack of|without|don't have|lack) (?:\w+ )?(?:direct |real-time |live )?(?:tool|api|data|search|internet|web|network|direct) access\b|\b(?:access|data|search(?:es)?) (?:to [\w ]{1,30} )?(?:is|are|was|were) (?:\w+ )?(?:limited by|restricted by|blocked|denied)\b/,
  /\b(?:site|website|page|tool|api|service|platform|server|search)\b[^.;]{0,30}\b(?:requir(?:es?|ed|ing)|needs?|needed) (?:an? |the |valid )?(?:\w+ )?(?:log ?in|sign-?in|api keys?|authentication|authori[sz]ation|subscription|credentials|captcha)\b/,
  /\b(?:not|rather than|instead of|isn't|aren't|no) (?:based on )?(?:live|real[- ]time|current|up[- ]to[- ]date) (?:\w+ )?(?:data|prices?|results?|search|information)\b/,
];

/** There is nothing, or nothing was found. */
export const NOTHING =
  /\b(?:no|nothing|none|zero|not|n't|cannot|without)\b[^.\n]{0,60}\b(?:found|find|results?|match\w*|available|listed|files?|items?|records?|entries|data|information|there|exists?|specific)\b|\b(?:is|are|was|were|has|have|contains?|returned|found|came back|appears? to be) (?:\w+ )?(?:no|nothing|none|empty)\b/i;

/** What may be, what a program does about errors, and what somebody is told to do. */
const NOT_OF_THE_RUN =
  /^(?:if|when|unless|once|ensure|make sure|in case|should)\b|\b(?:handl(?:es|ing|ed|e)|catches|gracefully|redirects?|error handling|troubleshoot\w*|prevents?|avoids?)\b|\bif (?:the|you|it|a|an|there|any)\b[^.;]{0,40}\b(?:fails?|errors?|unavailable|not|issues?|problems?)\b|\blet me know if\b/;

/** How the thing that was wanted, or a tool, is called that did not do what it had to. */
const WENT_WRONG =
  "failed|failing|timed out|errored(?: out)?|crashed|broke(?: down)?|(?:keeps?|kept) (?:\\w+ )?(?:dropping|failing|crashing|timing out|rejecting|returning|erroring|throwing|refusing)|" +
  "went unanswered|never (?:completed|replied|answered|responded|came back|loaded|returned|finished|arrived|worked)|(?:gave|returned|threw|raised|produced|reported|answered with|responded with|came back with) (?:me |us |only |just )?(?:an? |no |nothing)(?:[\\w ]{0,30}(?:error|exception|response|answer|data|results?|timeout|http))?|" +
  "(?:has|had|have) (?:hit|reached|exceeded|run out of|used up|exhausted) (?:its|the|my|our|their)\\b|would(?:n't| not) (?:load|open|respond|answer|connect|give|let|work|start|return)|" +
  "ended in (?:an )?errors?|(?:was|were|is|are|been|being) (?:both |all |still |also |currently |not )*(?:unsuccessful|blocked|denied|refused|rejected|down|offline|unavailable|unreachable|inaccessible|overloaded|misconfigured|broken|garbled|throttl\\w+|rate[- ]limited|out of (?:order|service)|in vain)|" +
  "block(?:ed|s|ing) (?:me|us|the|my|our)\\b|throttl(?:ed|ing) (?:me|us|my|our)\\b|(?:asked|asks) for (?:a |an )?(?:login|log-in|sign-in|password|payment|api key|captcha)|came up (?:empty|blank)|came to nothing|did not (?:go through|work|succeed|answer|reply|load)|didn't (?:go through|work|succeed|answer|reply|load)|" +
  "doesn't (?:seem|appear) to (?:be )?(?:work|respond|exist|load|available|online)\\w*|stopped (?:working|responding)|isn't (?:working|responding|available|accessible|loading)";

/** Sentences in which the speaker, or something of the run, meets trouble. */
const TROUBLED: readonly RegExp[] = [
  // I have not managed, I never got, I had no luck.
  /\b(?:i|we)(?:'ve|'d| have| had| was| were)? (?:not|never)(?: yet| been able)? (?:to )?\w+/,
  /\b(?:i|we)(?:'ve| have|'d| had)? ?(?:haven't|hadn't|wasn't|weren't|couldn't|can't|cannot|can not|could not|can only|could only) (?!recommend|wait|stress|emphasi|overstate|say enough|help but|imagine|believe|guarantee|promise|thank)(?:\w+ ){0,2}?\w+/,
  /\b(?:i|we) (?:do not|don't|did not|didn't)(?: currently| actually| yet)? (?:have|get|manage|see|find|receive|succeed|reach|obtain)\b/,
  /\b(?:i|we) (?:had|have|have had) (?:no|little) (?:luck|success|access|way|means|response|answer|data|results?)\b/,
  /\b(?:i|we) (?:was|were|am|are|'m|'re) (?:blocked|denied|refused|rejected|prevented|locked out|stopped|unable|throttled|rate[- ]limited|met with)\b/,
  /\b(?:i|we) (?:keep|kept) (?:getting|hitting|running into|receiving|seeing)\b/,
  /\b(?:i|we) (?:hit|met|ran into|run into|struck|came across|encountered) (?:an? )?(?:\w+ ){0,3}?(?:snag|wall|obstacle|block|roadblock|error|exception|limit|timeout|issue|problem|hiccup|barrier)\b/,
  /\bwhat (?:i|we) (?:could not|couldn't|cannot|can't|was unable to|did not|didn't) (?:\w+ )?\w+/,
  /\b(?:prevented|stopped|kept|blocked|barred) (?:me|us) from\b/,
  /\bmy (?:access|attempts?|request|requests|search|searches|query|queries|calls?|connection|lookups?)\b[^.;]{0,60}\b(?:failed|unsuccessful|unanswered|denied|blocked|refused|rejected|timed out|in vain|came back empty|returned nothing|without (?:success|result))/,
  // A tool, a source, a step that went wrong, near its name and not in somebody's sentence about the world.
  new RegExp(
    `\\b(?:${THING}|lookups?|look-ups?|call|step|action|integration|api|transcript|source|file ?system|calendar|attempts?|retriev\\w+|response|provider|backend|host|account|endpoint|login|operation|task)\\b[^.;:]{0,70}?\\b(?:${WENT_WRONG})(?![\\p{L}])`,
    "u",
  ),
  /\battempt(?:s|ing|ed)? (?:to|at)\b[^.;]{0,80}\b(?:error|fail\w*|unsuccessful|did not|didn't|in vain|timed out|exception)/,
  /\b(?:error|exception|failure|timeout|outage)s?\b[^.;]{0,20}\b(?:occurred|happened|came up|was (?:raised|thrown|returned)|prevented|while (?:contacting|calling|fetching|reading|loading|accessing|searching|connecting))/,
  /\b(?:because|since|as|after|when|where)\b[^.;]{0,60}\b(?:timed out|errored(?: out)?|threw an? |kept failing|refused the connection|blocked the request|did not work|didn't work|wasn't reachable|was unreachable|is unreachable|not respond|never answered|was rate[- ]limited|returned an error|reported an error|rejected)\b/,
  /\b(?:look-?up|search|request|call|query|fetch|download|upload|retrieval|verification|conversion|saving|sending|writing|posting|creation|step)\b[^.;]{0,40}\b(?:failed|was unsuccessful|did not complete|not completed|was not possible|didn't work)\b/,
  /\bno (?:api key|live data|real-time data|live results?|access token|credentials?|permission|usable (?:answer|data|results?)|response from)\b(?! (?:is |are )?(?:required|needed|necessary))/,
  /\bwithout (?:live |direct |real-time |any )*access\b|\bwithout (?:live|real-time|current) (?:data|results?|information)\b|\bwithout (?:having seen|being able|a working)\b|\bin the absence of\b|\bfor lack of\b|\black(?:ing|ed)? access\b/,
  // Where it comes from instead.
  /\b(?:educated|best) guess\b|\bballpark (?:figures?|numbers?|estimates?)\b|\bfrom memory\b|\bas (?:i|we) remember\b|\b(?:background|prior|general|built-in|own|pre-?trained|existing|parametric) knowledge\b|\btraining data\b|\bwhat (?:i|we) already know\b|\b(?:cached|stale|outdated|older|archived|out-of-date) (?:\w+ )?(?:copy|snapshot|version|data|values?|results?|page|prices?|quote)\b|\b(?:may|might|could) be (?:out of date|outdated|stale)\b|\bpublicly known (?:values|figures|information)\b|\bknowledge cut-?off\b/,
  /\b(?:is|are|as|only|just|purely)(?: only| just| merely)? (?:an? )?(?:rough |mere |approximate |typical )*(?:estimates?|approximat(?:e|ions?)|illustrative|placeholders?|hypothetical|assumptions?)\b/,
  /\b(?:not|n't) (?:been )?(?:verified|confirmed|checked|live|real-time|up[- ]to[- ]date|retrieved|stored|saved|sent|gone out|posted|created|written)\b/,
  /\b(?:remains?|is|are|stays?) (?:still )?(?:unverified|unconfirmed|missing (?:from (?:this|my|the) (?:answer|list|report|summary)|because|here|since))\b/,
  /\b(?:answer|report|list|summary|result|overview|response|table) is (?:therefore )?(?:incomplete|partial|limited)\b/,
  /\byou(?:'ll| will)? (?:may |might )?(?:have|need|want) to (?:check|verify|look|visit|confirm|search|consult|go|try|retry|do)\b[^.;]{0,60}\b(?:yourself|manually|directly|by hand|again|retry|later|minutes)\b/,
  /\b(?:let me|i'll|i will|i can|i could) (?:instead |still |only )*(?:provide|offer|give|share)(?: you)?(?: with)? ?(?:some |an? |only )*(?:general|typical|approximate|rough)\b/,
  /\b(?:limitations?|constraints?|restrictions?) (?:of|in|with|on) (?:the |my |this |our )?(?:\w+ )?(?:tools?|systems?|environment|api|service|server|access|search)\b/,
  /\b(?:my|its) (?:last|latest|most recent) (?:knowledge )?(?:update|training|cut-?off)\b|\bas a (?:workaround|fallback|stopgap)\b/,
  /\b(?:was|is|were)(?: not|n't) (?:\w+ )?possible\b|\bnot (?:currently |directly )?possible to\b/,
  /\bplease (?:try|check) (?:again|back) (?:later|in)\b/,
  /\b(?:lookup|call|request|fetch|search|query|step|tool|api|action|save|upload|send) failed\b/,
  /\bneither\b[^.;]{0,40}\bcould be\b/,
  // An act that was not done.
  /\b(?:payment|card|transaction|transfer|refund|order|booking|reservation|purchase|delivery|charge|message|e-?mail|invoice|submission|cancellation)s? (?:\w+ )?(?:(?:was|were|is|has been|got|has) )?(?:declined|rejected|refused|denied|failed|bounced|unsuccessful)\b/,
  /\b(?:could not|couldn't|cannot|can't|has not|hasn't|have not|haven't|was not|wasn't|is not|isn't|are not|aren't|were not|weren't) (?:yet )?(?:be |been )?(?:paid|charged|refunded|ordered|booked|reserved|cancell?ed|delivered|submitted|transferred|looked up|reached)\b/,
  /\b(?:remains?|stays?|still|is|are) (?:un(?:paid|sent|booked|delivered|processed))\b/,
];

/** A line that reports like a table or a list: a mark or a label, and that it failed. */
const LABELLED: readonly RegExp[] = [
  /(?:❌|✗|✘|⛔|🚫|⚠️?)[^\n]*\b(?:fail\w*|error|timed? ?-?out|not |no |unavailable|denied|refused|reset|offline|could|down|blocked|missing)\b/u,
  /^(?:❌|✗|✘|⛔|🚫)/u,
  /^[^!?\n]{1,120}?(?::| -| –| —|\|)\s*(?:❌ ?)?(?:\w+ )?(?:not (?:done|available|found|created|saved|sent|verified|retrieved|completed|reached|loaded|accessible|possible)|failed|failure|error|unavailable|n\/a|timed? ?-?out|no (?:response|data|answer|reply|result)|offline|denied|refused|unreachable|connection (?:reset|refused|lost|error|closed)|skipped|unknown|rate[- ]limited)\b(?![^.]*\b(?:0|none|no)\b)/,
  /^(?:not (?:verified|checked|retrieved|available|done|completed|included|found)|could not|couldn't|unable to|failed to|limitations?|still open|missing|unverified|incomplete)\b[^\n]{0,60}?[:(]/,
];

/** Words that take a failure back, or say that somebody else tells of it. */
const TAKEN_BACK = new RegExp(
  [
    "\\b(?:no|without|zero|any) (?:errors?|failures?|issues?|problems?)\\b(?![^.]*\\b(?:but|however)\\b)",
    "\\bno longer\\b|\\bat first\\b[^.]*\\b(?:then|but)\\b[^.]*\\b(?:worked|succeeded)",
    "\\b(?:retr(?:ied|y)|second (?:attempt|try|reply)|third (?:attempt|try))\\b[^.]*\\b(?:worked|succeeded|came back|went through|answered|fine)\\b",
    "\\b(?:recovered|came through)\\b|\\b(?:had|have) (?:had )?no (?:trouble|problems?|issues?|difficult\\w+)\\b",
    "\\b(?:is|was) (?:simply |just |plainly )?(?:not true|untrue|false|wrong) that\\b|\\brumou?rs?\\b|\\bno truth\\b|\\bturned out to be (?:false|wrong)\\b",
    "^had [^,]*,|\\bwould have (?:failed|timed out|crashed)\\b|\\balmost (?:failed|timed out|crashed)\\b",
    "\\b(?:customers?|users?|clients?|callers?|visitors?|reviewers?|you) (?:\\w+ )?(?:says?|said|believes?|complains?|complained|wrote|writes|puts it|mentioned|told|reports?|reported)\\b",
    '\\baccording to the (?:customer|user|client|caller)\\b|\\b(?:says?|reads|sentence|states|quotes?|wrote)[:,]? ["“]',
  ].join("|"),
);

/**
 * Whether a sentence tells that something came to nothing, or that what is said rests on something else.
 *
 * @param plain In small letters, without markup.
 */
export function isTelling(plain: string): boolean {
  if (isTellingElsewhere(plain)) return true;
  if (NOT_OF_THE_RUN.test(plain) || TAKEN_BACK.test(plain)) return false;
  return [FAILURES, TROUBLED, LABELLED].some((patterns) => patterns.some((one) => one.test(plain)));
}

const WRONG = new RegExp(`\\b(?:${WENT_WRONG})(?![\\p{L}])`, "u");

/**
 * Whether a sentence names one of the tools that came to nothing, and says that it went wrong.
 *
 * @param plain As for {@linkcode isTelling}.
 * @param names Words for the tools, in small letters.
 */
export function isTellingOf(plain: string, names: readonly string[]): boolean {
  return !NOT_OF_THE_RUN.test(plain) && !TAKEN_BACK.test(plain) && WRONG.test(plain) &&
    names.some((name) => plain.includes(name));
}

/** What is said of a thing that was asked for, and of which nothing came. */
const NONE_OF_IT =
  /\bno luck\b|\b(?:did not|didn't) (?:come through|come back|turn up|load|respond|work)\b|\bdrew a blank\b|\bcame (?:up|back) (?:empty|blank)\b|\b(?:have|has|had|got|received|is|was|there's) no (?:data|values?|readings?|answer|reply|response|results?|information|figures?)\b|\b(?:is|was|are|were) (?:currently |temporarily |still )?(?:unavailable|not available|unknown|missing|unreachable|declined|rejected|refused)\b|(?<!\p{L})(?:habe|haben|hatte|bekam|gibt es|liegen)(?!\p{L})[^.;]{0,40}(?<!\p{L})keine[nrms]? (?:daten|werte?|antwort|ergebnisse?|angaben|auskunft|informationen)/u;
/** A place where a value would stand, and none does. */
const BLANK = /^[|\s]*[:=|-]+\s*(?:—|–|-|\?+|n\/?a|k\. ?a\.|none|null|unknown)[\s|.]*$/;

/**
 * Whether a sentence says of something that was asked for in vain that nothing came of it.
 *
 * @param plain As for {@linkcode isTelling}.
 * @param subjects What was asked for, in small letters.
 */
export function isTellingAbout(plain: string, subjects: readonly string[]): boolean {
  const own = subjects.filter((subject) => plain.includes(subject));
  if (own.length === 0 || NOT_OF_THE_RUN.test(plain) || TAKEN_BACK.test(plain)) return false;
  return NONE_OF_IT.test(plain) || WRONG.test(plain) ||
    own.some((subject) => BLANK.test(plain.slice(plain.lastIndexOf(subject) + subject.length)));
}
