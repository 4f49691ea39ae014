/** One observation as the checks use it: fields with what they hold, passages of prose, and all exact mentions. */
import { folded } from "./fold.ts";
import { negated } from "./clauses.ts";
import { type Mention, readMentions } from "./mentions.ts";
import { readRecords } from "./records.ts";
import { splitClaims } from "./split.ts";
import { type Token, tokenize } from "./tokens.ts";
import { contentStems, stem } from "./words.ts";

/** What a field holds, as yes or no: `null` where nothing is known. */
export type Polarity = "yes" | "no" | "null";

/** One value with its name. */
export interface Field {
  /** Number of its observation, in the order given. */
  readonly source: number;
  /** Number of its record, unique in all evidence: an object in a list, a table row, or the rest of one observation. */
  readonly record: number;
  /** The words of its path, lower case, camel case and underscores undone. */
  readonly label: readonly string[];
  /** The same, joined by spaces. */
  readonly labelText: string;
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
  /** Whether it stands in a row of a list or table. */
  readonly listed: boolean;
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

/** One observation, read. */
export interface Observation {
  /** Its text, as far as it was read. */
  readonly text: string;
  readonly fields: readonly Field[];
  readonly passages: readonly Passage[];
  readonly sightings: readonly Sighting[];
  /** What is no field. */
  readonly prose: readonly Token[];
  /** All words, lower case. */
  readonly words: ReadonlySet<string>;
  /** All their stems. */
  readonly stems: ReadonlySet<string>;
  /** Whether it is longer than what was read. */
  readonly cut: boolean;
}

/** Records that one observation may have, at most: it has fewer, for each needs a unit of text. */
const RECORDS = 2 ** 20;
/** Tokens beyond which a field's value is prose. */
const SHORT = 12;

/** Reads one observation: at most `budget` UTF-16 units and `most` fields. Linear in what is read. */
export function readObservation(source: number, written: string, budget: number, most: number): Observation {
  const text = folded(written);
  const [fields, passages, sightings]: [Field[], Passage[], Sighting[]] = [[], [], []];
  const [words, stems] = [new Set<string>(), new Set<string>()];
  const read = readRecords(text, budget, most);

  const learn = (tokens: readonly Token[]) => {
    for (const { kind, lower } of tokens) {
      if (kind !== "word" || words.has(lower)) continue;
      words.add(lower);
      stems.add(stem(lower));
    }
  };
  const prose = (text: string, listed: boolean) => {
    for (const sentence of splitClaims(text)) {
      passages.push({ source, ...worded(tokenize(sentence)), field: false, listed });
    }
  };

  const names = new Map<string, Name>();
  for (const { record, path, value, raw } of read.cells) {
    let name = names.get(path);
    if (name === undefined) names.set(path, name = readName(path));
    const tokens = tokenize(value);
    const mentions = readMentions(tokens);
    const field: Field = {
      source,
      record: source * RECORDS + record,
      label: name.label,
      labelText: name.text,
      name: name.last,
      listed: record > 0,
      value,
      polarity: polarityOf(raw),
      stems: contentStems(tokens),
      tokens,
      mentions,
    };
    fields.push(field);
    learn(tokens);
    learn(name.tokens);
    for (const mention of mentions) sightings.push({ mention, source, field });
    for (const mention of name.mentions) sightings.push({ mention, source, inName: true });
    if (tokens.length > SHORT) prose(value, field.listed);
    else passages.push({ source, ...worded([...name.tokens, ...tokens]), field: true, listed: field.listed });
  }
  const rest = read.prose === "" ? [] : tokenize(read.prose);
  if (rest.length > 0) {
    learn(rest);
    for (const mention of readMentions(rest)) sightings.push({ mention, source });
    prose(read.prose, false);
  }
  return { text: text.slice(0, read.spent), fields, passages, sightings, prose: rest, words, stems, cut: read.cut };
}

/** A text's content words, and those of them that it denies. */
function worded(tokens: readonly Token[]): { stems: string[]; denied: ReadonlySet<string> } {
  const no = negated(tokens);
  return {
    stems: contentStems(tokens),
    denied: no.includes(true) ? new Set(contentStems(tokens.filter((_, i) => no[i]))) : NOTHING,
  };
}

const NOTHING: ReadonlySet<string> = new Set();

/** A path, read once for all records that have it. */
interface Name {
  readonly label: readonly string[];
  readonly text: string;
  readonly last: readonly string[];
  /** Those of the label. */
  readonly tokens: readonly Token[];
  readonly mentions: readonly Mention[];
}

function readName(path: string): Name {
  const label = labelWords(path);
  const text = label.join(" ");
  const dot = path.lastIndexOf(".");
  return {
    label,
    text,
    last: dot < 0 ? label : labelWords(path.slice(dot + 1)),
    tokens: tokenize(text),
    mentions: readMentions(tokenize(path)),
  };
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
