/** How much of a claim's wording the evidence bears out. */
import type { Passage, Reading } from "./evidence.ts";

/** Figures from 0 (nothing) to 1 (everything). */
export interface Overlap {
  /** Content words of the claim. */
  readonly words: number;
  /** Share of them that occur anywhere in the evidence. */
  readonly anywhere: number;
  /** Share that the best window of up to three neighbouring passages has, rare words counting more. */
  readonly window: number;
  /** Share of neighbouring pairs of them that stand near each other somewhere; that of the window where there is no pair. */
  readonly pairs: number;
  /** Observations of the best window. */
  readonly sources: readonly number[];
}

/** Support from which wording alone bears a claim out. */
export const GOOD_SUPPORT = 0.55;

/**
 * Support from 0 to 1: the mean of the three shares of {@link Overlap}, the best window counting double. What has been
 * found exactly (a number, an hour, a field that says yes) counts as one more word that is borne out.
 */
export function supportOf({ words, anywhere, window, pairs }: Overlap, found: number): number {
  const wording = (anywhere + 2 * window + pairs) / 4;
  return words + found === 0 ? 0 : (wording * words + found) / (words + found);
}

const WINDOW = 3;
/** Content words between two that still stand near each other. */
const NEAR = 4;

/** Compares the claim's content words (stems, in order) with all passages. Linear in both together. */
export function overlapOf(
  stems: readonly string[],
  { passages, stems: known }: Pick<Reading, "passages" | "stems">,
): Overlap {
  const wanted = new Set(stems);
  const hits = passages.map((passage) => passage.stems.filter((one) => wanted.has(one)));
  const uses = new Map<string, number>();
  for (const list of hits) for (const one of new Set(list)) uses.set(one, (uses.get(one) ?? 0) + 1);
  const weight = (one: string) => Math.log((passages.length + 1) / ((uses.get(one) ?? 0) + 0.5));
  const weights = new Map([...wanted].map((one) => [one, Math.max(weight(one), 0.1)]));
  const total = sum(stems.map((one) => weights.get(one) ?? 0));
  const worth = new Map<string, number>();
  for (const one of stems) worth.set(one, (worth.get(one) ?? 0) + (weights.get(one) ?? 0));
  const best = bestWindow(passages, hits, worth);
  const share = (part: number, whole: number) => whole === 0 ? 1 : part / whole;
  return {
    words: stems.length,
    anywhere: share(stems.filter((one) => known.has(one)).length, stems.length),
    window: share(best.score, total),
    pairs: nearPairs(stems, passages) ?? share(best.score, total),
    sources: best.sources,
  };
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

interface Best {
  readonly score: number;
  readonly sources: readonly number[];
}

/** The window whose words are worth most; what the fields of no list have goes with every window. */
function bestWindow(
  passages: readonly Passage[],
  hits: readonly (readonly string[])[],
  worth: ReadonlyMap<string, number>,
): Best {
  const always = new Set(passages.flatMap(({ field, listed }, i) => field && !listed ? hits[i] ?? [] : []));
  const valueOf = (words: Iterable<string>) => sum([...words].map((one) => worth.get(one) ?? 0));
  const base = valueOf(always);
  let [most, at] = [0, -1];
  for (let i = 0; i < hits.length; i++) {
    if ((hits[i]?.length ?? 0) === 0) continue;
    const value = base + valueOf(new Set(hits.slice(i, i + WINDOW).flat().filter((one) => !always.has(one))));
    if (value > most) [most, at] = [value, i];
  }
  const window = at < 0 ? [] : passages.slice(at, at + WINDOW).filter((_, k) => (hits[at + k]?.length ?? 0) > 0);
  return { score: most, sources: [...new Set(window.map(({ source }) => source))] };
}

/** The share of the claim's neighbouring word pairs that stand within {@link NEAR} words in some passage. */
function nearPairs(stems: readonly string[], passages: readonly Passage[]): number | undefined {
  const wanted = new Map<string, Set<string>>();
  const note = (a: string, b: string) => wanted.set(a, (wanted.get(a) ?? new Set()).add(b));
  for (const [i, one] of stems.entries()) {
    const next = stems[i + 1];
    if (next !== undefined) note(one, next), note(next, one);
  }
  const seen = new Set<string>();
  for (const { stems: list } of passages) {
    for (const [i, one] of list.entries()) {
      const partners = wanted.get(one);
      if (partners === undefined) continue;
      for (let k = i + 1; k <= i + NEAR && k < list.length; k++) {
        const other = list[k] ?? "";
        if (partners.has(other)) seen.add(`${one} ${other}`).add(`${other} ${one}`);
      }
    }
  }
  const pairs = stems.slice(1).map((one, i) => `${stems[i]} ${one}`);
  return pairs.length === 0 ? undefined : pairs.filter((pair) => seen.has(pair)).length / pairs.length;
}
