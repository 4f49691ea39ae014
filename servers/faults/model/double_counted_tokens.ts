import { z } from "zod";
import type { Json } from "../../../core/mod.ts";
import { defineFault } from "../fault.ts";
import type { ModelApi, WireReply } from "../model_hooks.ts";
import { turned } from "./say.ts";
import { decodeEvent, encodeEvent } from "./sse.ts";
import { collect, type Fields, fieldsOf, isFields, mapEvents, rewired, withFields } from "./wire.ts";

/** Most of the input comes from a cache, and a stream says its usage many times. Who adds it all up pays twice. */
export const doubleCountedTokens = defineFault({
  id: "double_counted_tokens",
  layer: "model_api",
  visibility: "implicit",
  summary: "Four fifths of the input tokens are cached, and a stream repeats its running usage.",
  correct: "Count cached tokens once, and for each response the last usage that it gave.",
  outcome: "ok",
  params: z.strictObject({}),
  hooks: {
    turn: ({ usage, ...reply }) =>
      usage.inputTokens < 2 ? undefined : turned({ usage, ...reply }, {
        usage: { ...usage, cachedTokens: cachedOf(usage.inputTokens) },
      }),
    wire: (reply, { fired }) => {
      const cached = (usage: Fields) => {
        fired();
        return CACHED[reply.api](usage);
      };
      return rewired(reply, reply.streamed ? REPEATED[reply.api](reply, cached) : whole(reply, cached));
    },
  },
});

const cachedOf = (tokens: number): number => Math.floor(tokens * 0.8);
const count = (value: Json | undefined): number => typeof value === "number" ? value : 0;

/** What each API writes when most of the input was cached. */
const CACHED: Readonly<Record<ModelApi, (usage: Fields) => Fields>> = {
  openai: (usage) => {
    const details = isFields(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
    const cached_tokens = cachedOf(count(usage.prompt_tokens));
    return { ...usage, prompt_tokens_details: { ...details, cached_tokens } };
  },
  responses: (usage) => {
    const details = isFields(usage.input_tokens_details) ? usage.input_tokens_details : {};
    const cached_tokens = cachedOf(count(usage.input_tokens));
    return { ...usage, input_tokens_details: { ...details, cached_tokens } };
  },
  anthropic: (usage) => {
    if (typeof usage.input_tokens !== "number") return usage;
    const all = count(usage.input_tokens) + count(usage.cache_read_input_tokens);
    return { ...usage, input_tokens: all - cachedOf(all), cache_read_input_tokens: cachedOf(all) };
  },
};

async function* whole(reply: WireReply, cached: Cached): AsyncGenerator<Uint8Array> {
  for await (const chunk of reply.chunks) {
    const fields = fieldsOf({ data: new TextDecoder().decode(chunk) });
    yield fields !== undefined && isFields(fields.usage)
      ? new TextEncoder().encode(JSON.stringify({ ...fields, usage: cached(fields.usage) }))
      : chunk;
  }
}

type Cached = (usage: Fields) => Fields;
type Repeating = (reply: WireReply, cached: Cached) => AsyncGenerator<Uint8Array>;

/** Each chunk has the usage so far. */
async function* inChunks(reply: WireReply, cached: Cached): AsyncGenerator<Uint8Array> {
  const events = await collect(reply.chunks);
  const last = events.map((chunk) => fieldsOf(decodeEvent(chunk))?.usage).findLast(isFields);
  const total = last && cached(last);
  let seen = 0;
  for (const chunk of events) {
    const event = decodeEvent(chunk);
    const fields = fieldsOf(event);
    if (total === undefined || fields === undefined) yield chunk;
    else if (isFields(fields.usage)) yield withFields(event, { ...fields, usage: total });
    else {
      const completion_tokens = Math.min(++seen, count(total.completion_tokens));
      const total_tokens = count(total.prompt_tokens) + completion_tokens;
      yield withFields(event, { ...fields, usage: { ...total, completion_tokens, total_tokens } });
    }
  }
}

/** Each state of the response has the usage so far, and after each item there is another one. */
async function* inStates(reply: WireReply, cached: Cached): AsyncGenerator<Uint8Array> {
  const events = await collect(reply.chunks);
  const responses = events.map((chunk) => fieldsOf(decodeEvent(chunk))?.response).filter(isFields);
  const last = responses.map(({ usage }) => usage).findLast(isFields);
  const total = last && cached(last);
  let [sequence_number, seen] = [0, 0];
  const running = (): Fields => {
    const output_tokens = Math.min(seen, count(total?.output_tokens));
    return { ...total, output_tokens, total_tokens: count(total?.input_tokens) + output_tokens };
  };
  for (const chunk of events) {
    const event = decodeEvent(chunk);
    const fields = fieldsOf(event);
    if (total === undefined || fields === undefined) {
      yield chunk;
      continue;
    }
    const { response } = fields;
    const told = isFields(response)
      ? { response: { ...response, usage: isFields(response.usage) ? total : running() } }
      : {};
    yield withFields(event, { ...fields, sequence_number: sequence_number++, ...told });
    const [begun] = responses;
    if (fields.type !== "response.output_item.done" || begun === undefined) continue;
    seen++;
    const type = "response.in_progress";
    const data = { type, sequence_number: sequence_number++, response: { ...begun, usage: running() } };
    yield encodeEvent({ event: type, data: JSON.stringify(data) });
  }
}

/** After each block there is another running usage. */
async function* inDeltas(reply: WireReply, cached: Cached): AsyncGenerator<Uint8Array> {
  let seen = 0;
  yield* mapEvents(reply.chunks, (fields, event) => {
    const { type, message, usage } = fields;
    if (type === "message_start" && isFields(message) && isFields(message.usage)) {
      return [withFields(event, { ...fields, message: { ...message, usage: cached(message.usage) } })];
    }
    if (type === "message_delta" && isFields(usage)) return [withFields(event, { ...fields, usage: cached(usage) })];
    if (type !== "content_block_stop") return undefined;
    const running = { type: "message_delta", delta: { stop_reason: null, stop_sequence: null } };
    const data = JSON.stringify({ ...running, usage: { output_tokens: ++seen } });
    return [encodeEvent(event), encodeEvent({ event: "message_delta", data })];
  });
}

/** How each API's stream repeats its usage. */
const REPEATED: Readonly<Record<ModelApi, Repeating>> = { openai: inChunks, responses: inStates, anthropic: inDeltas };
