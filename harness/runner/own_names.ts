/** Names of tools on their way back from a protocol that allows none with dots. */
import { fromSafeName } from "../../agents/hub/names.ts";
import type { ToolCall } from "../../agents/mod.ts";
import type { ModelCall } from "../../servers/model/mod.ts";

/**
 * What an endpoint was asked, with the names that tools have here.
 *
 * @param known Names of tools that a conversation may name though they are not offered.
 */
export function withOwnNames(call: ModelCall, known: readonly string[]): ModelCall {
  const own = (name: string): string => fromSafeName(name, known) ?? name.replaceAll("--", ".");
  const named = (calls: readonly ToolCall[]) => calls.map((one) => ({ ...one, name: own(one.name) }));
  return {
    ...call,
    tools: call.tools.map((tool) => ({ ...tool, name: own(tool.name) })),
    messages: call.messages.map((message) =>
      message.role === "tool"
        ? { ...message, name: own(message.name) }
        : message.role === "assistant"
        ? { ...message, calls: named(message.calls) }
        : message
    ),
  };
}
