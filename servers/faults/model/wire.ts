/** What many faults of bytes have in common. */
import type { Json } from "../../../core/mod.ts";
import { WireCut, type WireReply, type WireVerdict } from "../model_hooks.ts";
import { decodeEvent, encodeEvent, type SseEvent } from "./sse.ts";

/** A JSON object. */
export type Fields = { [key: string]: Json };

/** So many levels of JSON are read; beyond it what is recursive comes to the end of its stack. */
export const MAX_LEVELS = 500;

/** Whether a value is nested deeper than is read. Not recursive itself. */
export function isTooDeep(value: Json): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) return true;
    level = level.flatMap((one) => typeof one === "object" && one !== null ? Object.values(one) : []);
  }
  return false;
}

/** The reply with other bytes. */
export function rewired(reply: WireReply, chunks: AsyncIterable<Uint8Array>): WireVerdict {
  return { do: "replace", reply: { ...reply, chunks } };
}

/** Waits until the caller has gone, or the cell is over. */
export function untilGone(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** All chunks, once the last one is there. */
export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

/** Where a body is broken off. */
export interface BreakPoint {
  /** After so many bytes; `null` to go by the fraction. */
  readonly byte: number | null;
  /** After this share of its bytes, which are known once the last one is there. */
  readonly fraction: number;
}

/**
 * The body up to its break point, in its own chunks, then whatever `end` does. A body that is shorter passes whole, and
 * nothing is broken.
 */
export async function* upTo(
  chunks: AsyncIterable<Uint8Array>,
  { byte, fraction }: BreakPoint,
  end: () => void | Promise<void>,
): AsyncGenerator<Uint8Array> {
  const all = byte === null ? await collect(chunks) : [];
  let left = byte ?? Math.floor(all.reduce((sum, { length }) => sum + length, 0) * fraction);
  for await (const chunk of byte === null ? all : chunks) {
    if (chunk.length <= left) {
      left -= chunk.length;
      yield chunk;
      continue;
    }
    if (left > 0) yield chunk.subarray(0, left);
    await end();
    return;
  }
}

/** Resets the connection. */
export function reset(): never {
  throw new WireCut("cut by a fault");
}

/** The JSON object of an event, if it is one. */
export function fieldsOf(event: SseEvent): Fields | undefined {
  try {
    const value: Json = JSON.parse(event.data);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether it is a JSON object. */
export function isFields(value: Json | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The event with other data. */
export function withFields(event: SseEvent, fields: Fields): Uint8Array {
  return encodeEvent({ ...event, data: JSON.stringify(fields) });
}

/** Passes events on, but those of which `change` makes something else. */
export async function* mapEvents(
  chunks: AsyncIterable<Uint8Array>,
  change: (fields: Fields, event: SseEvent) => readonly Uint8Array[] | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const event = decodeEvent(chunk);
    const fields = fieldsOf(event);
    yield* (fields && change(fields, event)) ?? [chunk];
  }
}

/** One chunk as a body. */
export async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
