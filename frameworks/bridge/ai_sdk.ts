/** The bench's models and tools in the AI SDK's terms. */
import * as z from "zod";
import type { Message, ModelTurn, ToolCall, ToolSpec } from "../../agents/mod.ts";
import {
  APICallError,
  dynamicTool,
  jsonSchema,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Content,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4Message,
  type LanguageModelV4ToolResultOutput,
  type ToolSet,
} from "../deps/ai_sdk.ts";
import type { Seat, Voice } from "./desk.ts";
import { isWorthRetrying, statusOf } from "./retry.ts";

const Args = z.record(z.string(), z.json());

/** One of the bench's models as a language model. */
export function bridgeModel(voice: Voice, runSignal: AbortSignal): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "brownout",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: (options) => generate(voice, options, options.abortSignal ?? runSignal),
    doStream: () => Promise.reject(new TypeError("the bridge does not stream")),
  };
}

async function generate(
  voice: Voice,
  { prompt, tools = [] }: LanguageModelV4CallOptions,
  signal: AbortSignal,
): Promise<LanguageModelV4GenerateResult> {
  const request = {
    system: prompt.flatMap((one) => one.role === "system" ? [one.content] : []).join("\n"),
    messages: prompt.flatMap(messagesOf),
    tools: tools.flatMap((one): ToolSpec[] =>
      one.type === "function"
        ? [{ name: one.name, description: one.description ?? "", inputSchema: { ...one.inputSchema } }]
        : []
    ),
  };
  const turn = await voice.next(request, signal).catch((error) => {
    throw signal.aborted ? error : asApiError(error);
  });
  return resultOf(turn);
}

/** As the provider packages tell it, so that the SDK's own retries see what is worth one. */
function asApiError(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  const statusCode = statusOf(error);
  return new APICallError({
    message,
    url: "brownout:model",
    requestBodyValues: {},
    ...(statusCode === undefined ? {} : { statusCode }),
    isRetryable: isWorthRetrying(error),
    cause: error,
  });
}

const FINISH = {
  stop: "stop",
  tool_calls: "tool-calls",
  length: "length",
  content_filter: "content-filter",
  refusal: "content-filter",
} as const;

function resultOf({ text, calls, finish, usage }: ModelTurn): LanguageModelV4GenerateResult {
  const content: LanguageModelV4Content[] = [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map(({ id, name, args, rawArguments }) => ({
      type: "tool-call" as const,
      toolCallId: id,
      toolName: name,
      input: rawArguments ?? JSON.stringify(args),
    })),
  ];
  return {
    content,
    finishReason: { unified: FINISH[finish], raw: finish },
    usage: {
      inputTokens: { total: usage.inputTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: usage.outputTokens, text: undefined, reasoning: undefined },
    },
    warnings: [],
  };
}

function messagesOf(message: LanguageModelV4Message): Message[] {
  if (message.role === "system") return [];
  if (message.role === "user") {
    return [{
      role: "user",
      text: message.content.flatMap((part) => part.type === "text" ? [part.text] : []).join(""),
    }];
  }
  if (message.role === "assistant") {
    const text = message.content.flatMap((part) => part.type === "text" ? [part.text] : []).join("");
    const calls = message.content.flatMap((part): ToolCall[] => {
      if (part.type !== "tool-call") return [];
      const args = Args.safeParse(part.input);
      return [{ id: part.toolCallId, name: part.toolName, args: args.success ? args.data : {} }];
    });
    return [{ role: "assistant", text, calls }];
  }
  return message.content.flatMap((part): Message[] =>
    part.type === "tool-result"
      ? [{ role: "tool", callId: part.toolCallId, name: part.toolName, ...outputOf(part.output) }]
      : []
  );
}

function outputOf(output: LanguageModelV4ToolResultOutput): { text: string; isError: boolean } {
  switch (output.type) {
    case "text":
    case "error-text":
      return { text: output.value, isError: output.type === "error-text" };
    case "json":
    case "error-json":
      return { text: JSON.stringify(output.value), isError: output.type === "error-json" };
    case "execution-denied":
      return { text: output.reason ?? "denied", isError: true };
    case "content":
      return {
        text: output.value.flatMap((part) => part.type === "text" ? [part.text] : []).join(""),
        isError: false,
      };
  }
}

/** The tools of a seat as tools of the SDK. What a failed call throws becomes a `tool-error` for the model. */
export function sdkTools(seat: Seat, runSignal: AbortSignal): ToolSet {
  return Object.fromEntries(seat.tools.map(({ name, description, inputSchema }) => [
    name,
    dynamicTool({
      description,
      inputSchema: jsonSchema({ ...inputSchema, type: "object" }),
      execute: (input, { toolCallId, abortSignal }) =>
        seat.call(name, Args.parse(input), toolCallId, abortSignal ?? runSignal),
    }),
  ]));
}
