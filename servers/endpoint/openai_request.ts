/** Requests of OpenAI's chat completions (API reference, "Create chat completion"), read and written. */
import { z } from "zod";
import type { Json } from "../../core/mod.ts";
import type { ModelCall, ModelMessage, ModelTool } from "../faults/model_hooks.ts";
import type { Fields } from "../faults/model/wire.ts";
import { type ApiRequest, argumentsOf, BadRequestError, callOf } from "./api.ts";
import { parseBody } from "./parse_body.ts";

const text = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
], "content is a string, or a list of parts with a type");

const toolCall = z.looseObject({
  id: z.string().min(1),
  type: z.literal("function"),
  function: z.looseObject({ name: z.string().min(1), arguments: z.string() }),
});

const message = z.discriminatedUnion("role", [
  z.looseObject({ role: z.literal("system"), content: text }),
  z.looseObject({ role: z.literal("developer"), content: text }),
  z.looseObject({ role: z.literal("user"), content: text }),
  z.looseObject({
    role: z.literal("assistant"),
    content: text.nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(toolCall).nullish(),
  }),
  z.looseObject({ role: z.literal("tool"), content: text, tool_call_id: z.string().min(1) }),
]);

const request = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  n: z.literal(1, "only one choice can be had here").nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  tools: z.array(z.looseObject({
    type: z.literal("function", "only function tools can be had here"),
    function: z.looseObject({
      name: z.string().min(1),
      description: z.string().nullish(),
      parameters: z.record(z.string(), z.unknown()).nullish(),
    }),
  })).nullish(),
});

/** Reads a request. */
export function parseRequest(body: Json): ApiRequest {
  const { model, messages, stream, stream_options: options, tools } = parseBody(request, body);
  const system: string[] = [];
  const read: ModelMessage[] = [];
  /** Calls of the last assistant message that have no result yet: names by id. */
  let open = new Map<string, string>();
  const answered = (at: string) => {
    if (open.size === 0) return;
    const ids = [...open.keys()].join(", ");
    throw new BadRequestError(`${at}: tool_calls must be followed by tool messages; without one: ${ids}`);
  };
  for (const [i, item] of messages.entries()) {
    const at = `messages.${i}`;
    if (item.role === "tool") {
      const name = open.get(item.tool_call_id);
      if (name === undefined) {
        throw new BadRequestError(`${at}.tool_call_id: no tool call before it has the id "${item.tool_call_id}"`);
      }
      open.delete(item.tool_call_id);
      read.push({ role: "tool", callId: item.tool_call_id, name, text: plain(item.content), isError: false });
      continue;
    }
    answered(at);
    if (item.role === "assistant") {
      const calls = (item.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) =>
        callOf(id, name, args)
      );
      open = new Map(calls.map(({ id, name }) => [id, name]));
      read.push({ role: "assistant", text: plain(item.content ?? item.refusal ?? ""), calls });
    } else if (item.role === "user") read.push({ role: "user", text: plain(item.content) });
    else system.push(plain(item.content));
  }
  answered("messages");
  return {
    model,
    streamed: stream === true,
    wantsUsage: options?.include_usage === true,
    call: {
      system: system.join("\n\n"),
      messages: read,
      tools: (tools ?? []).map(({ function: { name, description, parameters } }): ModelTool => ({
        name,
        description: description ?? "",
        inputSchema: parameters ?? { type: "object", properties: {} },
      })),
    },
  };
}

/** The request with other things asked. Content that is no text is lost from it. */
export function rewriteRequest(body: Fields, { system, messages, tools }: ModelCall): Fields {
  const asked = messages.map((item): Fields => {
    if (item.role === "user") return { role: "user", content: item.text };
    if (item.role === "tool") return { role: "tool", tool_call_id: item.callId, content: item.text };
    const calls = item.calls.map((call): Fields => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: argumentsOf(call) },
    }));
    return { role: "assistant", content: item.text, ...(calls.length > 0 && { tool_calls: calls }) };
  });
  const offered = Array.isArray(body.tools) ? body.tools : [];
  const names = new Set(tools.map(({ name }) => name));
  const kept = offered.filter((tool) => names.has(nameOf(tool)));
  const { tools: _, ...rest } = body;
  return {
    ...rest,
    messages: system === "" ? asked : [{ role: "system", content: system }, ...asked],
    ...(kept.length > 0 && { tools: kept }),
  };
}

function nameOf(tool: Json): string {
  const parsed = z.looseObject({ function: z.looseObject({ name: z.string() }) }).safeParse(tool);
  return parsed.success ? parsed.data.function.name : "";
}

function plain(content: z.output<typeof text>): string {
  return typeof content === "string" ? content : content.flatMap(({ text }) => text ?? []).join("\n");
}
