/** One connected MCP server, with typed outcomes instead of exceptions. */
import * as z from "zod";
import {
  bookkeeping,
  type ByteConnection,
  clip,
  CodedError,
  DeadlineExceeded,
  type Json,
  oneLine,
  untilAborted,
} from "../../core/mod.ts";
import { type CallOutcome, failed } from "./outcome.ts";
import { AjvJsonSchemaValidator, Client, ErrorCode, McpError } from "./sdk.ts";
import { HubTransport, isMalformed } from "./transport.ts";

/** A tool as its server lists it. All text is untrusted. */
export interface ListedTool {
  /** The server's own name for it, without the server. */
  readonly name: string;
  /** What the server says about it. */
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: { readonly [key: string]: unknown };
}

/** The largest delay that a timer takes, so that the SDK's own timeout never comes first. Deadlines are the hub's. */
const NO_TIMEOUT = 2 ** 31 - 1;
/** How many pages of tools are read from one server. */
const MAX_PAGES = 64;

// Results are read here, not by the SDK; made once, since making a schema costs more than using it.
const ANYTHING = z.unknown();
// Constructing a validator costs more than everything else in a session; it holds no state of a session.
const validator = new AjvJsonSchemaValidator();

const ToolShape = z.object({
  name: z.string().min(1).max(256),
  description: z.string().optional(),
  inputSchema: z.looseObject({ type: z.literal("object") }),
});
const ToolsPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
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

/** The SDK's client, each of whose requests keeps its books where they decide nothing. */
class QuietClient extends Client {
  // A method would have to repeat the SDK's type parameters; `connect` calls this one too.
  override request: Client["request"] = (request, schema, options) =>
    bookkeeping(() => super.request(request, schema, { timeout: NO_TIMEOUT, ...options }));
}

/** A session with one server: initialised, its tools listed. */
export class Session {
  /** Tools that can be used, in the server's order. */
  readonly tools: readonly ListedTool[];
  /** What was wrong with the server's list: tools left out, names listed twice, pages without end. */
  readonly problems: readonly string[];
  readonly #client: Client;
  readonly #transport: HubTransport;

  private constructor(client: Client, transport: HubTransport, { tools, problems }: ToolList) {
    this.#client = client;
    this.#transport = transport;
    this.tools = tools;
    this.problems = problems;
  }

  /**
   * Initialises a session over a connection and lists the server's tools.
   *
   * @param signal Ends the attempt. Dispose of it afterwards: the SDK leaves its listeners on it.
   * @throws {CodedError} `server_down`, `timeout`, `malformed_result` or `cancelled`; the connection is then closed.
   */
  static async open(connection: ByteConnection, signal: AbortSignal): Promise<Session> {
    const client = new QuietClient({ name: "brownout-hub", version: "1.0.0" }, { jsonSchemaValidator: validator });
    const transport = new HubTransport(connection);
    try {
      // Not only by the SDK's own use of the signal: it also waits for writes, which a stuck server never takes.
      await untilAborted(client.connect(transport, { signal }), signal);
      return new Session(client, transport, await listTools(client, signal));
    } catch (error) {
      const failure = openFailure(error, signal, transport);
      await transport.close();
      throw failure;
    }
  }

  /** Whether the connection still stands. */
  get isOpen(): boolean {
    return this.#transport.isOpen;
  }

  /** Whether it is open and nothing of an earlier call is left in flight, not even of one that was called off. */
  get isIdle(): boolean {
    return this.#transport.isOpen && this.#transport.isIdle;
  }

  /**
   * Calls a tool. Never throws.
   *
   * @param tool The server's own name for it.
   * @param meta Goes into the request's `_meta`.
   * @param signal Ends the call: a `DeadlineExceeded` reason is a timeout, any other an abort. The server is told. Use
   *   one for each call: the SDK leaves its listener on it.
   */
  async call(
    tool: string,
    args: { [key: string]: Json },
    meta: { [key: string]: Json },
    signal: AbortSignal,
  ): Promise<CallOutcome> {
    const params = { name: tool, arguments: args, _meta: meta };
    try {
      const raw = await this.#client.request({ method: "tools/call", params }, ANYTHING, { signal });
      return readResult(raw);
    } catch (error) {
      return callFailure(error, signal, this.#transport);
    }
  }

  /** Closes the connection. Never rejects, and is harmless when called again. */
  async close(): Promise<void> {
    await this.#client.close();
    // After the SDK has seen a close, its own close() no longer reaches the transport.
    await this.#transport.close();
  }
}

interface ToolList {
  readonly tools: readonly ListedTool[];
  readonly problems: readonly string[];
}

async function listTools(client: Client, signal: AbortSignal): Promise<ToolList> {
  const tools = new Map<string, ListedTool>();
  const problems = new Set<string>();
  const cursors = new Set<string>();
  let params: { cursor: string } | undefined;
  do {
    const request = { method: "tools/list", ...(params === undefined ? {} : { params }) };
    const page = ToolsPage.safeParse(await client.request(request, ANYTHING, { signal }));
    if (!page.success) throw new CodedError("malformed_result", "its list of tools is malformed");
    for (const item of page.data.tools) addTool(item, tools, problems);
    const cursor = page.data.nextCursor;
    if (cursor !== undefined && (cursors.has(cursor) || cursors.size + 1 === MAX_PAGES)) {
      problems.add(`its list of tools has no end; only the first ${cursors.size + 1} pages were read`);
      break;
    }
    params = cursor === undefined ? undefined : { cursor };
    if (cursor !== undefined) cursors.add(cursor);
  } while (params !== undefined);
  return { tools: [...tools.values()], problems: [...problems] };
}

function addTool(item: unknown, tools: Map<string, ListedTool>, problems: Set<string>): void {
  const tool = ToolShape.safeParse(item);
  if (!tool.success) {
    problems.add(`a tool was left out: its entry is malformed (${clip(oneLine(JSON.stringify(item)), 80)})`);
  } else if (tools.has(tool.data.name)) {
    problems.add(`tool ${oneLine(tool.data.name)} is listed twice; the first is used`);
  } else {
    const { name, description = "", inputSchema } = tool.data;
    tools.set(name, { name, description, inputSchema });
  }
}

function readResult(raw: unknown): CallOutcome {
  const result = CallResult.safeParse(raw);
  if (!result.success) return failed("malformed", "the result does not have the shape of a tool result");
  const { content, isError, structuredContent } = result.data;
  const said = content.map(({ type, text, resource }) => text ?? resource?.text ?? `[${type}]`).join("\n");
  // A server may leave the text out where it sends structured content: the model is to see it all the same.
  const text = said === "" && structuredContent !== undefined ? JSON.stringify(structuredContent) : said;
  if (isError) return failed("tool_error", text === "" ? "the tool reported an error without a text" : text);
  return { kind: "answered", text, ...(structuredContent === undefined ? {} : { structured: structuredContent }) };
}

function callFailure(error: unknown, signal: AbortSignal, { isOpen }: HubTransport): CallOutcome {
  if (signal.aborted) {
    return signal.reason instanceof DeadlineExceeded
      ? failed("timeout", `no answer within ${signal.reason.ms} ms`)
      : failed("aborted", "the call was called off");
  }
  if (error instanceof McpError) {
    if (isMalformed(error)) return failed("malformed", error.message);
    // Servers use this code for errors of their own, too.
    const closed = error.code === ErrorCode.ConnectionClosed && !isOpen && error.message.endsWith("Connection closed");
    return closed ? failed("closed", "the connection closed before the answer") : failed("rpc_error", error.message);
  }
  if (error instanceof z.core.$ZodError) {
    return failed("malformed", "the reply does not have the shape that MCP gives it");
  }
  return failed("closed", error instanceof Error ? error.message : String(error));
}

function openFailure(error: unknown, signal: AbortSignal, transport: HubTransport): CodedError {
  if (error instanceof CodedError) return error;
  const { kind, text, code } = callFailure(error, signal, transport);
  const exact = kind === "malformed" || kind === "timeout" || kind === "aborted" ? code : undefined;
  return new CodedError(exact ?? "server_down", text, { cause: error });
}
