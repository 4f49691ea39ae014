/** A server's list of tools, read entry by entry: a bad one costs itself and no other. */
import * as z from "zod";
import { clip, CodedError, oneLine } from "../../core/mod.ts";
import type { ToolAnnotations } from "../models/model.ts";
import { normalName } from "./names.ts";

/** A tool as its server lists it. All text is untrusted. */
export interface ListedTool {
  /** The server's own name for it, without the server. */
  readonly name: string;
  /** What the server says about it. */
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: { readonly [key: string]: unknown };
  /** JSON Schema of the structured content, where the server promises some. */
  readonly outputSchema?: { readonly [key: string]: unknown };
  /** What the server claims about its effects. */
  readonly annotations?: ToolAnnotations;
}

/** What a list comes to. */
export interface ToolList {
  /** Tools that can be used, in the server's order. */
  readonly tools: readonly ListedTool[];
  /** What was wrong: tools left out, names listed twice or all but twice, pages without end. */
  readonly problems: readonly string[];
  /** Names of the tools that were left out, as far as they can be read. */
  readonly leftOut: ReadonlySet<string>;
  /** Whether all of it was read, and every name in it. */
  readonly isWhole: boolean;
}

/** Asks for one page. */
export type AskPage = (params: { cursor: string } | undefined) => Promise<unknown>;

/** How many pages of tools are read from one server. */
const MAX_PAGES = 64;

const Schema = z.looseObject({});
const Hint = z.boolean().optional().catch(undefined);
const Hints = z.object({ readOnlyHint: Hint, idempotentHint: Hint });
const ToolShape = z.object({
  name: z.string().min(1).max(256),
  description: z.string().optional(),
  inputSchema: z.looseObject({ type: z.literal("object") }),
  outputSchema: z.unknown().optional(),
  // Hints in no form that can be read are no hints, and cost no tool.
  annotations: Hints.optional().catch(undefined),
});
const Named = z.looseObject({ name: z.string() });
const ToolsPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/**
 * Reads all pages of a list.
 *
 * @throws {CodedError} `malformed_result`, if a page is no page.
 * @throws Whatever `ask` throws.
 */
export async function readList(ask: AskPage): Promise<ToolList> {
  const list = new ListReader();
  const cursors = new Set<string>();
  let params: { cursor: string } | undefined;
  do {
    const page = ToolsPage.safeParse(await ask(params));
    if (!page.success) throw new CodedError("malformed_result", "its list of tools is malformed");
    for (const item of page.data.tools) list.add(item);
    const cursor = page.data.nextCursor;
    if (cursor !== undefined && (cursors.has(cursor) || cursors.size + 1 === MAX_PAGES)) {
      list.problems.add(`its list of tools has no end; only the first ${cursors.size + 1} pages were read`);
      list.isWhole = false;
      break;
    }
    params = cursor === undefined ? undefined : { cursor };
    if (cursor !== undefined) cursors.add(cursor);
  } while (params !== undefined);
  return list.done();
}

class ListReader {
  readonly problems = new Set<string>();
  isWhole = true;
  readonly #tools = new Map<string, ListedTool>();
  readonly #leftOut = new Set<string>();
  /** Names by what they look like. */
  readonly #alike = new Map<string, string>();

  add(item: unknown): void {
    const tool = ToolShape.safeParse(item);
    if (!tool.success) return this.#leaveOut(item);
    const { name, description = "", inputSchema, outputSchema, annotations } = tool.data;
    if (this.#tools.has(name)) {
      this.problems.add(`tool ${oneLine(name)} is listed twice; the first is used`);
      return;
    }
    this.#compare(name);
    const promised = Schema.safeParse(outputSchema);
    if (!promised.success && outputSchema !== undefined) {
      this.problems.add(`the results of tool ${oneLine(name)} are not checked: its output schema is none`);
    }
    const output = promised.success ? { outputSchema: promised.data } : {};
    this.#tools.set(name, { name, description, inputSchema, ...output, ...claimed(annotations) });
  }

  done(): ToolList {
    const { problems, isWhole } = this;
    return { tools: [...this.#tools.values()], problems: [...problems], leftOut: this.#leftOut, isWhole };
  }

  #leaveOut(item: unknown): void {
    this.problems.add(`a tool was left out: its entry is malformed (${clip(oneLine(shown(item)), 80)})`);
    const named = Named.safeParse(item);
    if (named.success) this.#leftOut.add(named.data.name);
    else this.isWhole = false;
  }

  /** Two names that a person or a model takes for one are a way to put one tool in another's place. */
  #compare(name: string): void {
    const normal = normalName(name);
    const first = this.#alike.get(normal);
    if (first === undefined) this.#alike.set(normal, name);
    else this.problems.add(`tools ${oneLine(first)} and ${oneLine(name)} have names that look alike`);
  }
}

/** Only the hints that were given. */
function claimed(hints: z.output<typeof Hints> | undefined): { annotations?: ToolAnnotations } {
  const { readOnlyHint: isReadOnly, idempotentHint: isIdempotent } = hints ?? {};
  if (isReadOnly === undefined && isIdempotent === undefined) return {};
  return {
    annotations: {
      ...(isReadOnly === undefined ? {} : { readOnlyHint: isReadOnly }),
      ...(isIdempotent === undefined ? {} : { idempotentHint: isIdempotent }),
    },
  };
}

/** A value as JSON, however deep it is: a hostile one can be deeper than the stack. */
function shown(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "nested too deep to be shown";
  }
}
