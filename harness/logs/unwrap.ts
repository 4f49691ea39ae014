/** What a tool said, out of whatever a log has wrapped it in. */

/** A result without its wrapping. */
export interface Unwrapped {
  /** What the tool said, of which {@linkcode MAX_RESULT} UTF-16 units are kept. */
  readonly text: string;
  /** Whether some wrapping says that it is an error. */
  readonly isError: boolean;
  /** Whether the log, or this reader, has cut it off. */
  readonly cut: boolean;
}

/** How much of a result is read. In UTF-16 units. */
export const MAX_RESULT = 200_000;
/** How many wrappings deep. */
const MAX_DEPTH = 4;

/**
 * Takes a result out of its wrapping: MCP results (`{ content, isError }`), as JSON, as JSON in a text, or as a client in
 * Python prints them; content blocks; a text. Anything else is its own JSON.
 *
 * @example
 * ```ts
 * import { unwrap } from "./unwrap.ts";
 * import assert from "node:assert/strict";
 *
 * const printed = "meta=None content=[TextContent(type='text', text='disk full')] isError=True";
 * assert.deepEqual(unwrap(printed), { text: "disk full", isError: true, cut: false });
 * ```
 */
export function unwrap(result: unknown): Unwrapped {
  return unwrapAt(result, 0);
}

function unwrapAt(value: unknown, depth: number): Unwrapped {
  if (typeof value === "string") return unwrapText(value, depth);
  const blocks = Array.isArray(value) ? value : contentOf(value);
  if (blocks === undefined || blocks.length === 0 || !blocks.every(isBlock)) {
    const own = typeof value === "object" && value !== null && isMcp(value) ? "" : JSON.stringify(value) ?? "";
    return bounded(own, errorFlag(value), false);
  }
  const texts = blocks.map((block) => typeof block.text === "string" ? block.text : `[${block.type}]`);
  const inner = depth < MAX_DEPTH ? unwrapText(texts.join("\n"), depth + 1) : bounded(texts.join("\n"), false, false);
  return { ...inner, isError: inner.isError || errorFlag(value) };
}

function unwrapText(text: string, depth: number): Unwrapped {
  const bare = text.trim();
  if (depth >= MAX_DEPTH) return bounded(text, false, false);
  if (/^(?:CallToolResult\()?(?:meta=|content=\[)/.test(bare)) return unwrapPrinted(bare, depth);
  if (!/^\{\s*"(?:_meta|content|isError)"/.test(bare)) return bounded(text, false, false);
  try {
    return unwrapAt(JSON.parse(bare), depth + 1);
  } catch {
    const said = /"text"\s*:\s*(?=")/.exec(bare);
    if (said === null) return bounded(text, false, true);
    const { value } = literal(bare, said.index + said[0].length);
    return { ...bounded(value, false, true), cut: true };
  }
}

/** `meta=None content=[TextContent(type='text', text='…')] isError=False`. Its texts are literals of Python. */
function unwrapPrinted(printed: string, depth: number): Unwrapped {
  const [texts, opens]: [string[], RegExp] = [[], /\btext=(?=['"])|\b(Image|Audio)Content\(|\bEmbeddedResource\(/g];
  let [rest, cut] = [0, false];
  for (let found = opens.exec(printed); found !== null; found = opens.exec(printed)) {
    const at = found.index + found[0].length;
    if (!found[0].startsWith("text=")) {
      texts.push(`[${(found[1] ?? "resource").toLowerCase()}]`);
      rest = at;
      continue;
    }
    const { value, end, closed } = literal(printed, at);
    texts.push(value);
    [rest, cut] = [end, !closed];
    opens.lastIndex = end;
  }
  // Only behind the last text: what stands in one is the tool's, and not the client's.
  const isError = /\bisError=True\b/.test(printed.slice(rest));
  const inner = unwrapText(texts.join("\n"), depth + 1);
  return { text: inner.text, isError: isError || inner.isError, cut: cut || inner.cut };
}

const ESCAPES: ReadonlyMap<string, string> = new Map([["n", "\n"], ["r", "\r"], ["t", "\t"], ["b", "\b"], ["f", "\f"]]);

/** Reads a quoted literal whose quote stands at `at`. */
function literal(source: string, at: number): { value: string; end: number; closed: boolean } {
  const quote = source[at];
  const parts: string[] = [];
  let [from, i] = [at + 1, at + 1];
  for (; i < source.length && source[i] !== quote; i++) {
    if (source[i] !== "\\") continue;
    parts.push(source.slice(from, i));
    const code = /^(?:u([\da-f]{4})|x([\da-f]{2}))/i.exec(source.slice(i + 1, i + 6));
    const char = source[i + 1] ?? "";
    parts.push(code === null ? ESCAPES.get(char) ?? char : String.fromCharCode(parseInt(code[1] ?? code[2] ?? "", 16)));
    i += code === null ? 1 : code[0].length;
    from = i + 1;
  }
  parts.push(source.slice(from, i));
  return { value: parts.join(""), end: Math.min(i + 1, source.length), closed: i < source.length };
}

function bounded(text: string, isError: boolean, cut: boolean): Unwrapped {
  return { text: text.slice(0, MAX_RESULT), isError, cut: cut || text.length > MAX_RESULT };
}

function contentOf(value: unknown): readonly unknown[] | undefined {
  const content: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "content") : undefined;
  return Array.isArray(content) ? content : undefined;
}

const isMcp = (value: object): boolean => contentOf(value)?.length === 0;

function isBlock(value: unknown): value is { readonly type: string; readonly text?: unknown } {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "type") === "string";
}

/** `isError` beside `content`; on its own it is read as an in-band error is. */
function errorFlag(value: unknown): boolean {
  return contentOf(value) !== undefined && typeof value === "object" && value !== null &&
    Reflect.get(value, "isError") === true;
}
