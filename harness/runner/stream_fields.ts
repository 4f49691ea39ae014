/** What the streams of both protocols have in common: events with JSON in them, of which nothing can be taken for granted. */
import { fromSafeName } from "../../agents/hub/names.ts";
import type { ModelRequest, ModelTurn, ToolCall } from "../../agents/mod.ts";
import type { Json } from "../../core/mod.ts";
import { ModelCallError } from "../../servers/model/mod.ts";

/** An object of JSON. */
export type Fields = { readonly [key: string]: Json | undefined };

/** A protocol, as far as a client of one streamed call needs it. */
export interface StreamProtocol {
  /** Where its one call is, below the base with `/v1`. */
  readonly path: string;
  /** What it takes for a key. */
  headers(key: string): Readonly<Record<string, string>>;
  /** The body of a request for a stream. */
  body(request: ModelRequest): unknown;
  /** A reply that is about to be streamed. */
  reply(): StreamedReply;
}

/** A reply that is being streamed. */
export interface StreamedReply {
  /**
   * Takes the data of one event.
   *
   * @throws {ModelCallError} If it is an error.
   */
  take(data: Fields): void;
  /**
   * The whole of it.
   *
   * @param tools Names of the tools that were offered.
   * @throws {ModelCallError} If it has not come to its end.
   */
  turn(tools: readonly string[]): ModelTurn;
}

/** A call that is being streamed. */
export interface GrowingCall {
  /** Its id. */
  readonly id: string;
  /** Its name, as the provider has it. */
  name: string;
  /** Its arguments, as far as they have come. */
  args: string;
}

/** What both providers answer a request that comes at a bad time. */
const OVERLOADED = 529;

/** What a provider says of itself by a status. */
export function failed(status: number, message: string): ModelCallError {
  const code = status === 429 ? "rate_limited" : status === 401 || status === 403 ? "unauthorized" : "model_error";
  return new ModelCallError({ status, message, code });
}

/** The error of an event, where the status was 200. */
export function failedInStream(event: Fields): ModelCallError {
  return failed(OVERLOADED, messageOf(event));
}

/** A stream that is over before its reply is. */
export function cutOff(): ModelCallError {
  return failed(502, "the stream ended before the reply did");
}

/** What a provider says of an error. */
export function messageOf(body: Fields): string {
  return text(fields(body["error"])["message"]) || "the provider says no more";
}

/** A call as the crew has it. Arguments that are no object stay as they are. */
export function calledBy({ id, name, args }: GrowingCall, tools: readonly string[]): ToolCall {
  const own = fromSafeName(name, tools) ?? name;
  const value = objectIn(args);
  return value === undefined ? { id, name: own, args: {}, rawArguments: args } : { id, name: own, args: value };
}

/** The object in a text; an empty one if there is none. */
export function parsed(data: string): Fields {
  return objectIn(data) ?? {};
}

function objectIn(written: string): { [key: string]: Json } | undefined {
  try {
    const value: Json = JSON.parse(written);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A member that is a text; empty if it is not. */
export const text = (value: Json | undefined): string => typeof value === "string" ? value : "";
/** A member that is a number; 0 if it is not. */
export const count = (value: Json | undefined): number => typeof value === "number" ? value : 0;
/** A member that is a list; empty if it is not. */
export const list = (value: Json | undefined): readonly Json[] => Array.isArray(value) ? value : [];
/** A member that is an object; empty if it is not. */
export const fields = (value: Json | undefined): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
