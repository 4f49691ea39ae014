/** Anthropic's messages, streamed, as a client sees them (API reference, "Streaming messages"). */
import { safeName } from "../../agents/hub/names.ts";
import type { FinishReason, Message, ModelRequest, ModelTurn } from "../../agents/mod.ts";
import {
  calledBy,
  count,
  cutOff,
  failedInStream,
  type Fields,
  fields,
  type GrowingCall,
  type StreamedReply,
  type StreamProtocol,
  text,
} from "./stream_fields.ts";

/** The protocol asks for a limit of the reply; whoever asks may set none. */
const MAX_TOKENS = 8192;

/** See the module. */
export const ANTHROPIC_STREAM: StreamProtocol = {
  path: "/messages",
  headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  body: bodyOf,
  reply: () => new Reply(),
};

function bodyOf({ agent, system, messages, tools, maxOutputTokens = MAX_TOKENS }: ModelRequest): unknown {
  return {
    model: agent,
    max_tokens: maxOutputTokens,
    ...system === "" ? {} : { system },
    messages: alternating(messages),
    ...tools.length === 0 ? {} : {
      tools: tools.map(({ name, description, inputSchema }) => ({
        name: safeName(name),
        description,
        input_schema: inputSchema,
      })),
    },
    stream: true,
  };
}

/** User and assistant in turns: all results of a turn are in one message, and what is said after them, too. */
function alternating(messages: readonly Message[]): unknown[] {
  const written: { readonly role: string; readonly content: unknown[] }[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = blocksOf(message);
    const last = written.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) written.push({ role, content });
  }
  return written;
}

function blocksOf(message: Message): unknown[] {
  // A block of text may not be empty.
  const said = message.text === "" ? [] : [{ type: "text", text: message.text }];
  switch (message.role) {
    case "user":
      return said;
    case "tool":
      return [{
        type: "tool_result",
        tool_use_id: message.callId,
        content: message.text,
        ...message.isError ? { is_error: true } : {},
      }];
    case "assistant":
      // What was no object when it was asked for is none that could be written here.
      return [
        ...said,
        ...message.calls.map(({ id, name, args }) => ({ type: "tool_use", id, name: safeName(name), input: args })),
      ];
  }
}

class Reply implements StreamedReply {
  #text = "";
  #stop: string | undefined;
  #usage: Fields = {};
  readonly #calls: GrowingCall[] = [];
  /** The call that each index stands for now. */
  readonly #open = new Map<number, GrowingCall>();

  take(event: Fields): void {
    if (event["error"] !== undefined) throw failedInStream(event);
    const { type, message, delta } = event;
    // Running totals, each by itself: the last one of each is the usage.
    const usage = fields(type === "message_start" ? fields(message)["usage"] : event["usage"]);
    this.#usage = { ...this.#usage, ...usage };
    const { type: kind, text: said, partial_json: args, stop_reason: stop } = fields(delta);
    const at = count(event["index"]);
    if (type === "content_block_start") this.#start(at, fields(event["content_block"]));
    if (type === "message_delta" && typeof stop === "string") this.#stop = stop;
    if (type !== "content_block_delta") return;
    if (kind === "text_delta") this.#text += text(said);
    const call = this.#open.get(at);
    if (kind === "input_json_delta" && call !== undefined) call.args += text(args);
  }

  /** Each start is a new block, whatever its index. */
  #start(at: number, block: Fields): void {
    if (block["type"] === "text") this.#text += text(block["text"]);
    if (block["type"] !== "tool_use") return;
    const call = { id: text(block["id"]), name: text(block["name"]), args: "" };
    this.#open.set(at, call);
    this.#calls.push(call);
  }

  turn(tools: readonly string[]): ModelTurn {
    if (this.#stop === undefined) throw cutOff();
    // Cached tokens are beside the others here: all of them together are the input.
    const cachedTokens = count(this.#usage["cache_read_input_tokens"]);
    const inputTokens = count(this.#usage["input_tokens"]) + cachedTokens +
      count(this.#usage["cache_creation_input_tokens"]);
    return {
      text: this.#text,
      // A call without arguments may have no deltas at all.
      calls: this.#calls.map((call) => calledBy({ ...call, args: call.args || "{}" }, tools)),
      finish: finishOf(this.#stop),
      usage: {
        inputTokens,
        outputTokens: count(this.#usage["output_tokens"]),
        ...cachedTokens === 0 ? {} : { cachedTokens },
      },
    };
  }
}

function finishOf(reason: string): FinishReason {
  if (reason === "tool_use") return "tool_calls";
  if (reason === "max_tokens" || reason === "model_context_window_exceeded") return "length";
  return reason === "refusal" ? "refusal" : "stop";
}
