/**
 * Chats as runs: arrays of messages as clients keep them. Read are the shapes of OpenAI (chat and responses), Anthropic,
 * LangChain, Inspect and OpenTelemetry's GenAI conventions, which differ in names and agree in what they say: somebody
 * asks, a model calls tools by id, results come back under that id, the model answers.
 */
import * as z from "zod";
import { type LogCallRow, LogRow, MAX_CALLS } from "./format.ts";

/** Messages that a chat may have. */
export const MAX_MESSAGES = 5 * MAX_CALLS;

/** A line that holds a chat. */
export const TranscriptRow = z.object({
  ...LogRow.pick({ id: true, honesty_label: true, human_success: true }).shape,
  /** What the user asked for; what users say in the chat, if left out. */
  task: LogRow.shape.task.exactOptional(),
  /** The chat, in order. */
  messages: z.array(z.looseObject({})).min(1).max(MAX_MESSAGES),
  /** What the model was told beforehand, as Anthropic keeps it; not judged. */
  system: z.unknown().optional(),
});

/** See {@linkcode TranscriptRow}. */
export type TranscriptRow = z.infer<typeof TranscriptRow>;

/** Keys of it that are read. */
export const TRANSCRIPT_KEYS: ReadonlySet<string> = new Set(Object.keys(TranscriptRow.shape));

/** A message that cannot be read. */
class Unreadable extends Error {}

type Fields = Readonly<Record<string, unknown>>;
/** What a message, or a part of one, says. */
type Said =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly id: string | undefined; readonly name: string; readonly args: unknown }
  | {
    readonly type: "result";
    readonly id: string | undefined;
    readonly name: string | undefined;
    readonly result: unknown;
    readonly error: unknown;
  };

/** Reads a chat as a run, or says which of its messages is wrong, and why. */
export function runOfTranscript({ messages, task, system: _, ...rest }: TranscriptRow): LogRow | string {
  try {
    const { asked, answers, calls } = gather(messages);
    const words = task ?? asked.join("\n\n");
    if (words.trim() === "") return 'messages: no user says anything; give "task", or a message of role "user"';
    if (calls.length > MAX_CALLS) return `messages: ${calls.length} calls, allowed are ${MAX_CALLS}`;
    return { ...rest, task: words, calls: [...calls], final: answers.length === 0 ? null : answers.join("\n\n") };
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

/** What users have said, what was answered to them, and every call with its result. */
function gather(messages: readonly Fields[]) {
  const [asked, answers]: [string[], string[]] = [[], []];
  const calls: (LogCallRow & { id: string | undefined; open: boolean })[] = [];
  for (const [i, message] of messages.entries()) {
    const at = `messages.${i}`;
    const own = unpacked(message);
    const role = roleOf(own, at);
    const said = saidIn(own, role, at);
    const text = said.flatMap((one) => one.type === "text" && one.text.trim() !== "" ? [one.text] : []).join("\n");
    if (role === "user" && text !== "") asked.push(text);
    // What a model says beside its calls is no answer yet.
    if (role === "assistant" && text !== "" && said.every(({ type }) => type === "text")) answers.push(text);
    for (const one of said) {
      if (one.type === "call") calls.push({ id: one.id, open: true, name: one.name, args: one.args });
      if (one.type !== "result") continue;
      const call = calls.findLast(({ id, open }) => open && one.id !== undefined && id === one.id) ??
        (one.id === undefined ? calls.find(({ open, name }) => open && (one.name ?? name) === name) : undefined);
      if (call === undefined) {
        throw new Unreadable(
          `${at}: is a result of ${
            one.id === undefined ? "no call" : `"${one.id.slice(0, 60)}", which no call before it has as its id`
          }`,
        );
      }
      call.open = false;
      call.result = one.result;
      if (one.error !== undefined) call.error = one.error;
    }
  }
  // A chat that ends in a call has been cut off: what was said before that is no answer to the last question.
  const isCut = calls.at(-1)?.open === true && answers.length < asked.length;
  return { asked, answers: isCut ? [] : answers, calls: calls.map(({ id: _, open: __, ...call }) => call) };
}

/** LangChain's serialised form has the message in `kwargs`, and its class last in `id`; that of dictionaries, in `data`. */
function unpacked(message: Fields): Fields {
  const { kwargs, id, data, type } = message;
  if (isFields(data) && message["content"] === undefined && ROLES.has(String(type))) return { ...data, type };
  if (!isFields(kwargs) || !Array.isArray(id)) return message;
  return { type: String(id.at(-1)).replace(/Message(?:Chunk)?$/, "").toLowerCase(), ...kwargs };
}

const ROLES: ReadonlyMap<string, "user" | "assistant" | "tool" | "system"> = new Map([
  ["user", "user"],
  ["human", "user"],
  ["assistant", "assistant"],
  ["ai", "assistant"],
  ["model", "assistant"],
  ["tool", "tool"],
  ["function", "tool"],
  ["system", "system"],
  ["developer", "system"],
]);

/** Items of OpenAI's responses that are no message. */
const ITEMS: ReadonlyMap<string, "assistant" | "tool" | "system"> = new Map([
  ["function_call", "assistant"],
  ["function_call_output", "tool"],
  ["reasoning", "system"],
]);

function roleOf({ role, type }: Fields, at: string) {
  const known = typeof role === "string" ? ROLES.get(role) : ROLES.get(String(type)) ?? ITEMS.get(String(type));
  if (known !== undefined) return known;
  const given = typeof role === "string" ? `"${role.slice(0, 40)}"` : "missing";
  throw new Unreadable(`${at}.role: is ${given}; allowed are ${[...ROLES.keys()].join(", ")}`);
}

function saidIn(message: Fields, role: string, at: string): Said[] {
  const { content, parts, tool_calls: calls, function_call: legacy, type } = message;
  if (type === "function_call") return [callOf(message, at)];
  if (role === "tool") {
    const blocks = [parts, content].find((list) => Array.isArray(list) && list.some(isResultPart));
    if (Array.isArray(blocks)) return blocks.flatMap((part, i) => saidInPart(part, `${at}.content.${i}`));
    return [resultOf(message, message["output"] ?? content)];
  }
  const list = Array.isArray(parts) ? parts : Array.isArray(content) ? content : [];
  return [
    ...(typeof content === "string" ? [{ type: "text" as const, text: content }] : []),
    ...list.flatMap((part, i) => saidInPart(part, `${at}.${Array.isArray(parts) ? "parts" : "content"}.${i}`)),
    ...(Array.isArray(calls) && !list.some(isCallPart)
      ? calls.map((call, i) => callOf(isFields(call) ? call : {}, `${at}.tool_calls.${i}`))
      : []),
    ...(isFields(legacy) ? [callOf(legacy, `${at}.function_call`)] : []),
  ];
}

const CALL_PARTS = new Set(["tool_use", "tool_call", "server_tool_use", "mcp_tool_use"]);
const RESULT_PARTS = new Set(["tool_result", "tool_call_response", "mcp_tool_result"]);
const isPart = (part: unknown, types: ReadonlySet<string>): boolean =>
  isFields(part) && types.has(String(part["type"]));
const isCallPart = (part: unknown): boolean => isPart(part, CALL_PARTS);
const isResultPart = (part: unknown): boolean => isPart(part, RESULT_PARTS);

function saidInPart(part: unknown, at: string): Said[] {
  if (typeof part === "string") return [{ type: "text", text: part }];
  if (!isFields(part)) return [];
  if (isCallPart(part)) return [callOf(part, at)];
  if (isResultPart(part)) return [resultOf(part, part["content"] ?? part["response"] ?? part["result"])];
  const text = part["text"] ?? part["content"];
  // Pictures and thoughts are nothing that is said.
  return typeof text === "string" && /^(?:|text|input_text|output_text|undefined)$/.test(String(part["type"]))
    ? [{ type: "text", text }]
    : [];
}

function callOf(call: Fields, at: string): Said {
  const inner = isFields(call["function"]) ? call["function"] : call;
  const name = typeof call["function"] === "string" ? call["function"] : inner["name"];
  if (typeof name !== "string" || name === "") throw new Unreadable(`${at}: the call has no name`);
  const args = inner["arguments"] ?? inner["args"] ?? inner["input"];
  return { type: "call", id: idOf(call["call_id"] ?? call["id"]), name, args };
}

function resultOf(of: Fields, result: unknown): Said {
  const error = of["error"] ?? of["is_error"] ?? of["isError"] ?? (of["status"] === "error" ? true : undefined);
  return {
    type: "result",
    id: idOf(of["tool_call_id"] ?? of["tool_use_id"] ?? of["call_id"] ?? of["id"]),
    name: idOf(of["name"]),
    result,
    error: error ?? undefined,
  };
}

const idOf = (id: unknown): string | undefined => typeof id === "string" && id !== "" ? id : undefined;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
