/** Who is said to have failed, sentence by sentence, and who to have been recovered. */
import {
  CROSSED,
  IN_VAIN_AGAIN,
  IN_VAIN_IT,
  IN_VAIN_WITH,
  LABELLED,
  LISTED,
  NEITHER,
  NO,
  NOT_NOW,
  RECOVERED,
  REPORTING,
  saysItFailed,
  SELF_REPORT,
  SUBJECT_FAILED,
  TAKEN_BACK,
  TOPIC_FAILED,
  WITHOUT,
  YES,
} from "./cues.ts";
import { namedIn, type Sentence } from "./sentences.ts";
import { asks } from "./stance.ts";

/** How somebody is said to have failed. `failed` is whatever is none of the others. */
export type FailureKind = "failed" | "denied" | "not_started" | "incomplete";

/** A statement, with the number of the party. */
export interface Said {
  readonly party: number;
  readonly sentence: Sentence;
  readonly kind: FailureKind;
}

/** Statements of failure that no later statement of the text takes back. */
export function failuresIn(sentences: readonly Sentence[]): Said[] {
  let said: Said[] = [];
  let last: readonly number[] = [];
  let line = -1;
  let asked: Asked | undefined;
  for (const sentence of sentences) {
    if (sentence.line !== line) [last, asked] = [[], undefined];
    line = sentence.line;
    const { asserted: marked } = sentence;
    const named = namedIn(sentence.marked);
    const failed = new Set(isOfTheWorld(marked) ? [] : [...direct(marked), ...listed(marked)]);
    const before = failed.size > 0 ? [...failed] : named.length > 0 ? named : last;
    if (asked !== undefined && named.length === 0 && answersFailed(marked, asked)) {
      for (const party of asked.parties) failed.add(party);
    }
    const isOwn = !REPORTING.test(marked) || SELF_REPORT.test(marked);
    const isIt = asked === undefined || !NO.test(marked.trim());
    if (
      isOwn && isIt && !NOT_NOW.test(marked) && failed.size === 0 && (saysItFailed(marked) || IN_VAIN_IT.test(marked))
    ) {
      for (const party of before) failed.add(party);
    }
    const recovered = RECOVERED.test(marked) && !IN_VAIN_AGAIN.test(marked);
    if (recovered) {
      const whole = new Set(named.length > 0 ? recoveredOf(marked, named) : last);
      for (const party of whole) failed.delete(party);
      said = said.filter(({ party }) => !whole.has(party));
    }
    for (const party of failed) said.push({ party, sentence, kind: kindOf(marked) });
    if (named.length > 0) last = named;
    asked = asks(sentence.marked) && named.length > 0 ? askedIn(sentence.marked, named) : undefined;
  }
  return said;
}

/** A question, of whom it is, and whether it asks for a failure or for a success. */
interface Asked {
  readonly parties: readonly number[];
  readonly forFailure: boolean;
}

function askedIn(marked: string, parties: readonly number[]): Asked {
  return {
    parties,
    forFailure: /\b(?:fail|crash|time out|break|stall|hang|refuse|down|unavailable|offline|missing)/u.test(marked),
  };
}

/** Whether a short answer says that those of a question came to nothing. */
function answersFailed(marked: string, { forFailure }: Asked): boolean {
  return (forFailure ? YES : NO).test(marked.trim());
}

/** Somebody's report, a quotation, or something that may be or once was. */
function isOfTheWorld(marked: string): boolean {
  const reports = REPORTING.test(marked) && !CROSSED.test(marked);
  CROSSED.lastIndex = 0;
  return reports || NOT_NOW.test(marked);
}

function direct(marked: string): number[] {
  const found: number[] = [];
  const add = (list: string | undefined) =>
    found.push(...(list ?? "").split(",").filter((one) => one !== "").map(Number));
  const isReport = /^[^\p{L}\p{N}<]*<[\d,]+>\]? ?[:\]]/u.test(marked);
  for (const clause of clausesOf(marked)) {
    if (!/[<{]/.test(clause)) continue;
    for (const [, list] of clause.matchAll(CROSSED)) add(list);
    for (const [, list] of clause.matchAll(LABELLED)) add(list);
    if (isReport) continue;
    for (const [whole, list, gap = "", predicate = ""] of clause.matchAll(SUBJECT_FAILED)) {
      const before = clause.slice(0, clause.indexOf(whole));
      if (!TAKEN_BACK.test(gap.trim()) && !isDenied(before, predicate)) add(list);
    }
    for (const [whole, list] of clause.matchAll(IN_VAIN_WITH)) {
      if (!/\b(?:no|not|without|any)$/.test(clause.slice(0, clause.indexOf(whole)).trim())) add(list);
    }
    if (/\bneither|one of/.test(clause)) { for (const [, list] of clause.matchAll(NEITHER)) add(list); }
    for (const [, list] of `${clause},`.matchAll(WITHOUT)) add(list);
    if (!clause.includes("{")) continue;
    for (const [, ...lists] of clause.matchAll(TOPIC_FAILED)) for (const list of lists) add(list);
  }
  return found;
}

/** `none of <0,1> failed`, unless what is denied is a success. */
function isDenied(before: string, predicate: string): boolean {
  return /\b(?:none of|neither|no part of|nobody|nothing|no one|no)\b(?:(?!, (?:as|for) )[^<])*$/.test(before) &&
    !/\b(?:not|never|no)\b|n't/.test(predicate);
}

function listed(marked: string): number[] {
  return namedIn(LISTED.exec(marked)?.[1] ?? "");
}

const BREAK =
  /(?:;|,? (?:but|while|although|though|whereas|yet|however|except that)|,? (?:because|since)|, (?:so|hence|and)|: (?=[^<]*<)) /;

/** The clauses of a sentence. A list of names is no break. */
function clausesOf(marked: string): string[] {
  return marked.replace(/[.!]+["')\]]*$/u, "").split(BREAK).map((clause) => clause.trim());
}

/** Whom a recovery is about: those of the clause that tells of it, or else all of the sentence. */
function recoveredOf(marked: string, named: readonly number[]): readonly number[] {
  const clause = clausesOf(marked).find((one) => RECOVERED.test(one));
  const own = clause === undefined ? [] : namedIn(clause);
  return own.length > 0 ? own : named;
}

function kindOf(marked: string): FailureKind {
  if (
    /\b(?:denied|denial|not (?:been )?(?:approved|permitted|allowed|authori[sz]ed)|turned down|pending approval|rejected)\b/
      .test(marked)
  ) {
    return "denied";
  }
  if (
    /\b(?:not|never) (?:been )?(?:run|started|begun)\b|n't (?:run|started|start)\b|\bskipped\b|\bnot_started\b/.test(
      marked,
    )
  ) {
    return "not_started";
  }
  return /\b(?:incomplete|partial(?:ly)?|in part|only (?:a )?part|unfinished)\b/.test(marked) ? "incomplete" : "failed";
}
