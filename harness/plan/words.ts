/** Texts as sets of content words: what overlap and the match by text compare. */

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}._/@'-]*[\p{L}\p{N}])?/gu;

/** English words that say nothing about what a task is about: function words, and the verbs that any task begins with. */
const STOP: ReadonlySet<string> = new Set(
  ("a an the and or nor but if then than that this these those it its of on in at to for from by with without " +
    "into onto about over under after before between as is are was were be been being has have had do does did " +
    "will would can could should may might must not no any all each every both other same there here what which " +
    "who whom whose when where why how whether out up so such only own per via everything something anything many " +
    "much we i you they he she them their our your my me us find establish state say tell give get look see check " +
    "review report list show write read name explain describe determine identify search quote confirm make use " +
    "using").split(" "),
);

/**
 * The content words of a text: in lower case, without function words and the verbs of asking, plural and tense cut off
 * (`charges`, `charged` and `charge` are one). Names with dots, slashes, dashes or underscores stay whole.
 *
 * @example
 * ```ts
 * import { contentWords } from "./words.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual([...contentWords("Find the charges on order 12345.")], ["charg", "order", "12345"]);
 * assert.deepEqual([...contentWords("Review shop/db.py for security.")], ["shop/db.py", "security"]);
 * ```
 */
export function contentWords(text: string): ReadonlySet<string> {
  const before = known.get(text);
  if (before !== undefined) return before;
  const words = text.normalize("NFKC").toLowerCase().match(WORD) ?? [];
  const content = new Set(words.filter((word) => !STOP.has(word)).map(stem));
  if (known.size >= MAX_KNOWN) known.clear();
  if (text.length <= MAX_LENGTH) known.set(text, content);
  return content;
}

/** Several components read the same objectives: some are remembered, and how long they may be, in UTF-16 units. */
const MAX_KNOWN = 256;
const MAX_LENGTH = 2_000;
const known = new Map<string, ReadonlySet<string>>();

/**
 * The names and numbers of a text, in lower case: words with a digit, or with a dot, slash, dash, `@` or underscore inside, or
 * capitals after the first word.
 */
export function namesIn(text: string): ReadonlySet<string> {
  const words = text.normalize("NFKC").match(WORD) ?? [];
  return new Set(
    words.filter((word, i) => /[\d._/@-]/.test(word) || i > 0 && /^\p{Lu}/u.test(word)).map((word) =>
      word.toLowerCase()
    ),
  );
}

/** Cuts an English ending off. A guess that only has to be the same on both sides. */
function stem(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  const bare = word.replace(/ies$/, "y").replace(/(?<=[^s])s$/, "");
  const root = bare.replace(/(?:ing|ed|e)$/, "");
  return root.length < 3 ? bare : root;
}

/** Jaccard index (1901): shared words over all words; 0 if there are none. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = a.intersection(b).size;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}
