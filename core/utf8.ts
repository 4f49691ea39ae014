const ENCODER = new TextEncoder();
/** More than a cell's result, or most traces. */
const SCRATCH = new Uint8Array(1 << 18);

/**
 * The UTF-8 bytes of a text, for whoever is done with them at once: the memory is used again by the next call. Memory that is
 * asked for anew for each of many texts costs more than all that is done with them.
 */
export function passingBytes(text: string): Uint8Array<ArrayBuffer> {
  const { read, written } = ENCODER.encodeInto(text, SCRATCH);
  return read === text.length ? SCRATCH.subarray(0, written) : ENCODER.encode(text);
}
