import { z } from "zod";
import { defineFault } from "../fault.ts";
import type { Json } from "../../../core/mod.ts";
import type { ModelApi } from "../model_hooks.ts";
import { ENDPOINT_ONLY } from "./say.ts";
import { type Fields, isFields, mapEvents, rewired, withFields } from "./wire.ts";

type Shared = (index: Json | undefined) => number | undefined;

function inChoices(fields: Fields, shared: Shared): Fields {
  const { choices } = fields;
  if (!Array.isArray(choices)) return fields;
  return {
    ...fields,
    choices: choices.map((choice) => {
      if (!isFields(choice) || !isFields(choice.delta) || !Array.isArray(choice.delta.tool_calls)) return choice;
      const calls = choice.delta.tool_calls.map((call) =>
        isFields(call) ? { ...call, index: shared(call.index) ?? 0 } : call
      );
      return { ...choice, delta: { ...choice.delta, tool_calls: calls } };
    }),
  };
}

function inBlocks(fields: Fields, shared: Shared): Fields {
  const { type, content_block: block, delta } = fields;
  const ofTool = type === "content_block_start" && isFields(block) && block.type === "tool_use" ||
    type === "content_block_delta" && isFields(delta) && delta.type === "input_json_delta";
  return ofTool ? { ...fields, index: shared(fields.index) ?? 0 } : fields;
}

/** Items of calls have an id beside their place, by which their pieces are known, too. */
function inItems(calls: Set<Json>): (fields: Fields, shared: Shared) => Fields {
  return (fields, shared) => {
    const { item, item_id: id = null } = fields;
    const isCall = isFields(item) && item.type === "function_call";
    if (isCall) calls.add(item.id ?? null);
    return isCall || calls.has(id) ? { ...fields, output_index: shared(fields.output_index) ?? 0 } : fields;
  };
}

/** How each protocol says which call a piece is of. */
const PLACES: Readonly<Record<ModelApi, () => (fields: Fields, shared: Shared) => Fields>> = {
  openai: () => inChoices,
  responses: () => inItems(new Set()),
  anthropic: () => inBlocks,
};

/** Calls that are told apart by their place in the stream, and all have the same place. */
export const sharedStreamIndex = defineFault({
  id: "shared_stream_index",
  layer: "model_api",
  visibility: "implicit",
  summary: "All tool calls of a stream have the index of the first.",
  correct: "A new id is a new call: never join the arguments of two.",
  outcome: "ok",
  lanes: ENDPOINT_ONLY,
  params: z.strictObject({}),
  hooks: {
    wire(reply, { fired }) {
      if (!reply.streamed) return;
      let first: number | undefined;
      const shared = (index: Json | undefined): number | undefined => {
        if (typeof index !== "number") return undefined;
        first ??= index;
        if (index !== first) fired();
        return first;
      };
      const placed = PLACES[reply.api]();
      return rewired(reply, mapEvents(reply.chunks, (fields, event) => [withFields(event, placed(fields, shared))]));
    },
  },
});
