import type { AskVerdict, ModelCall, ModelReply, ModelToolCall, TurnVerdict } from "../model_hooks.ts";
import { turned } from "./say.ts";

/** Asked again after a tool call, the model makes the same call once more, for ever. The real one is not asked. */
export function callAgain(request: ModelCall, call: number, text: string): AskVerdict | undefined {
  const last = request.messages.findLast((message) => message.role === "assistant" && message.calls.length > 0);
  if (last?.role !== "assistant") return undefined;
  const calls = last.calls.map((before, i) => ({ ...before, id: `again-${call}-${i + 1}` }));
  const usage = { inputTokens: lengthOf(request), outputTokens: Math.ceil(text.length / 4) + 10 * calls.length };
  return { do: "answer", reply: { text, calls, finish: "tool_calls", usage } };
}

/** A last word becomes a call of the first tool that there is; `undefined` if there is none, or it has calls anyway. */
export function callInstead(reply: ModelReply, request: ModelCall, text: string): TurnVerdict | undefined {
  const [tool] = request.tools;
  if (reply.calls.length > 0 || tool === undefined) return undefined;
  const call: ModelToolCall = { id: "again-0-1", name: tool.name, args: {} };
  return turned(reply, { text, calls: [call], finish: "tool_calls" });
}

/** Some number of tokens, the same everywhere. */
function lengthOf({ system, messages }: ModelCall): number {
  return Math.ceil(messages.reduce((sum, { text }) => sum + text.length, system.length) / 4);
}
