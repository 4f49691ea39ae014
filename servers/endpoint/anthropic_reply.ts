/** Replies of Anthropic's messages (API reference, "Create a message" and "Streaming messages"). */
import type { Json } from "../../core/mod.ts";
import type { ModelFinish, ModelReply, ModelToolCall } from "../faults/model_hooks.ts";
import type { SseEvent } from "../faults/model/sse.ts";
import { type Fields, isFields } from "../faults/model/wire.ts";
import {
  argumentsOf,
  callOf,
  errorOf,
  numberOf,
  objectsOf,
  pieces,
  type ReadReply,
  type ReplyHead,
  type StreamReader,
  textOf,
  usageOf,
} from "./api.ts";

const STOP: Readonly<Record<ModelFinish, string>> = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  content_filter: "refusal",
  refusal: "refusal",
};

const FINISH: ReadonlyMap<string, ModelFinish> = new Map([
  ["tool_use", "tool_calls"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "refusal"],
]);

/** A turn as the body of a reply. */
export function writeReply(reply: ModelReply, head: ReplyHead): Fields {
  const { text, calls, finish, usage } = reply;
  return {
    ...start(head),
    content: [
      ...(text === "" ? [] : [{ type: "text", text }]),
      // What is no object is written as it is, for want of anything better.
      ...calls.map(({ id, name, args, rawArguments }) => ({ type: "tool_use", id, name, input: rawArguments ?? args })),
    ],
    stop_reason: STOP[finish],
    usage: { ...inputUsage(usage), output_tokens: usage.outputTokens },
  };
}

/** A turn as a stream. */
export function* replyEvents(reply: ModelReply, head: ReplyHead): Generator<SseEvent> {
  const { text, calls, finish, usage } = reply;
  const message = { ...start(head), usage: { ...inputUsage(usage), output_tokens: 1 } };
  yield event("message_start", { message });
  yield event("ping", {});
  let index = 0;
  if (text !== "") {
    yield event("content_block_start", { index, content_block: { type: "text", text: "" } });
    for (const piece of pieces(text)) {
      yield event("content_block_delta", { index, delta: { type: "text_delta", text: piece } });
    }
    yield event("content_block_stop", { index });
    index++;
  }
  for (const call of calls) {
    yield* callEvents(call, index++);
  }
  yield event("message_delta", {
    delta: { stop_reason: STOP[finish], stop_sequence: null },
    usage: { output_tokens: usage.outputTokens },
  });
  yield event("message_stop", {});
}

/** Reads the body of a reply. */
export function readReply(fields: Fields): ReadReply {
  const error = errorOf(fields);
  const blocks = objectsOf(fields.content);
  const calls = blocks.flatMap((block) => {
    if (block.type !== "tool_use") return [];
    const { input = null } = block;
    return callOf(textOf(block.id), textOf(block.name), typeof input === "string" ? input : JSON.stringify(input));
  });
  return {
    text: blocks.map((block) => block.type === "text" ? textOf(block.text) : "").join(""),
    calls,
    ...readStop(fields.stop_reason),
    ...(isFields(fields.usage) && { usage: readUsage(fields.usage) }),
    ...(error !== undefined && { error }),
  };
}

/** A block that is being streamed. */
interface Growing {
  readonly block: Fields;
  written: string;
}

/** Reads a stream: each start is a new block whatever its index, and the last value of each count is the count. */
export class ReplyReader implements StreamReader {
  #stop: Json | undefined;
  #usage: Fields | undefined;
  #error: string | undefined;
  readonly #blocks: Growing[] = [];
  readonly #byIndex = new Map<number, Growing>();

  /** Takes the next event. */
  push(fields: Fields): void {
    this.#error ??= errorOf(fields);
    const { type, message, content_block: block, delta } = fields;
    const usage = type === "message_start" && isFields(message) ? message.usage : fields.usage;
    if (isFields(usage)) this.#usage = { ...this.#usage, ...usage };
    if (type === "content_block_start" && isFields(block)) {
      const growing = { block, written: block.type === "text" ? textOf(block.text) : "" };
      this.#blocks.push(growing);
      this.#byIndex.set(numberOf(fields.index), growing);
    }
    if (!isFields(delta)) return;
    if (type === "message_delta" && typeof delta.stop_reason === "string") this.#stop = delta.stop_reason;
    const growing = type === "content_block_delta" ? this.#byIndex.get(numberOf(fields.index)) : undefined;
    if (growing !== undefined) growing.written += textOf(delta.text) + textOf(delta.partial_json);
  }

  /** What has been read so far. */
  read(): ReadReply {
    return {
      text: this.#blocks.map(({ block, written }) => block.type === "text" ? written : "").join(""),
      calls: this.#blocks.flatMap(({ block, written }) =>
        // A call without arguments may have no deltas at all.
        block.type === "tool_use" ? callOf(textOf(block.id), textOf(block.name), written || "{}") : []
      ),
      ...readStop(this.#stop),
      ...(this.#usage && { usage: readUsage(this.#usage) }),
      ...(this.#error !== undefined && { error: this.#error }),
    };
  }
}

function event(type: string, fields: Fields): SseEvent {
  return { event: type, data: JSON.stringify({ type, ...fields }) };
}

function* callEvents(call: ModelToolCall, index: number): Generator<SseEvent> {
  const { id, name } = call;
  yield event("content_block_start", { index, content_block: { type: "tool_use", id, name, input: {} } });
  for (const piece of pieces(argumentsOf(call))) {
    yield event("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: piece } });
  }
  yield event("content_block_stop", { index });
}

function start({ id, model }: ReplyHead): Fields {
  return { id, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null };
}

/** Cached tokens are beside the others here: both together are the input. */
function inputUsage({ inputTokens, cachedTokens = 0 }: ModelReply["usage"]): Fields {
  return {
    input_tokens: inputTokens - cachedTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
  };
}

function readUsage(usage: Fields): ModelReply["usage"] {
  const cached = numberOf(usage.cache_read_input_tokens);
  const input = numberOf(usage.input_tokens) + numberOf(usage.cache_creation_input_tokens) + cached;
  return usageOf(input, numberOf(usage.output_tokens), cached);
}

function readStop(reason: Json | undefined): { finish?: ModelFinish } {
  return typeof reason === "string" ? { finish: FINISH.get(reason) ?? "stop" } : {};
}
