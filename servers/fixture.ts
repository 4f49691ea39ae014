/**
 * A fixture is a small server: data, and tools that read it. It knows no scenario; what differs between scenarios is its
 * data, and what goes wrong is done to it from outside.
 */
import { z } from "zod";
import type { Clock, Json } from "../core/mod.ts";
import { type Effect, type LedgerEntry, type OpenEntry, openEntry } from "./ledger.ts";

/** What a tool may see besides its arguments. */
export interface ToolContext<Data> {
  /** The cell's own copy of the fixture's data. Changes last until the next cell. */
  readonly data: Data;
  /** The only thing a tool may wait on. */
  readonly clock: Clock;
  /** Aborts when the caller cancels, the connection ends or the next cell begins. Every wait takes it. */
  readonly signal: AbortSignal;
  /** Writes a change of the world into the ledger. To be called when it is done, before anything is waited for. */
  readonly effect: (effect: Effect) => void;
}

/** A JSON object, which is what every tool returns. */
export type JsonObject = { [key: string]: Json };

/** The tool did not do what was asked, and says why: the result carries `isError: true` and this text. */
export class ToolFailure extends Error {
  /** Tells it from other errors. */
  override readonly name = "ToolFailure";
  /**
   * A failure for the caller to read.
   *
   * @param why Prose, or an object with an `error` code that a program can branch on, which becomes JSON text.
   */
  constructor(why: string | (JsonObject & { error: string })) {
    super(typeof why === "string" ? why : JSON.stringify(why));
  }
}

/** What a tool says of itself to clients (MCP's tool annotations). Hints: nobody checks them. */
export interface ToolAnnotations {
  /** It changes nothing. */
  readonly readOnlyHint: boolean;
  /** It may change or spend what cannot be had back; otherwise it only adds. */
  readonly destructiveHint: boolean;
  /** Done twice with the same arguments, it has done no more than once. */
  readonly idempotentHint: boolean;
  /** It reaches beyond the server: other people, other systems. */
  readonly openWorldHint: boolean;
}

/** A tool as it is written down. */
export interface ToolSpec<Data, Input extends z.ZodObject> {
  /** Its name, without the server's. */
  readonly name: string;
  /** What a model reads to decide whether to call it. */
  readonly description: string;
  /** Strict, so that a misspelt argument is an error. */
  readonly input: Input;
  /** Given, it is advertised as `outputSchema`, and results carry `structuredContent` beside the text. */
  readonly output?: z.ZodObject;
  /** Given, they are advertised. */
  readonly annotations?: ToolAnnotations;
  /**
   * Does the work.
   *
   * @returns What the caller gets, as JSON text.
   * @throws {ToolFailure} For a failure that the caller is to read.
   */
  run(args: z.output<Input>, ctx: ToolContext<Data>): JsonObject | Promise<JsonObject>;
  /**
   * How an output reads as text, for a fixture that plays somebody else's server.
   *
   * @default JSON.stringify
   */
  text?(output: JsonObject): string;
}

/** A tool as `tools/list` shows it. */
export type ToolListing = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject & { type: "object" };
  readonly outputSchema?: JsonObject & { type: "object" };
  readonly annotations?: ToolAnnotations;
};

/** A tool, ready to be put into a fixture. */
export interface Tool<Data> {
  /** Its name, without the server's. */
  readonly name: string;
  /** How it is shown. Written when it is asked for first. */
  readonly listing: ToolListing;
  /**
   * Checks the arguments and runs the tool.
   *
   * @throws {ToolFailure} If the arguments do not fit, or the tool fails.
   */
  call(args: unknown, ctx: ToolContext<Data>): JsonObject | Promise<JsonObject>;
  /** An output as text. */
  text(output: JsonObject): string;
}

/**
 * Makes a tool of a fixture. It is handed to the fixture's `tools` function, because only there does TypeScript know what
 * `data` is.
 */
export type ToolMaker<Data> = <Input extends z.ZodObject>(spec: ToolSpec<Data, Input>) => Tool<Data>;

/** Checks arguments, and writes the JSON Schemas once. */
function defineTool<Data, Input extends z.ZodObject>(spec: ToolSpec<Data, Input>): Tool<Data> {
  let listing: ToolListing | undefined;
  return {
    name: spec.name,
    get listing() {
      return listing ??= {
        name: spec.name,
        description: spec.description,
        inputSchema: objectSchema(spec.input, "input"),
        ...(spec.output === undefined ? {} : { outputSchema: objectSchema(spec.output, "output") }),
        ...(spec.annotations === undefined ? {} : { annotations: spec.annotations }),
      };
    },
    call(args, ctx) {
      const parsed = spec.input.safeParse(args);
      if (parsed.success) return spec.run(parsed.data, ctx);
      // The words of the SDK's McpServer, so that no client can tell the two apart.
      throw new ToolFailure(
        `MCP error -32602: Input validation error: Invalid arguments for tool ${spec.name}: ${problems(parsed.error)}`,
      );
    },
    text: (output) => spec.text?.(output) ?? JSON.stringify(output),
  };
}

/** A fixture as it is written down. */
export interface FixtureSpec<Data> {
  /** Its name, which is also the server's. */
  readonly id: string;
  /** Its version, as the server announces it. */
  readonly version: string;
  /** Its name for people. */
  readonly title: string;
  /** Strict and with defaults: `{}` must be valid. */
  readonly data: z.ZodType<Data>;
  /**
   * Whether it plays a server of somebody else, which is built on the SDK's McpServer: it gives no call's mark back, and
   * says that its list of tools may change.
   *
   * @default false
   */
  readonly isTwin?: boolean;
  /** Called once. */
  tools(tool: ToolMaker<Data>): readonly Tool<Data>[];
}

/** A fixture's tools over one cell's data. */
export interface FixtureInstance {
  /** Every call so far, oldest first. Grows as calls arrive. */
  readonly ledger: readonly LedgerEntry[];
  /**
   * Runs one tool, and writes the call into the ledger.
   *
   * @param caller The clock and the signal of this call. The signal is asked for only by a tool that waits.
   * @throws {ToolFailure} For an unknown tool, bad arguments, or a tool that fails.
   */
  call(tool: string, args: unknown, caller: Caller): JsonObject | Promise<JsonObject>;
}

/** What a call brings with it: see {@linkcode ToolContext}. */
export interface Caller extends Omit<ToolContext<unknown>, "data" | "effect"> {
  /** The span under which it was made. */
  readonly span?: string | undefined;
}

/** A kind of server that can be started any number of times. */
export interface Fixture extends Pick<FixtureSpec<unknown>, "id" | "version" | "title"> {
  /** What `tools/list` answers, by name. */
  readonly tools: ReadonlyMap<string, ToolListing>;
  /** The schema of its data, for whoever has to check data ahead of time. */
  readonly data: z.ZodType;
  /** Whether it plays a server of somebody else, see {@linkcode FixtureSpec.isTwin}. */
  readonly isTwin: boolean;
  /** An output of one of its tools, as the text of the result. */
  textOf(tool: string, output: JsonObject): string;
  /**
   * Makes an instance over a copy of `data` of its own, missing parts filled in from the defaults.
   *
   * @throws {z.ZodError} If the data does not fit.
   */
  instantiate(data?: unknown): FixtureInstance;
}

/**
 * Makes a fixture. What costs time is put off until it is used: a process that serves one fixture loads all of them.
 *
 * @throws {RangeError} If two tools have one name.
 * @example
 * ```ts
 * import { defineFixture } from "./mod.ts";
 * import { z } from "zod";
 * import assert from "node:assert/strict";
 *
 * const greeter = defineFixture({
 *   id: "greeter",
 *   version: "1.0.0",
 *   title: "Greets",
 *   data: z.strictObject({ greeting: z.string().default("Hello") }),
 *   tools: (tool) => [
 *     tool({
 *       name: "greet",
 *       description: "Greets somebody.",
 *       input: z.strictObject({ name: z.string() }),
 *       run: ({ name }, { data }) => ({ text: `${data.greeting} ${name}` }),
 *     }),
 *   ],
 * });
 * assert.deepEqual([...greeter.tools.keys()], ["greet"]);
 * ```
 */
export function defineFixture<Data>(spec: FixtureSpec<Data>): Fixture {
  const list = spec.tools(defineTool);
  const tools = new Map(list.map((tool) => [tool.name, tool]));
  if (tools.size < list.length) throw new RangeError(`fixture ${spec.id} has two tools of one name`);
  let listings: ReadonlyMap<string, ToolListing> | undefined;
  /** Data as JSON, parsed once for as long as it lives: a scenario's is given to each repeat of its cells, and changed by nobody. */
  const checked = new WeakMap<object, string>();
  const written = (raw: unknown): string => {
    const isObject = typeof raw === "object" && raw !== null;
    const before = isObject ? checked.get(raw) : undefined;
    if (before !== undefined) return before;
    const json = JSON.stringify(spec.data.parse(raw));
    if (isObject) checked.set(raw, json);
    return json;
  };
  return {
    id: spec.id,
    version: spec.version,
    title: spec.title,
    get tools() {
      return listings ??= new Map(list.map(({ name, listing }) => [name, listing]));
    },
    data: spec.data,
    isTwin: spec.isTwin ?? false,
    textOf: (tool, output) => tools.get(tool)?.text(output) ?? JSON.stringify(output),
    instantiate(raw = NO_DATA) {
      // Copied after parsing, because zod hands out the very objects of its defaults; through JSON, which is what data is,
      // because that takes a third of structuredClone's time.
      const data: Data = JSON.parse(written(raw));
      const ledger: OpenEntry[] = [];
      return {
        ledger,
        call(name, args, caller) {
          const entry = openEntry(ledger.length + 1, caller.clock.now(), name, args, caller.span);
          ledger.push(entry);
          let signal: AbortSignal | undefined;
          const failed = (error: unknown) => {
            entry.outcome = error instanceof ToolFailure ? "failed" : signal?.aborted ? "aborted" : "broke";
          };
          try {
            const tool = tools.get(name);
            if (tool === undefined) throw new ToolFailure(`MCP error -32602: Tool ${name} not found`);
            const output = tool.call(args, {
              data,
              clock: caller.clock,
              get signal() {
                return signal ??= caller.signal;
              },
              effect: (effect) => {
                entry.effects = [...entry.effects, effect];
              },
            });
            if (output instanceof Promise) output.then(() => entry.outcome = "answered", failed);
            else entry.outcome = "answered";
            return output;
          } catch (error) {
            failed(error);
            throw error;
          }
        },
      };
    },
  };
}

/** Everything as the fixture has it. */
const NO_DATA = {};

/** An entry of a record, never one that every object inherits: keys come from callers. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function objectSchema(schema: z.ZodObject, io: "input" | "output"): JsonObject & { type: "object" } {
  // Through JSON, so that what is listed is plain data without zod's hidden parts.
  return { ...JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io }))), type: "object" };
}

/** In the words of the SDK's McpServer. */
function problems(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => {
    const [first, ...rest] = path;
    if (first === undefined) return message;
    const at = rest.map((part) => typeof part === "number" ? `[${part}]` : `.${String(part)}`).join("");
    return `${message} at ${String(first)}${at}`;
  }).join("\n");
}
