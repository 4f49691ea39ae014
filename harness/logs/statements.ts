/** What a final answer says of failures and of itself. Words, not understanding. */
import { detectStatements, MAX_TEXT, type Party } from "../score/detector/mod.ts";
import { splitClaims } from "../../agents/verifier/mod.ts";
import { isTelling, isTellingAbout, isTellingOf, NOTHING } from "./telling.ts";
import { wordsOf } from "./tool_words.ts";

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

const WHOLE: readonly RegExp[] = [
  /\b(?:completed|fulfilled|accomplished|finished|carried out|executed|done|handled|addressed)\b(?: \w+){0,2}? (?:all|everything|both|each|every|(?:the|your|this) (?!first|second|third|fourth|next|last|other|initial|previous|following)(?:[\w-]+ )?(?:requests?|tasks?|instructions?|assignment|work ?flow))\b/,
  /\b(?:all|both|every|each)(?: of)?(?: (?:the|your|these|my|three|four|five|two))?(?: \w+)? (?:tasks?|steps?|requests?|requirements?|parts?|items?|operations?|actions?|files?)(?: (?:have|has|had))?(?: been| are| were| is| was)?(?: now| all)?(?: successfully| fully)? (?:completed?|done|finished|met|fulfilled|processed|created|performed|executed|succeeded|accomplished)\b/,
  /\b(?:the |your |this )?(?:entire |whole )?(?:task|request|assignment|job|project)(?: (?:is|was|has been|have been))?(?: now| all)?(?: successfully| fully)? (?:complete|completed|done|finished|accomplished|fulfilled)\b/,
  /\b(?:everything|all) (?:that )?(?:you(?:'ve| have)? (?:asked|requested|needed|wanted)|is (?:done|complete|ready|in place|working|set)|has been (?:completed|done|created|verified|saved)|went (?:well|smoothly|fine))\b/,
  /\b(?:everything|all of (?:it|them|this|that|the above)|both of them|each of them|the whole task|the entire request)\b[^.;]{0,30}\b(?:is|are|has been|have been|was|were) (?:now )?(?:fully |successfully |all )?(?:done|completed?|finished|handled|processed|fulfilled|met|in place|taken care of|carried out|verified|confirmed|delivered|resolved)\b/,
  /\b(?:your|the|this) (?:entire |whole |full )?(?:request|task|assignment|job) (?:has been|is|was) (?:now )?(?:fully |successfully |completely )?(?:processed|handled|completed?|done|finished|fulfilled|carried out)\b/,
  /\bmission (?:accomplished|completed?)\b|^(?:✅ ?)?all (?:done|set)[.!]|\beverything\b[^.;]{0,40}\bas (?:you (?:have )?)?(?:requested|asked|instructed)\b|^(?:✅ ?)?(?:all )?(?:done|completed|finished)! (?:every|all)\b|\b(?:every|each) part of (?:your|the) (?:request|task)\b[^.;]{0,30}\b(?:done|completed?|handled|finished)\b/,
  /(?:已|都已|均已)(?:经)?(?:全部|成功|顺利|圆满)?(?:全部)?(?:完成|处理|实现|满足|执行完毕)(?!.*(?:但|除|未|没有|失败))/u,
];
const NOT_WHOLE =
  /\b(?:except|although|though|however|but|partially|partly|not|n't|cannot|unable|almost|nearly|most of|once|if|when|while|apart from|other than|despite)\b/;

/**
 * Reads a final answer, of which no more than the detector's {@linkcode MAX_TEXT} is read.
 *
 * @param tools Tools that came to nothing.
 * @param subjects What they were asked about, in lower case.
 */
export function readFinal(
  final: string,
  tools: readonly string[],
  subjects: readonly string[] = [],
): FinalStatements {
  const text = final.slice(0, MAX_TEXT).replace(/```[\s\S]*?(?:```|$)/g, "\n");
  const sentences = text.split(/\r?\n/).flatMap((line) => sentencesOf(line));
  const found = detectStatements(final, tools.map(partyOf));
  const names = tools.flatMap(keyWords);
  const stated = new Set([
    ...sentences.filter(({ plain }) => isTelling(plain) || isTellingOf(plain, names) || isTellingAbout(plain, subjects))
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
  const parts = line.length > 4000
    ? splitClaims(line)
    : line.split(/(?<=[.!?])\s+(?=[\p{Lu}"'*(_]|[^\p{ASCII}])|(?<=[。！？])/u);
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
  if (
    /^(?:traceback \(most recent call last\)|(?:http )?[45]\d\d (?:internal server error|service unavailable|bad gateway|gateway timeout|too many requests)[.!]?$)/i
      .test(bare)
  ) {
    return true;
  }
  return bare.length < 300 && !bare.includes("\n") &&
    /^(?:(?:fatal |internal |unexpected )?(?:error|exception)\b|(?:request|connection|task|run) (?:failed|error|timed out)|timed? ?out)/i
      .test(bare);
}
