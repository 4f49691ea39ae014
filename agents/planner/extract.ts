import { type BrokenValue, readJson, type ReadValue } from "./json_reader.ts";
import { reasoningEnd, reasoningTag } from "./reasoning.ts";

/** A complete JSON value in a text, with what stands around it. */
export interface Extracted extends ReadValue {
  /** Offset of the value. */
  readonly at: number;
  /** Whether it stands inside something that opens like JSON and is broken. */
  readonly inBroken: boolean;
  /** Offset of the first closing bracket too many right after it. */
  strayCloser?: number;
}

/** Text that opens like JSON and is none, with its offset. */
export interface BrokenSpot extends BrokenValue {
  readonly from: number;
}

/** All that a text holds outside reasoning. */
export interface Extraction {
  /** Complete values, in order. */
  readonly values: readonly Extracted[];
  /** Broken values that had started, in order. Words in brackets are prose and not listed. */
  readonly broken: readonly BrokenSpot[];
  /** Whether the scan was given up, since no reply with a plan has so many brackets around it. */
  readonly noise?: true;
  /** Offset of a reasoning tag that nothing closes. */
  readonly openReasoning?: number;
  /** Characters looked at. Grows in proportion to the text's length, whatever the text. */
  readonly work: number;
}

/** More openings than this are noise. A plan has some hundred, in one value, which counts once. */
const MAX_OPENINGS = 20_000;
const INTERESTING = /[{}[\]"<◁]/g;
// `"{\"tasks\"…`: JSON written as a JSON string, perhaps more than once. Every part is bounded, so that a million
// quotes in a row cost what they should.
const GAP = String.raw`(?:\s|\\{1,15}[nrt"]){0,4}`;
const ENCODED = new RegExp(
  String.raw`"${GAP}(?:\x60{3,9}\w{0,20})?${GAP}[{[](?:\s|\\{1,15}[nrt]|[{[]){0,20}\\{1,31}"`,
  "y",
);

/**
 * Finds every complete JSON value in a text: bare, in fences of any kind, in prose.
 *
 * Fences need no care of their own: outside values they are prose, inside them they are text. After a broken value the
 * scan goes on where reading stopped and never inside what was read, so a value is taken whole or not at all, and the
 * time is linear.
 */
export function extract(text: string): Extraction {
  let values: Extracted[] = [];
  let broken: BrokenSpot[] = [];
  // Brackets that are open around the scan: of broken JSON, and of prose.
  let [brokenOpen, proseOpen] = [0, 0];
  // Where the last value ended, until something else came after it.
  let strayFrom: number | undefined;
  let openings = 0;
  let work = 0;
  let pos = 0;
  for (;;) {
    INTERESTING.lastIndex = pos;
    const at = INTERESTING.exec(text)?.index;
    work += (at ?? text.length) - pos + 1;
    if (at === undefined) return { values, broken, work };
    const char = text.charAt(at);
    pos = at + 1;

    const tag = char === "<" || char === "[" || char === "◁" ? reasoningTag(text, at) : undefined;
    if (tag?.kind === "open") {
      const end = reasoningEnd(text, tag.end);
      if (end === undefined) return { values, broken, openReasoning: at, work };
      work += end - at;
      pos = end;
    } else if (tag?.kind === "close") {
      // The opening tag was in the prompt, so all before this one is reasoning.
      [values, broken, brokenOpen, proseOpen, pos] = [[], [], 0, 0, tag.end];
    } else if (char === "{" || char === "[" || (char === '"' && startsEncoded(text, at))) {
      if (++openings > MAX_OPENINGS) return { values: [], broken: [], noise: true, work };
      const read = readJson(text, at);
      work += read.work;
      if (read.kind === "value") {
        values.push({ ...read, at, inBroken: brokenOpen > 0 });
        pos = strayFrom = read.end;
      } else {
        pos = Math.max(pos, read.at);
        if (read.started || read.cause !== "syntax") broken.push({ ...read, from: at });
        if (read.started) brokenOpen += read.open;
        else proseOpen += read.open;
      }
    } else if (char === "}" || char === "]") {
      if (brokenOpen > 0) brokenOpen--;
      else if (proseOpen > 0) proseOpen--;
      else {
        const last = values.at(-1);
        if (last !== undefined && strayFrom !== undefined && text.slice(strayFrom, at).trim() === "") {
          last.strayCloser = at;
        }
        strayFrom = undefined;
      }
    }
  }
}

function startsEncoded(text: string, at: number): boolean {
  ENCODED.lastIndex = at;
  return ENCODED.test(text);
}
