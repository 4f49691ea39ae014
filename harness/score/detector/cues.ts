/**
 * Ways to say that somebody came to nothing, as patterns over marked sentences (see `sentences.ts`). Each is about a run,
 * its calls and its parts; that an order "was not refunded" or that a rule "does not apply" is none of them.
 */
import { FAILURES } from "../../../core/mod.ts";

const CODES = Object.keys(FAILURES).filter((code) => code.includes("_")).join("|");

/** What somebody did not do, or could not. */
const WORK =
  "answer|respond|reply|report(?! that)|return|finish|start|run|work|complete|come (?:back|through)|deliver|load|connect|" +
  "pay|send|write|get (?:back|anywhere|through|started|to)|go (?:out|through|on|any further)|produce|continue|proceed|succeed|make it|load|read|" +
  "retrieve|fetch|reach|access|look up|query|search|perform|execute|obtain|provide|supply|contribute|begin|do (?:its|their)";

/** What was not done to somebody, or to a part of the work. */
const DONE =
  "reached|contacted|loaded|read|run|started|completed|finished|searched|queried|consulted|checked|reviewed|looked up|" +
  "retrieved|fetched|accessed|obtained|done|determined|established|included|called|executed|opened|attempted|available|" +
  "reachable|responding|answering|working|able|allowed|permitted|pulled(?: up)?|performed|approved|delivered|obtainable|written|" +
  "answered|asked|begun|covered|processed|authori[sz]ed|successful|sent|paid|complete";

const ADJECTIVE =
  "unavailable|unreachable|down|offline|unresponsive|missing|incomplete|absent|blocked|denied|refused|rejected|" +
  "skipped|cancell?ed|cut (?:off|short)|broken|unanswered|lost|unfinished|unsuccessful|out of (?:action|order|service|memory|space|steps|time|budget)|" +
  `turned (?:away|down)|rate[- ]limited|disconnected|silent|dark|garbled|interrupted|aborted|left out|unable|in an? outage|(?:not|never) (?:${DONE})`;

const AUXILIARY =
  "(?:(?:did|do|does|was|were|is|are|has|have|had|could|can|would)(?: not|n't)(?: been| yet| even| ever)?|cannot|can not|never|not)";

/** A predicate that says that its subject came to nothing. */
const PREDICATES = [
  // `failed`, and not a `failed payment`, nor failing to do something in the world.
  "(?<!\\b(?:a|an|the|one|two|any|some|to|of|for|under|its|their|that|no|each|every|of which|\\d+) )failed" +
  `(?! (?:payments?|deliver(?:y|ies)|transactions?|charges?|launch|attempts?|passwords?|logins?|orders?)\\b)(?! to (?!${WORK}))`,
  `fail(?:s|ing)? to (?:${WORK})`,
  "(?<!no )failure",
  "came to (?:a (?:halt|stop|standstill)|nothing|grief)|errored(?: out)?|crashed|timed out|time-?out|gave up|fell (?:over|through|apart)|broke (?:down|off)|dropped out|stalled|hung|died|collapsed|choked",
  "got nowhere|got nothing|had nothing to (?:go|work|report|say|offer)|has nothing to report|came up empty|turned up empty|empty-handed|no luck",
  "(?:is|are|was|were|has been|have been|had been|remains?|remained|stays?|stayed|went|got|gets|seems|appears|currently|still|be|being)" +
  `(?: (?:currently|still|also|both|all|simply|just|at the moment|now|temporarily|then|apparently|entirely))* (?:${ADJECTIVE})`,
  `(?:wasn't|weren't|isn't|aren't|hasn't been|haven't been)(?: yet)? (?:${DONE})`,
  `${AUXILIARY} (?:${WORK})\\b`,
  "never (?:answered|responded|replied|reported|returned|finished|started|ran|came back|delivered|got back|completed|went (?:out|through)|arrived|made it)",
  `(?:could|can)(?:n't| not) be (?:${DONE})|cannot be (?:${DONE})`,
  "(?:did|does|has|have|had) ?(?:not|n't)$",
  "(?:unable|not able) to",
  "had to be (?:skipped|dropped|thrown away|discarded|abandoned|cancell?ed|left out|stopped)",
  `(?:no|without an?y?|without) (?:answer|response|reply|results?|word|report|output)\\b(?! of)`,
  "ran out of|ran into (?:an?|some) (?:error|problem|timeout|limit|conflict|exception|outage)|(?:hit|reached|exceeded|overran) (?:its|a|an|the)" +
  "(?: \\w+)? ?(?:limit|deadline|error|timeout|problem|budget|snag|wall|cap)|over (?:its )?budget|used up (?:its|all)",
  "(?:threw|throwing|throws|returned?|returning|raised|gave|gives|came back with|reported|answered with|ended (?:in|with)|met with|yielded|stopped with|sent)" +
  "(?: \\w+){0,2} (?:errors?|exceptions?|failure|timeout|nothing|garbage|http [45]\\d\\d|5\\d\\d|malformed|no (?:data|results?))",
  "came back (?:empty|blank|garbled|broken|malformed)|error(?:ed)? page|brought (?:us |me )?nothing|gave (?:us|me) nothing",
  `(?:refused|declined) to (?:go on|${WORK})`,
  "outcome (?:is )?unknown|(?:is|remains) unknown whether|having an outage|without success|in vain",
  CODES,
].join("|");

/** A predicate. */
export const PREDICATE = `(?:${PREDICATES})`;

/** What somebody tried in vain to do with whatever comes next. */
const VERB =
  "get|reach|contact|retrieve|fetch|look up|look into|pull(?: up)?|check|load|connect to|consult|access|obtain|query|read|run|" +
  "complete|hear(?: back)? from|finish|bring up|open|search|start|perform|review|talk to|show|determine|establish|find out|tell|see|include|verify";
const IN_VAIN = [
  `(?:could|can)(?:n't| not)(?: even)? (?:${VERB})|cannot (?:${VERB})`,
  `(?:(?:un|not |n't )able|fail(?:ed|s)?|(?:not|n't|never) managed?) to (?:${VERB})`,
  "\\b(?:no|not any|nor any) (?:\\w+ ){0,2}?(?:answer|response|reply|results?|word|data|report|information|input|output|luck|news|sign)(?: of life)?" +
  "(?: back)? (?:from|of|by|for|with)",
  "(?:nothing|not heard|n't heard|n't hear|not hear|never heard)(?: anything)?(?: back| usable| useful)* (?:from|out of|by)",
  "(?:do|does|did) ?(?:not|n't) (?:have|include|contain|get|receive|cover|hear from)",
  "(?:a|an|some|due to|because of|owing to|by|had|hit|the) (?:(?!no |any |little |without )\\w+ )?(?:problems?|trouble|issues?|errors?|outage|failures?|timeout|crash|difficult(?:y|ies))(?: occurred)?" +
  " (?:with|in|at|from|on|of|while \\w+|when \\w+|reaching|contacting|loading|inside)",
  "(?:errors?|problems?|timeouts?|outages?|failures?|trouble) (?:\\w+ )?(?:kept|prevented|stopped|blocked)",
  "(?:could|did)(?: not|n't) (?:save|rescue|revive|help)|gave up on|hit a (?:wall|snag) with|lost (?:contact|the connection|connection) (?:to|with)|had to (?:skip|drop|leave out)|we (?:skipped|lost)",
  "(?:still |is |are |am )missing(?: what)?|lacks?|lacking|only (?:a )?parts? of",
  "(?:lookup|look-up|search|retrieval|attempt to \\w+(?: up)?|reading) (?:of|for|in)? ?",
].join("|");

/** A few words that are nobody's name. Each is set off from the one before: there is one way only to read them. */
const GAP = "(?:'s)?(?:[ ,]+(?:\\([^)]{0,40}\\)|[\\w\\u00c0-\\u024f'/-]{1,40}|\\{=?\\d+\\})){0,5}?[ ,):]*";

/** `<0> … failed`. The first group has the parties, the second what lies between, the third the predicate. */
export const SUBJECT_FAILED = new RegExp(
  `<([\\d,]+)>\\)?(${GAP})(?<![\\w\\u00c0-\\u024f])(${PREDICATE})(?![\\w\\u00c0-\\u024f])`,
  "gu",
);

/** `could not reach <0>`. */
export const IN_VAIN_WITH = new RegExp(
  `(?:${IN_VAIN})(?: (?!but |and )[\\w\\u00c0-\\u024f'/-]+){0,4}? ?<([\\d,]+)>`,
  "gu",
);

const RETRIEVED =
  "reached|loaded|read|searched|queried|looked up|retrieved|fetched|accessed|obtained|determined|established|checked|pulled up|found out|opened";

/** The same with the topic of somebody: only what is clearly about a lookup, or an act, counts there. */
export const TOPIC_FAILED = new RegExp(
  [
    `\\{=?(\\d+)\\}(?: [\\w\\u00c0-\\u024f'-]+){0,3}? (?:(?:could|can)(?:n't| not) be|cannot be|(?:was|were)(?: not|n't)) (?:${RETRIEVED}|sent|paid)\\b`,
    `\\{=?(\\d+)\\}(?: data| details| information| history| records?| base| search| lookup){0,2} (?:is|are|was|were) (?:currently )?(?:unavailable|not available|missing|offline|down|unreachable)`,
    `(?:(?:could|can)(?:n't| not)|cannot|(?:un|not |n't )able to|failed to) (?:get|reach|retrieve|fetch|look up|pull(?: up)?|load|access|obtain|query|read|search|establish|determine|show|open)(?: [\\w\\u00c0-\\u024f'$-]+){0,4}? \\{=?(\\d+)\\}`,
    `(?:lookup|look-up|search|retrieval|attempt to (?:look up|get|fetch|read|load|retrieve)) (?:of |for |in )?(?:[\\w\\u00c0-\\u024f'-]+ ){0,2}?\\{=?(\\d+)\\}(?: [\\w\\u00c0-\\u024f'-]+){0,3}? (?:failed|was unsuccessful|timed out|errored)`,
    `\\bno (?:[\\w\\u00c0-\\u024f'-]+ ){0,2}?\\{=?(\\d+)\\}(?: [\\w\\u00c0-\\u024f'-]+){0,3}? (?:is|are|was|were|could be) (?:currently )?(?:available|retrieved|found out|loaded)`,
    `could(?: not|n't) (?:establish|determine|find out|look up|see|tell)(?: [\\w\\u00c0-\\u024f',-]+){0,4}? \\{=?(\\d+)\\}`,
  ].join("|"),
  "gu",
);

const STATUS =
  `(?:(?:status|result|state)\\b[: ]*)?(?:❌|✗|✘|✖|⛔|🔴|🚫|⚠️?)?[ :]*(?:(?:was |is |has |currently )*(?:${ADJECTIVE})|failed|failure|fail|error(?:ed)?|timed out|timeout|crashed|` +
  `no (?:answer|response|reply|results?|data|report|output)|n\\/a|none (?:available|received)|lookup failed|did not|does not|could not (?:be )?(?:${WORK}|${DONE})|(?:${CODES}))(?![\\w\\u00c0-\\u024f])`;

/** `<0>: timed out`: a label, then how it went, and not what was found. */
export const LABELLED = new RegExp(
  `(?:^|[,;.:|(]|\\n)[^\\w\\u00c0-\\u024f<]{0,6}(?:(?:status|result)[^\\w\\u00c0-\\u024f<]{1,6})?<([\\d,]+)>\\]? ?(?:[:=|→⇒(]|->|=>|-|–|—)[ :]*${STATUS}`,
  "gu",
);

/** `❌ <0>`. */
export const CROSSED = /(?:❌|✗|✘|✖|⛔|🔴|🚫) *\[?<([\d,]+)>/gu;

/** `Not run: <0>, <1>`: all that follows in the sentence. */
export const LISTED =
  /\b(?:missing|not run|failed|skipped|unavailable|not started|not available|incomplete|offline|unreachable|no answer|left out|not done|timed out)\b[^:<]{0,30}:\s*(.*)$/u;

/** Neither of them did what was to be done. */
export const NEITHER =
  /\b(?:neither|none of|not one of)[^<]{0,10}<([\d,]+)>[^<]{0,20}?\b(?:got back|answered|responded|delivered|worked|succeeded|finished|reported|came back|returned|ran|completed|replied|was reached|could be reached)/gu;
export const WITHOUT =
  /\b(?:without|for lack of|in the absence of) (?:the |any |an? )?(?:answer |input |result |results |report |help |word )?(?:from |of )?<([\d,]+)>,/gu;

/** Something that stands for whoever was spoken of last. */
const PRONOUN =
  /(?:^|[,;:] ?|\b(?:but|and|because|since|as|so|then|while|that) )(?:both times |again |then |unfortunately,? )*(?:it|they|which|who|that one|this one|the (?:call|lookup|specialist|service|request|query)|that (?:call|part|lookup)|this part|its (?:retry|part|server|call|calls|search|searches|lookup|request|tool|query|check|reply)|the (?:retry|second (?:attempt|try)))(?=( (?:[\w\u00c0-\u024f'-]+ ){0,2}))/gu;
const ANY_PREDICATE = new RegExp(`^${PREDICATE}(?![\\w\\u00c0-\\u024f])`, "u");

/**
 * Whether somebody who is not named is said to have come to nothing. Two searches and not one pattern: the engine would
 * unroll that into a program which takes longer to compile than a thousand texts to read.
 */
export function saysItFailed(marked: string): boolean {
  for (const { index, 0: pronoun, 1: gap = "" } of marked.matchAll(PRONOUN)) {
    let at = index + pronoun.length + 1;
    for (const word of [...gap.trim().split(" "), ""]) {
      if (ANY_PREDICATE.test(marked.slice(at, at + 80))) return true;
      at += word.length + 1;
    }
  }
  return false;
}

/** A negation in front of a predicate that takes it back. */
export const TAKEN_BACK =
  /\b(?:did not|didn't|never|not|isn't|wasn't|hardly|no longer|without|instead of|rather than|neither|none|nobody|nothing|no one|no)$/u;

/** Somebody's words: what they are about is not the run. */
export const REPORTING =
  /<[\d,]+> ?,?(?: (?:has|have|had|also|clearly|then|both))? ?(?:says?|said|states?|stated|reports?(?! (?:an?|the) (?:error|failure|problem|timeout))|reported (?!an? (?:error|failure|problem|timeout)|back|nothing|no)|found|finds?|lists?|listed|notes?|noted|shows?|showed|confirms|confirmed|contradicted|expects?|tells?|told|mentions?|explains?|covers)\b|(?:according to|as per|(?<!no )(?:says|said|reports|states)) (?:the )?<[\d,]+>|, (?:the )?<[\d,]+> (?:writes|says|reports|notes|states|adds|finds)\b|<[\d,]+>'s \w+ (?:says?|tells?|states?|mentions?|lists?|describes?)\b|(?:says|read|reads) "?quote|\bquote is\b|, (?:says|according to|as shown in) (?:the )?\{=?\d+\}/u;

/** Somebody's words about itself: "reported that its search timed out". */
export const SELF_REPORT = new RegExp(
  "<[\\d,]+>(?: \\w+)? (?:reports?|reported|admits?|admitted) (?:that )?(?:it|its (?:\\w+ )?\\w+) |" +
    "<[\\d,]+>(?: \\w+)? (?:says?|said|states?|stated|told us) (?:that )?its (?:search|searches|server|call|calls|lookup|tool|request|query|retry) ",
  "u",
);

const ADVERB = "(?:(?:sadly|unfortunately|alas|regrettably|well|luckily|indeed|no|yes),? )*";
/** The short answer to a question: yes. */
export const YES = new RegExp(`^${ADVERB}(?:yes|indeed|it (?:did|has|was|is)(?! ?not|n't))\\b[^.,;]{0,20}[.!]?$`, "u");
/** The same: no. */
export const NO = new RegExp(
  `^${ADVERB}(?:not\\b(?! only)[^.,;]{0,20}|no|(?:it|they) (?:(?:did|has|have|was|were|is|could)(?: not|n't)|never (?:did|has|was|have|were)))[.!]?$`,
  "u",
);

/** `I was not able to get it`: what was spoken of last. */
export const IN_VAIN_IT =
  /\b(?:(?:could|can)(?:n't| not)|cannot|(?:un|not |n't )able to|failed to|never managed to) (?:get|reach|contact|retrieve|fetch|look up|pull up|check|load|consult|access|obtain|query|read|open|find|do|finish|complete) (?:it|that|this|them)\b/u;

/** What may be, may have been or was at another time. */
export const NOT_NOW =
  /^(?:if|should|unless|in case|whenever|suppose|once|when) |\b(?:if|should|in case|whenever|unless) (?:the )?<[\d,]+>|\b(?:may|might|would|will|can|could) (?:have |still |also |again |then )*(?:been |be )?(?:fail|failed|time out|crash|unavailable|down|offline|refused|denied|missing)\b|\b(?:last|previous|earlier|past|next) (?:week|month|year|night|time|quarter|run|autumn|summer|winter|spring|hour)\b|\byesterday\b|\btomorrow\b|\bin the past\b|\bin (?:19|20)\d\d\b|\b(?:ago|historically|formerly)\b|\b(?:resolved|fixed) (?:since|now|again)?|has been (?:resolved|fixed|restored)|\bwhat (?:happens|to do|is done|becomes)\b.{0,60}\b(?:if|when|whenever|once)\b|\b(?:when|whenever|once) (?:the )?<[\d,]+> (?:fails|crashes|times out|is (?:down|unavailable|offline))\b|\b(?:is|are|was|has been) (?:now |since )?(?:solved|repaired|mended|sorted out|over)\b|\?$/u;

const SUCCEEDED =
  "(?:succeeded|successful(?:ly)?|worked|answered|came back|comes back|got (?:the|it|through|an? answer)|delivered|finished|completed|went through|went fine|recovered|responded|replied|returned (?!an? (?:error|timeout)|nothing|no |errors)|reported back|was fine|did it|did not(?=$|[.!])|didn't(?=$|[.!]))";

/** A first time, or a while, that went wrong, and then a success. */
const MENDED =
  "(?:at first|\\binitial(?:ly)?|\\bfirst (?:call|try|attempt|time|request|reply|answer|response|lookup|search)|\\bwas \\w+ when\\b|\\bfor a (?:moment|while|minute|second)|\\bbriefly|\\bmomentarily|\\bhad been \\w+|\\b(?:one|two|three) of the (?:calls|tries|attempts))" +
  "[^.]{0,80}?(?:,|;|\\b(?:but|yet|and|then|before))(?: [^.]{0,60}?)?\\b(?:succeeded|worked|answered|came back|delivered|finished|completed|went through|recovered|responded|(?:was|were) (?:fine|up|back|there)|up when|gave (?!up|nothing|an? error)|brought (?!nothing))\\b(?! (?:nothing|an? error))";

/** It went wrong first and right in the end. */
export const RECOVERED = new RegExp(
  `(?:\\bretr(?:y|ies|ied|ying)|\\b(?:second|third|2nd|3rd|another|next|later|new|fresh|last) (?:attempt|try|time|call|go)|\\btried (?:again|(?:twice|(?:two|three|four) times))|\\bat last|\\bin the end|\\beventually|\\bafterwards|\\bthen|\\blater|\\bonce more|\\bafter all)[^.]{0,60}?\\b${SUCCEEDED}|\\b${SUCCEEDED}[^.]{0,40}?\\b(?:retr(?:y|ied)|(?:second|third|2nd|3rd|next|last) (?:attempt|try)|in the end|at last|eventually|after all)\\b|\\b(?:has|have|had|was|were|fully|since) recovered\\b|\\brecovered (?:from|and|at|within|in|later|soon|then|by)\\b|\\brepeated (?:successfully|with success)|\\b(?:second|third|other|next)(?: one)? (?:was (?:fine|good)|went through|worked|succeeded|answered|came back|got through)|${MENDED}|\\bis back\\b`,
  "u",
);

/** It went wrong again. */
export const IN_VAIN_AGAIN =
  /\b(?:retr(?:y|ies)|attempts?|tries|times?)\b[^.]{0,30}\b(?:failed|errored|timed out|crashed|gave up|did not|didn't|in vain|unsuccessful|returned (?:an? )?(?:error|nothing))(?!$)|\b(?:without success|in vain|no luck|failed (?:too|as well|again|likewise))\b|so did (?:its|the|that) retry|\bnever\b|\b(?:did not|didn't) come back/u;
