/** What the endpoint needs to know of an HTTP protocol for models. Three protocols, each in files of its own name. */
import type { Json } from "../../core/mod.ts";
import type { ModelCall, ModelFinish, ModelReply, ModelToolCall, WireReply } from "../faults/model_hooks.ts";
import type { SseEvent } from "../faults/model/sse.ts";
import { type Fields, isFields, isTooDeep } from "../faults/model/wire.ts";
import type { Added, Past, PastItem } from "./conversations.ts";

/** What a request is read with. */
export interface Reading {
  /** Whether it goes on to a provider, who then decides about what is asked of providers alone. */
  readonly forwards: boolean;
  /** The conversation that ended with a reply, if it is remembered. */
  readonly past: (reply: string) => Past | undefined;
  /** An item of a reply that is remembered. */
  readonly item: (id: string) => PastItem | undefined;
}

/** A request, read. */
export interface ApiRequest {
  /** The model that was asked for. */
  readonly model: string;
  /** Whether a stream was asked for. */
  readonly streamed: boolean;
  /** Whether a stream ends with its usage. */
  readonly wantsUsage: boolean;
  /** What the model is asked. */
  readonly call: Omit<ModelCall, "agent">;
  /** Whether it refers to what only this endpoint knows, so that a provider has to be sent all of it. */
  readonly writtenAnew?: boolean;
  /** What it adds to its conversation, if a later request may go on from its reply. */
  readonly added?: Added;
}

/** What a reply says besides the turn. */
export interface ReplyHead {
  /** The response's id. */
  readonly id: string;
  /** The model that was asked for. */
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Whether a stream ends with its usage. */
  readonly wantsUsage: boolean;
  /** The request's body, of which some replies repeat a part. */
  readonly request: Fields;
}

/** What a correct client makes of a reply. What a reply does not say is not there. */
export interface ReadReply {
  readonly text: string;
  readonly calls: readonly ModelToolCall[];
  readonly finish?: ModelFinish;
  readonly usage?: ModelReply["usage"];
  readonly error?: string;
  /** By what a later request may refer to it: its id, and its items with theirs. */
  readonly kept?: { readonly id: string; readonly items: readonly Fields[] };
}

/** Reads a stream, event by event. */
export interface StreamReader {
  /** Whether the reply has come to its end, in protocols where a later request may refer to it. */
  readonly over?: boolean;
  /** Takes the next event's data. */
  push(fields: Fields): void;
  /** What has been read so far. */
  read(): ReadReply;
}

/** A protocol. */
export interface Api {
  /** Its name. */
  readonly id: WireReply["api"];
  /** The path of its one call, below the base. */
  readonly path: string;
  /** How the ids of its replies begin. */
  readonly ids: string;
  /**
   * Reads a request.
   *
   * @throws {BadRequestError} If it is not valid.
   */
  parse(body: Fields, reading: Reading): ApiRequest;
  /** The body of a request, with other things asked. */
  rewrite(body: Fields, call: ModelCall): Fields;
  /** A turn as the body of a reply. */
  write(reply: ModelReply, head: ReplyHead): Fields;
  /** A turn as a stream. */
  events(reply: ModelReply, head: ReplyHead): Iterable<SseEvent>;
  /** Reads the body of a reply. */
  read(fields: Fields): ReadReply;
  /** Reads a stream. */
  reader(): StreamReader;
}

/** What of a request is not allowed, in the provider's own words. */
export interface Blame {
  /** Where it is. */
  readonly param?: string;
  /** What is wrong with it. */
  readonly code?: string;
  /**
   * HTTP status.
   *
   * @default 400
   */
  readonly status?: number;
}

/** A request that the protocol does not allow. */
export class BadRequestError extends Error {
  /** Tells it from other errors. */
  override readonly name = "BadRequestError";
  /**
   * A refusal.
   *
   * @param message What is wrong with the request.
   */
  constructor(message: string, readonly blame: Blame = {}) {
    super(message);
  }
}

/** Characters a piece of a streamed text or of streamed arguments has. */
const PIECE = 16;

/** A text in the pieces in which it is streamed; no character is ever in two. */
export function* pieces(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + PIECE, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last < 0xdc00) end++;
    yield text.slice(start, end);
    start = end;
  }
}

/** A call's arguments as the model wrote them. */
export function argumentsOf({ args, rawArguments }: ModelToolCall): string {
  return rawArguments ?? JSON.stringify(args);
}

/** A call, read: arguments that are no JSON object, or one that nobody could read, stay as they are. */
export function callOf(id: string, name: string, written: string): ModelToolCall {
  try {
    const args: Json = JSON.parse(written);
    if (isFields(args) && !isTooDeep(args)) return { id, name, args };
  } catch {
    // As below.
  }
  return { id, name, args: {}, rawArguments: written };
}

/** A member that is a number; 0 if it is not. */
export function numberOf(value: Json | undefined): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** A member that is a text; empty if it is not. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A member that is a list of objects; empty if it is not. */
export function objectsOf(value: Json | undefined): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** Usage, with cached tokens only where there are some. */
export function usageOf(inputTokens: number, outputTokens: number, cachedTokens: number): ModelReply["usage"] {
  return { inputTokens, outputTokens, ...(cachedTokens > 0 && { cachedTokens }) };
}

/** The error in an event or a body, if there is one. */
export function errorOf(fields: Fields): string | undefined {
  if (!isFields(fields.error)) return undefined;
  return textOf(fields.error.message) || "an error without a message";
}
