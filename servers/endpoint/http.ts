/** Requests, read with care; nothing here knows a model. */
import { type Json, sha256 } from "../../core/mod.ts";
import { join } from "../faults/model/sse.ts";
import { type Fields, isFields, isTooDeep, MAX_LEVELS } from "../faults/model/wire.ts";
import type { Incoming } from "./server.ts";

/** A request that is refused before it is understood. */
export class HttpError extends Error {
  /** Tells it from other errors. */
  override readonly name = "HttpError";
  /**
   * A refusal.
   *
   * @param status HTTP status.
   * @param message What is wrong with the request.
   */
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/**
 * Reads a body, and no more of it than is allowed.
 *
 * @throws {HttpError} 413 if it is longer, 400 if it breaks off, is no JSON object, or is nested too deeply.
 */
export async function readBody(
  { body, headers, signal }: Incoming,
  maxBytes: number,
): Promise<{ text: string; fields: Fields }> {
  const tooLong = new HttpError(413, `the body is longer than ${maxBytes} bytes`);
  if (Number(headers.get("content-length") ?? 0) > maxBytes) throw tooLong;
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > maxBytes) throw tooLong;
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw new HttpError(signal.aborted ? 503 : 400, "the body could not be read to its end");
  }
  const text = new TextDecoder().decode(join(chunks));
  const fields = decodeJson(text);
  if (fields === undefined) throw new HttpError(400, "the body is not a JSON object");
  if (isTooDeep(fields)) throw new HttpError(400, `the body is nested deeper than ${MAX_LEVELS} levels`);
  return { text, fields };
}

/** A JSON object, if the text is one. */
export function decodeJson(text: string): Fields | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Refuses who does not know the token. Every protocol's header counts.
 *
 * @throws {HttpError} 401.
 */
export function authorize(headers: Headers, token: string | undefined): void {
  if (token === undefined) return;
  const given = [headers.get("x-api-key"), headers.get("authorization")?.replace(/^bearer /i, "")];
  // Digests, so that how long the comparison takes says nothing of the token.
  const digest = sha256(token);
  if (!given.some((value) => typeof value === "string" && sha256(value) === digest)) {
    throw new HttpError(401, "this endpoint has a token, and the request's key is another or none");
  }
}

/**
 * Refuses requests that a page in a browser could make: a name that somebody has pointed at this machine is not ours.
 *
 * @throws {HttpError} 403.
 */
export function refuseStrangers({ hostname }: Incoming): void {
  if (!["127.0.0.1", "localhost", "[::1]"].includes(hostname)) {
    throw new HttpError(403, "this endpoint answers on the loopback interface alone");
  }
}
