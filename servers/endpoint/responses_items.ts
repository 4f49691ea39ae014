/** Items, of which a conversation is made in OpenAI's Responses: read as messages, and written of them. */
import { z } from "zod";
import type { ModelMessage, ModelReply, ModelToolCall } from "../faults/model_hooks.ts";
import type { Fields } from "../faults/model/wire.ts";
import { argumentsOf, BadRequestError, callOf, type Reading, textOf } from "./api.ts";
import { parseBody } from "./parse_body.ts";

const content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() })),
], "is a string, or a list of parts with a type");

const message = z.looseObject({ role: z.enum(["user", "assistant", "system", "developer"]), content });
const functionCall = z.looseObject({ call_id: z.string().min(1), name: z.string().min(1), arguments: z.string() });
const callOutput = z.looseObject({ call_id: z.string().min(1), output: content });

/**
 * Items that no script says or reads, and every provider may: they are passed over. All types of input items in version
 * 7.59.0 of the official client, but for those that are read.
 */
const PASSED_OVER: ReadonlySet<string> = new Set([
  ...["reasoning", "compaction", "compaction_trigger", "configuration_update", "additional_tools", "program"],
  ...["program_output", "custom_tool_call", "custom_tool_call_output", "file_search_call", "web_search_call"],
  ...["computer_call", "computer_call_output", "code_interpreter_call", "image_generation_call", "local_shell_call"],
  ...["local_shell_call_output", "shell_call", "shell_call_output", "apply_patch_call", "apply_patch_call_output"],
  ...["tool_search_call", "tool_search_output", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response"],
  "mcp_call",
]);

/** What items are read with. */
export interface ItemsOptions {
  /** The messages before them. */
  readonly before: readonly ModelMessage[];
  /** An item of an earlier reply. */
  readonly find: Reading["item"];
  /** Whether a provider decides about what is wrong with them. */
  readonly forwards: boolean;
}

/** Items, read. */
export interface ReadItems {
  /** Prompts among them. */
  readonly system: readonly string[];
  /** The other messages. */
  readonly messages: readonly ModelMessage[];
  /** Whether one of them refers to a reply that only this endpoint knows. */
  readonly refersToOwn: boolean;
}

/** A turn of the model that is being read. */
interface Turn {
  readonly role: "assistant";
  text: string;
  readonly calls: ModelToolCall[];
}

/**
 * Reads the items of a request. A text and calls that stand together are one turn of the model, and so is what bears the
 * ids of one reply: some clients put each call's result right behind it.
 *
 * @throws {BadRequestError} If they are not valid.
 */
export function readItems(items: readonly Fields[], { before, find, forwards }: ItemsOptions): ReadItems {
  const system: string[] = [];
  const messages: ModelMessage[] = [];
  /** Names of all calls by their ids, and those that have no result yet. */
  const { names, waiting } = callsIn(before);
  let turn: Turn | undefined;
  /** The reply that the turn is from, if its ids say so, and whether results have come since. */
  let reply: string | undefined;
  let answered = false;
  let refersToOwn = false;
  const turnOf = (item: Fields, isText: boolean): Turn => {
    const from = replyOf(item.id);
    const known = from !== undefined && reply !== undefined;
    const goesOn = turn !== undefined &&
      (known
        ? from === reply
        : !answered && (!isText || turn.text === "" || turn.calls.some(({ id }) => waiting.has(id))));
    if (turn !== undefined && goesOn) return turn;
    const begun: Turn = { role: "assistant", text: "", calls: [] };
    messages.push(begun);
    [turn, reply, answered] = [begun, from, false];
    return begun;
  };
  for (const [i, given] of items.entries()) {
    const at = `input[${i}]`;
    const found = typeOf(given) === "item_reference" ? find(textOf(given.id)) : { item: given, upstream: true };
    if (found === undefined) {
      if (forwards) continue;
      throw new BadRequestError(
        `Item with id '${textOf(given.id)}' not found. Items are not persisted when \`store\` is set to false.`,
        { param: "input", status: 404 },
      );
    }
    const { item, upstream } = found;
    if (!upstream) refersToOwn = true;
    const type = typeOf(item);
    if (type === "message") {
      const { role, content } = parseBody(message, item, at);
      const text = plain(content);
      if (role === "assistant") {
        const said = turnOf(item, true);
        said.text = said.text === "" ? text : `${said.text}\n${text}`;
        continue;
      }
      turn = undefined;
      if (role === "user") messages.push({ role, text });
      else system.push(text);
    } else if (type === "function_call") {
      const { call_id: id, name, arguments: written } = parseBody(functionCall, item, at);
      turnOf(item, false).calls.push(callOf(id, name, written));
      names.set(id, name);
      waiting.add(id);
    } else if (type === "function_call_output") {
      const { call_id: callId, output } = parseBody(callOutput, item, at);
      const name = names.get(callId);
      if (name === undefined && !forwards) {
        throw new BadRequestError(`No tool call found for function call output with call_id ${callId}.`, {
          param: "input",
        });
      }
      waiting.delete(callId);
      answered = true;
      messages.push({ role: "tool", callId, name: name ?? "", text: plain(output), isError: false });
    } else if (!PASSED_OVER.has(type) && !forwards) {
      throw new BadRequestError(
        `Invalid value: '${type}'. Supported values here are: 'message', 'function_call', 'function_call_output', 'item_reference', and what only a provider reads: '${
          [...PASSED_OVER].join("', '")
        }'.`,
        { param: `${at}.type`, code: "invalid_value" },
      );
    }
  }
  const [unanswered] = waiting;
  if (unanswered !== undefined && !forwards) {
    throw new BadRequestError(`No tool output found for function call ${unanswered}.`, { param: "input" });
  }
  return { system, messages, refersToOwn };
}

/** Messages as items of a request. */
export function itemsOf(messages: readonly ModelMessage[]): Fields[] {
  return messages.flatMap((item): Fields[] => {
    if (item.role === "user") return [{ role: "user", content: item.text }];
    if (item.role === "tool") return [{ type: "function_call_output", call_id: item.callId, output: item.text }];
    const calls = item.calls.map((call): Fields => ({
      type: "function_call",
      call_id: call.id,
      name: call.name,
      arguments: argumentsOf(call),
    }));
    return item.text === "" ? calls : [{ role: "assistant", content: item.text }, ...calls];
  });
}

/**
 * A turn as the items of a reply.
 *
 * @param id The reply's id. Those of its items are made of it.
 */
export function outputOf({ text, calls, finish }: ModelReply, id: string): Fields[] {
  const part: Fields = finish === "refusal"
    ? { type: "refusal", refusal: text }
    : { type: "output_text", annotations: [], logprobs: [], text };
  const said = text === "" && calls.length > 0 ? [] : [{ type: "message", role: "assistant", content: [part] }];
  const made = calls.map((call): Fields => ({
    type: "function_call",
    arguments: argumentsOf(call),
    call_id: call.id,
    name: call.name,
  }));
  const items: Fields[] = [...said, ...made];
  // A turn that was cut is cut at its end.
  const cut = finish === "length" || finish === "content_filter";
  return items.map((item, i) => ({
    id: `${item.type === "message" ? "msg" : "fc"}_${i}_${id}`,
    ...item,
    status: cut && i === items.length - 1 ? "incomplete" : "completed",
  }));
}

/** The reply of this endpoint of which an item is, if its id says so. */
function replyOf(id: unknown): string | undefined {
  return typeof id === "string" ? /^(?:msg|fc)_\d+_(resp_.+)$/.exec(id)?.[1] : undefined;
}

/** A message need not say what it is, nor need a reference. */
function typeOf(item: Fields): string {
  return textOf(item.type) || ("role" in item ? "message" : "item_reference");
}

function callsIn(messages: readonly ModelMessage[]): { names: Map<string, string>; waiting: Set<string> } {
  const names = new Map<string, string>();
  const waiting = new Set<string>();
  for (const item of messages) {
    if (item.role === "tool") waiting.delete(item.callId);
    if (item.role !== "assistant") continue;
    for (const { id, name } of item.calls) {
      names.set(id, name);
      waiting.add(id);
    }
  }
  return { names, waiting };
}

function plain(said: z.output<typeof content>): string {
  return typeof said === "string" ? said : said.flatMap(({ text, refusal }) => text ?? refusal ?? []).join("\n");
}
