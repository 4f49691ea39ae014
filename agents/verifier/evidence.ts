/** Evidence as the checks use it: fields with what they hold, passages of prose, and all exact mentions. */
import { negated } from "./clauses.ts";
import { type Mention, readMentions } from "./mentions.ts";
import { readRecords } from "./records.ts";
import { splitClaims } from "./split.ts";
import { type Token, tokenize } from "./tokens.ts";
import type { Evidence } from "./types.ts";
import { isFunctionWord, stem } from "./words.ts";

/** UTF-16 units of evidence that are read, all observations together. */
export const MAX_EVIDENCE = 500_000;
/** Fields that are read, all observations together. */
export const MAX_FIELDS = 10_000;

/** What a field holds, as yes or no: `null` where nothing is known. */
export type Polarity = "yes" | "no" | "null";

/** One value with its name. */
export interface Field {
  /** Number of its observation, in the order given. */
  readonly source: number;
  /** Number of its record: an object in a list, a table row, or everything else of one observation. */
  readonly record: number;
  /** The words of its path, lower case, camel case and underscores undone. */
  readonly label: readonly string[];
  /** The words of the last part of its path. */
  readonly name: readonly string[];
  /** Whether its record is one of a list or table. */
  readonly listed: boolean;
  /** As text. */
  readonly value: string;
  readonly polarity: Polarity;
  /** Stems of the value's content words. */
  readonly stems: readonly string[];
  readonly tokens: readonly Token[];
  readonly mentions: readonly Mention[];
}

/** A sentence of prose, or one short field, with the stems of its content words in order. */
export interface Passage {
  readonly source: number;
  readonly stems: readonly string[];
  /** Stems that stand under a negation. */
  readonly denied: ReadonlySet<string>;
  /** Whether it is a field that holds no sentence. */
  readonly field: boolean;
  /** Whether it is such a field and in no list: it belongs to whatever the evidence is about. */
  readonly shared: boolean;
}

/** A mention and where it stands. */
export interface Sighting<M extends Mention = Mention> {
  readonly mention: M;
  readonly source: number;
  /** The field that holds it, unless it stands in prose. */
  readonly field?: Field;
  /** Whether it stands in a field's name: it is known then, and is no quantity to reckon with. */
  readonly inName?: true;
}

/** All that was read. */
export interface Reading {
  readonly ids: readonly string[];
  readonly fields: readonly Field[];
  readonly passages: readonly Passage[];
  readonly sightings: readonly Sighting[];
  /** All words, lower case, with every source that has them (one of them). */
  readonly words: ReadonlyMap<string, number>;
  /** All stems of content words, likewise. */
  readonly stems: ReadonlyMap<string, number>;
  /** Whether some evidence is longer than what is read. */
  readonly cut: boolean;
}

/** The stems of a text's content words, in order. */
export function contentStems(tokens: readonly Token[]): string[] {
  return tokens.filter(({ kind, lower }) => kind === "word" && lower.length > 1 && !isFunctionWord(lower))
    .map(({ lower }) => stem(lower));
}

/** A text's content words, and those of them that it denies. */
function worded(tokens: readonly Token[]): { stems: string[]; denied: ReadonlySet<string> } {
  const no = negated(tokens);
  return {
    stems: contentStems(tokens),
    denied: new Set(no.includes(true) ? contentStems(tokens.filter((_, i) => no[i])) : []),
  };
}

/** Reads the evidence once. Linear in what is read; what is beyond {@link MAX_EVIDENCE} is not. */
export function readEvidence(evidence: readonly Evidence[]): Reading {
  const [fields, passages, sightings]: [Field[], Passage[], Sighting[]] = [[], [], []];
  const [words, stems] = [new Map<string, number>(), new Map<string, number>()];
  let [left, records, cut] = [MAX_EVIDENCE, 0, false];

  const learn = (tokens: readonly Token[], source: number) => {
    for (const { kind, lower } of tokens) {
      if (kind !== "word") continue;
      if (!words.has(lower)) words.set(lower, source);
      const stemmed = stem(lower);
      if (!stems.has(stemmed)) stems.set(stemmed, source);
    }
  };
  const prose = (text: string, source: number) => {
    for (const sentence of splitClaims(text)) {
      passages.push({ source, ...worded(tokenize(sentence)), field: false, shared: false });
    }
  };

  for (const [source, { text }] of evidence.entries()) {
    const read = readRecords(text, left, MAX_FIELDS - fields.length);
    left -= read.spent;
    cut ||= read.cut;
    for (const { record, path, value, raw } of read.cells) {
      const tokens = tokenize(value);
      const mentions = readMentions(tokens);
      const label = labelWords(path);
      const name = labelWords(path.slice(path.lastIndexOf(".") + 1));
      const field: Field = {
        source,
        record: records + record,
        label,
        name,
        listed: record > 0,
        value,
        polarity: polarityOf(raw),
        stems: contentStems(tokens),
        tokens,
        mentions,
      };
      fields.push(field);
      learn(tokens, source);
      learn(tokenize(label.join(" ")), source);
      for (const mention of mentions) sightings.push({ mention, source, field });
      for (const mention of readMentions(tokenize(path))) sightings.push({ mention, source, inName: true });
      if (tokens.length > 12) prose(value, source);
      else {passages.push({
          source,
          ...worded(tokenize(`${label.join(" ")} ${value}`)),
          field: true,
          shared: record === 0,
        });}
    }
    records += read.records;
    if (read.prose !== "") {
      const tokens = tokenize(read.prose);
      learn(tokens, source);
      for (const mention of readMentions(tokens)) sightings.push({ mention, source });
      prose(read.prose, source);
    }
  }
  return { ids: evidence.map(({ id }) => id), fields, passages, sightings, words, stems, cut };
}

/** A path's words: `attributes.BusinessParking`, `charge_count`, `order-id`. */
function labelWords(path: string): string[] {
  return path.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u).filter((one) =>
    one !== ""
  );
}

const NO = /^(?:false|no|none .*|no .*|not .*|never|n|off|nothing.*|0)$/;
const NULL = /^(?:null|none|n\/a|na|nan|unknown|undefined|not available|not known|-|)$/;

/** What a value says, as yes or no. Only the beginning of a text is looked at. */
function polarityOf(raw: string | number | boolean | null): Polarity {
  if (raw === null) return "null";
  if (typeof raw === "boolean") return raw ? "yes" : "no";
  if (typeof raw === "number") return raw === 0 ? "no" : "yes";
  const text = raw.slice(0, 40).trim().toLowerCase().replaceAll("\n", " ");
  return NULL.test(text) ? "null" : NO.test(text) ? "no" : "yes";
}
