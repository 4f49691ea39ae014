import { type ByteConnection, type Clock, ClosedError, JsonLines } from "../core/mod.ts";
import { z } from "zod";
import { type Fixture, type FixtureInstance, type JsonObject, ToolFailure } from "./fixture.ts";
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  Server,
} from "./sdk.ts";

/** A caller's mark in a call's `_meta`, returned in the result's: only so can two swapped replies be told apart. */
export const NONCE = "brownout/nonce";

/** The request by which whoever leases a fixture process gives it the next cell's data. No tool, so no model finds it. */
export const RESET = "brownout/reset";

const ResetRequestSchema = z.object({
  method: z.literal(RESET),
  params: z.object({ data: z.unknown().optional() }).optional(),
});

/** Fixtures ask their client nothing, so nothing is ever validated; the SDK's own validator takes 2 ms to make. */
const NO_VALIDATOR = {
  getValidator(): never {
    throw new Error("a fixture has nothing to validate");
  },
};

/** What a fixture server works on until it is bound again. */
export interface FixtureState {
  /**
   * The fixture's data; what is missing comes from its defaults.
   *
   * @default {}
   */
  data?: unknown;
  /** The cell's clock. */
  clock: Clock;
}

/** One for all, because an abort without a reason makes an error with a stack, which is most of its cost. */
const OVER = new ClosedError("the cell is over");

interface Cell {
  readonly instance: FixtureInstance;
  readonly clock: Clock;
  readonly over: AbortController;
}

/**
 * One fixture on one connection, as an ordinary MCP server.
 *
 * Built on the SDK's low-level server: the high-level one rebuilds its JSON Schemas for each list and costs many times as
 * much to make, and in the `sim` lane every cell makes its servers anew.
 */
export class FixtureServer {
  /** Resolves when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>;
  readonly #server: Server;
  readonly #lines: JsonLines;
  readonly #fixture: Fixture;
  #cell: Cell | undefined;

  /**
   * Makes a server that is not bound and not started.
   *
   * @param fixture What to serve.
   * @param connection Where the client is.
   */
  constructor(fixture: Fixture, connection: ByteConnection) {
    this.#fixture = fixture;
    this.#lines = new JsonLines(connection);
    const server = this.#server = new Server(
      { name: fixture.id, version: fixture.version, title: fixture.title },
      { capabilities: { tools: {} }, jsonSchemaValidator: NO_VALIDATOR },
    );
    const listing = { tools: [...fixture.tools.values()] };
    server.setRequestHandler(ListToolsRequestSchema, () => listing);
    server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => this.#call(params, signal));
    server.setRequestHandler(ResetRequestSchema, ({ params }) => this.#reset(params?.data));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    server.onclose = () => {
      this.#cell?.over.abort(OVER);
      resolve();
    };
  }

  /**
   * Sets the state of the next cell. Nothing of the one before remains: its calls are aborted and never answered.
   *
   * @throws {z.ZodError} If the data does not fit the fixture; the state is then unchanged.
   */
  bind(state: FixtureState): void {
    const instance = this.#fixture.instantiate(state.data);
    this.#cell?.over.abort(OVER);
    this.#cell = { instance, clock: state.clock, over: new AbortController() };
  }

  /**
   * Begins to serve.
   *
   * @throws {Error} If it was never bound, or is started again.
   */
  async start(): Promise<void> {
    if (this.#cell === undefined) throw new Error("bind the fixture server before starting it");
    await this.#server.connect(this.#lines);
  }

  /** Ends the connection and every call. */
  async close(): Promise<void> {
    await this.#lines.close();
  }

  async #call(params: CallToolRequest["params"], cancelled: AbortSignal): Promise<CallToolResult> {
    const cell = this.#cell;
    if (cell === undefined) throw new Error("not bound");
    try {
      return await this.#run(cell, params, cancelled);
    } finally {
      // An answer from the cell before would reach the next client under an id that means something else there.
      if (this.#cell !== cell) await new Promise<never>(() => {});
    }
  }

  async #run(
    cell: Cell,
    { name, arguments: args = {}, _meta }: CallToolRequest["params"],
    cancelled: AbortSignal,
  ): Promise<CallToolResult> {
    const nonce = _meta?.[NONCE];
    const meta = nonce === undefined ? {} : { _meta: { [NONCE]: nonce } };
    try {
      const running = cell.instance.call(name, args, {
        clock: cell.clock,
        get signal() {
          return AbortSignal.any([cancelled, cell.over.signal]);
        },
      });
      const output = running instanceof Promise ? await running : running;
      const structured = this.#fixture.tools.get(name)?.outputSchema === undefined ? {} : { structuredContent: output };
      return { content: [{ type: "text", text: JSON.stringify(output) }], ...structured, ...meta };
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      return { content: [{ type: "text", text: error.message }], isError: true, ...meta };
    }
  }

  #reset(data: unknown): JsonObject {
    const clock = this.#cell?.clock;
    if (clock === undefined) throw new Error("not bound");
    try {
      this.bind({ data, clock });
    } catch (error) {
      if (error instanceof z.ZodError) throw new McpError(ErrorCode.InvalidParams, z.prettifyError(error));
      throw error;
    }
    return {};
  }
}
