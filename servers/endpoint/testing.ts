/** What the endpoint's tests have in common. */
import Anthropic from "npm:@anthropic-ai/sdk@1.14.0";
import OpenAI from "npm:openai@7.59.0";
import type { Responses } from "npm:openai@7.59.0/resources/responses/responses";
import { RealClock } from "../../core/mod.ts";
import type { FaultEntry } from "../faults/fault.ts";
import type { ModelReply } from "../faults/model_hooks.ts";
import type { ModelEvent } from "../model/events.ts";
import type { ModelBinding, NextTurn } from "../model/link.ts";
import { type Endpoint, endpoint, type EndpointOptions } from "./endpoint.ts";
import assert from "node:assert/strict";

/** A turn that says everything that can be said: text with characters of two, three and four bytes, two calls. */
export const TURN: ModelReply = {
  text: "Größe 42 – 東京 🧭 prüfen. Dann buchen.",
  calls: [
    { id: "c1", name: "find_order", args: { order_id: "12345", note: "für „Zoë“ 🧾" } },
    { id: "c2", name: "refund_status", args: { order_id: "12345" } },
  ],
  finish: "tool_calls",
  usage: { inputTokens: 1000, outputTokens: 50, cachedTokens: 600 },
};

/** A turn that is a text. */
export const NOTE: ModelReply = { ...TURN, calls: [], finish: "stop" };

/** Tools as OpenAI takes them. */
export const OPENAI_TOOLS = ["find_order", "refund_status"].map((name) => ({
  type: "function" as const,
  function: { name, description: name, parameters: { type: "object", properties: {} } },
}));

/** Tools as OpenAI's responses take them. */
export const RESPONSES_TOOLS = ["find_order", "refund_status"].map((name) => ({
  type: "function" as const,
  name,
  description: name,
  parameters: { type: "object", properties: {} },
  strict: false,
}));

/** Tools as Anthropic takes them. */
export const ANTHROPIC_TOOLS = ["find_order", "refund_status"].map((name) => ({
  name,
  description: name,
  input_schema: { type: "object" as const, properties: {} },
}));

/** An endpoint and what it was asked. */
export interface Bench extends AsyncDisposable {
  readonly url: string;
  readonly endpoint: Endpoint;
  /** The one that it forwards to, if it forwards. */
  readonly behind: Endpoint | undefined;
  readonly events: ModelEvent[];
  /** What the endpoint is bound to, without its faults. */
  readonly cell: Omit<ModelBinding, "faults">;
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
  /** Events of one type. */
  seen<T extends ModelEvent["type"]>(type: T): Extract<ModelEvent, { type: T }>[];
  /** Records an event, as the endpoint's own observer does. */
  tell(event: ModelEvent): void;
  /** The first event of a type, as soon as it is there. */
  first<T extends ModelEvent["type"]>(type: T): Promise<Extract<ModelEvent, { type: T }>>;
}

/** Options of {@linkcode bench}. */
export interface BenchOptions extends Omit<EndpointOptions, "backend" | "observer"> {
  /** What the model says, always or by call. */
  readonly turn?: ModelReply | NextTurn;
  /** Forward to another endpoint, which has no faults. */
  readonly forwards?: boolean;
  /** Retries of the clients. */
  readonly maxRetries?: number;
}

/** Opens an endpoint and points the clients at it. */
export async function bench(
  { turn = TURN, forwards = false, maxRetries = 0, ...options }: BenchOptions = {},
): Promise<Bench> {
  const events: ModelEvent[] = [];
  let told = Promise.withResolvers<void>();
  const seen = <T extends ModelEvent["type"]>(type: T) =>
    events.filter((event): event is Extract<ModelEvent, { type: T }> => event.type === type);
  const tell = (event: ModelEvent) => {
    events.push(event);
    told.resolve();
    told = Promise.withResolvers();
  };
  const scripted: NextTurn = typeof turn === "function" ? turn : () => Promise.resolve(turn);
  const behind = forwards ? await endpoint({ backend: { scripted } }) : undefined;
  const up = await endpoint({
    backend: behind === undefined ? { scripted } : { forward: { url: (agent) => behind.urlOf(agent) } },
    observer: tell,
    agent: "billing",
    ...options,
  });
  const shared = { apiKey: options.token ?? "sk-planted-secret", maxRetries };
  return {
    url: up.url,
    endpoint: up,
    behind,
    events,
    cell: { clock: new RealClock(), seed: "1", observer: tell },
    openai: new OpenAI({ ...shared, baseURL: `${up.url}/v1` }),
    anthropic: new Anthropic({ ...shared, baseURL: up.url }),
    seen,
    tell,
    async first(type) {
      for (;;) {
        const [event] = seen(type);
        if (event !== undefined) return event;
        await told.promise;
      }
    },
    async [Symbol.asyncDispose]() {
      await up.close();
      await behind?.close();
    },
  };
}

/** A fault at every agent. */
export function at(fault: string, rest: Record<string, unknown> = {}): FaultEntry[] {
  return [{ fault, at: "agent:*", ...rest }];
}

/** A request that the clients of all APIs send. */
export const ASK = {
  openai: { model: "m", messages: [{ role: "user" as const, content: "Hello" }], tools: OPENAI_TOOLS },
  responses: { model: "m", input: "Hello", tools: RESPONSES_TOOLS },
  anthropic: {
    model: "m",
    max_tokens: 1000,
    messages: [{ role: "user" as const, content: "Hello" }],
    tools: ANTHROPIC_TOOLS,
  },
};

/** What was got over one of the ways. */
export interface Got {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
  readonly finish: string | null;
  readonly usage: { readonly input: number; readonly cached: number; readonly output: number };
}

/** The ways to ask. */
export const WAYS = [
  ...["openai", "openai stream"] as const,
  ...["responses", "responses stream"] as const,
  ...["anthropic", "anthropic stream"] as const,
] as const;

/** The API of a way. */
export function apiOf(way: typeof WAYS[number]): "openai" | "responses" | "anthropic" {
  if (way.startsWith("openai")) return "openai";
  return way.startsWith("responses") ? "responses" : "anthropic";
}

/** Asks over one of the ways, with the official client. */
export async function get(on: Bench, way: typeof WAYS[number], signal?: AbortSignal): Promise<Got> {
  const options = signal === undefined ? {} : { signal };
  if (apiOf(way) === "responses") {
    const { responses } = on.openai;
    const whole = way === "responses"
      ? await responses.create(ASK.responses, options)
      : await responses.stream(ASK.responses, options).finalResponse();
    return gotOf(whole);
  }
  if (apiOf(way) === "openai") {
    const { completions } = on.openai.chat;
    const whole = way === "openai"
      ? await completions.create(ASK.openai, options)
      : await completions.stream({ ...ASK.openai, stream_options: { include_usage: true } }, options)
        .finalChatCompletion();
    const [choice] = whole.choices;
    assert.ok(choice);
    return {
      text: choice.message.content ?? choice.message.refusal ?? "",
      calls: (choice.message.tool_calls ?? []).flatMap((call) =>
        call.type === "function"
          ? [{ id: call.id, name: call.function.name, args: parsed(call.function.arguments) }]
          : []
      ),
      finish: choice.finish_reason,
      usage: {
        input: whole.usage?.prompt_tokens ?? NaN,
        cached: whole.usage?.prompt_tokens_details?.cached_tokens ?? NaN,
        output: whole.usage?.completion_tokens ?? NaN,
      },
    };
  }
  const whole = way === "anthropic"
    ? await on.anthropic.messages.create(ASK.anthropic, options)
    : await on.anthropic.messages.stream(ASK.anthropic, options).finalMessage();
  const { usage } = whole;
  return {
    text: whole.content.map((block) => block.type === "text" ? block.text : "").join(""),
    calls: whole.content.flatMap((block) =>
      block.type === "tool_use" ? [{ id: block.id, name: block.name, args: block.input }] : []
    ),
    finish: whole.stop_reason,
    usage: {
      input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0),
      cached: usage.cache_read_input_tokens ?? NaN,
      output: usage.output_tokens,
    },
  };
}

/** What was got by a response. */
export function gotOf({ output, status, incomplete_details: details, usage }: Responses.Response): Got {
  const said = output.flatMap((item) => item.type === "message" ? item.content : []);
  return {
    text: said.map((part) => part.type === "refusal" ? part.refusal : part.text).join(""),
    calls: output.flatMap((item) =>
      item.type === "function_call" ? [{ id: item.call_id, name: item.name, args: parsed(item.arguments) }] : []
    ),
    finish: details?.reason ?? status ?? null,
    usage: {
      input: usage?.input_tokens ?? NaN,
      cached: usage?.input_tokens_details.cached_tokens ?? NaN,
      output: usage?.output_tokens ?? NaN,
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
