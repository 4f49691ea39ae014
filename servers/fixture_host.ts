import { type Clock, ClosedError } from "../core/mod.ts";
import { z } from "zod";
import { type Fixture, type FixtureInstance, type JsonObject, ToolFailure } from "./fixture.ts";
import type { LedgerEntry } from "./ledger.ts";
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

/** The span under which a call is made, in its `_meta`; it goes into the ledger. */
export const SPAN = "brownout/span";

/** The request by which whoever leases a fixture process gives it the next cell's data. No tool, so no model finds it. */
export const RESET = "brownout/reset";

/** The request that is answered with the ledger of the cell, as `{ fixture, calls }`. No tool either. */
export const LEDGER = "brownout/ledger";

/** Fixtures ask their client nothing, so nothing is ever validated; the SDK's own validator takes 2 ms to make. */
const NO_VALIDATOR = {
  getValidator(): never {
    throw new Error("a fixture has nothing to validate");
  },
};

/** What a fixture works on until it is bound again. */
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

/** One fixture's state, whatever connections lead to it: one over stdio, any number over HTTP. */
export class FixtureHost {
  #cell: Cell | undefined;
  /** The clock that it was bound to, before a reset let it begin again. */
  #clock: Clock | undefined;

  /** Makes a host that is not bound. */
  constructor(readonly fixture: Fixture) {}

  /** Whether there is a cell. */
  get isBound(): boolean {
    return this.#cell !== undefined;
  }

  /** Every call of the cell so far, oldest first: a live view, which stays the old cell's when the next begins. */
  get ledger(): readonly LedgerEntry[] {
    return this.#cell?.instance.ledger ?? [];
  }

  /**
   * Sets the state of the next cell. Nothing of the one before remains: its calls are aborted and never answered.
   *
   * @throws {z.ZodError} If the data does not fit the fixture; the state is then unchanged.
   */
  bind(state: FixtureState): void {
    this.#begin(state.data, state.clock);
    this.#clock = state.clock;
  }

  /** Aborts every call. */
  end(): void {
    this.#cell?.over.abort(OVER);
  }

  /**
   * Makes the protocol's side of one connection, as an ordinary MCP server.
   *
   * Built on the SDK's low-level server: the high-level one rebuilds its JSON Schemas for each list and costs many times
   * as much to make, and in the `sim` lane every cell makes its servers anew.
   *
   * @internal
   */
  server(): Server {
    const { id: name, version, title, tools, isTwin } = this.fixture;
    const server = new Server(
      { name, version, title },
      { capabilities: { tools: isTwin ? { listChanged: true } : {} }, jsonSchemaValidator: NO_VALIDATOR },
    );
    const listing = { tools: [...tools.values()] };
    server.setRequestHandler(ListToolsRequestSchema, () => listing);
    server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => this.#call(params, signal));
    // The fallback rather than handlers of their own, which would cost each connection more than they are used.
    server.fallbackRequestHandler = ({ method, params }) => this.#beyond(method, params);
    return server;
  }

  #begin(data: unknown, clock: Clock): void {
    const instance = this.fixture.instantiate(data);
    this.end();
    this.#cell = { instance, clock, over: new AbortController() };
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
    const nonce = this.fixture.isTwin ? undefined : _meta?.[NONCE];
    const span = _meta?.[SPAN];
    const meta = nonce === undefined ? {} : { _meta: { [NONCE]: nonce } };
    try {
      const running = cell.instance.call(name, args, {
        clock: cell.clock,
        span: typeof span === "string" ? span : undefined,
        get signal() {
          return AbortSignal.any([cancelled, cell.over.signal]);
        },
      });
      const output = running instanceof Promise ? await running : running;
      const structured = this.fixture.tools.get(name)?.outputSchema === undefined ? {} : { structuredContent: output };
      return { content: [{ type: "text", text: this.fixture.textOf(name, output) }], ...structured, ...meta };
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      return { content: [{ type: "text", text: error.message }], isError: true, ...meta };
    }
  }

  /** The requests beyond MCP. Async, so that what is thrown becomes the reply. */
  // deno-lint-ignore require-await
  async #beyond(method: string, params: Readonly<Record<string, unknown>> | undefined): Promise<JsonObject> {
    if (method === RESET) return this.#reset(params?.data);
    // Plain data all along: what came in as JSON, and what the fixtures made.
    if (method === LEDGER) return JSON.parse(JSON.stringify({ fixture: this.fixture.id, calls: this.ledger }));
    throw new MethodNotFound();
  }

  #reset(data: unknown): JsonObject {
    if (this.#clock === undefined) throw new Error("not bound");
    try {
      this.#begin(data, sinceNow(this.#clock));
    } catch (error) {
      if (error instanceof z.ZodError) throw new McpError(ErrorCode.InvalidParams, z.prettifyError(error));
      throw error;
    }
    return {};
  }
}

/** The words with which the SDK itself refuses a method, so that no client can tell the two apart. */
class MethodNotFound extends Error {
  readonly code: number = ErrorCode.MethodNotFound;
  constructor() {
    super("Method not found");
  }
}

/** A clock that begins at 0: how long the process has run is the cells' before, and no business of this one. */
function sinceNow(clock: Clock): Clock {
  const start = clock.now();
  return { kind: clock.kind, now: () => clock.now() - start, after: (ms, wake) => clock.after(ms, wake) };
}
