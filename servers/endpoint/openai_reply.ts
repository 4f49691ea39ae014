/** Replies of OpenAI's chat completions (API reference, "The chat completion object" and "… chunk object"). */
import type { Json } from "../../core/mod.ts";
import type { ModelFinish, ModelReply } from "../faults/model_hooks.ts";
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

const FINISH: Readonly<Record<ModelFinish, string>> = {
  stop: "stop",
  tool_calls: "tool_calls",
  length: "length",
  content_filter: "content_filter",
  // A refusal ends like a text, and stands in a field of its own.
  refusal: "stop",
};

/** A turn as the body of a reply. */
export function writeReply(reply: ModelReply, { id, model, created }: ReplyHead): Fields {
  const { text, calls, finish } = reply;
  const refused = finish === "refusal";
  const message: Fields = {
    role: "assistant",
    content: refused || text === "" && calls.length > 0 ? null : text,
    refusal: refused ? text : null,
    ...(calls.length > 0 && {
      tool_calls: calls.map((call): Fields => ({
        id: call.id,
        type: "function",
        function: { name: call.name, arguments: argumentsOf(call) },
      })),
    }),
  };
  return {
    id,
    object: "chat.completion",
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: FINISH[finish] }],
    usage: writeUsage(reply.usage),
  };
}

/** A turn as a stream. */
export function* replyEvents(reply: ModelReply, { id, model, created, wantsUsage }: ReplyHead): Generator<SseEvent> {
  const chunk = (choices: Fields[], usage: Fields | null = null): SseEvent => {
    const fields = { id, object: "chat.completion.chunk", created, model, choices, ...(wantsUsage && { usage }) };
    return { data: JSON.stringify(fields) };
  };
  const delta = (delta: Fields, finish_reason: string | null = null) => [
    { index: 0, delta, logprobs: null, finish_reason },
  ];
  const { text, calls, finish, usage } = reply;
  const silent = finish === "refusal" || calls.length > 0 && text === "";
  yield chunk(delta({ role: "assistant", content: silent ? null : "", refusal: null }));
  for (const piece of pieces(text)) yield chunk(delta(finish === "refusal" ? { refusal: piece } : { content: piece }));
  for (const [index, call] of calls.entries()) {
    const { id, name } = call;
    yield chunk(delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }));
    for (const piece of pieces(argumentsOf(call))) {
      yield chunk(delta({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
  yield chunk(delta({}, FINISH[finish]));
  if (wantsUsage) yield chunk([], writeUsage(usage));
  yield { data: "[DONE]" };
}

/** Reads the body of a reply. */
export function readReply(fields: Fields): ReadReply {
  const error = errorOf(fields);
  const [choice = {}] = objectsOf(fields.choices);
  const message = isFields(choice.message) ? choice.message : {};
  const refusal = textOf(message.refusal);
  const calls = objectsOf(message.tool_calls).map((call) => {
    const made = isFields(call.function) ? call.function : {};
    return callOf(textOf(call.id), textOf(made.name), textOf(made.arguments));
  });
  return {
    text: refusal || textOf(message.content),
    calls,
    ...readFinish(choice.finish_reason, refusal !== ""),
    ...readUsage(fields.usage),
    ...(error !== undefined && { error }),
  };
}

/** A call that is being streamed. */
interface Growing {
  readonly id: string;
  name: string;
  written: string;
}

/** Reads a stream: a new id is a new call whatever its index, and the last usage is the usage. */
export class ReplyReader implements StreamReader {
  #text = "";
  #refusal = "";
  #finish: Json | undefined;
  #usage: Json | undefined;
  #error: string | undefined;
  readonly #calls: Growing[] = [];
  readonly #byIndex = new Map<number, Growing>();

  /** Takes the next chunk. */
  push(fields: Fields): void {
    this.#error ??= errorOf(fields);
    if (isFields(fields.usage)) this.#usage = fields.usage;
    for (const choice of objectsOf(fields.choices)) {
      if (numberOf(choice.index) !== 0) continue;
      if (typeof choice.finish_reason === "string") this.#finish = choice.finish_reason;
      if (!isFields(choice.delta)) continue;
      this.#text += textOf(choice.delta.content);
      this.#refusal += textOf(choice.delta.refusal);
      for (const piece of objectsOf(choice.delta.tool_calls)) this.#grow(piece);
    }
  }

  /** What has been read so far. */
  read(): ReadReply {
    return {
      text: this.#refusal || this.#text,
      calls: this.#calls.map(({ id, name, written }) => callOf(id, name, written)),
      ...readFinish(this.#finish, this.#refusal !== ""),
      ...readUsage(this.#usage),
      ...(this.#error !== undefined && { error: this.#error }),
    };
  }

  #grow(piece: Fields): void {
    const index = numberOf(piece.index);
    const id = textOf(piece.id);
    let call = this.#byIndex.get(index);
    if (call === undefined || id !== "" && id !== call.id) {
      call = { id, name: "", written: "" };
      this.#calls.push(call);
      this.#byIndex.set(index, call);
    }
    const made = isFields(piece.function) ? piece.function : {};
    if (call.name === "") call.name = textOf(made.name);
    call.written += textOf(made.arguments);
  }
}

function readFinish(reason: Json | undefined, refused: boolean): { finish?: ModelFinish } {
  if (typeof reason !== "string") return {};
  if (refused) return { finish: "refusal" };
  if (reason === "tool_calls" || reason === "length" || reason === "content_filter") return { finish: reason };
  return { finish: "stop" };
}

function writeUsage({ inputTokens, outputTokens, cachedTokens = 0 }: ModelReply["usage"]): Fields {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

/** Cached tokens are among the prompt's: they are not added. */
function readUsage(usage: Json | undefined): { usage?: ModelReply["usage"] } {
  if (!isFields(usage)) return {};
  const details = isFields(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  return {
    usage: usageOf(
      numberOf(usage.prompt_tokens),
      numberOf(usage.completion_tokens),
      numberOf(details.cached_tokens),
    ),
  };
}
