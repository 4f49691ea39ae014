/** Texts, deflated: a cell's result is a tenth of its size then. */
import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Beyond this the time goes up and the size hardly down. */
const LEVEL = 3;

/** Packs a text. */
export function pack(text: string): Uint8Array {
  return deflateRawSync(text, { level: LEVEL });
}

/**
 * Unpacks it.
 *
 * @throws {Error} If the bytes are not what `pack` made.
 */
export function unpack(bytes: Uint8Array): string {
  return inflateRawSync(bytes).toString();
}
