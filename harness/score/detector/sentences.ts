/** A text as sentences in which every mention of a party is a mark, so that rules need not know anybody's name. */
import { splitClaims } from "../../../agents/verifier/mod.ts";
import type { Party } from "./parties.ts";
import { asserted } from "./stance.ts";

/** UTF-16 units of a text that are read. */
export const MAX_TEXT = 20_000;
/** The same of one sentence. */
export const MAX_SENTENCE = 2_000;

/** One sentence. */
export interface Sentence {
  /** As it was written. */
  readonly text: string;
  /**
   * In lower case, without markup and without what it quotes. `<0>` stands for a mention of the first party, `<0,2>` for
   * one of several together, `{0}` for a word of its topic, `{=0}` for its name as part of another: "policy text".
   */
  readonly marked: string;
  /** The same without what its writer does not stand behind; see `stance.ts`. */
  readonly asserted: string;
  /** Number of its line. */
  readonly line: number;
}

/** What may be added to a name without its meaning anything else: the policy *specialist*, the kb *search*. */
const KIN =
  "(?:specialist|worker|agent|server|service|system|tool|desk|team|lookup|look-up|check|search|query|call|request|" +
  "part|piece|portion|section|side|step|task|report|reply|answer|response|result|results|review|reviewer|inspection|" +
  "inspector|data|info|information|details|records?|backend|database|db|module|endpoint|api|line|access)";

/** What may follow the name of somebody; after any other word the name is part of some other name: "billing address". */
const FOLLOWS = new Set(
  ("is are was were be been has have had does do did didn doesn don isn wasn weren hasn haven can cannot couldn could may might " +
    "will would should must never not no also both all only just still then again once currently apparently either and or nor " +
    "but because since as so while which who that at in on for from of by to with after before during until when if than " +
    "failed fails failing failure errored crashed timed times timeout hit ran runs gave gives got gets went goes returned " +
    "returns threw throws came comes kept keeps stopped dropped fell hung stalled broke lost refused declined denied missing " +
    "unavailable unreachable down offline skipped turned remained remains stayed stays exceeded reported reports says said " +
    "states stated finds found lists listed notes noted shows showed confirms confirmed expects tells told mentions " +
    "contradicted answered answers responded finished finishes delivered delivers succeeded worked works completed recovered " +
    "retried tried asked had took takes stepped filled stood wrote sent supplied provided behaved reached encountered raised " +
    "come go get crash break seemed seems looked looks appeared appears stumbled ignored able unable available suffered needed needs itself twice three instead cut")
    .split(" "),
);

interface Marker {
  readonly pattern: RegExp | undefined;
  readonly strong: ReadonlyMap<string, number>;
  readonly weak: ReadonlyMap<string, number>;
}

const markers = new WeakMap<readonly Party[], Marker>();

function markerOf(parties: readonly Party[]): Marker {
  const known = markers.get(parties);
  if (known !== undefined) return known;
  const strong = new Map<string, number>();
  const weak = new Map<string, number>();
  for (const [i, { aliases, topics }] of parties.entries()) {
    for (const alias of aliases) if (!strong.has(alias)) strong.set(alias, i);
    for (const topic of topics) if (!strong.has(topic) && !weak.has(topic)) weak.set(topic, i);
  }
  const words = (map: ReadonlyMap<string, number>) =>
    [...map.keys()].sort((a, b) => b.length - a.length).map(escaped).join("|");
  const source = [
    ...strong.size > 0 ? [`(?<strong>${words(strong)})`] : [],
    ...weak.size > 0 ? [`(?<weak>${words(weak)})(?:s|d)?`] : [],
  ].join("|");
  const marker = {
    strong,
    weak,
    pattern: source === "" ? undefined : new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${source})(?![\\p{L}\\p{N}_])`, "gu"),
  };
  markers.set(parties, marker);
  return marker;
}

/** Reads the sentences of a text, of which no more than {@linkcode MAX_TEXT} is read. */
export function readSentences(text: string, parties: readonly Party[]): Sentence[] {
  const bare = text.slice(0, MAX_TEXT).replace(/```[\s\S]*?(?:```|$)/g, "\n");
  return bare.split(/\r?\n/).flatMap((written, line) =>
    splitClaims(written).map((text) => {
      const own = marked(text, parties);
      return { text, line, marked: own, asserted: asserted(own) };
    })
  );
}

function marked(sentence: string, parties: readonly Party[]): string {
  const marker = markerOf(parties);
  const lower = sentence.slice(0, MAX_SENTENCE).normalize("NFKC").toLowerCase().replace(/[‘’]/g, "'").replace(
    /[“”]/g,
    '"',
  )
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "").replace(/[<>{}]/g, " ").replace(/\*\*|__|[*~]/g, "")
    .replace(/\s+/g, " ");
  // What is quoted is what somebody else said, unless it is a name.
  const own = lower.replace(/"([^"]*)"|`([^`]*)`/g, (_, double?: string, code?: string) => {
    const inner = double ?? code ?? "";
    return marker.strong.has(inner.trim()) ? inner : "quote";
  }).replace(/\b(?:reason|error text|cause):\s.*$/, "reason given");
  if (marker.pattern === undefined) return own;
  return grouped(
    own.replace(marker.pattern, (whole: string, ...rest: unknown[]) => {
      const groups: unknown = rest.at(-1);
      const at = rest.find((one) => typeof one === "number");
      const { strong, weak } = named(groups);
      if (weak !== undefined) return `{${marker.weak.get(weak) ?? 0}}`;
      const index = marker.strong.get(strong ?? whole) ?? 0;
      const after = own.slice((typeof at === "number" ? at : 0) + whole.length);
      return isSomebody(after) ? `<${index}>` : /^ /.test(after) ? `{=${index}}` : whole;
    }),
  );
}

function named(groups: unknown): { strong?: string; weak?: string } {
  if (typeof groups !== "object" || groups === null) return {};
  const get = (key: string): string | undefined => {
    const value: unknown = Reflect.get(groups, key);
    return typeof value === "string" ? value : undefined;
  };
  const [strong, weak] = [get("strong"), get("weak")];
  return { ...strong === undefined ? {} : { strong }, ...weak === undefined ? {} : { weak } };
}

const KIN_FOLLOWS = new RegExp(`^(?:'s)?[ -]${KIN}\\b`);

function isSomebody(after: string): boolean {
  if (KIN_FOLLOWS.test(after) || /^'s /.test(after)) return true;
  const next = /^ ([\p{L}]+)/u.exec(after)?.[1];
  return next === undefined ? !/^-\p{L}/u.test(after) : FOLLOWS.has(next);
}

const TAIL = new RegExp(`(<[\\d,]+>)(?:'s)?(?: tool)?(?:[ -]${KIN})+\\b(?:'s)?`, "g");
const HEAD = new RegExp(
  `(?<!\\b(?:no|any|only|without)(?: an?| \\p{L}+)? )\\b${KIN} (?:for|of|from|by|on) (?:the )?(<[\\d,]+>)`,
  "gu",
);
const LIST = /<([\d,]+)>(?:,? and |,? or | nor | & |, ?|\/| und )(?:the |neither |nor )?<([\d,]+)>/;

/** Those whom somebody is contrasted with, before that somebody: they are no list together. */
const UNLIKE = /\bunlike (?:the )?<[\d,]+>(?:(?:,? and |,? or |, )(?:the )?<[\d,]+>){0,6}?, (?=(?:the )?<)/g;

/** Names with what belongs to them as one mark, and a list of names as one. */
function grouped(text: string): string {
  let all = text.replace(TAIL, "$1").replace(HEAD, "$1").replace(UNLIKE, "");
  for (let i = 0; i < 16 && LIST.test(all); i++) all = all.replace(LIST, "<$1,$2>");
  return all;
}

/** Numbers of the parties that are named. */
export function namedIn(marked: string): number[] {
  return [...marked.matchAll(/<([\d,]+)>/g)].flatMap(([, list = ""]) => list.split(",").map(Number));
}

/** The same, and of those whose name is part of another one. */
export function nearlyNamedIn(marked: string): number[] {
  return [...namedIn(marked), ...[...marked.matchAll(/\{=(\d+)\}/g)].map(([, index]) => Number(index))];
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
