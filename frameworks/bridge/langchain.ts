/** The bench's models and tools in LangChain's terms. */
import * as z from "zod";
import type { Message, ModelTurn, ToolSpec } from "../../agents/mod.ts";
import {
  AIMessage,
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BaseMessage,
  type BindToolsInput,
  type ChatResult,
  convertToOpenAITool,
  type StructuredToolInterface,
  SystemMessage,
  tool,
  ToolMessage,
} from "../deps/langchain.ts";
import type { Seat, Voice } from "./desk.ts";

/** A tool as providers are told of it. */
const Bound = z.object({
  function: z.object({
    name: z.string(),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
  }),
});

interface BridgeOptions extends BaseChatModelCallOptions {
  /** Tools as `bindTools` leaves them. */
  readonly tools?: readonly unknown[];
}

const Args = z.record(z.string(), z.json());

/** One of the bench's models as a chat model. */
export class BridgeChatModel extends BaseChatModel<BridgeOptions> {
  /** A model that speaks with this voice. */
  constructor(private readonly voice: Voice, private readonly runSignal: AbortSignal) {
    super({});
  }

  override _llmType(): string {
    return "brownout";
  }

  override bindTools(tools: BindToolsInput[], kwargs?: Partial<BridgeOptions>) {
    return this.withConfig({ ...kwargs, tools: tools.map((one) => convertToOpenAITool(asConvertible(one))) });
  }

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const { tools = [] } = options;
    const request = {
      system: messages.filter(SystemMessage.isInstance).map(({ text }) => text).join("\n"),
      messages: messages.flatMap(messageOf),
      tools: z.array(Bound).parse(tools).map(({ function: { name, description = "", parameters = {} } }): ToolSpec => ({
        name,
        description,
        inputSchema: parameters,
      })),
    };
    const signal = options.signal ?? this.runSignal;
    // As the provider packages do: the base class's own caller, with its retries.
    const turn = await this.caller.call(() => this.voice.next(request, signal));
    return { generations: [{ text: turn.text, message: replyOf(turn) }] };
  }
}

/** What `convertToOpenAITool` takes; other forms of tools are not used here. */
function asConvertible(input: BindToolsInput): StructuredToolInterface {
  if ("invoke" in input && "schema" in input && "name" in input) return input as StructuredToolInterface;
  throw new TypeError("the bridge binds LangChain tools only");
}

function replyOf({ text, calls, finish }: ModelTurn): AIMessage {
  return new AIMessage({
    content: text,
    tool_calls: calls.filter(({ rawArguments }) => rawArguments === undefined).map(({ id, name, args }) => ({
      id,
      name,
      args,
      type: "tool_call" as const,
    })),
    invalid_tool_calls: calls.flatMap(({ id, name, rawArguments }) =>
      rawArguments === undefined ? [] : [{ id, name, args: rawArguments, type: "invalid_tool_call" as const }]
    ),
    response_metadata: { finish_reason: finish },
  });
}

function messageOf(message: BaseMessage): Message[] {
  const { text } = message;
  if (SystemMessage.isInstance(message)) return [];
  if (ToolMessage.isInstance(message)) {
    const { tool_call_id: callId, name = "", status } = message;
    return [{ role: "tool", callId, name, text, isError: status === "error" }];
  }
  if (!AIMessage.isInstance(message)) return [{ role: "user", text }];
  const calls = (message.tool_calls ?? []).map(({ id = "", name, args }) => ({ id, name, args: Args.parse(args) }));
  return [{ role: "assistant", text, calls }];
}

/** The tools of a seat as LangChain tools. A failed call throws, as those of `@langchain/mcp-adapters` do. */
export function langchainTools(seat: Seat, runSignal: AbortSignal): StructuredToolInterface[] {
  return seat.tools.map(({ name, description, inputSchema }) =>
    tool(
      (args: unknown, config) => {
        const callId: unknown = config?.toolCall?.id;
        return seat.call(name, Args.parse(args), typeof callId === "string" ? callId : "", config?.signal ?? runSignal);
      },
      { name, description, schema: { ...inputSchema, type: "object" } },
    )
  );
}
