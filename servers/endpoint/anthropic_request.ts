/** Requests of Anthropic's messages (API reference, "Create a message"), read and written. */
import { z } from "zod";
import type { Json } from "../../core/mod.ts";
import type { ModelCall, ModelMessage, ModelTool, ModelToolCall } from "../faults/model_hooks.ts";
import type { Fields } from "../faults/model/wire.ts";
import { type ApiRequest, BadRequestError } from "./api.ts";
import { parseBody } from "./parse_body.ts";

const parts = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
], "content is a string, or a list of blocks with a type");

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: parts.optional(),
  is_error: z.boolean().nullish(),
});

const request = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  system: parts.nullish(),
  stream: z.boolean().nullish(),
  messages: z.array(z.looseObject({
    role: z.enum(["user", "assistant"]),
    content: z.union([z.string(), z.array(block)], "content is a string, or a list of blocks with a type"),
  })).min(1),
  tools: z.array(z.looseObject({
    name: z.string().min(1),
    description: z.string().nullish(),
    input_schema: z.record(z.string(), z.unknown()).nullish(),
  })).nullish(),
});

type Block = z.output<typeof block>;

/** Reads a request. */
export function parseRequest(body: Json): ApiRequest {
  const { model, system, stream, messages, tools } = parseBody(request, body);
  if (messages[0]?.role !== "user") throw new BadRequestError('messages.0.role: the first message is of the "user"');
  const read: ModelMessage[] = [];
  /** Calls of the last assistant message that have no result yet: names by id. */
  let open = new Map<string, string>();
  const answered = (at: string) => {
    if (open.size === 0) return;
    const ids = [...open.keys()].join(", ");
    throw new BadRequestError(`${at}: tool_use blocks must be followed by tool_result blocks; without one: ${ids}`);
  };
  for (const [i, { role, content }] of messages.entries()) {
    const at = `messages.${i}`;
    const blocks: readonly Block[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const text = blocks.flatMap(({ type, text }) => type === "text" ? text ?? [] : []).join("\n");
    if (role === "assistant") {
      answered(at);
      const calls = blocks.flatMap((item, at) => item.type === "tool_use" ? useOf(item, `${i}.content.${at}`) : []);
      open = new Map(calls.map(({ id, name }) => [id, name]));
      read.push({ role, text, calls });
      continue;
    }
    const results = blocks.filter(({ type }) => type === "tool_result");
    for (const { tool_use_id: callId = "", content: said = "", is_error: isError } of results) {
      const name = open.get(callId);
      if (name === undefined) {
        throw new BadRequestError(`${at}: no tool_use before this tool_result has the id "${callId}"`);
      }
      open.delete(callId);
      read.push({ role: "tool", callId, name, text: plain(said), isError: isError === true });
    }
    answered(at);
    if (results.length < blocks.length) read.push({ role, text });
  }
  answered("messages");
  return {
    model,
    streamed: stream === true,
    wantsUsage: true,
    call: {
      system: plain(system ?? ""),
      messages: read,
      tools: (tools ?? []).flatMap(({ name, description, input_schema: inputSchema }): ModelTool[] =>
        // One without a schema is a tool of the provider's own.
        inputSchema ? [{ name, description: description ?? "", inputSchema }] : []
      ),
    },
  };
}

/** The request with other things asked. Content that is no text is lost from it. */
export function rewriteRequest(body: Fields, { system, messages, tools }: ModelCall): Fields {
  const asked: { role: string; content: Fields[] }[] = [];
  for (const item of messages) {
    const role = item.role === "assistant" ? "assistant" : "user";
    const content = blocksOf(item);
    const last = asked.at(-1);
    // All results of a turn are in one message.
    if (last?.role === role) last.content.push(...content);
    else asked.push({ role, content });
  }
  const names = new Set(tools.map(({ name }) => name));
  const offered = Array.isArray(body.tools) ? body.tools : [];
  const kept = offered.filter((tool) => names.has(nameOf(tool)));
  const { system: _, tools: __, ...rest } = body;
  return {
    ...rest,
    messages: asked,
    ...(system !== "" && { system }),
    ...(kept.length > 0 && { tools: kept }),
  };
}

function useOf({ id, name, input }: Block, at: string): ModelToolCall {
  const args = z.record(z.string(), z.json()).safeParse(input);
  if (id === undefined || name === undefined || !args.success) {
    throw new BadRequestError(`messages.${at}: a tool_use block has an id, a name, and an object as its input`);
  }
  return { id, name, args: args.data };
}

function blocksOf(item: ModelMessage): Fields[] {
  if (item.role === "tool") {
    const { callId, text, isError } = item;
    return [{ type: "tool_result", tool_use_id: callId, content: text, ...(isError && { is_error: true }) }];
  }
  const said: Fields[] = item.text === "" ? [] : [{ type: "text", text: item.text }];
  if (item.role === "user") return said;
  return [...said, ...item.calls.map(({ id, name, args }): Fields => ({ type: "tool_use", id, name, input: args }))];
}

function nameOf(tool: Json): string {
  const parsed = z.looseObject({ name: z.string() }).safeParse(tool);
  return parsed.success ? parsed.data.name : "";
}

function plain(content: z.output<typeof parts>): string {
  return typeof content === "string" ? content : content.flatMap(({ text }) => text ?? []).join("\n");
}
