/**
 * A stream of Anthropic's messages, put together. The client's own way goes by the index of a block alone; here each start
 * is a new block, whatever its index.
 */
import type { RawMessageStreamEvent } from "npm:@anthropic-ai/sdk@1.14.0/resources/messages";
import { MalformedReply } from "./errors.ts";

/** A block that is being streamed. */
interface Growing {
  readonly start: object;
  readonly type: string;
  text: string;
  json: string;
  thinking: string;
  signature: string;
}

/**
 * The message that a stream comes to.
 *
 * @throws {MalformedReply} If it ends before it says why.
 * @throws Whatever the stream throws.
 */
export async function wholeMessage(events: AsyncIterable<RawMessageStreamEvent>): Promise<unknown> {
  const blocks: Growing[] = [];
  const byIndex = new Map<number, Growing>();
  let reason: string | null = null;
  let model: unknown;
  let isWhole = false;
  let usage = {};
  for await (const event of events) {
    switch (event.type) {
      case "message_start":
        usage = { ...event.message.usage };
        model = event.message.model;
        break;
      case "content_block_start": {
        const { content_block: start } = event;
        const text = start.type === "text" ? start.text : "";
        const block = { start, type: start.type, text, json: "", thinking: "", signature: "" };
        blocks.push(block);
        byIndex.set(event.index, block);
        break;
      }
      case "content_block_delta": {
        const block = byIndex.get(event.index);
        const { delta } = event;
        if (block === undefined) throw new MalformedReply("the stream goes on with a block that it has not begun");
        if (delta.type === "text_delta") block.text += delta.text;
        if (delta.type === "input_json_delta") block.json += delta.partial_json;
        if (delta.type === "thinking_delta") block.thinking += delta.thinking;
        if (delta.type === "signature_delta") block.signature += delta.signature;
        break;
      }
      case "message_delta": {
        reason = event.delta.stop_reason ?? reason;
        // The last value of each count is the count; what is not told again stays.
        const told = Object.entries(event.usage ?? {}).filter(([, value]) => value !== null && value !== undefined);
        usage = { ...usage, ...Object.fromEntries(told) };
        break;
      }
      case "message_stop":
        isWhole = true;
    }
  }
  if (!isWhole) throw new MalformedReply("the stream ended before the reply did");
  return { type: "message", content: blocks.map(blockOf), stop_reason: reason, usage, model };
}

function blockOf({ start, type, text, json, thinking, signature }: Growing): object {
  if (type === "text") return { type, text };
  if (type === "thinking") return { type, thinking, signature };
  // What is no JSON stays a text, and is told apart by that.
  if (type === "tool_use") return { ...start, input: json === "" ? {} : parsed(json) };
  return start;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
