/** How two lists of lines differ, said in words. */
import { clip, oneLine } from "../../core/mod.ts";

/** Longest quotation, in characters. */
const MAX_QUOTE = 110;

/**
 * Says how a list has changed. A line that is gone and a new one that are about the same thing, which is what stands
 * before the first colon, are told as one change.
 *
 * @param what What one line is, such as `call`.
 */
export function listChanges(what: string, before: readonly string[], now: readonly string[]): string[] {
  const gone = minus(before, now);
  const fresh = minus(now, before);
  if (gone.length === 0 && fresh.length === 0) {
    const at = before.findIndex((line, i) => line !== now[i]);
    return at < 0 ? [] : [`${what}: the same in another order; first comes ${brief(now[at] ?? "")}`];
  }
  const told: string[] = [];
  for (const line of gone) {
    const key = keyOf(line);
    const twin = fresh.findIndex((other) => keyOf(other) === key);
    const [match] = twin < 0 ? [] : fresh.splice(twin, 1);
    if (match === undefined) told.push(`${what} gone: ${brief(line)}`);
    else {
      const [old, young] = aroundDifference(line.slice(key.length + 2), match.slice(key.length + 2));
      told.push(`${what} ${key}: ${old} → ${young}`);
    }
  }
  return [...told, ...fresh.map((line) => `${what} new: ${brief(line)}`)];
}

/** Says how a text has changed, line by line. */
export function textChanges(what: string, before: readonly string[], now: readonly string[]): string[] {
  const gone = minus(before, now);
  const fresh = minus(now, before);
  if (gone.length === 0 && fresh.length === 0) {
    return before.join("\n") === now.join("\n") ? [] : [`${what}: the same lines in another order`];
  }
  return Array.from({ length: Math.max(gone.length, fresh.length) }, (_, i) => {
    const [old, young] = [gone[i], fresh[i]];
    if (old === undefined) return `${what} now says ${quoted(young ?? "")}`;
    if (young === undefined) return `${what} no longer says ${quoted(old)}`;
    return `${what}: ${aroundDifference(old, young).map((text) => `“${text}”`).join(" → ")}`;
  });
}

/** What is in `a` more often than in `b`. */
function minus(a: readonly string[], b: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of b) left.set(line, (left.get(line) ?? 0) + 1);
  return a.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

/** Two texts, cut to where they differ: what they begin with alike is shown as far as it helps to find the place. */
function aroundDifference(before: string, now: string): [string, string] {
  const [a, b] = [oneLine(before), oneLine(now)];
  if (Math.max(a.length, b.length) <= MAX_QUOTE) return [a, b];
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  // From the beginning of a word; words are long enough to look at.
  const from = same <= MAX_QUOTE / 3 ? 0 : a.lastIndexOf(" ", Math.floor(same - MAX_QUOTE / 4)) + 1;
  const cut = (text: string) => (from === 0 ? "" : "…") + clip(text.slice(from), MAX_QUOTE);
  return [cut(a), cut(b)];
}

const keyOf = (line: string): string => {
  const at = line.indexOf(": ");
  return at < 0 ? line : line.slice(0, at);
};
const brief = (text: string): string => clip(oneLine(text), MAX_QUOTE);
const quoted = (text: string): string => `“${brief(text)}”`;
