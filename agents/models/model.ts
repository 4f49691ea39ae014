/** The one interface to every model: scripted, live or recorded. */
import type { Json } from "../../core/mod.ts";

/** What a server claims about a tool's effects: hints, as MCP has them. Untrusted. */
export interface ToolAnnotations {
  /** Whether it changes nothing. MCP's default is `false`. */
  readonly readOnlyHint?: boolean;
  /** Whether doing it again with the same arguments changes nothing more. MCP's default is `false`. */
  readonly idempotentHint?: boolean;
}

/** A tool as a model sees it. */
export interface ToolSpec {
  /** `server.tool`. */
  readonly name: string;
  /** What the server says the tool does. Untrusted text. */
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: { readonly [key: string]: unknown };
  /** What its server claims about its effects, where it claims anything. Not for the model, but for whoever sends calls. */
  readonly annotations?: ToolAnnotations;
}

/** A tool call that a model asks for. */
export interface ToolCall {
  /** Id given by the model; the result names it. */
  readonly id: string;
  /** `server.tool`. */
  readonly name: string;
  /** Arguments; empty if what the model wrote is no JSON object. */
  readonly args: { [key: string]: Json };
  /**
   * The arguments as the model wrote them, if they are no JSON object: cut off, say. Such a call must not be executed, with
   * `{}` neither: the model is told instead.
   */
  readonly rawArguments?: string;
}

/** One message of a conversation with a model. */
export type Message =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly ToolCall[] }
  | {
    readonly role: "tool";
    readonly callId: string;
    readonly name: string;
    readonly text: string;
    readonly isError: boolean;
  };

/** Everything that one model call is made of. */
export interface ModelRequest {
  /** Who asks: `planner` or a specialist's name. Scripts are addressed by it. */
  readonly agent: string;
  /** Structural id of the step, for the trace. */
  readonly span: string;
  /** The agent's prompt. */
  readonly system: string;
  /** The conversation so far, oldest first. */
  readonly messages: readonly Message[];
  /** The tools that exist for this agent. */
  readonly tools: readonly ToolSpec[];
  /** The most tokens that the reply may have; one that needs more is cut, and says `length`. The model's limit if left out. */
  readonly maxOutputTokens?: number;
  /** What the reply has to look like, for models that can be held to it. Whoever asks reads the reply as if they were not. */
  readonly format?: ReplyFormat;
}

/** A form of JSON that a provider may hold its model to. */
export interface ReplyFormat {
  /** Its name: letters, digits and `_`. */
  readonly name: string;
  /** JSON Schema in the part of the language that all providers take: every object closed, all its members required. */
  readonly schema: { readonly [key: string]: unknown };
}

/** Why a model stopped. */
export type FinishReason = "stop" | "tool_calls" | "length" | "content_filter" | "refusal";

/** What a turn used. */
export interface TurnUsage {
  /** Tokens that were read; those that came from a cache are among them. */
  readonly inputTokens: number;
  /** Tokens that were written, those of the model's reasoning too. */
  readonly outputTokens: number;
  /** How many of the tokens that were read came from a cache; not there where none did, or nobody says. */
  readonly cachedTokens?: number;
  /** US dollars; not there where the price is not known. */
  readonly costUsd?: number;
}

/** One reply of a model. */
export interface ModelTurn {
  /** Text of the reply; may be empty when there are calls. */
  readonly text: string;
  /** Tool calls, in the model's order. */
  readonly calls: readonly ToolCall[];
  /** Why it stopped. */
  readonly finish: FinishReason;
  /** What it used. */
  readonly usage: TurnUsage;
  /** What its provider calls the model that has answered, such as a dated snapshot; only where somebody asks for it. Untrusted. */
  readonly model?: string;
}

/** A model. */
export interface Model {
  /**
   * Asks for the next turn.
   *
   * @param signal Ends the call early; it then throws the signal's reason.
   * @throws {CodedError} With `model_error`, `rate_limited`, `unauthorized` and kin when the call fails. An error may
   * have a `status`, that of HTTP, and `retryAfterMs`, how long to wait: they decide whether it is worth another attempt.
   */
  next(request: ModelRequest, signal: AbortSignal): Promise<ModelTurn>;
}
