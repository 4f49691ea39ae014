/**
 * A client of OpenAI's chat completions that does what a stream asks of its reader, and no more: bytes are decoded as a
 * stream, a new id is a new call, the last usage is the usage, an error in the stream is an error. For scenarios whose
 * faults are in those bytes; what official clients make of the same faults is tested with live models.
 */
import { fromSafeName, safeName } from "../../agents/hub/names.ts";
import type { FinishReason, Message, ModelRequest, ModelTurn, ToolCall } from "../../agents/mod.ts";
import type { Json } from "../../core/mod.ts";
import { ModelCallError } from "../../servers/model/mod.ts";

type Fields = { readonly [key: string]: Json | undefined };

/** What OpenAI answers a request that comes at a bad time. */
const OVERLOADED = 529;

/** Whose endpoint it is. */
export interface StreamClientOptions {
  /** Its base, with `/v1`. */
  readonly baseUrl: string;
  /** What it takes for a key. */
  readonly key: string;
}

/**
 * Asks once, for a stream.
 *
 * @throws {ModelCallError} If the provider says that it failed, by its status or within the stream, or the stream ends early.
 * @throws The signal's reason, if it aborts.
 */
export async function askStreamed(
  request: ModelRequest,
  { baseUrl, key }: StreamClientOptions,
  signal: AbortSignal,
): Promise<ModelTurn> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(bodyOf(request)),
    signal,
  });
  if (!response.ok || response.body === null) {
    throw failed(response.status, messageOf(parsed(await response.text())));
  }
  const reply = new Reply();
  let rest = "";
  // Never a piece at a time: a character may lie across two.
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    rest += text;
    const events = rest.split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) reply.take(event);
  }
  return reply.turn(request.tools.map(({ name }) => name));
}

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

/** A reply that is being streamed. */
class Reply {
  #text = "";
  #finish: string | undefined;
  #usage: Fields = {};
  readonly #calls: { readonly id: string; name: string; args: string }[] = [];
  /** The call that each index stands for now. */
  readonly #open = new Map<number, { readonly id: string; name: string; args: string }>();

  /** Takes one event. */
  take(event: string): void {
    const data = event.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim()).join(
      "",
    );
    if (data === "" || data === "[DONE]") return;
    const chunk = parsed(data);
    if (chunk["error"] !== undefined) throw failed(OVERLOADED, messageOf(chunk));
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

  /** The whole of it. */
  turn(tools: readonly string[]): ModelTurn {
    if (this.#finish === undefined) throw failed(502, "the stream ended before the reply did");
    const calls = this.#calls.map(({ id, name, args }): ToolCall => {
      const own = fromSafeName(name, tools) ?? name;
      const value = objectIn(args);
      return value === undefined ? { id, name: own, args: {}, rawArguments: args } : { id, name: own, args: value };
    });
    const cachedTokens = count(fields(this.#usage["prompt_tokens_details"])["cached_tokens"]);
    return {
      text: this.#text,
      calls,
      finish: finishOf(this.#finish, calls.length),
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

function failed(status: number, message: string): ModelCallError {
  const code = status === 429 ? "rate_limited" : status === 401 || status === 403 ? "unauthorized" : "model_error";
  return new ModelCallError({ status, message, code });
}

const messageOf = (body: Fields): string => text(fields(body["error"])["message"]) || "the provider says no more";

function parsed(data: string): Fields {
  try {
    return fields(JSON.parse(data));
  } catch {
    return {};
  }
}

function objectIn(written: string): { [key: string]: Json } | undefined {
  try {
    const value: Json = JSON.parse(written);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const text = (value: Json | undefined): string => typeof value === "string" ? value : "";
const count = (value: Json | undefined): number => typeof value === "number" ? value : 0;
const list = (value: Json | undefined): readonly Json[] => Array.isArray(value) ? value : [];
const fields = (value: Json | undefined): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
