/**
 * A stream of OpenAI's chat completions, put together. The client's own way goes by the index of a call alone, and joins
 * two calls that a server has given the same one; here a new id is a new call.
 */
import type { ChatCompletionChunk } from "npm:openai@7.59.0/resources/chat/completions";
import { MalformedReply } from "./errors.ts";

/** A call that is being streamed. */
interface Growing {
  readonly id: string;
  readonly type: "function";
  readonly function: { name: string; arguments: string };
}

/**
 * The completion that a stream comes to.
 *
 * @throws {MalformedReply} If it ends before it says why.
 * @throws Whatever the stream throws.
 */
export async function wholeCompletion(chunks: AsyncIterable<ChatCompletionChunk>): Promise<unknown> {
  const message = { content: "", refusal: "" };
  const calls: Growing[] = [];
  const byIndex = new Map<number, Growing>();
  let reason: string | undefined;
  let usage: unknown;
  let model: unknown;
  for await (const chunk of chunks) {
    // The running total: the last one is the usage.
    usage = chunk.usage ?? usage;
    model ??= chunk.model;
    for (const { index, delta, finish_reason: ended } of chunk.choices ?? []) {
      if (index !== 0) continue;
      reason = ended ?? reason;
      message.content += delta?.content ?? "";
      message.refusal += delta?.refusal ?? "";
      for (const { index: at, id, function: made } of delta?.tool_calls ?? []) {
        let call = byIndex.get(at);
        if (call === undefined || id !== undefined && id !== "" && id !== call.id) {
          call = { id: id ?? "", type: "function", function: { name: "", arguments: "" } };
          calls.push(call);
          byIndex.set(at, call);
        }
        if (call.function.name === "") call.function.name = made?.name ?? "";
        call.function.arguments += made?.arguments ?? "";
      }
    }
  }
  if (reason === undefined) throw new MalformedReply("the stream ended before the reply did");
  return { choices: [{ finish_reason: reason, message: { ...message, tool_calls: calls } }], usage, model };
}
