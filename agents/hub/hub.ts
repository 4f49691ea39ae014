/** Many MCP servers behind one surface. */
import {
  type ByteConnection,
  checkDelay,
  type Clock,
  CodedError,
  deadline,
  DeadlineExceeded,
  type Failure,
  type Json,
  untilAborted,
} from "../../core/mod.ts";
import { asFailure } from "../engine/task.ts";
import type { ToolSpec } from "../models/model.ts";
import { isAllowed, serverOf } from "./allowlist.ts";
import { type CallOutcome, failed } from "./outcome.ts";
import { Session } from "./session.ts";

/** How to reach one server. */
export interface ServerPort {
  /** The server's name: the part before the dot in `server.tool`. */
  readonly name: string;
  /**
   * Opens a fresh connection.
   *
   * @throws If the server cannot be reached.
   */
  connect(): Promise<ByteConnection>;
}

/**
 * Keeps sessions between hubs, so that the next one need not connect and list again. What is put in is idle and open;
 * a session that is not is closed by the hub instead.
 */
export interface SessionPool {
  /** Takes an idle session of this port out of the pool. */
  take(port: ServerPort): Session | undefined;
  /** Puts an idle session back, or closes it if it cannot be kept. */
  put(port: ServerPort, session: Session): void | Promise<void>;
}

/** What a hub is made of. */
export interface HubOptions {
  /** Servers, by distinct names without a dot. */
  readonly ports: readonly ServerPort[];
  /** The clock of all deadlines. */
  readonly clock: Clock;
  /**
   * How long one server may take to connect, initialise and list its tools, in milliseconds.
   *
   * @default 10_000
   */
  readonly connectTimeoutMs?: number;
  /**
   * How long one call may take, in milliseconds, where the caller sets no shorter limit.
   *
   * @default 60_000
   */
  readonly callTimeoutMs?: number;
  /** Sessions to reuse. */
  readonly pool?: SessionPool;
}

/** A server as the hub sees it. */
export interface ServerStatus {
  /** Its name. */
  readonly name: string;
  /** Whether its session stands. */
  readonly state: "up" | "down";
  /** Names of its tools, as `server.tool`. */
  readonly tools: readonly string[];
  /** Why it is down. */
  readonly failure?: Failure;
  /** What was wrong with its list of tools. */
  readonly problems: readonly string[];
}

/** What goes with a call. */
export interface CallOptions {
  /** The caller's allowlist. It is checked here whatever was advertised. */
  readonly allow: readonly string[];
  /** Ends the call. */
  readonly signal: AbortSignal;
  /** A limit for this call, in milliseconds. */
  readonly timeoutMs?: number;
  /** Structural id of the call; goes to the server as `_meta["brownout/span"]`. */
  readonly span: string;
}

/** A hub as planners and workers see it: what there is, and calls. */
export interface ToolHub {
  /** Every server with its state, in the order of the ports. */
  servers(): ServerStatus[];
  /** The tools that an allowlist lets a worker see. */
  specs(allow: readonly string[]): ToolSpec[];
  /** The servers that an allowlist names and that are down, with the reason. */
  down(allow: readonly string[]): { name: string; failure: Failure }[];
  /**
   * Calls a tool. Never throws: every failure is an outcome that a model can read and a router can branch on.
   *
   * @param name `server.tool`. Untrusted.
   */
  call(name: string, args: { [key: string]: Json }, options: CallOptions): Promise<CallOutcome>;
}

interface Server {
  readonly port: ServerPort;
  session?: Session;
  failure?: Failure;
}

/**
 * The hub: connects to every server, starts with the healthy ones, and never throws from a call.
 */
export class Hub implements ToolHub, AsyncDisposable {
  readonly #servers: ReadonlyMap<string, Server>;
  readonly #options: HubOptions;
  readonly #specs = new Map<string, ToolSpec>();
  #closing: Promise<void> | undefined;

  private constructor(options: HubOptions, servers: ReadonlyMap<string, Server>) {
    this.#options = options;
    this.#servers = servers;
    for (const [name, { session }] of servers) {
      for (const { name: tool, description, inputSchema } of session?.tools ?? []) {
        this.#specs.set(`${name}.${tool}`, { name: `${name}.${tool}`, description, inputSchema });
      }
    }
  }

  /**
   * Connects to all servers at once. A server that cannot be reached is down, and costs the others nothing but the wait.
   *
   * @param signal Ends all attempts; servers that are not connected by then are down, as `cancelled`.
   * @throws {RangeError} If two ports have one name, or a name is empty or has a dot, or a timeout is no delay.
   */
  static async open(options: HubOptions, signal?: AbortSignal): Promise<Hub> {
    checkDelay(options.connectTimeoutMs ?? 0);
    checkDelay(options.callTimeoutMs ?? 0);
    const servers = new Map<string, Server>();
    for (const port of options.ports) {
      if (port.name === "" || port.name.includes(".")) throw new RangeError(`not a server name: "${port.name}"`);
      if (servers.has(port.name)) throw new RangeError(`two servers are called "${port.name}"`);
      servers.set(port.name, { port });
    }
    await Promise.all([...servers.values()].map((server) => openServer(server, options, signal)));
    return new Hub(options, servers);
  }

  /** See {@linkcode ToolHub.servers}. */
  servers(): ServerStatus[] {
    return [...this.#servers].map(([name, { session, failure }]) => {
      const about = {
        name,
        tools: (session?.tools ?? []).map((tool) => `${name}.${tool.name}`),
        problems: session?.problems ?? [],
      };
      if (session?.isOpen) return { ...about, state: "up" };
      return { ...about, state: "down", failure: failure ?? CLOSED };
    });
  }

  /** See {@linkcode ToolHub.specs}. */
  specs(allow: readonly string[]): ToolSpec[] {
    return [...this.#specs.values()].filter((spec) => isAllowed(spec.name, allow));
  }

  /** See {@linkcode ToolHub.down}. */
  down(allow: readonly string[]): { name: string; failure: Failure }[] {
    const needed = new Set(allow.map(serverOf));
    return this.servers().flatMap(({ name, state, failure = CLOSED }) =>
      state === "down" && needed.has(name) ? [{ name, failure }] : []
    );
  }

  /** See {@linkcode ToolHub.call}. */
  async call(name: string, args: { [key: string]: Json }, options: CallOptions): Promise<CallOutcome> {
    if (!isAllowed(name, options.allow)) return failed("refused", `${name} is not a tool of this worker`);
    const server = this.#servers.get(serverOf(name));
    if (server?.session === undefined || !server.session.isOpen) {
      return failed(server === undefined ? "unknown_tool" : "closed", `${serverOf(name)} is not connected`);
    }
    if (!this.#specs.has(name)) return failed("unknown_tool", `there is no tool ${name}`);
    const { clock, callTimeoutMs = 60_000 } = this.#options;
    using limit = deadline(clock, Math.min(options.timeoutMs ?? Infinity, callTimeoutMs), options.signal);
    const tool = name.slice(serverOf(name).length + 1);
    return await server.session.call(tool, args, { "brownout/span": options.span }, limit.signal);
  }

  /** Closes every connection, or gives an idle session back to the pool. Harmless when called again. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  /** See {@linkcode close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #closeAll(): Promise<void> {
    const { pool } = this.#options;
    await Promise.all([...this.#servers.values()].map(async (server) => {
      const { session, port } = server;
      delete server.session;
      if (session === undefined) return;
      if (pool !== undefined && session.isIdle) pool.put(port, session);
      else await session.close();
    }));
  }
}

const CLOSED: Failure = { code: "server_down", detail: "the connection closed" };

async function openServer(server: Server, options: HubOptions, signal?: AbortSignal): Promise<void> {
  using limit = deadline(options.clock, options.connectTimeoutMs ?? 10_000, signal);
  try {
    limit.signal.throwIfAborted();
    server.session = await fromPool(server.port, options.pool) ?? await connect(server.port, limit.signal);
  } catch (error) {
    server.failure = openFailure(error, limit.signal);
  }
}

/** An idle session from the pool. One that died there is closed. */
async function fromPool(port: ServerPort, pool: SessionPool | undefined): Promise<Session | undefined> {
  const pooled = pool?.take(port);
  if (pooled === undefined || pooled.isIdle) return pooled;
  await pooled.close();
  return undefined;
}

async function connect(port: ServerPort, signal: AbortSignal): Promise<Session> {
  // A server that connects too late is closed, and how that goes is nobody's business any more.
  const closeLate = (late: ByteConnection) => void late.close().catch(() => {});
  return await Session.open(await untilAborted(port.connect(), signal, closeLate), signal);
}

function openFailure(error: unknown, signal: AbortSignal): Failure {
  if (error instanceof CodedError) return asFailure(error);
  if (error instanceof DeadlineExceeded) return { code: "timeout", detail: `not connected within ${error.ms} ms` };
  if (signal.aborted) return { code: "cancelled", detail: "called off before it was connected" };
  return { code: "server_down", detail: error instanceof Error ? error.message : asFailure(error).detail };
}
