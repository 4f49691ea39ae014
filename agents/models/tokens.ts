/** How many tokens a text has, by a rule of thumb: the same everywhere, and known before the model is asked. */
import type { ModelRequest, ToolCall } from "./model.ts";

/** The rule of thumb. */
export const CHARACTERS_PER_TOKEN = 4;

/** Tokens of a request: its system prompt and its messages. */
export function inputTokens(request: Pick<ModelRequest, "system" | "messages">): number {
  let length = request.system.length;
  for (const message of request.messages) {
    length += message.text.length + (message.role === "assistant" ? callsLength(message.calls) : 0);
  }
  return Math.ceil(length / CHARACTERS_PER_TOKEN);
}

/** Tokens of a reply. */
export function outputTokens(text: string, calls: readonly ToolCall[]): number {
  return Math.ceil((text.length + callsLength(calls)) / CHARACTERS_PER_TOKEN);
}

function callsLength(calls: readonly ToolCall[]): number {
  let length = 0;
  for (const call of calls) length += call.name.length + JSON.stringify(call.args).length;
  return length;
}
