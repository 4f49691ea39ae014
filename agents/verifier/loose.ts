/** References that the evidence writes in another way: `kb 201` and `kb_201` for `KB-201`. */
import type { ReferenceMention } from "./mentions.ts";
import type { Observation } from "./observation.ts";

/** Letters, or digits, without whatever joins them. */
const PART = /\p{L}[\p{L}\p{M}]*|\d+/gu;
/** What may join the parts of one reference. */
const JOINT = /^(?:\s|[-_‐‑‒–./:#’'])?$/u;
/** What makes two parts one word. */
const GLUE = /^[-_‐‑]?$/u;

/** Places of one observation at which a reference is looked for. */
const MAX_PLACES = 5_000;

/** A piece of a text. */
interface Part {
  readonly upper: string;
  readonly start: number;
  readonly end: number;
}

/** The parts of an observation's text, and where each stands. Most claims need none of it. */
interface Index {
  readonly parts: readonly Part[];
  readonly places: ReadonlyMap<string, readonly number[]>;
}

const indices = new WeakMap<Observation, Index>();

function indexOf(observation: Observation): Index {
  const before = indices.get(observation);
  if (before !== undefined) return before;
  const parts = partsOf(observation.text);
  const index = { parts, places: Map.groupBy(parts.keys(), (i) => parts[i]?.upper ?? "") };
  indices.set(observation, index);
  return index;
}

const partsOf = (text: string): Part[] =>
  [...text.matchAll(PART)].map(({ 0: found, index }) => ({
    upper: found.toUpperCase(),
    start: index,
    end: index + found.length,
  }));

/** Whether an observation has the parts of a reference in order, with at most one sign between two of them. */
export function hasLoosely({ key }: ReferenceMention, observation: Observation): boolean {
  const { parts, places } = indexOf(observation);
  const wanted = partsOf(key).map(({ upper }) => upper);
  const joint = (at: number): string | undefined => {
    const [before, part] = [parts[at - 1], parts[at]];
    return before && part && observation.text.slice(before.end, part.start);
  };
  const fits = (at: number, k: number): boolean =>
    parts[at + k]?.upper === wanted[k] && (k === 0 || JOINT.test(joint(at + k) ?? "…"));
  // `SEC-7743` is not `SEC-7743-KQ`.
  const whole = (at: number): boolean => !GLUE.test(joint(at) ?? "…") && !GLUE.test(joint(at + wanted.length) ?? "…");
  const starts = (places.get(wanted[0] ?? "") ?? []).slice(0, MAX_PLACES);
  return starts.some((at) => wanted.every((_, k) => fits(at, k)) && whole(at));
}
