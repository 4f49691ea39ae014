/**
 * Of several things that came to nothing, those that an answer passes over while it tells of others: it states a number
 * beside one, no result has that number, and every sentence that tells of a failure is about something else.
 */
import { isAnswered, type LogCall } from "./call.ts";
import type { FinalStatements } from "./statements.ts";
import { wordsOf } from "./tool_words.ts";

/** More of an answer is not read, nor more of all results. In UTF-16 units. */
const MAX_ANSWER = 20_000;
const MAX_RESULTS = 200_000;
/** More calls that came to nothing, and names of other calls, are not looked at. */
const MAX_LOST = 100;
const MAX_OTHERS = 1000;

/** What is known beside the calls. */
interface Known {
  readonly task: string;
  readonly final: string;
  readonly said: FinalStatements;
}

/** Calls that came to nothing, and of which an answer states something that no result has, without telling of them. */
export function passedOver(
  lost: readonly LogCall[],
  calls: readonly LogCall[],
  { task, final, said }: Known,
): LogCall[] {
  // An answer that tells of nothing, or of nothing but an error, is judged as a whole.
  if (lost.length === 0 || said.failures.length === 0 || said.isError) return [];
  const lower = final.slice(0, MAX_ANSWER).toLowerCase();
  const known = knownText(task, calls);
  return lost.slice(0, MAX_LOST).filter((call) => {
    const own = subjectsOf(call);
    if (own.length === 0 || !own.some((subject) => isStatedOf(subject, lower, known))) return false;
    const others = calls.filter(({ key }) => key === call.key).flatMap(subjectsOf).slice(0, MAX_OTHERS)
      .filter((subject) => !own.some((one) => one.includes(subject) || subject.includes(one)));
    const words = new Set(
      wordsOf(`${task.slice(0, MAX_ANSWER)} ${call.tool} ${call.args} ${call.failure?.says ?? ""}`),
    );
    // Of two things that a task names, one is not the other; of one, it may be another name.
    const asked = task.slice(0, MAX_ANSWER).toLowerCase();
    const isAsked = (place: string) => asked.includes(place) && !own.some((subject) => asked.includes(subject));
    return said.failures.every((sentence) => isElsewhere(sentence, { own, others, words, isAsked }));
  });
}

/** Names that a call is about, in lower case: of `Paris, France`, both. */
export function subjectsOf({ leaves }: LogCall): string[] {
  return leaves.flatMap((leaf) => leaf.length > 100 ? [] : leaf.split(/[,;|]/))
    .map((part) => part.trim()).filter((part) => part.length >= 3 && /\p{L}/u.test(part));
}

/** Says of a number that no result has it. */
const GUESSED =
  /[~≈]|\b(?:about|around|roughly|approx\w*|estimate\w*|typical\w*|usual\w*|normally|guess\w*|memory|average\w*|knowledge|training|as far as|i know|as of|last (?:year|month|week|known|seen|time)|previous\w*|in (?:19|20)\d\d)\b/;

/** Whether a number stands behind a name in its clause that nothing has borne out. */
function isStatedOf(subject: string, final: string, known: string): boolean {
  for (let at = final.indexOf(subject); at >= 0; at = final.indexOf(subject, at + subject.length)) {
    const rest = final.slice(at + subject.length, at + subject.length + 60);
    if (/^[\p{L}\p{N}]/u.test(rest) || /[\p{L}\p{N}]$/u.test(final.slice(Math.max(0, at - 1), at))) continue;
    // What is called a guess, or old, is told.
    const before = final.slice(Math.max(0, at - 80), at).split(/[.!?\n]\s/).at(-1) ?? "";
    if (GUESSED.test(before + (rest.split(/[!?\n]|\.\s/)[0] ?? ""))) {
      continue;
    }
    const clause = rest.split(/[;!?\n]|[.,](?!\d)/)[0] ?? "";
    if ((clause.match(/\d+(?:[.,]\d+)*/g) ?? []).some((number) => !known.includes(number))) return true;
  }
  return false;
}

/** All that a number of an answer may come from. */
function knownText(task: string, calls: readonly LogCall[]): string {
  const texts = calls.map((call) => `${call.args}\n${isAnswered(call) ? call.text ?? "" : ""}`);
  return [task, ...texts].join("\n").slice(0, MAX_RESULTS).toLowerCase();
}

/** Words for what a run works with: a sentence about these is about all of it. */
const GENERAL =
  /^(?:it|this|that|they|these|those|tools?|services?|servers?|apis?|search(?:es)?|web ?sites?|sites?|pages?|data\w*|systems?|connections?|requests?|access|calls?|look-?ups?|quer(?:y|ies)|results?|information|details?|values?|sources?|answers?|figures?|numbers?|one|ones|rest|other|others|city|cities|place|places|items?|steps?|tasks?|files?)$/;
const TIMES =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$|^(?:january|february|march|april|may|june|july|august|september|october|november|december|i)$/;

/** What a sentence may be about. */
interface About {
  /** What the call is about. */
  readonly own: readonly string[];
  /** What others of its tool are about. */
  readonly others: readonly string[];
  /** Words of the task, the call and its result. */
  readonly words: ReadonlySet<string>;
  /** Whether the task has a name, and not those of the call. */
  readonly isAsked: (name: string) => boolean;
}

/** Whether a sentence is about another thing than `own`: it names another call's, or some other. */
function isElsewhere(sentence: string, { own, others, words, isAsked }: About): boolean {
  const lower = sentence.toLowerCase();
  if (own.some((subject) => lower.includes(subject))) return false;
  if (others.some((subject) => lower.includes(subject))) return true;
  // "the weather in London", and not "a look-up in Yahoo".
  const [, topic = "", name = ""] = /([\p{L}-]+) (?:in|for|of|about) (\p{Lu}\p{L}+)/u.exec(sentence) ?? [];
  const place = name.toLowerCase();
  if (words.has(topic.toLowerCase()) && !TIMES.test(place) && !GENERAL.test(place) && !isAsked(place)) return true;
  // What could not be fetched or read is data, by whatever name.
  const noun =
    /\b(?:the|your|a) ([\p{L}-]+) (?:could not|couldn't|cannot|can't|was not|wasn't) (?:be )?(?:found|located|opened|booked|visited)\b/u
      .exec(lower)?.[1];
  return noun !== undefined && !GENERAL.test(noun) && ![...wordsOf(noun)].some((word) => words.has(word));
}
