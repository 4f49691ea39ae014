/**
 * What of a sentence its writer stands behind. "It is not true that the lookup failed", "the customer says that it failed" and
 * "had it failed, …" have both a name and a word of failure, and none of them says that anything failed; "had it answered, …"
 * says so with no such word.
 *
 * Pure text to text, over marked sentences (see `sentences.ts`): what is denied, told by others, only imagined or only
 * apparent is cut out, and where that turns a success into a failure, `<0> failed` stands in its place. Every quantifier is
 * bounded, so that the work is linear in the sentence.
 */

const MARK = "<[\\d,]+>";
/** A few words within a clause. */
const SOME = "[^.,;:]{0,80}?";
/** What is left of a clause. */
const REST = "[^.,;:]{0,160}";

/** How somebody fails, in any tense. */
const FAILING =
  "fail(?:s|ed|ing|ure|ures)?|crash(?:es|ed|ing)?|tim(?:e|es|ed|ing) out|time-?outs?|down|offline|out|unavailable|unreachable|unresponsive|" +
  "run out|died|dead|hung|stalled|refused|rejected|denied|lost|missing|error(?:s|ed)?|outage|broken?|gave up|given up|gone|silent|skipped|incomplete|" +
  "aborted|cancelled|(?:never|not|n't) (?:been )?(?:answer|respon|repl|finish|run|start|reach|deliver|complet|available|work|check|report)\\w*";
/** How somebody succeeds. */
const WORKING =
  "succeed(?:ed|s)?|success\\w*|worked|works|answered|responded|replied|delivered|finished|completed|reported|came (?:back|through)|went through|" +
  "available|reachable|up|online|fine|complete|whole|checked|verified|reached|recovered|there|healthy|able";
const FAILS = new RegExp(`\\b(?:${FAILING})\\b`, "u");
const WORKS = new RegExp(`\\b(?:${WORKING})\\b`, "u");

const FALSE =
  "(?:simply |just |plainly |quite |clearly )?(?:not (?:true|the case|so|correct|right|accurate)|untrue|false|wrong|incorrect|inaccurate|" +
  "mistaken|lying|unfounded|baseless|groundless|made up|an? (?:lie|myth|mistake|error|misunderstanding|false alarm|rumou?r|invention))";
const TELLING =
  "claim|report|rumou?r|assertion|suggestion|idea|story|allegation|notion|impression|statement|alert|message|warning|note|banner";
const SAYS =
  "says?|said|claims?|claimed|thinks?|thought|believes?|believed|insists?|insisted|complains?|complained|alleges?|alleged|mentions?|" +
  "mentioned|writes?|wrote|feels?|felt|fears?|feared|suspects?|suspected|reports?|reported|states?|stated|told \\w+|suggests?|suggested";

/** Turns of phrase that only stress what they bring. */
const STRESSED = new RegExp(
  "\\b(?:there is|there's) no (?:denying|doubt|question|hiding)(?: that| about| the fact that)?|\\b(?:nobody|no one) (?:denies|doubts|can deny) that|" +
    "\\b(?:it is|it's) (?:true|no secret|a fact|clear|certain|the case) that|\\bi (?:cannot|can't) deny that|\\bi (?:must|have to) (?:admit|correct myself|say)(?: that|:)?",
  "gu",
);

const ASKING = "\\b(?:asks?|asked|wonders?|wondered|wondering) (?:me |us )?(?:whether|if|why|when)";
const ASKS = new RegExp(`\\?$|${ASKING} `, "u");

/** Whether a sentence asks, itself or in reported speech. */
export function asks(marked: string): boolean {
  return ASKS.test(marked);
}

/** What is said against what somebody else says: the sentence stands, and that does not. */
const AGAINST = new RegExp(
  `\\b(?:contrary to|in spite of|despite|regardless of|whatever|no matter what|unlike) (?:what )?(?:(?!<)[^,;.]){0,80}?(?:${MARK}(?:(?!<)[^,;.]){0,40}?)?(?:,|;|(?=[.!]?$))`,
  "gu",
);

/** What comes after is denied. */
const DENIED = new RegExp(
  "(?:" + [
    `\\b(?:it|that)(?: is|'s| was| would be) ${FALSE}(?: to (?:say|claim|think|believe|assume|conclude))? that`,
    "\\bi (?:deny|dispute|doubt|do not think|don't think|do not believe|don't believe) that",
    `\\b(?:no|not any|any|little) (?:truth|sign|signs|evidence|indication|hint|proof|reason to (?:say|think|believe))(?: (?:in|to) the (?:${TELLING}))? that`,
    "\\blet (?:nobody|no one) tell \\w+ that",
    "\\bno (?:sign|signs|evidence|indication|hint|trace) of an?",
    `\\b(?:nothing|nobody|no one|none of \\w+ \\w+|no (?!<)\\w+) (?:indicates?|indicated|points? to|proves?|${SAYS})(?: that)?`,
    "\\b(?:by no means|far from|anything but|hardly|scarcely)",
    `\\b(?:do not|don't|never|nobody should|please do not) (?:believe|trust) ${SOME}(?:that says|saying|that claims|which says|that)`,
  ].join("|") + `)(?= )(${REST})`,
  "gu",
);

/** What comes before is denied. */
const DENIED_AFTER = new RegExp(
  "(?:" + [
    `\\b(?:${TELLING})s? (?:${SOME} )?(?:that|of|about|${SAYS})(?: that)?`,
    `\\b(?:whoever|anyone who|anybody who|those who|people who|if anyone) (?:${SAYS})(?: that)?`,
    "\\bto (?:say|claim|think|assume|conclude) that",
    "^that",
  ].join("|") +
    `)(?= )(${SOME})(?:[;,] (?:and |but )?(?:that|this|which|it|the)(?: \\w+)?| )(?:(?:is|are|was|were|would be|proved|turned out(?: to be)?) ${FALSE}|(?:and |; |, )?i take (?:that|it) back)|` +
    `(?<=\\b(?:said|says|wrote|claimed)(?: that)?)( ${SOME})[;,] (?:and |but )?i take (?:that|it) back`,
  "gu",
);

/** A failure that is only said to have been, and was none. */
const SUPPOSED = new RegExp(
  `\\b(?:supposed|alleged|so-called|apparent|rumou?red|reported|feared|presumed|seeming) (?:[\\w-]+ ){0,2}?(?:outage|failure|crash|timeout|error|problem|breakdown)${REST}` +
    "(?:never (?:happened|was|took place)|did not (?:happen|take place)|was (?:not|n't|none|only|merely|just)|turned out)",
  "u",
);

/** What people say, and what is only asked: of those whose words they are nobody was asked. */
const PERSON =
  "customers?|users?|clients?|callers?|buyers?|readers?|people|critics|neighbours?|friends?|somebody|someone|tickets?|competitors?|colleagues?";
const PEOPLE = new RegExp(
  [
    `\\b(?:${PERSON}|he|she|you)(?:'s (?:\\w+|\\{=?\\d+\\}))? (?:(?:also|often|still|once|first|now|here|in|from|of|there|the|on) ?(?:\\w+ ){0,2})?(?:${SAYS}|puts? it|hears?|heard)(?: that)?(?:(?= )${REST}|,${REST})`,
    `\\baccording to (?:the |a |an |our |her |his )?(?:${PERSON})(?:'s \\w+)?,?${REST}`,
    `\\bin (?:his|her|their|your|the (?:${PERSON})'s) (?:view|opinion|words|eyes|mind|experience),?${REST}`,
    `\\b(?:was|were) told (?:by [\\w ]{1,40} )?that${REST}`,
    `\\byour (?:note|message|mail|claim|complaint|impression|remark|letter)\\b${REST}`,
    `\\b(?:rumou?r has it|it is rumou?red|rumou?rs say) that${REST}`,
    `\\b(?:wrongly|falsely|mistakenly|erroneously|incorrectly)\\b${REST}`,
    `${ASKING}(?= )${REST}`,
  ].join("|"),
  "gu",
);

/** What would be if: of the first kind it was not so, of the second it was. */
const HAD_WORKED = new RegExp(
  `\\b(?:if(?: only)?|had)(?: the| our)? <([\\d,]+)>(?: [\\w'-]+)?(?<!\\b(?:not|never|n't))(?: had| only| been| ever)* (?:${WORKING})\\b`,
  "u",
);
const HAD_NOT_FAILED = new RegExp(
  `\\b(?:if(?: only)?|had)(?: the| our)? <([\\d,]+)>(?: [\\w'-]+)?(?: had| has)?(?: not|n't| never)(?: been| gone| also)* (?:${FAILING})\\b`,
  "u",
);
const BUT_FOR = new RegExp(
  "\\b(?:(?:were it|had it|if it (?:were|was|had)(?: been)?)(?: not|n't)(?: been)?|but) for (?:the |an? |that |its )?(?:[\\w-]+ ){0,2}?" +
    `(?:outage|failure|crash|errors?|timeouts?|problems?|silence|refusal)(?: of| at| with| in| on)?(?: the)? <([\\d,]+)>`,
  "u",
);
const IF_UP = new RegExp(`^were(?: the| our)? <([\\d,]+)>(?: only)? (?:${WORKING})\\b`, "u");
const WOULD = /\b(?:would|could|might|should)\b/u;
/** What is only imagined: up to the comma, or all of it. */
const IMAGINED = new RegExp(
  `^(?:in the event (?:that|of)|suppose|supposing|assuming|imagine|provided|even (?:if|had|were)|as long as|as soon as|whenever|were|had|unless|if|should)\\b`,
  "u",
);

const SEEMED =
  "(?:look|seem|appear)(?:s|ed)?\\b|\\bas (?:though|if)|\\bat first (?:sight|glance)|\\b(?:reported|said|believed|thought|listed|shown|marked) (?:to|as)\\b|\\bshows?\\b|\\bshowed\\b|\\bsuspected\\b";
/** How it looked, and then how it was. */
const IT_SEEMED = new RegExp(
  `^(?:(?:although|though|while|even though) )?(.{0,200}?\\b(?:${SEEMED}).{0,200}?)(?:[,;] (?:although|though|but|yet|however|while|whereas|in fact|in truth|actually|it|they)\\b,?|,? but)(.*)$`,
  "u",
);
/** A failure that was told by mistake. */
const TOLD_IN_ERROR =
  /\b(?:failure|error|outage|time-?out|crash) (?:notice|message|report|alert|mark|flag|entry|warning)\b[^.;]{0,60}\b(?:in error|by mistake|(?:was|is) (?:wrong|false|a bug|a mistake|a false alarm))/u;
/** What seemed to be one thing and was another. */
const ONLY_SEEMED =
  /\bwhat (?:looked|seemed|appeared|(?:[\w' -]{0,40}? )?(?:calls?|called|shows? as|lists? as))\b.{0,160}?\b(?:was|is|turned out|proved)\b(?: to be)? ?(?:only|merely|just|really|in fact|actually|nothing but|no more|an? (?!failure|error|outage|real|true))/u;

/** How it looks before somebody looks closer. */
const AT_SIGHT = /^(?:at first (?:sight|glance)|on the face of it)\b/u;

/** A failure that did not quite come about. */
const ALMOST = new RegExp(`\\b(?:almost|nearly|narrowly|very nearly|all but) (?:${FAILING})\\b`, "gu");

/**
 * What a marked sentence says of its own: see the file.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { asserted } from "./stance.ts";
 *
 * assert.equal(asserted("it is not true that <0> failed.").includes("failed"), false);
 * assert.ok(asserted("it is not true that <0> answered.").includes("<0> failed"));
 * assert.ok(asserted("had <0> answered, you would see it here.").includes("<0> failed"));
 * assert.equal(asserted("<0> failed."), "<0> failed.");
 * ```
 */
export function asserted(marked: string): string {
  if (!CUE.test(marked)) return marked;
  const imagined = [HAD_WORKED, HAD_NOT_FAILED, BUT_FOR, IF_UP].flatMap((pattern) => pattern.exec(marked)?.[1] ?? []);
  if (imagined.length > 0 && WOULD.test(marked)) return imagined.map((parties) => `<${parties}> failed`).join("; ");
  if (SUPPOSED.test(marked) || ONLY_SEEMED.test(marked) || AT_SIGHT.test(marked) || TOLD_IN_ERROR.test(marked)) {
    return "";
  }
  const told = marked.replace(STRESSED, "").replace(AGAINST, "").replace(
    DENIED_AFTER,
    (_, a?: string, b?: string) => ` ${opposite(a ?? b ?? "")}`,
  ).replace(DENIED, (_, denied: string) => ` ${opposite(denied)}`).replace(PEOPLE, "").replace(ALMOST, "").trim();
  const said = IMAGINED.test(told) && !told.endsWith("?") ? told.replace(/^[^,]*(?:, ?(?:then )?|$)/u, "") : told;
  const [, looked = "", was = ""] = IT_SEEMED.exec(said) ?? [];
  const isNot = /^ ?(?:it |they |that )?(?:was|were|is|are|did|does|had|has)(?: not|n't)[.!]?$/u.test(was);
  if (FAILS.test(looked) && was !== "" && (isNot || !FAILS.test(was))) return was;
  return said;
}

/** Words without one of which nothing here has anything to do. */
const CUE =
  /\b(?:not true|the case|untrue|false|wrong|incorrect|mistaken|unfounded|baseless|groundless|denying|deny|denies|dispute|doubt|true|fact|truth|sign|signs|evidence|indication|hint|proof|nothing|nobody|no one|no \w+ \w+|no means|far from|anything but|hardly|scarcely|believe|trust|take (?:that|it) back|supposed|alleged|so-called|apparent|rumou?red|reported|feared|presumed|contrary|spite|despite|regardless|whatever|matter|unlike|made up|stor(?:y|ies)|rumou?rs?|secret|calls?|according|view|opinion|heard|neighbours?|friends?|asks?|asked|wonder(?:s|ed|ing)?|told|wrongly|falsely|mistakenly|erroneously|incorrectly|in error|by mistake|bug|let|but for|inaccurate|your|customers?|users?|clients?|callers?|buyers?|people|critics|somebody|someone|he|she|you|tickets?|colleagues?|competitors?|readers?|had|if|were|unless|should|suppose|supposing|assuming|imagine|provided|event|even|whenever|as (?:long|soon|though|if)|look(?:s|ed)|seem(?:s|ed)|appear(?:s|ed)|first (?:sight|glance)|show(?:s|ed)?|suspected|almost|nearly|narrowly|all but|misunderstanding|myth|lie|mistake|alarm|must|have to)\b/u;

/** What follows if something is not so: nothing from a failure, and a failure from a success of somebody's. */
function opposite(denied: string): string {
  const parties = [...denied.matchAll(/<[\d,]+>/gu)].map(([mark]) => mark);
  if (parties.length === 0 || FAILS.test(denied) || !WORKS.test(denied)) return "";
  return parties.map((party) => `${party} failed`).join("; ");
}
