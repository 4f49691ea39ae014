/** All evidence of a claim, read once: each observation by itself, and together. */
import { type Field, type Observation, type Passage, readObservation, type Sighting } from "./observation.ts";
import type { Evidence } from "./types.ts";

export type { Field, Passage, Polarity, Sighting } from "./observation.ts";

/** UTF-16 units of evidence that are read, all observations together. */
export const MAX_EVIDENCE = 500_000;
/** Fields that are read, all observations together. */
export const MAX_FIELDS = 10_000;

/** Whether something is among the words or stems of some observation. */
export interface Known {
  has(one: string): boolean;
}

/** All that was read. */
export interface Reading {
  readonly ids: readonly string[];
  /** One for each id. */
  readonly observations: readonly Observation[];
  readonly fields: readonly Field[];
  readonly passages: readonly Passage[];
  readonly sightings: readonly Sighting[];
  /** All words, lower case. */
  readonly words: Known;
  /** All stems of words. */
  readonly stems: Known;
  /** Whether some evidence is longer than what is read. */
  readonly cut: boolean;
}

/** UTF-16 units of evidence beyond which a reading is not kept. */
const MAX_KEPT = 50_000;

/** The last reading: the sentences of one note rest on the same evidence. */
let last: Reading | undefined;

/** Observations that are kept, and UTF-16 units of one and of all of them. */
const KEPT = { count: 256, units: 4_000, all: 100_000 };

/** Observations by number and text: what one note rests on, others of the run rest on too, and whoever checks the answer. */
const kept = new Map<string, Observation>();
let keptUnits = 0;

/** An observation, as it was read before if it was. Only what is read whole whatever the limits is kept. */
function observed(source: number, text: string, left: number, most: number): Observation {
  if (text.length > KEPT.units || text.length > left || text.length > most) {
    return readObservation(source, text, left, most);
  }
  const key = `${source} ${text}`;
  const before = kept.get(key);
  if (before !== undefined) return before;
  const read = readObservation(source, text, left, most);
  if (read.cut) return read;
  if (kept.size >= KEPT.count || keptUnits + text.length > KEPT.all) {
    kept.clear();
    keptUnits = 0;
  }
  kept.set(key, read);
  keptUnits += text.length;
  return read;
}

/**
 * Reads the evidence once. Linear in what is read; what is beyond {@link MAX_EVIDENCE} is not. Short observations are
 * read first and whole, so that a long one costs nobody but itself.
 */
export function readEvidence(evidence: readonly Evidence[]): Reading {
  const ids = evidence.map(({ id }) => id);
  if (
    last?.observations.length === ids.length && evidence.every(({ text }, i) => last?.observations[i]?.text === text)
  ) {
    return { ...last, ids };
  }
  const order = [...evidence.entries()];
  const units = evidence.reduce((sum, { text }) => sum + text.length, 0);
  if (units > MAX_EVIDENCE) order.sort(([, a], [, b]) => a.text.length - b.text.length);
  const observations: Observation[] = [];
  let [left, most] = [MAX_EVIDENCE, MAX_FIELDS];
  for (const [source, { text }] of order) {
    const read = observed(source, text, left, most);
    observations[source] = read;
    left -= read.text.length;
    most -= read.fields.length;
  }
  const reading = readTogether(ids, observations);
  last = reading.cut || units > MAX_KEPT ? undefined : reading;
  return reading;
}

function readTogether(ids: readonly string[], observations: readonly Observation[]): Reading {
  return {
    ids,
    observations,
    fields: joined(observations, ({ fields }) => fields),
    passages: joined(observations, ({ passages }) => passages),
    sightings: joined(observations, ({ sightings }) => sightings),
    words: known(observations.map(({ words }) => words)),
    stems: known(observations.map(({ stems }) => stems)),
    cut: observations.some(({ cut }) => cut),
  };
}

/** What all observations have of one kind; of a single one nothing is copied. */
function joined<T>(observations: readonly Observation[], list: (one: Observation) => readonly T[]): readonly T[] {
  const [only, more] = observations;
  return only !== undefined && more === undefined ? list(only) : observations.flatMap(list);
}

/** Sets up to which one is asked after the other. */
const FEW = 4;

function known(sets: readonly ReadonlySet<string>[]): Known {
  if (sets.length <= FEW) return { has: (one) => sets.some((set) => set.has(one)) };
  const all = new Set<string>();
  for (const set of sets) for (const one of set) all.add(one);
  return all;
}
