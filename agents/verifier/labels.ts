/** Which words of a field's name make it this field and no other, and where a claim speaks of it. */
import type { Claim } from "./claim.ts";
import type { Field } from "./evidence.ts";
import { isFunctionWord, stem } from "./words.ts";

/** A field's name, or the common beginning of some, as a claim may speak of it. */
export interface Topic {
  /** The words that make it this one, lower case, in order. */
  readonly words: readonly string[];
  /** The fields that it names. */
  readonly fields: readonly Field[];
  /** Whether it is the common beginning of several names. */
  readonly group: boolean;
}

/** Words that name no particular field: they make a name a name. */
const PLAIN = new Set(
  "is has id name type value text status state info data details detail flag count number num total amount result results good"
    .split(" "),
);

/** Names that more fields than this share are columns, not yes-or-no attributes. */
const MAX_SHARED = 50;
/** Names that are looked at. */
const MAX_NAMES = 300;

/** Words of a name that are looked at. */
const MAX_LABEL = 8;

/** Topics of all fields, each name once, and of the common beginnings of at least two names. */
export function topicsOf(fields: readonly Field[]): Topic[] {
  const byName = Map.groupBy(fields, ({ labelText }) => labelText);
  const names = [...byName].filter(([, same]) => same.length <= MAX_SHARED)
    .slice(0, MAX_NAMES).map(([, same]) => ({ label: same[0]?.label.slice(-MAX_LABEL) ?? [], fields: same }));
  const uses = new Map<string, number>();
  for (const { label } of names) for (const word of new Set(label)) uses.set(word, (uses.get(word) ?? 0) + 1);
  const own = names.map(({ label, fields }): Topic => ({ words: rarest(label, uses), fields, group: false }));
  return [...own, ...groupsOf(names, uses)].filter(({ words }) => words.length > 0);
}

/** The words of a name that fewest names have, without plain ones as long as others are left. */
function rarest(label: readonly string[], uses: ReadonlyMap<string, number>): string[] {
  const least = Math.min(...label.map((word) => uses.get(word) ?? 1));
  const rare = label.filter((word) => uses.get(word) === least);
  const telling = rare.filter((word) => !PLAIN.has(word) && !(isFunctionWord(word) && rare.length > 2));
  return telling.length > 0 ? telling : rare.filter((word) => !isFunctionWord(word));
}

/** Common beginnings of two or more names: `business parking` of `business parking garage` and `business parking lot`. */
function groupsOf(
  names: readonly { label: readonly string[]; fields: readonly Field[] }[],
  uses: ReadonlyMap<string, number>,
): Topic[] {
  const beginnings = new Map<string, { label: readonly string[]; fields: Field[]; names: number }>();
  for (const { label, fields } of names) {
    for (let length = 1; length < label.length; length++) {
      const start = label.slice(0, length);
      const group = beginnings.get(start.join(" ")) ?? { label: start, fields: [], names: 0 };
      group.fields.push(...fields);
      group.names += 1;
      beginnings.set(start.join(" "), group);
    }
  }
  const groups = [...beginnings.values()].filter((one) => one.names >= 2);
  return groups.filter(({ label, names }) =>
    // The longest beginning that these names share; a shorter one with more names is another group.
    !groups.some((other) => other.names === names && other.label.length > label.length && starts(other.label, label))
  ).map(({ label, fields }): Topic => ({
    words: label.slice(-1).filter((word) => !PLAIN.has(word)),
    fields,
    group: true,
  }))
    .filter(({ words }) => words.every((word) => (uses.get(word) ?? 0) <= 20));
}

const starts = (label: readonly string[], beginning: readonly string[]) =>
  beginning.every((word, i) => label[i] === word);

/** Tokens within which the words of a name are one mention of it. */
const SPAN = 6;

/**
 * Where a claim speaks of a topic: the index of the token at which its words are complete, or -1. The words may be
 * written as one (`wifi`, `take-out`), or stand within {@link SPAN} tokens of each other.
 */
export function findTopic(words: readonly string[], { places, joined }: Claim): number {
  const whole = words.join("");
  const asOne = words.length > 1 ? joined.get(whole) ?? joined.get(`${whole}s`) : undefined;
  if (asOne !== undefined) return asOne;
  if (words.every(isFunctionWord)) return -1;
  const [first, ...others] = words.map((word) => places.get(stem(word)) ?? []);
  for (const at of first ?? []) {
    const near = others.map((list) => list.find((other) => Math.abs(other - at) < SPAN));
    if (near.every((one) => one !== undefined)) return Math.max(at, ...near);
  }
  return -1;
}
