/** Replies of OpenAI's Responses (API reference, "The response object" and "Streaming events"). */
import type { Json } from "../../core/mod.ts";
import type { ModelFinish, ModelReply } from "../faults/model_hooks.ts";
import type { SseEvent } from "../faults/model/sse.ts";
import { type Fields, isFields } from "../faults/model/wire.ts";
import {
  callOf,
  errorOf,
  numberOf,
  objectsOf,
  pieces,
  type ReadReply,
  type ReplyHead,
  textOf,
  usageOf,
} from "./api.ts";
import { outputOf } from "./responses_items.ts";

/** Why a reply is not whole, by the turn that it is. */
const INCOMPLETE: ReadonlyMap<ModelFinish, string> = new Map([
  ["length", "max_output_tokens"],
  ["content_filter", "content_filter"],
]);

/** A turn as the body of a reply. */
export function writeReply(reply: ModelReply, head: ReplyHead): Fields {
  const reason = INCOMPLETE.get(reply.finish);
  return {
    ...responseOf(head),
    ...(reason === undefined
      ? { status: "completed", completed_at: head.created }
      : { status: "incomplete", incomplete_details: { reason } }),
    output: outputOf(reply, head.id),
    usage: writeUsage(reply.usage),
  };
}

/** A turn as a stream. */
export function* replyEvents(reply: ModelReply, head: ReplyHead): Generator<SseEvent> {
  let sequence_number = 0;
  const event = (type: string, fields: Fields): SseEvent => ({
    event: type,
    data: JSON.stringify({ type, sequence_number: sequence_number++, ...fields }),
  });
  const response = responseOf(head);
  yield event("response.created", { response });
  yield event("response.in_progress", { response });
  for (const [output_index, item] of outputOf(reply, head.id).entries()) {
    const steps = item.type === "message" ? messageSteps(item) : callSteps(item);
    for (const [type, fields] of steps) {
      const ofItem = type.startsWith("response.output_item.") ? {} : { item_id: item.id ?? null };
      yield event(type, { ...ofItem, output_index, ...fields });
    }
  }
  const whole = writeReply(reply, head);
  yield event(`response.${textOf(whole.status)}`, { response: whole });
}

type Step = readonly [type: string, fields: Fields];

function* messageSteps(item: Fields): Generator<Step> {
  yield ["response.output_item.added", { item: { ...item, status: "in_progress", content: [] } }];
  for (const [content_index, part] of objectsOf(item.content).entries()) {
    const isRefusal = part.type === "refusal";
    const [kind, member] = isRefusal ? ["refusal", "refusal"] as const : ["output_text", "text"] as const;
    const more: Fields = isRefusal ? {} : { logprobs: [] };
    const text = textOf(part[member]);
    yield ["response.content_part.added", { content_index, part: { ...part, [member]: "" } }];
    for (const delta of pieces(text)) yield [`response.${kind}.delta`, { content_index, delta, ...more }];
    yield [`response.${kind}.done`, { content_index, [member]: text, ...more }];
    yield ["response.content_part.done", { content_index, part }];
  }
  yield ["response.output_item.done", { item }];
}

function* callSteps(item: Fields): Generator<Step> {
  const written = textOf(item.arguments);
  yield ["response.output_item.added", { item: { ...item, status: "in_progress", arguments: "" } }];
  for (const delta of pieces(written)) yield ["response.function_call_arguments.delta", { delta }];
  yield ["response.function_call_arguments.done", { arguments: written }];
  yield ["response.output_item.done", { item }];
}

/** Reads the body of a reply. */
export function readReply(fields: Fields): ReadReply {
  return readResponse(fields, objectsOf(fields.output));
}

/**
 * What a response comes to.
 *
 * @param response Its last state.
 * @param output Its items.
 */
export function readResponse(response: Fields, output: readonly Fields[], error = errorIn(response)): ReadReply {
  const parts = output.flatMap(({ type, content }) => type === "message" ? objectsOf(content) : []);
  const refusal = parts.map((part) => part.type === "refusal" ? textOf(part.refusal) : "").join("");
  const text = parts.map((part) => part.type === "output_text" ? textOf(part.text) : "").join("");
  const calls = output.flatMap((item) =>
    item.type === "function_call" ? callOf(textOf(item.call_id), textOf(item.name), textOf(item.arguments)) : []
  );
  const ended = refusal === "" ? calls.length > 0 ? "tool_calls" : "stop" : "refusal";
  const id = textOf(response.id);
  return {
    text: refusal || text,
    calls,
    ...readStatus(response, ended),
    ...readUsage(response.usage),
    ...(error !== undefined && { error }),
    ...(id !== "" && { kept: { id, items: output } }),
  };
}

/** What a response says went wrong; one that has failed need not say what. */
export function errorIn(response: Fields): string | undefined {
  return errorOf(response) ?? (response.status === "failed" ? "the response has failed" : undefined);
}

function readStatus({ status, incomplete_details: details }: Fields, ended: ModelFinish): { finish?: ModelFinish } {
  if (status === "completed") return { finish: ended };
  if (status !== "incomplete") return {};
  return { finish: isFields(details) && details.reason === "content_filter" ? "content_filter" : "length" };
}

/** A response that has only begun, with what it repeats of the request. */
function responseOf({ id, model, created, request }: ReplyHead): Fields {
  const given = (name: string, otherwise: Json): Fields => ({ [name]: request[name] ?? otherwise });
  return {
    id,
    object: "response",
    created_at: created,
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    ...given("instructions", null),
    ...given("max_output_tokens", null),
    ...given("max_tool_calls", null),
    ...given("metadata", {}),
    model,
    output: [],
    ...given("parallel_tool_calls", true),
    ...given("previous_response_id", null),
    ...given("prompt_cache_key", null),
    ...given("reasoning", { effort: null, summary: null }),
    ...given("safety_identifier", null),
    service_tier: "default",
    ...given("store", true),
    ...given("temperature", 1),
    ...given("text", { format: { type: "text" } }),
    ...given("tool_choice", "auto"),
    ...given("tools", []),
    ...given("top_logprobs", 0),
    ...given("top_p", 1),
    ...given("truncation", "disabled"),
    usage: null,
    ...given("user", null),
  };
}

function writeUsage({ inputTokens, outputTokens, cachedTokens = 0 }: ModelReply["usage"]): Fields {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

/** Cached tokens are among the input's: they are not added. */
function readUsage(usage: Json | undefined): { usage?: ModelReply["usage"] } {
  if (!isFields(usage)) return {};
  const details = isFields(usage.input_tokens_details) ? usage.input_tokens_details : {};
  return {
    usage: usageOf(numberOf(usage.input_tokens), numberOf(usage.output_tokens), numberOf(details.cached_tokens)),
  };
}
