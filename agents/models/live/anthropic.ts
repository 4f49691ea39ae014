/**
 * Anthropic's messages, through the official client. Of its own retries there are none: what is tried again is decided in
 * one place, which also counts what it costs.
 */
import Anthropic from "npm:@anthropic-ai/sdk@1.14.0";
import type {
  ContentBlockParam,
  MessageCreateParamsNonStreaming,
} from "npm:@anthropic-ai/sdk@1.14.0/resources/messages";
import * as z from "zod";
import { canonicalJson, type Json } from "../../../core/mod.ts";
import { safeName } from "../../hub/names.ts";
import type { FinishReason, Message } from "../model.ts";
import { wholeMessage } from "./anthropic_stream.ts";
import { MalformedReply } from "./errors.ts";
import type {
  Provider,
  ProviderCall,
  ProviderOptions,
  ProviderReply,
  ProviderSession,
  ProviderUsage,
} from "./provider.ts";
import { callFrom, namesOf } from "./tool_calls.ts";

/** Connects to Anthropic. */
export function connect({ apiKey, baseUrl, streamed, timeoutMs }: ProviderOptions): Provider {
  const client = new Anthropic({
    apiKey,
    // Nothing of this is to come from variables that nobody here has looked at.
    authToken: null,
    maxRetries: 0,
    // What it would tell is told in the error, without what a provider has sent.
    logLevel: "off",
    timeout: timeoutMs,
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl.replace(/\/v1$/, "") }),
  });
  return { holdsToForm: true, open: () => new Session(client, streamed) };
}

/** What a turn was made of, and what the conversation has of it. */
interface Kept {
  readonly said: string;
  readonly content: readonly ContentBlockParam[];
}

/**
 * Remembers turns with reasoning in them: with the results of their calls the provider wants all of them back, unchanged
 * and signed, and the conversation has text and calls only. A turn that somebody has changed on the way is written anew.
 */
class Session implements ProviderSession {
  readonly #kept = new Map<string, Kept>();

  constructor(private readonly client: Anthropic, private readonly streamed: boolean) {}

  async ask(call: ProviderCall, signal: AbortSignal): Promise<ProviderReply> {
    const body = this.#body(call);
    const { messages } = this.client;
    const message: unknown = this.streamed
      ? await wholeMessage(await messages.create({ ...body, stream: true }, { signal }))
      : await messages.create(body, { signal });
    const reply = read(message, call);
    this.#keep(call.agent, reply, message);
    return reply;
  }

  hiddenBytes({ agent, messages }: ProviderCall): number {
    const kept = messages.filter(({ role }) => role === "assistant").flatMap((message) => this.#blocks(agent, message));
    const reasoning = kept.filter(({ type }) => type === "thinking" || type === "redacted_thinking");
    return reasoning.length === 0 ? 0 : new TextEncoder().encode(JSON.stringify(reasoning)).length;
  }

  #body({ agent, model, system, messages, tools, maxOutputTokens, format }: ProviderCall) {
    const asked: { role: "user" | "assistant"; content: ContentBlockParam[] }[] = [];
    for (const message of messages) {
      const role = message.role === "assistant" ? "assistant" : "user";
      const content = this.#blocks(agent, message);
      const last = asked.at(-1);
      // All results of a turn stand in one message.
      if (last?.role === role) last.content.push(...content);
      else asked.push({ role, content });
    }
    return {
      model,
      max_tokens: maxOutputTokens,
      messages: asked,
      ...(system === "" ? {} : { system }),
      ...(tools.length === 0 ? {} : {
        tools: tools.map(({ name, description, inputSchema }) => ({
          name: safeName(name),
          description,
          input_schema: { ...inputSchema, type: "object" as const },
        })),
      }),
      ...(format === undefined ? {} : {
        output_config: { format: { type: "json_schema" as const, schema: { ...format.schema } } },
      }),
    } satisfies MessageCreateParamsNonStreaming;
  }

  #blocks(agent: string, message: Message): ContentBlockParam[] {
    switch (message.role) {
      case "user":
        return [{ type: "text", text: message.text }];
      case "tool": {
        const { callId, text, isError } = message;
        return [{ type: "tool_result", tool_use_id: callId, content: text, ...(isError ? { is_error: true } : {}) }];
      }
      case "assistant": {
        const { text, calls } = message;
        const kept = this.#kept.get(keyOf(agent, calls[0]?.id));
        if (kept?.said === saidIn(message)) return [...kept.content];
        return [
          ...(text === "" ? [] : [{ type: "text" as const, text }]),
          ...calls.map(({ id, name, args }) => ({ type: "tool_use" as const, id, name: safeName(name), input: args })),
        ];
      }
    }
  }

  #keep(agent: string, reply: ProviderReply, message: unknown): void {
    const [first] = reply.calls;
    const parsed = Reasoned.safeParse(message);
    if (first === undefined || !parsed.success) return;
    const { content } = parsed.data;
    if (!content.some(({ type }) => type === "thinking" || type === "redacted_thinking")) return;
    this.#kept.set(keyOf(agent, first.id), { said: saidIn(reply), content });
  }
}

function keyOf(agent: string, id: string | undefined): string {
  return `${agent} ${id}`;
}

function saidIn({ text, calls }: Pick<ProviderReply, "text" | "calls">): string {
  return canonicalJson([text, calls.map(({ id, name, args }): Json => [id, name, args])]);
}

/** Blocks as they are sent back. */
const Reasoned = z.object({
  content: z.array(z.discriminatedUnion("type", [
    z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
    z.object({ type: z.literal("redacted_thinking"), data: z.string() }),
    z.object({ type: z.literal("text"), text: z.string() }),
    z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.record(z.string(), z.json()) }),
  ])),
});

const count = z.number().int().nonnegative();

/** What is read of a reply. The client checks nothing. Blocks of other types are passed over. */
const Reply = z.object({
  type: z.literal("message"),
  model: z.string().nullish().catch(null),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullish(),
  usage: z.object({
    input_tokens: count,
    output_tokens: count,
    cache_creation_input_tokens: count.nullish(),
    cache_read_input_tokens: count.nullish(),
  }).nullish(),
});

const Text = z.object({ type: z.literal("text"), text: z.string() });
const ToolUse = z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.json() });

const FINISH: ReadonlyMap<string, FinishReason> = new Map([
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "refusal"],
]);

function read(message: unknown, { tools }: ProviderCall): ProviderReply {
  const parsed = Reply.safeParse(message);
  if (!parsed.success) throw new MalformedReply("the reply is no message");
  const { content, stop_reason: reason, usage, model } = parsed.data;
  const names = namesOf(tools);
  const texts = content.flatMap((block) => {
    const text = Text.safeParse(block);
    return text.success ? [text.data.text] : [];
  });
  const calls = content.flatMap((block) => {
    if (block.type !== "tool_use") return [];
    const use = ToolUse.safeParse(block);
    if (!use.success) throw new MalformedReply("a call in the reply has no id, name and input");
    const { id, name, input } = use.data;
    return callFrom(id, name, typeof input === "string" ? input : JSON.stringify(input), names);
  });
  return {
    text: texts.join(""),
    calls,
    finish: FINISH.get(reason ?? "") ?? (calls.length > 0 ? "tool_calls" : "stop"),
    usage: usage === null || usage === undefined ? undefined : usageOf(usage),
    ...(model === null || model === undefined ? {} : { model }),
  };
}

/** Cached tokens are beside the others here: all together are what was read. */
function usageOf(usage: NonNullable<z.output<typeof Reply>["usage"]>): ProviderUsage {
  const cachedTokens = usage.cache_read_input_tokens ?? 0;
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0;
  return {
    inputTokens: usage.input_tokens + cachedTokens + cacheWriteTokens,
    outputTokens: usage.output_tokens,
    cachedTokens,
    cacheWriteTokens,
  };
}
