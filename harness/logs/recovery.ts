/** Whether what a failed call was for was met by another call. Only what the log shows; of two readings, the milder one. */
import { isAnswered, type LogCall } from "./call.ts";
import { keyWords } from "./statements.ts";
import { wordsOf } from "./tool_words.ts";

/** Every {@linkcode RecoveryKind}. */
export const RECOVERY_KINDS = [
  "already",
  "retry",
  "same_thing",
  "other_search",
  "other_source",
  "same_server",
  "other_read",
] as const;

/**
 * How a failed call was made good:
 *
 * - `retry`: its tool answered later, for the same thing or for something that the task does not name;
 * - `same_thing`: another tool was answered later about the same value (a path, a name, an address);
 * - `other_source`: something was to be read from a source that the agent picked itself, and its tool answered for others;
 * - `other_search`: another tool answered a search in nearly the same words;
 * - `same_server`: something was to be read, the task does not name it, and the server answered something else later;
 * - `other_read`: the same, and another tool read something later that the final answer states;
 * - `already`: what was to be made was there already.
 */
export type RecoveryKind = typeof RECOVERY_KINDS[number];

/** What made a failed call good. */
export interface Recovered {
  readonly kind: RecoveryKind;
  /** Number of the call that did. */
  readonly by: number;
}

/** Words of a call that the task has as well, and what a search is about. */
const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}|[^\p{ASCII}]{2,}/gu));

/** What a run was to do, and what it said in the end. */
export interface Asked {
  /** Words of the task. */
  readonly task: ReadonlySet<string>;
  /** What the final answer states: see {@linkcode toldIn}. */
  readonly final: ReadonlySet<string>;
}

/** Finds what made a failed call good, or `undefined`. */
export function recoveryOf(
  failed: LogCall,
  calls: readonly LogCall[],
  { task, final }: Asked,
): Recovered | undefined {
  const answered = calls.filter((call) => isAnswered(call) && !call.isDiscovery);
  const later = answered.filter(({ index }) => index > failed.index);
  const named = isNamed(failed, task);
  const by = (kind: RecoveryKind, found: LogCall | undefined): Recovered | undefined =>
    found === undefined ? undefined : { kind, by: found.index };
  const sameTool = (call: LogCall) => call.key === failed.key;
  if (failed.isEffect && ALREADY.test(failed.failure?.says ?? "")) return { kind: "already", by: failed.index };
  // Whoever finds a tool has no more use for the list.
  if (isFinder(failed, calls)) {
    return by(
      "same_server",
      calls.filter(isAnswered).find(({ index }) => index > failed.index),
    );
  }
  return by("retry", later.find((call) => sameTool(call) && isSame(failed, call))) ??
    by("same_thing", later.find((call) => isSameThing(failed, call))) ??
    // Arguments that were put right, or another attempt at something that nobody has asked for in these words.
    (failed.isEffect && !named ? by("retry", later.find(sameTool)) : undefined) ??
    (failed.isEffect
      ? undefined
      : by("other_search", later.find((call) => !call.isEffect && isSameSearch(failed, call)))) ??
    (failed.isEffect || named
      ? undefined
      : by("other_source", answered.find((call) => sameTool(call) && isBehind(call, final)))) ??
    (failed.isEffect || named || isAskedFor(failed, task) ? undefined : by(
      "same_server",
      later.find((call) => call.server !== undefined && call.server === failed.server && isBehind(call, final)),
    ) ??
      by("other_read", later.find((call) => !call.isEffect && isTold(call, final))));
}

const ALREADY = /\balready (?:exists?|been|there|present|installed|enabled|added|created)\b|\bEEXIST\b/i;

/** So many telling words of a result have to be in the answer for it to rest on that. */
const LEAST_TOLD = 3;

function isTold({ text = "" }: LogCall, final: ReadonlySet<string>, least = LEAST_TOLD): boolean {
  return toldIn(text.slice(0, 20_000)).intersection(final).size >= least;
}

/**
 * Whether an answer may rest on a result: it has something of it, or states no number that would have to come from one. Of
 * scripts without capitals no names are known.
 */
function isBehind(call: LogCall, final: ReadonlySet<string>): boolean {
  return isTold(call, final, 1) || ![...final].some((word) => /\p{N}/u.test(word)) ||
    /[^\p{ASCII}\p{P}\p{S}]{2}/u.test(call.text?.slice(0, 20_000) ?? "");
}

/** Telling words: names, and whatever has a number in it. Of a task, nothing is told by being said again. */
export function toldIn(text: string, but: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  const found =
    text.match(/(?<![\p{L}\p{N}])(?:\p{Lu}[\p{L}\p{N}]{3,}|[\p{L}\p{N}.,]{0,30}\p{N}[\p{L}\p{N}.,]{0,30})/gu) ?? [];
  return new Set(
    found.map((word) => word.toLowerCase().replace(/[.,]+$/, "")).filter((word) => word.length >= 3 && !but.has(word)),
  );
}

/** Task words for {@linkcode recoveryOf}. */
export const taskWords = (task: string): ReadonlySet<string> => words(task.slice(0, 20_000));

/** Whether the task asks for this very source: it names the tool or its server. */
function isAskedFor({ tool }: LogCall, task: ReadonlySet<string>): boolean {
  return keyWords(tool).some((word) => word.length >= 5 && task.has(word));
}

/** Whether the task asks for just this: it has every word of one of the call's values, or of two that mean little each. */
function isNamed({ values, leaves }: LogCall, task: ReadonlySet<string>): boolean {
  const isAll = (value: string) => {
    const own = [...words(value)];
    return own.length > 0 && own.every((word) => task.has(word));
  };
  return values.some(isAll) || leaves.filter(isAll).length >= 2;
}

/** Whether the tool is one that lists tools, by any of its results. */
function isFinder({ key }: LogCall, calls: readonly LogCall[]): boolean {
  return calls.some((call) => call.key === key && call.isDiscovery);
}

/**
 * An act is made good only by an act. A look at something is, too, if that is then made or changed; not if it is merely
 * spoken of in what is written.
 */
function isSameThing(failed: LogCall, call: LogCall): boolean {
  if (failed.isEffect) {
    // A program that was run may have the file in its midst.
    const files = failed.values.flatMap((value) => fileOf(value) ?? []);
    return call.isEffect &&
      (shares(failed.values, call.values) || files.some((file) => call.args.includes(file)));
  }
  if (!call.isEffect) {
    return shares(failed.values, call.values) || hasAll(failed.leaves, call.leaves) || isNamesake(failed, call);
  }
  return failed.values.some((value) => call.values.some((other) => other === value || isSameFile(value, other)));
}

/** A tool of the same name, asked for just the same: many servers have a `search`. */
function isNamesake(a: LogCall, b: LogCall): boolean {
  const own = ({ tool }: LogCall) => tool.slice(tool.lastIndexOf(".") + 1).toLowerCase();
  return own(a) === own(b) && a.leaves.join("\n") === b.leaves.join("\n");
}

/** Two values or more that mean little each are not shared by chance. */
function hasAll(own: readonly string[], other: readonly string[]): boolean {
  return own.length >= 2 && new Set(own).isSubsetOf(new Set(other));
}

/** Whether a call of the same tool is about the same: it shares a value, or neither has any. */
function isSame(a: LogCall, b: LogCall): boolean {
  return a.args === b.args || shares(a.values, b.values) || (a.values.length === 0 && b.values.length === 0) ||
    a.values.some((value) => b.args.includes(value));
}

function shares(a: readonly string[], b: readonly string[]): boolean {
  return a.some((one) =>
    b.some((other) => one === other || holds(one, other) || holds(other, one) || isSameFile(one, other))
  );
}

function holds(longer: string, shorter: string): boolean {
  // A folder is not the file in it.
  if (shorter.includes("/") && longer.includes("/")) return false;
  const least = /[^\p{ASCII}]/u.test(shorter) ? 2 : 5;
  return shorter.length >= least && longer.length > shorter.length && longer.length <= 200 && longer.includes(shorter);
}

/** Paths with the same last part, if that is a file's name. */
function isSameFile(a: string, b: string): boolean {
  const [one, other] = [fileOf(a), fileOf(b)];
  return one !== undefined && one === other;
}

const fileOf = (path: string): string | undefined => /(?:^|\/)([^/\s]+\.[a-z0-9]{1,5})$/.exec(path)?.[1];

/** Half of the words of one search are in the other. */
function isSameSearch(failed: LogCall, call: LogCall): boolean {
  const looks = (tool: string) => wordsOf(tool).some((word) => /^(?:search|find|query|lookup|news|web)$/.test(word));
  if (!looks(failed.tool)) return false;
  const [own, other] = [words(failed.values.join(" ")), words(call.values.join(" "))];
  return own.size >= 2 && own.intersection(other).size * 2 >= own.size;
}
