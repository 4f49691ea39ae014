/**
 * What the rest of this folder needs of a provider. One file a client; each is loaded when it is chosen, and not before.
 *
 * The clients are the providers' own. A layer over all of them (the AI SDK's providers) would be one dependency instead of
 * two, but it retries and maps errors by itself, and what decides here whether a call is made again, or paid for, are the
 * status and the headers as they were sent.
 */
import type { Message, ReplyFormat, ToolCall, ToolSpec } from "../model.ts";
import type { FinishReason } from "../model.ts";
import type { ProviderName } from "./choice.ts";

/** What a provider is asked. */
export interface ProviderCall {
  /** Who asks. */
  readonly agent: string;
  /** The name of the model. */
  readonly model: string;
  /** The agent's prompt. */
  readonly system: string;
  /** The conversation so far. */
  readonly messages: readonly Message[];
  /** The tools; names are the bench's, with dots. */
  readonly tools: readonly ToolSpec[];
  /** The most tokens that the reply may have. */
  readonly maxOutputTokens: number;
  /** What the reply has to look like, where the provider can be told. */
  readonly format?: ReplyFormat;
}

/** What a provider says that it used. */
export interface ProviderUsage {
  /** Tokens that were read, those from a cache and those written into one among them. */
  readonly inputTokens: number;
  /** Tokens that were written. */
  readonly outputTokens: number;
  /** How many of those read came from a cache. */
  readonly cachedTokens: number;
  /** How many of those read were written into one. */
  readonly cacheWriteTokens: number;
}

/** What a provider answers. */
export interface ProviderReply {
  /** The text. */
  readonly text: string;
  /** The calls; names are the bench's again, where they are of tools that there are. */
  readonly calls: readonly ToolCall[];
  /** Why the model stopped. */
  readonly finish: FinishReason;
  /** What it used; `undefined` if the provider does not say. */
  readonly usage: ProviderUsage | undefined;
  /** What it calls the model that has answered; not there if it does not say. */
  readonly model?: string;
}

/** One cell's way to a provider. It may remember what the conversation's messages have no place for. */
export interface ProviderSession {
  /**
   * Asks once. What fails is not tried again here.
   *
   * @throws Whatever the client throws; see `errors.ts`.
   */
  ask(call: ProviderCall, signal: AbortSignal): Promise<ProviderReply>;
  /** How many bytes are sent with a call beside what stands in it, such as a model's own reasoning; none if left out. */
  hiddenBytes?(call: ProviderCall): number;
}

/** A provider's client. */
export interface Provider {
  /** Whether it can hold a model to a form. */
  readonly holdsToForm: boolean;
  /** Begins with a cell. */
  open(): ProviderSession;
}

/** How a client is made. */
export interface ProviderOptions {
  /** The key; an empty one for a server that wants none. */
  readonly apiKey: string;
  /** The address; the provider's own if left out. */
  readonly baseUrl?: string;
  /** Whether replies are streamed. What comes of it is the same. */
  readonly streamed: boolean;
  /** How long one call may take, in milliseconds, whatever its caller would grant it. */
  readonly timeoutMs: number;
}

/** What the file of a client exports. */
interface ClientModule {
  connect(options: ProviderOptions): Provider;
}

/** Not literals: what is known beforehand is loaded at start, needed or not. */
const CLIENTS: Readonly<Record<ProviderName, string>> = {
  anthropic: "./anthropic.ts",
  openai: "./openai.ts",
  compatible: "./compatible.ts",
};

/** Loads a provider's client and makes one. */
export async function connectTo(provider: ProviderName, options: ProviderOptions): Promise<Provider> {
  const { connect }: ClientModule = await import(CLIENTS[provider]);
  return connect(options);
}
