/** A call of a log: which tool it was really for, and what was asked of it. */
import type { LogCallRow } from "./format.ts";
import { type Failure, failureOf } from "./failure.ts";
import { wordsOf } from "./tool_words.ts";
import { unwrap } from "./unwrap.ts";

/** A call as it is judged. */
export interface LogCall {
  /** Number in the run, from 0. */
  readonly index: number;
  /** Tool, and the server where it is known, as in `fs.write_file`. */
  readonly tool: string;
  /** The same for comparing: one server is often spelt in two ways. */
  readonly key: string;
  /** The server alone; `undefined` where the log does not tell. */
  readonly server: string | undefined;
  /** What it was called with, as text in lower case, of which {@linkcode MAX_ARGS} UTF-16 units are kept. */
  readonly args: string;
  /** Whether that is not there to its end. */
  readonly argsCut: boolean;
  /** What tells it from other calls of the tool: its longer values, in lower case. */
  readonly values: readonly string[];
  /** Every value of it that is no flag and no size, in lower case: what it shares with another by chance, it shares alone. */
  readonly leaves: readonly string[];
  /** Whether it was to change something, by the verb in the tool's name. */
  readonly isEffect: boolean;
  /** Whether it only looks for tools: that one answered meets no need. */
  readonly isDiscovery: boolean;
  /** What came back, or `undefined` where nothing was recorded. */
  readonly text: string | undefined;
  /** Whether what came back is not there to its end. */
  readonly cut: boolean;
  /** What went wrong; `undefined` if it was answered, or nobody knows. */
  readonly failure: Failure | undefined;
}

/** How much of a call's arguments is kept. In UTF-16 units. */
export const MAX_ARGS = 20_000;

/** Whether it was answered, and no failure. */
export const isAnswered = ({ text, failure }: LogCall): boolean => text !== undefined && failure === undefined;

/** Reads a call. */
export function readCall(row: LogCallRow, index: number, resultApart: unknown): LogCall {
  const result = row.result ?? resultApart ?? undefined;
  const { text, isError, cut } = result === undefined
    ? { text: undefined, isError: false, cut: false }
    : unwrap(result);
  const written = typeof row.args === "string" ? row.args : JSON.stringify(row.args) ?? "";
  const args = written.slice(0, MAX_ARGS).toLowerCase();
  const { tool, server, params } = target(row.name, parsed(row.args));
  const isEffect = isEffectTool(tool);
  const values = valuesOf(params);
  const flags = [row.error, row.isError, row.is_error, row.protocol_error];
  const key = plain(tool);
  const argsCut = written.length > MAX_ARGS ||
    (typeof row.args === "string" && written.trimStart().startsWith("{") && !isJson(written));
  const leaves = leavesOf(params);
  const call = { index, tool, key, server, args, argsCut, values, leaves, isEffect, text, cut };
  return {
    ...call,
    isDiscovery: isDiscovery(tool, text),
    failure: failureOf(call, { isError, flags, inBand: row.inband_error }),
  };
}

function parsed(args: unknown): unknown {
  if (typeof args !== "string") return args;
  try {
    return JSON.parse(args);
  } catch {
    return args.trimStart().startsWith("{") ? membersOf(args) : args;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Members of an object whose end the log has cut off, flat: the first of each name, as far as it is there. */
function membersOf(cut: string): unknown {
  const found = new Map<string, unknown>();
  for (
    const [, key = "", text = ""] of cut.slice(0, 4000).matchAll(/"(\w{1,60})"\s*:\s*"((?:[^"\\]|\\.){0,1000})(?:"|$)/g)
  ) {
    if (!found.has(key)) found.set(key, text);
  }
  const params = [...found].filter(([key]) => !TOOL_KEYS.includes(key) && !SERVER_KEYS.includes(key));
  return Object.fromEntries([...found, ["params", Object.fromEntries(params)]]);
}

const TOOL_KEYS = ["tool_name", "toolName", "tool"];
const SERVER_KEYS = ["server_name", "serverName", "server"];
const PARAM_KEYS = ["params", "arguments", "args", "parameters", "tool_input", "input"];

/** Through a dispatcher (`execute-tool { server_name, tool_name, params }`) to the tool that was meant. */
function target(name: string, args: unknown): { tool: string; server: string | undefined; params: unknown } {
  const member = (keys: readonly string[]): unknown =>
    typeof args === "object" && args !== null && !Array.isArray(args)
      ? keys.filter((key) => Object.hasOwn(args, key)).map((key): unknown => Reflect.get(args, key))[0]
      : undefined;
  const [tool, server, params] = [member(TOOL_KEYS), member(SERVER_KEYS), member(PARAM_KEYS)];
  if (typeof tool === "string" && tool !== "" && (typeof server === "string" || params !== undefined)) {
    const inner = typeof params === "string" ? parsed(params) : params;
    return typeof server === "string"
      ? { tool: `${server}.${tool}`, server: plain(server), params: inner }
      : { tool, server: undefined, params: inner };
  }
  const named = /^(?:mcp__)?(?<server>[^./]+?)(?:__|[./])(?<own>.+)$/.exec(name)?.groups;
  return named === undefined
    ? { tool: name, server: undefined, params: args }
    : { tool: `${named["server"]}.${named["own"]}`, server: plain(named["server"] ?? ""), params: args };
}

const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, "-");

/** Clicks and keys are none: they are steps on the way to one. */
const EFFECTS = new Set(
  ("write create edit update delete remove move rename send post put save insert append add set draw fill generate upload " +
    "publish book order pay refund cancel commit push merge convert download install export copy store apply patch make " +
    "build schedule submit transfer purchase buy execute run replace modify reply charge " +
    "deploy register subscribe assign close stroke render").split(" "),
);
const READS = new Set(
  ("get search find list read fetch lookup query check show describe summarize extract geocode view count info look " +
    "browse scrape retrieve load analyze suggest recommend explore inspect calculate compute detect status summary")
    .split(
      " ",
    ),
);

/** Whether a tool is to change something: the first verb of its name tells. Of two readings, the harmless one. */
export function isEffectTool(tool: string): boolean {
  const verb = wordsOf(tool.slice(tool.lastIndexOf(".") + 1)).find((word) => EFFECTS.has(word) || READS.has(word));
  return verb !== undefined && EFFECTS.has(verb);
}

/** A list of tools with their schemas is no answer to anything a user asked. */
function isDiscovery(tool: string, text: string | undefined): boolean {
  if (/\b(?:list|search|find|discover|route|get)[ _-]?tools?\b/i.test(tool)) return true;
  const head = text?.slice(0, 4000) ?? "";
  return /\btool_name\b/.test(head) && /\binput_?schema\b/i.test(head);
}

const MAX_VALUES = 16;
const MAX_VALUE = 300;

/** Values that say what a call is about. Words like `markdown` or `startTime`, and dates, are shared by chance. */
function valuesOf(params: unknown): string[] {
  const found = new Set<string>();
  visit(params, (text, isNumber) => {
    if (isTelling(text, isNumber)) found.add(text.toLowerCase());
    return found.size < MAX_VALUES;
  });
  return [...found];
}

/** Small and round numbers are limits and sizes. */
function leavesOf(params: unknown): string[] {
  const found = new Set<string>();
  visit(params, (text, isNumber) => {
    if (isNumber ? !/^-?\d{1,2}$|0$/.test(text) : text.length >= 2) found.add(text.toLowerCase());
    return found.size < MAX_VALUES;
  });
  return [...found];
}

/** Goes through texts and numbers for as long as it is wanted. */
function visit(value: unknown, see: (text: string, isNumber: boolean) => boolean, depth = 0): boolean {
  if (depth > 6) return true;
  if (typeof value === "object" && value !== null) {
    return Object.values(value).every((inner) => visit(inner, see, depth + 1));
  }
  const text = typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
  const bare = text.slice(0, MAX_VALUE).trim();
  return bare === "" || see(bare, typeof value === "number");
}

function isTelling(text: string, isNumber: boolean): boolean {
  // Round numbers are limits and sizes.
  if (isNumber) return /^-?\d+\.\d{2,}$|^\d*(?:\d{4}[1-9]|\d{3}[1-9]0)$/.test(text);
  if (/^\d{4}-\d\d-\d\d(?:[T ].*)?$/.test(text)) return false;
  if (/[^\p{ASCII}]/u.test(text)) return text.length >= 2;
  return text.length >= 3 && !/^[a-z]+(?:[_-][a-z]+)*$/.test(text) && !/^[a-z]+(?:[A-Z][a-z]*)+$/.test(text);
}
