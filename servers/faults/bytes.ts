/** What faults do with the bytes of a line. */
import { encodeLine } from "../../core/mod.ts";
import { type Fields, isFields } from "../jsonrpc.ts";
import type { Step } from "./fault.ts";

const [DECODER, ENCODER] = [new TextDecoder(), new TextEncoder()];

/** A line without its newline. */
export function bare(line: Uint8Array): Uint8Array {
  return line.at(-1) === 10 ? line.subarray(0, -1) : line;
}

/** Text as bytes. */
export function encode(text: string): Uint8Array {
  return ENCODER.encode(text);
}

/** Bytes, one after the other, in one piece. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** The message on a line; `undefined` if there is none. */
export function messageOf(line: Uint8Array): Fields | undefined {
  try {
    const message: unknown = JSON.parse(DECODER.decode(line));
    return isFields(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** A script of one step: the line with another value in its message's place, whether or not that is a message. */
export function rewrite(line: Uint8Array, change: (message: Fields) => unknown): Step[] | undefined {
  const message = messageOf(line);
  const made = message && change(message);
  return made === undefined ? undefined : [encodeLine(made)];
}

/** The bytes in pieces of a size, with a pause in milliseconds between them. */
export function* pieces(line: Uint8Array, size: number, pause: number): Generator<Step> {
  for (let from = 0; from < line.length; from += size) {
    if (from > 0 && pause > 0) yield { wait: pause };
    yield line.subarray(from, from + size);
  }
}
