/** The bench's models and tools in the terms of the OpenAI Agents SDK. */
import * as z from "zod";
import type { Message, ModelTurn, ToolSpec } from "../../agents/mod.ts";
import type { Clock } from "../../core/mod.ts";
import {
  type AgentInputItem,
  type AgentOutputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type Tool,
  tool,
  Usage,
} from "../deps/openai_agents.ts";
import type { Seat, Voice } from "./desk.ts";
import { withClientRetries } from "./retry.ts";

const Args = z.record(z.string(), z.json());

/** One of the bench's models as a model of the SDK. */
export class BridgeModel implements Model {
  /** A model that speaks with this voice. */
  constructor(private readonly voice: Voice, private readonly clock: Clock, private readonly runSignal: AbortSignal) {}

  /** See the SDK. */
  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    const { input, systemInstructions = "", tools, handoffs, signal = this.runSignal } = request;
    const functions = tools.flatMap((one): ToolSpec[] =>
      one.type === "function"
        ? [{ name: one.name, description: one.description, inputSchema: { ...one.parameters } }]
        : []
    );
    const transfers = handoffs.map(({ toolName, toolDescription, inputJsonSchema }): ToolSpec => ({
      name: toolName,
      description: toolDescription,
      inputSchema: { ...inputJsonSchema },
    }));
    const asked = {
      system: systemInstructions,
      messages: typeof input === "string" ? [{ role: "user" as const, text: input }] : messagesOf(input),
      tools: [...functions, ...transfers],
    };
    // As the official client does, which the SDK's own model is made of.
    const turn = await withClientRetries(() => this.voice.next(asked, signal), this.clock, signal);
    const { inputTokens, outputTokens } = turn.usage;
    return {
      usage: new Usage({ requests: 1, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }),
      output: outputOf(turn),
    };
  }

  /** Not used: the adapters do not stream. */
  getStreamedResponse(): never {
    throw new TypeError("the bridge does not stream");
  }
}

function outputOf({ text, calls, finish }: ModelTurn): AgentOutputItem[] {
  const said: AgentOutputItem[] = text === "" && calls.length > 0 ? [] : [{
    type: "message",
    role: "assistant",
    status: finish === "length" ? "incomplete" : "completed",
    content: [finish === "refusal" ? { type: "refusal", refusal: text } : { type: "output_text", text }],
  }];
  return [
    ...said,
    ...calls.map(({ id, name, args, rawArguments }): AgentOutputItem => ({
      type: "function_call",
      callId: id,
      name,
      status: "completed",
      arguments: rawArguments ?? JSON.stringify(args),
    })),
  ];
}

/** The conversation in the bench's words. Calls of one turn, which the SDK has as items of their own, are one message. */
function messagesOf(items: readonly AgentInputItem[]): Message[] {
  const messages: Message[] = [];
  const names = new Map<string, string>();
  for (const item of items) {
    if (item.type === "function_call") {
      const { callId, name } = item;
      names.set(callId, name);
      const call = { id: callId, name, ...argumentsOf(item.arguments) };
      const last = messages.at(-1);
      if (last?.role === "assistant") messages.splice(-1, 1, { ...last, calls: [...last.calls, call] });
      else messages.push({ role: "assistant", text: "", calls: [call] });
    } else if (item.type === "function_call_result") {
      const { callId, output } = item;
      messages.push({
        role: "tool",
        callId,
        name: names.get(callId) ?? item.name,
        text: textOf(output),
        isError: false,
      });
    } else if ("role" in item && item.role === "user") {
      messages.push({ role: "user", text: textOf(item.content) });
    } else if ("role" in item && item.role === "assistant") {
      messages.push({ role: "assistant", text: textOf(item.content), calls: [] });
    }
  }
  return messages;
}

function argumentsOf(
  text: string,
): Pick<Extract<Message, { role: "assistant" }>["calls"][number], "args" | "rawArguments"> {
  try {
    return { args: Args.parse(JSON.parse(text)) };
  } catch {
    return { args: {}, rawArguments: text };
  }
}

const Part = z.object({ text: z.string().optional(), refusal: z.string().optional() });

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) => {
    const read = Part.safeParse(part);
    return read.success ? read.data.text ?? read.data.refusal ?? "" : "";
  }).join("");
}

/** The tools of a seat as function tools. What a failed call throws meets the SDK's own handling of tool errors. */
export function functionTools(seat: Seat, runSignal: AbortSignal): Tool[] {
  return seat.tools.map(({ name, description, inputSchema }) =>
    tool({
      name,
      description,
      strict: false,
      parameters: {
        type: "object",
        properties: {},
        required: [],
        ...inputSchema,
        additionalProperties: true,
      },
      execute: (input, _, details) =>
        seat.call(name, Args.parse(input), details?.toolCall?.callId ?? "", details?.signal ?? runSignal),
    })
  );
}
