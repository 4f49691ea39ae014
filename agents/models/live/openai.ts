/**
 * OpenAI's chat completions, through the official client. Of its own retries there are none: what is tried again is
 * decided in one place, which also counts what it costs.
 */
import OpenAI from "npm:openai@7.59.0";
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from "npm:openai@7.59.0/resources/chat/completions";
import * as z from "zod";
import { safeName } from "../../hub/names.ts";
import type { FinishReason, Message } from "../model.ts";
import { MalformedReply } from "./errors.ts";
import { wholeCompletion } from "./openai_stream.ts";
import type { Provider, ProviderCall, ProviderOptions, ProviderReply, ProviderUsage } from "./provider.ts";
import { callFrom, namesOf } from "./tool_calls.ts";

/** Connects to OpenAI. */
export function connect(options: ProviderOptions): Provider {
  return chatCompletions(options, { holdsToForm: true, maxTokens: "max_completion_tokens" });
}

/** In what servers of this protocol differ. */
export interface Dialect {
  /** Whether replies can be held to a JSON schema. */
  readonly holdsToForm: boolean;
  /** What the limit of a reply is called: OpenAI has renamed it, and others have not followed. */
  readonly maxTokens: "max_completion_tokens" | "max_tokens";
}

/** Connects to a server of this protocol. */
export function chatCompletions({ apiKey, baseUrl, streamed, timeoutMs }: ProviderOptions, dialect: Dialect): Provider {
  const client = new OpenAI({
    apiKey,
    // Nothing of this is to come from variables that nobody here has looked at.
    organization: null,
    project: null,
    maxRetries: 0,
    // What it would tell is told in the error, without what a provider has sent.
    logLevel: "off",
    timeout: timeoutMs,
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  });
  return {
    holdsToForm: dialect.holdsToForm,
    open: () => ({
      async ask(call, signal) {
        const body = bodyOf(call, dialect);
        const { completions } = client.chat;
        const streaming = { ...body, stream: true as const, stream_options: { include_usage: true } };
        const completion: unknown = streamed
          ? await wholeCompletion(await completions.create(streaming, { signal }))
          : await completions.create(body, { signal });
        return read(completion, call);
      },
    }),
  };
}

function bodyOf(call: ProviderCall, dialect: Dialect): ChatCompletionCreateParamsNonStreaming {
  const { model, system, messages, tools, maxOutputTokens, format } = call;
  return {
    model,
    messages: [...(system === "" ? [] : [{ role: "system" as const, content: system }]), ...messages.map(messageOf)],
    ...(dialect.maxTokens === "max_tokens"
      ? { max_tokens: maxOutputTokens }
      : { max_completion_tokens: maxOutputTokens }),
    ...(tools.length === 0 ? {} : {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function" as const,
        function: { name: safeName(name), description, parameters: { ...inputSchema } },
      })),
    }),
    ...(format === undefined || !dialect.holdsToForm ? {} : {
      response_format: {
        type: "json_schema" as const,
        json_schema: { name: format.name, strict: true, schema: { ...format.schema } },
      },
    }),
  };
}

function messageOf(message: Message): ChatCompletionMessageParam {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.text };
    case "tool": {
      // The protocol has no field that says so.
      const content = message.isError ? `The call failed: ${message.text}` : message.text;
      return { role: "tool", tool_call_id: message.callId, content };
    }
    case "assistant": {
      const { text, calls } = message;
      if (calls.length === 0) return { role: "assistant", content: text };
      const made = calls.map(({ id, name, args, rawArguments }) => ({
        id,
        type: "function" as const,
        function: { name: safeName(name), arguments: rawArguments ?? JSON.stringify(args) },
      }));
      return { role: "assistant", content: text === "" ? null : text, tool_calls: made };
    }
  }
}

/** What is read of a reply. The client checks nothing, and some servers only resemble OpenAI's. */
const Completion = z.object({
  model: z.string().nullish().catch(null),
  choices: z.array(z.object({
    finish_reason: z.string().nullish(),
    message: z.object({
      content: z.string().nullish(),
      refusal: z.string().nullish(),
      tool_calls: z.array(z.object({
        id: z.string(),
        function: z.object({ name: z.string(), arguments: z.string() }).optional(),
      })).nullish(),
    }),
  })).min(1),
  usage: z.object({
    prompt_tokens: z.number().int().nonnegative(),
    completion_tokens: z.number().int().nonnegative(),
    prompt_tokens_details: z.object({ cached_tokens: z.number().int().nonnegative().nullish() }).nullish(),
  }).nullish(),
});

function read(completion: unknown, { tools }: ProviderCall): ProviderReply {
  const parsed = Completion.safeParse(completion);
  if (!parsed.success) throw new MalformedReply("the reply is no chat completion");
  const { choices: [choice], usage, model } = parsed.data;
  if (choice === undefined) throw new MalformedReply("the reply has no choice");
  const { message, finish_reason: reason } = choice;
  const names = namesOf(tools);
  const calls = (message.tool_calls ?? []).flatMap(({ id, function: made }) =>
    made === undefined ? [] : callFrom(id, made.name, made.arguments, names)
  );
  const refusal = message.refusal ?? "";
  return {
    text: refusal === "" ? message.content ?? "" : refusal,
    calls,
    finish: refusal === "" ? finishOf(reason, calls.length) : "refusal",
    usage: usage === null || usage === undefined ? undefined : usageOf(usage),
    ...(model === null || model === undefined ? {} : { model }),
  };
}

function finishOf(reason: string | null | undefined, calls: number): FinishReason {
  if (reason === "length" || reason === "content_filter") return reason;
  // Some servers say `stop` over a list of calls.
  return calls > 0 ? "tool_calls" : "stop";
}

/** Cached tokens are among the prompt's. Nothing is paid for writing them. */
function usageOf(usage: NonNullable<z.output<typeof Completion>["usage"]>): ProviderUsage {
  return {
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    cacheWriteTokens: 0,
  };
}
