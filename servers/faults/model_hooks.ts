/**
 * The hooks of a fault on the model's side: before the model is asked, before its turn is given to the caller, and on the
 * bytes of the HTTP reply. The first two exist wherever a model is called, the last one in the endpoint alone.
 */
import { z } from "zod";
import { type Clock, CodedError, type FailureCode, type Json, type Random } from "../../core/mod.ts";
import type { Verdict } from "./fault.ts";

/** A tool as a model sees it. */
export interface ModelTool {
  /** Its name. */
  readonly name: string;
  /** What it does. Untrusted text. */
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: { readonly [key: string]: unknown };
}

/** A tool call that a model asks for. */
export interface ModelToolCall {
  /** Given by the model; the result names it. */
  readonly id: string;
  /** The tool's name. */
  readonly name: string;
  /** Arguments; empty if what the model wrote is no JSON object. */
  readonly args: { [key: string]: Json };
  /** The arguments as the model wrote them, if they are no JSON object. Such a call must not be executed. */
  readonly rawArguments?: string;
}

/** One message of a conversation with a model. */
export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly ModelToolCall[] }
  | {
    readonly role: "tool";
    readonly callId: string;
    readonly name: string;
    readonly text: string;
    readonly isError: boolean;
  };

/** What a model is asked. */
export interface ModelCall {
  /** Who asks: `planner`, or a specialist's name. */
  readonly agent: string;
  /** The agent's prompt. */
  readonly system: string;
  /** The conversation so far, oldest first. */
  readonly messages: readonly ModelMessage[];
  /** The tools that exist for this agent. */
  readonly tools: readonly ModelTool[];
}

/** Why a model stopped. */
export type ModelFinish = "stop" | "tool_calls" | "length" | "content_filter" | "refusal";

/** One turn of a model. */
export interface ModelReply {
  /** Its text; may be empty when there are calls. */
  readonly text: string;
  /** Its tool calls, in the model's order. */
  readonly calls: readonly ModelToolCall[];
  /** Why it stopped. */
  readonly finish: ModelFinish;
  /** Tokens. Those that came from a cache are among `inputTokens`. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly cachedTokens?: number };
}

/** How a model call fails, in terms of both HTTP and the closed set of codes. */
export interface ModelFailure {
  /** HTTP status. */
  readonly status: number;
  /** What a correct client makes of it. */
  readonly code: FailureCode;
  /** What the provider says. */
  readonly message: string;
  /** After what time the provider wants to be asked again, in milliseconds. */
  readonly retryAfterMs?: number;
  /**
   * How the `Retry-After` header is written over HTTP.
   *
   * @default "seconds"
   */
  readonly retryAfterAs?: "seconds" | "date" | "milliseconds";
  /** The provider's own word for it, such as `context_length_exceeded`; follows from the status if not given. */
  readonly apiCode?: string;
}

/** A model call that failed, where it is thrown instead of sent over HTTP. */
export class ModelCallError extends CodedError {
  /** HTTP status. */
  readonly status: number;
  /** After what time the provider wants to be asked again, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  /**
   * An error as the provider would send it.
   *
   * @param failure All that is known of it.
   */
  constructor(readonly failure: ModelFailure) {
    super(failure.code, `${failure.status}: ${failure.message}`);
    this.status = failure.status;
    this.retryAfterMs = failure.retryAfterMs;
  }
}

/** A protocol for models over HTTP: OpenAI's chat completions, OpenAI's responses, Anthropic's messages. */
export type ModelApi = "openai" | "responses" | "anthropic";

/** A reply on its way over HTTP. */
export interface WireReply {
  /** Whose protocol it is in. */
  readonly api: ModelApi;
  /** HTTP status. */
  readonly status: number;
  /** Headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the body is a stream of events. */
  readonly streamed: boolean;
  /**
   * The body: one whole server-sent event a chunk if it is streamed, the whole body in one chunk otherwise, unless a
   * fault before this one has cut them otherwise. A source that throws {@linkcode WireCut} resets the connection.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Thrown in a {@linkcode WireReply}'s chunks: the connection is reset. */
export class WireCut extends Error {
  /** Tells it from other errors. */
  override readonly name = "WireCut";
}

/** What a hook knows besides what passes. */
export interface ModelContext<Params> {
  /** The fault's parameters, parsed. */
  readonly params: Params;
  /** The cell's clock, the only thing to wait on. */
  readonly clock: Clock;
  /** Numbers that depend on the cell's seed, the fault, the agent and the call, and on nothing else that happens. */
  readonly random: Random;
  /** The number of this call among the calls of its agent, from 1. */
  readonly call: number;
  /** Who asks. */
  readonly agent: string;
  /** What the model was asked, as it is when the hook runs. */
  readonly request: ModelCall;
  /** Aborts when the caller goes away or the cell ends. Every wait takes it. */
  readonly signal: AbortSignal;
}

/** What the hook on the bytes knows. */
export interface WireContext<Params> extends ModelContext<Params> {
  /** Says that the bytes are no longer what they were. Until then the fault has not fired, whatever was returned. */
  fired(): void;
}

/**
 * `replace` asks something else, `answer` replies in the model's stead, `fail` fails the call, `drop` never replies. The
 * model is asked nothing unless it is `replace`.
 */
export type AskVerdict =
  | { readonly do: "replace"; readonly change: Partial<Pick<ModelCall, "system" | "messages" | "tools">> }
  | { readonly do: "answer"; readonly reply: ModelReply }
  | { readonly do: "fail"; readonly failure: ModelFailure }
  | { readonly do: "drop" };

/** `replace` goes on with another turn, `fail` fails the call after all, `drop` loses the turn. */
export type TurnVerdict =
  | { readonly do: "replace"; readonly reply: ModelReply }
  | { readonly do: "fail"; readonly failure: ModelFailure }
  | { readonly do: "drop" };

/** `replace` goes on with other bytes, `drop` sends nothing, not even headers. */
export type WireVerdict =
  | { readonly do: "replace"; readonly reply: WireReply }
  | { readonly do: "drop" };

/**
 * What a fault does to a call of a model. As everywhere, nothing at once lets it pass and does not count as fired; a
 * promise delays, and counts. Where bytes are sent, a fault that has both `turn` and `wire` acts by `wire` alone.
 */
export interface ModelHooks<Params> {
  /** Before the model sees what it is asked. */
  ask?(request: ModelCall, ctx: ModelContext<Params>): Verdict<AskVerdict>;
  /** Before the caller sees the turn. */
  turn?(reply: ModelReply, ctx: ModelContext<Params>): Verdict<TurnVerdict>;
  /** Before the caller sees the bytes. Only at the endpoint. Fires by {@linkcode WireContext.fired} alone. */
  wire?(reply: WireReply, ctx: WireContext<Params>): Verdict<WireVerdict>;
}

/** A {@linkcode ModelContext} before the parameters are known. */
export type ModelCircumstances = Omit<ModelContext<unknown>, "params">;

/** A {@linkcode WireContext} before the parameters are known. */
export type WireCircumstances = Omit<WireContext<unknown>, "params">;

/** {@linkcode ModelHooks} with their parameters filled in. */
export interface ArmedModelHooks {
  /** See {@linkcode ModelHooks.ask}. */
  ask?(request: ModelCall, ctx: ModelCircumstances): Verdict<AskVerdict>;
  /** See {@linkcode ModelHooks.turn}. */
  turn?(reply: ModelReply, ctx: ModelCircumstances): Verdict<TurnVerdict>;
  /** See {@linkcode ModelHooks.wire}. */
  wire?(reply: WireReply, ctx: WireCircumstances): Verdict<WireVerdict>;
}

/** Fills in the parameters of {@linkcode ModelHooks}. */
export function armModelHooks<Params>({ ask, turn, wire }: ModelHooks<Params>, params: Params): ArmedModelHooks {
  return {
    ...(ask && { ask: (request, ctx) => ask(request, { ...ctx, params }) }),
    ...(turn && { turn: (reply, ctx) => turn(reply, { ...ctx, params }) }),
    ...(wire && { wire: (reply, ctx) => wire(reply, { ...ctx, params }) }),
  };
}

/** Whether a fault with these hooks is on the model's side, so that its place is an agent. */
export function ofModel(hooks: ArmedModelHooks): boolean {
  return hooks.ask !== undefined || hooks.turn !== undefined || hooks.wire !== undefined;
}

const PREFIX = "agent:";

/** The place of a fault on the model's side: `agent:<name>`, or `agent:*` for every agent. */
export const AT_AGENT: z.ZodString = z.string().regex(
  /^agent:\S+$/,
  'a fault of the model is at "agent:<name>", or at "agent:*"',
);

/** Whether a fault at this place is met by calls of this agent. */
export function coversAgent(at: string, agent: string): boolean {
  return at === `${PREFIX}*` || at === PREFIX + agent;
}
