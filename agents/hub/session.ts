/** One connected MCP server, with typed outcomes instead of exceptions. */
import * as z from "zod";
import {
  bookkeeping,
  type ByteConnection,
  clip,
  CodedError,
  DeadlineExceeded,
  type Failure,
  type Json,
  oneLine,
  untilAborted,
} from "../../core/mod.ts";
import { IdleExceeded } from "./idle.ts";
import { type AskPage, type ListedTool, readList, type ToolList } from "./listing.ts";
import { type CallOutcome, failed } from "./outcome.ts";
import { type Check, checkOf } from "./output_schema.ts";
import { readResult } from "./reading.ts";
import { refusalOf } from "./refusal.ts";
import { AjvJsonSchemaValidator, Client, ErrorCode, McpError } from "./sdk.ts";
import { HubTransport, isMalformed, NONCE } from "./transport.ts";

export type { ListedTool } from "./listing.ts";

/** The largest delay that a timer takes, so that the SDK's own timeout never comes first. Deadlines are the hub's. */
const NO_TIMEOUT = 2 ** 31 - 1;

// Results are read here, not by the SDK; made once, since making a schema costs more than using it.
const ANYTHING = z.unknown();
// The SDK makes one of its own for each client that is given none, and ours never uses it.
const validator = new AjvJsonSchemaValidator();

/** The SDK's client, each of whose requests keeps its books where they decide nothing. */
class QuietClient extends Client {
  // A method would have to repeat the SDK's type parameters; `connect` calls this one too.
  override request: Client["request"] = (request, schema, options) =>
    bookkeeping(() => super.request(request, schema, { timeout: NO_TIMEOUT, ...options }));
}

/** A session with one server: initialised, its tools listed. */
export class Session {
  readonly #client: Client;
  readonly #transport: HubTransport;
  /** Who waits for progress, by token. */
  readonly #progress = new Map<unknown, () => void>();
  /** Compiled when they are first needed; `undefined` where that cannot be done. */
  readonly #checks = new Map<string, Check | undefined>();
  /** Problems that show only when a tool is used. */
  readonly #late = new Set<string>();
  #list: ToolList = { tools: [], problems: [], leftOut: new Set(), isWhole: true };
  #outputs: ReadonlyMap<string, NonNullable<ListedTool["outputSchema"]>> = new Map();
  #isStale = false;
  #listener: Parameters<Session["listen"]>[0];

  private constructor(client: Client, transport: HubTransport) {
    this.#client = client;
    this.#transport = transport;
    transport.onnotification = (method, params) => {
      if (method === "notifications/progress") this.#progress.get(params["progressToken"])?.();
      else if (method === "notifications/tools/list_changed") {
        this.#isStale = true;
        this.#listener?.listChanged();
      }
    };
    transport.onended = () => this.#listener?.ended();
  }

  /**
   * Initialises a session over a connection and lists the server's tools.
   *
   * @param signal Ends the attempt. Dispose of it afterwards: the SDK leaves its listeners on it.
   * @throws {CodedError} `server_down`, `timeout`, `malformed_result`, `cancelled`, or the code of a server's refusal; the
   *   connection is then closed.
   */
  static async open(connection: ByteConnection, signal: AbortSignal): Promise<Session> {
    const client = new QuietClient({ name: "brownout-hub", version: "1.0.0" }, { jsonSchemaValidator: validator });
    const transport = new HubTransport(connection);
    const session = new Session(client, transport);
    try {
      // Not only by the SDK's own use of the signal: it also waits for writes, which a stuck server never takes.
      await untilAborted(client.connect(transport, { signal }), signal);
      await session.#readList(signal);
      return session;
    } catch (error) {
      const failure = openFailure(error, signal, transport);
      await transport.close();
      throw failure;
    }
  }

  /** Tools that can be used, in the server's order. */
  get tools(): readonly ListedTool[] {
    return this.#list.tools;
  }

  /** What was wrong with the server's list: tools left out, names listed twice, pages without end, schemas that are none. */
  get problems(): readonly string[] {
    return this.#late.size === 0 ? this.#list.problems : [...this.#list.problems, ...this.#late];
  }

  /** Whether the whole list was read; if not, a tool may be there that it does not show. */
  get isListWhole(): boolean {
    return this.#list.isWhole;
  }

  /** Whether the list is damaged where this tool would be: it should be there, and cannot be used. */
  lacks(tool: string): boolean {
    const { tools, leftOut, isWhole } = this.#list;
    return tools.length === 0 || leftOut.has(tool) || !isWhole;
  }

  /** Whether the connection still stands. */
  get isOpen(): boolean {
    return this.#transport.isOpen;
  }

  /**
   * Whether it is open and nothing of an earlier call is left in flight, not even of one that was called off, and the
   * list of tools is the server's latest.
   */
  get isIdle(): boolean {
    return this.#transport.isOpen && this.#transport.isIdle && !this.#isStale;
  }

  /** Whether the server has said that its list has changed, and it was not read again. */
  get isStale(): boolean {
    return this.#isStale;
  }

  /**
   * Sets who is told what the server does by itself; nobody, without one.
   *
   * @param listener `listChanged`: its list of tools is said to have changed. `ended`: the connection has ended, whoever
   *   ended it.
   */
  listen(listener?: { listChanged(): void; ended(): void }): void {
    this.#listener = listener;
  }

  /**
   * Calls a tool. Never throws.
   *
   * @param tool The server's own name for it.
   * @param meta Goes into the request's `_meta`.
   * @param signal Ends the call: a `DeadlineExceeded` reason is a timeout, any other an abort. The server is told. Use
   *   one for each call: the SDK leaves its listener on it.
   * @param onProgress Asks the server for progress, and is told of each. The last before the reply may come after it, and
   *   is then lost.
   */
  async call(
    tool: string,
    args: { [key: string]: Json },
    meta: { [key: string]: Json },
    signal: AbortSignal,
    onProgress?: () => void,
  ): Promise<CallOutcome> {
    const { "brownout/span": span } = meta;
    const mark = this.#transport.freshMark(typeof span === "string" ? span : tool);
    const asked = onProgress === undefined ? {} : { progressToken: mark };
    const params = { name: tool, arguments: args, _meta: { ...meta, [NONCE]: mark, ...asked } };
    if (onProgress !== undefined) this.#progress.set(mark, onProgress);
    try {
      const raw = await this.#client.request({ method: "tools/call", params }, ANYTHING, { signal });
      const output = this.#outputs.get(tool);
      return readResult(raw, output && ((structured) => this.#violation(tool, output, structured)));
    } catch (error) {
      return callFailure(error, signal, this.#transport);
    } finally {
      if (onProgress !== undefined) this.#progress.delete(mark);
    }
  }

  /**
   * Reads the list of tools again.
   *
   * @param signal As for {@linkcode Session.open}.
   * @throws {CodedError} As there; the list stays what it was, and the connection open.
   */
  async relist(signal: AbortSignal): Promise<void> {
    this.#isStale = false;
    try {
      await this.#readList(signal);
    } catch (error) {
      this.#isStale = true;
      throw openFailure(error, signal, this.#transport);
    }
  }

  /**
   * Asks whether the server is still there. Any reply will do, also one that says that it knows no ping.
   *
   * @param signal As for {@linkcode Session.call}.
   * @returns Why not, if it is not.
   */
  async ping(signal: AbortSignal): Promise<Failure | undefined> {
    try {
      await this.#client.request({ method: "ping" }, ANYTHING, { signal });
      return undefined;
    } catch (error) {
      const { kind, code = "server_down", text } = callFailure(error, signal, this.#transport);
      return kind === "rpc_error" ? undefined : { code, detail: `ping: ${text}` };
    }
  }

  /** Closes the connection. Never rejects, and is harmless when called again. */
  async close(): Promise<void> {
    await this.#client.close();
    // After the SDK has seen a close, its own close() no longer reaches the transport.
    await this.#transport.close();
  }

  async #readList(signal: AbortSignal): Promise<void> {
    const ask: AskPage = (params) =>
      this.#client.request({ method: "tools/list", ...(params === undefined ? {} : { params }) }, ANYTHING, { signal });
    this.#list = await readList(ask);
    this.#checks.clear();
    this.#late.clear();
    this.#outputs = new Map(
      this.#list.tools.flatMap(({ name, outputSchema }) => outputSchema === undefined ? [] : [[name, outputSchema]]),
    );
  }

  /** How structured content breaks its tool's schema. One that cannot be compiled is a problem, and breaks no call. */
  #violation(
    tool: string,
    schema: NonNullable<ListedTool["outputSchema"]>,
    value: Json | undefined,
  ): string | undefined {
    if (!this.#checks.has(tool)) this.#checks.set(tool, this.#compile(tool, schema));
    const check = this.#checks.get(tool);
    if (check === undefined) return undefined;
    if (value === undefined) return "the result has no structured content, which the tool has promised";
    const broken = check(value);
    return broken && `the structured content is not what the tool has promised: ${broken}`;
  }

  #compile(tool: string, schema: NonNullable<ListedTool["outputSchema"]>): Check | undefined {
    try {
      return checkOf(schema);
    } catch (error) {
      const why = clip(oneLine(error instanceof Error ? error.message : String(error)), 80);
      this.#late.add(`the results of tool ${oneLine(tool)} are not checked: its output schema is of no use (${why})`);
      return undefined;
    }
  }
}

function callFailure(error: unknown, signal: AbortSignal, { isOpen }: HubTransport): CallOutcome {
  if (signal.aborted) {
    const { reason } = signal;
    if (reason instanceof IdleExceeded) return failed("timeout", `no sign of life for ${reason.ms} ms`);
    if (reason instanceof DeadlineExceeded) return failed("timeout", `no answer within ${reason.ms} ms`);
    return failed("aborted", "the call was called off");
  }
  if (error instanceof McpError) {
    if (isMalformed(error)) return failed("malformed", error.message);
    // Servers use this code for errors of their own, too.
    const closed = error.code === ErrorCode.ConnectionClosed && !isOpen && error.message.endsWith("Connection closed");
    if (closed) return failed("closed", "the connection closed before the answer");
    return failed("rpc_error", error.message, refusalOf(error.data, error.code));
  }
  if (error instanceof z.core.$ZodError) {
    return failed("malformed", "the reply does not have the shape that MCP gives it");
  }
  return failed("closed", error instanceof Error ? error.message : String(error));
}

function openFailure(error: unknown, signal: AbortSignal, transport: HubTransport): CodedError {
  if (error instanceof CodedError) return error;
  const { kind, text, code } = callFailure(error, signal, transport);
  // A server that refuses to begin is as good as not there, unless it says why in a way that has a code.
  const exact = kind === "closed" || code === undefined || code === "tool_error" ? "server_down" : code;
  return new CodedError(exact, text, { cause: error });
}
