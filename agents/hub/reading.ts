/** Reads results: what came of a call that was answered. The one place where that is decided. */
import * as z from "zod";
import type { Json } from "../../core/mod.ts";
import { inBandError } from "./in_band.ts";
import { type CallOutcome, failed } from "./outcome.ts";
import { type Refusal, refusalOf } from "./refusal.ts";

const Content = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  resource: z.looseObject({ text: z.string().optional() }).optional(),
});
const CallResult = z.looseObject({
  content: z.array(Content).default([]),
  isError: z.boolean().optional(),
  structuredContent: z.json().optional(),
});

/**
 * The outcome of a result that does not say it is an error: a success, unless it has nothing in it or is an error all the
 * same, by its shape ({@linkcode inBandError}).
 *
 * @example
 * ```ts
 * import { answered } from "./mod.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(answered("two charges").code, undefined);
 * assert.equal(answered(" ").code, "empty_result");
 * assert.equal(answered('{"error": "db down"}').code, "tool_error");
 * ```
 */
export function answered(text: string, structured?: Json): CallOutcome {
  const outcome = { kind: "answered", text, ...(structured === undefined ? {} : { structured }) } as const;
  if (isEmpty(text, structured)) return { ...outcome, code: "empty_result", detail: "the tool returned no content" };
  const error = inBandError(text, structured);
  return error === undefined
    ? outcome
    : { ...outcome, code: "tool_error", ...refusalIn(text, structured), detail: error };
}

/**
 * Reads the raw result of `tools/call`.
 *
 * @param violation Says how structured content breaks what its tool has promised. Asked only where the result is a
 *   success with something in it: an error's form is held against no schema, or its reason would be lost.
 */
export function readResult(
  raw: unknown,
  violation?: (structured: Json | undefined) => string | undefined,
): CallOutcome {
  const result = CallResult.safeParse(raw);
  if (!result.success) return failed("malformed", "the result does not have the shape of a tool result");
  const { content, isError, structuredContent: structured } = result.data;
  const said = content.map(({ type, text, resource }) => text ?? resource?.text ?? `[${type}]`).join("\n");
  // A server may leave the text out where it sends structured content: the model is to see it all the same.
  const text = said === "" && structured !== undefined ? JSON.stringify(structured) : said;
  if (isError) {
    const shown = text === "" ? "the tool reported an error without a text" : text;
    return failed("tool_error", shown, refusalIn(text, structured));
  }
  const outcome = answered(text, structured);
  const broken = outcome.code === undefined ? violation?.(structured) : undefined;
  return broken === undefined ? outcome : failed("malformed", broken);
}

/** Nothing at all, or JSON's word for it. A list without entries is an answer. */
function isEmpty(text: string, structured: Json | undefined): boolean {
  const bare = text.trim();
  return (bare === "" || bare === "null") && (structured === undefined || structured === null);
}

/** The refusal in an error's text, if that is JSON, or in its structured content. */
function refusalIn(text: string, structured: Json | undefined): Partial<Refusal> {
  let body: unknown;
  try {
    body = text.trimStart().startsWith("{") ? JSON.parse(text) : undefined;
  } catch {
    // Not JSON, so only words.
  }
  return refusalOf(body) ?? refusalOf(structured) ?? {};
}
