/** Requests of OpenAI's Responses (API reference, "Create a model response"), read and written. */
import { z } from "zod";
import type { ModelCall, ModelTool } from "../faults/model_hooks.ts";
import type { Fields } from "../faults/model/wire.ts";
import { type ApiRequest, BadRequestError, objectsOf, type Reading, textOf } from "./api.ts";
import { parseBody } from "./parse_body.ts";
import { itemsOf, readItems } from "./responses_items.ts";

const format = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text") }),
  z.looseObject({ type: z.literal("json_object") }),
  z.looseObject({
    type: z.literal("json_schema"),
    name: z.string().min(1),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
  }),
]);

const request = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.record(z.string(), z.json()))], "is a string, or a list of items").nullish(),
  instructions: z.string().nullish(),
  previous_response_id: z.string().min(1).nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  tools: z.array(z.looseObject({ type: z.string() })).nullish(),
  tool_choice: z.union([z.enum(["none", "auto", "required"]), z.looseObject({ type: z.string() })]).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_output_tokens: z.int().min(16).nullish(),
  include: z.array(z.string()).nullish(),
  text: z.looseObject({ format: format.optional() }).nullish(),
});

const functionTool = z.looseObject({
  name: z.string().min(1),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});

/** All parameters that there are, as version 7.59.0 of the official client has them. The API refuses others. */
const PARAMETERS: ReadonlySet<string> = new Set([
  ...["access_programs", "background", "background_options", "context_management", "conversation", "image", "include"],
  ...["input", "instructions", "max_output_tokens", "max_tool_calls", "metadata", "model", "moderation"],
  ...["parallel_tool_calls", "previous_response_id", "prompt", "prompt_cache_key", "prompt_cache_options"],
  ...["prompt_cache_retention", "reasoning", "safety_identifier", "service_tier", "store", "stream", "stream_options"],
  ...["temperature", "text", "tool_choice", "tools", "top_logprobs", "top_p", "truncation", "user"],
]);

/** What chat completions call otherwise. */
const MOVED: ReadonlyMap<string, string> = new Map([
  ["messages", "input"],
  ["max_tokens", "max_output_tokens"],
  ["max_completion_tokens", "max_output_tokens"],
  ["response_format", "text.format"],
  ["reasoning_effort", "reasoning.effort"],
  ["functions", "tools"],
]);

/** What only a provider can do. */
const PROVIDERS_OWN: ReadonlyMap<string, string> = new Map([
  ["background", "replies come at once here"],
  ["conversation", "conversations go on by previous_response_id here"],
  ["prompt", "there are no stored prompts here: send instructions"],
]);

/** Reads a request. What goes on to a provider is checked there, but for what has to be understood here. */
export function parseRequest(body: Fields, { forwards, past, item }: Reading): ApiRequest {
  if (!forwards) refuseUnknown(body);
  const asked = parseBody(request, body);
  const { model, input, instructions, previous_response_id: previous, stream, store } = asked;
  const before = typeof previous === "string" ? past(previous) : undefined;
  if (!forwards) check(asked, before !== undefined);
  const items: readonly Fields[] = typeof input === "string" ? [{ role: "user", content: input }] : input ?? [];
  const { system, messages, refersToOwn } = readItems(items, { before: before?.messages ?? [], find: item, forwards });
  return {
    model,
    streamed: stream === true,
    wantsUsage: true,
    call: {
      system: [instructions ?? "", ...before?.system ?? [], ...system].filter((text) => text !== "").join("\n\n"),
      messages: [...before?.messages ?? [], ...messages],
      tools: (asked.tools ?? []).flatMap(toolOf),
    },
    // A provider does not know what was made up here.
    writtenAnew: refersToOwn || before?.upstream === false,
    ...(store !== false && {
      added: { system, messages, ...(before !== undefined && typeof previous === "string" && { previous }) },
    }),
  };
}

/** The request with other things asked, and all of the conversation in it. Content that is no text is lost from it. */
export function rewriteRequest(body: Fields, { system, messages, tools }: ModelCall): Fields {
  const names = new Set(tools.map(({ name }) => name));
  const kept = objectsOf(body.tools).filter(({ type, name }) => type !== "function" || names.has(textOf(name)));
  const { tools: _, instructions: __, previous_response_id: ___, ...rest } = body;
  return {
    ...rest,
    input: itemsOf(messages),
    ...(system !== "" && { instructions: system }),
    ...(kept.length > 0 && { tools: kept }),
  };
}

/** Says of parameters that do not exist what the API says. */
function refuseUnknown(body: Fields): void {
  for (const [param, value] of Object.entries(body)) {
    const moved = MOVED.get(param);
    if (moved !== undefined) {
      throw new BadRequestError(
        `Unsupported parameter: '${param}'. In the Responses API, this parameter has moved to '${moved}'.`,
        { param, code: "unsupported_parameter" },
      );
    }
    if (!PARAMETERS.has(param)) {
      throw new BadRequestError(`Unknown parameter: '${param}'.`, { param, code: "unknown_parameter" });
    }
    const why = PROVIDERS_OWN.get(param);
    if (why !== undefined && value !== null && value !== false) {
      throw new BadRequestError(`${param}: ${why}`, { param, code: "unsupported_parameter" });
    }
  }
}

/** What the types of members do not say. */
function check(
  { input, previous_response_id: previous, tools, tool_choice: choice }: z.output<typeof request>,
  found: boolean,
): void {
  if (typeof previous === "string" && !found) {
    throw new BadRequestError(`Previous response with id '${previous}' not found.`, {
      param: "previous_response_id",
      code: "previous_response_not_found",
    });
  }
  if (input === undefined || input === null || input.length === 0) {
    if (typeof previous !== "string") {
      throw new BadRequestError("input: a string or a list of items has to be there, or previous_response_id", {
        param: "input",
        code: "missing_required_parameter",
      });
    }
  }
  if (typeof choice !== "object" || choice === null || choice.type !== "function") return;
  const offered = (tools ?? []).some(({ type, name }) => type === "function" && name === choice.name);
  if (!offered) {
    throw new BadRequestError(`Tool choice '${String(choice.name)}' not found in 'tools' parameter.`, {
      param: "tool_choice",
    });
  }
}

/** A function; other tools are the provider's own, or its clients', and no script calls one. */
function toolOf(tool: { readonly type: string }, i: number): ModelTool[] {
  if (tool.type !== "function") return [];
  const { name, description, parameters } = parseBody(functionTool, tool, `tools[${i}]`);
  return [{
    name,
    description: description ?? "",
    inputSchema: parameters ?? { type: "object", properties: {} },
  }];
}
