/** OpenAI's chat completions, streamed, as a client sees them (API reference, "The chat completion chunk object"). */
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
  list,
  type StreamedReply,
  type StreamProtocol,
  text,
} from "./stream_fields.ts";

/** See the module. */
export const OPENAI_STREAM: StreamProtocol = {
  path: "/chat/completions",
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  body: bodyOf,
  reply: () => new Reply(),
};

function bodyOf({ agent, system, messages, tools, maxOutputTokens }: ModelRequest): unknown {
  return {
    model: agent,
    messages: [...system === "" ? [] : [{ role: "system", content: system }], ...messages.map(written)],
    ...maxOutputTokens === undefined ? {} : { max_completion_tokens: maxOutputTokens },
    ...tools.length === 0 ? {} : {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function",
        function: { name: safeName(name), description, parameters: inputSchema },
      })),
    },
    stream: true,
    stream_options: { include_usage: true },
  };
}

function written(message: Message): unknown {
  if (message.role === "user") return { role: "user", content: message.text };
  if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.text };
  const calls = message.calls.map(({ id, name, args, rawArguments }) => ({
    id,
    type: "function",
    function: { name: safeName(name), arguments: rawArguments ?? JSON.stringify(args) },
  }));
  return { role: "assistant", content: message.text, ...calls.length === 0 ? {} : { tool_calls: calls } };
}

class Reply implements StreamedReply {
  #text = "";
  #finish: string | undefined;
  #usage: Fields = {};
  readonly #calls: GrowingCall[] = [];
  /** The call that each index stands for now. */
  readonly #open = new Map<number, GrowingCall>();

  take(chunk: Fields): void {
    if (chunk["error"] !== undefined) throw failedInStream(chunk);
    // The running total: the last one is the usage.
    if (chunk["usage"] !== undefined && chunk["usage"] !== null) this.#usage = fields(chunk["usage"]);
    for (const choice of list(chunk["choices"]).map(fields)) {
      const delta = fields(choice["delta"]);
      this.#text += text(delta["content"]);
      if (typeof choice["finish_reason"] === "string") this.#finish = choice["finish_reason"];
      for (const call of list(delta["tool_calls"]).map(fields)) this.#takeCall(call);
    }
  }

  #takeCall({ index, id, function: made }: Fields): void {
    const at = count(index);
    let call = this.#open.get(at);
    if (call === undefined || typeof id === "string" && id !== call.id) {
      call = { id: text(id), name: "", args: "" };
      this.#open.set(at, call);
      this.#calls.push(call);
    }
    call.name ||= text(fields(made)["name"]);
    call.args += text(fields(made)["arguments"]);
  }

  turn(tools: readonly string[]): ModelTurn {
    if (this.#finish === undefined) throw cutOff();
    const cachedTokens = count(fields(this.#usage["prompt_tokens_details"])["cached_tokens"]);
    return {
      text: this.#text,
      calls: this.#calls.map((call) => calledBy(call, tools)),
      finish: finishOf(this.#finish, this.#calls.length),
      usage: {
        inputTokens: count(this.#usage["prompt_tokens"]),
        outputTokens: count(this.#usage["completion_tokens"]),
        ...cachedTokens === 0 ? {} : { cachedTokens },
      },
    };
  }
}

function finishOf(reason: string, calls: number): FinishReason {
  if (reason === "length" || reason === "content_filter") return reason;
  return calls > 0 ? "tool_calls" : "stop";
}
