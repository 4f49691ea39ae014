/** Many MCP servers behind one surface. */
import { type ByteConnection, checkDelay, type Clock, type Failure, type Json } from "../../core/mod.ts";
import type { ToolSpec } from "../models/model.ts";
import { isAllowed, serverOf } from "./allowlist.ts";
import { type CallOutcome, failed } from "./outcome.ts";
import { ManagedServer } from "./server.ts";
import type { Session } from "./session.ts";

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
  /**
   * How long a call may go on without a reply or a report of progress, in milliseconds. Servers are then asked for
   * progress. It never prolongs a call beyond its limit.
   *
   * @default No limit of its own, and no progress asked for.
   */
  readonly idleTimeoutMs?: number;
  /** Sessions to reuse. */
  readonly pool?: SessionPool;
  /**
   * How long after a server's word that its tools have changed they are listed again, in milliseconds. What it says
   * meanwhile costs nothing more.
   *
   * @default 100
   */
  readonly relistDelayMs?: number;
  /**
   * Asks each server at intervals whether it is still there; one that is not is degraded until it answers again.
   *
   * @default Nobody asks.
   */
  readonly health?: {
    /** The time between two checks, in milliseconds. */
    readonly everyMs: number;
    /**
     * How long a server may take to answer, in milliseconds.
     *
     * @default The time between two checks, at most 5000.
     */
    readonly timeoutMs?: number;
    /**
     * How many checks in a row it may miss, this one included, before it is degraded.
     *
     * @default 1
     */
    readonly misses?: number;
  };
  /**
   * Connects again to a server that was lost or not there, each time after twice the wait. Calls do not wait for it.
   *
   * @default A server that is down stays down.
   */
  readonly reconnect?: {
    /** How often it is tried in a row. Only an answer from the server, not a connection, begins the count anew. */
    readonly attempts: number;
    /**
     * The wait before the first attempt, in milliseconds.
     *
     * @default 100
     */
    readonly delayMs?: number;
    /**
     * The longest wait, in milliseconds.
     *
     * @default 10_000
     */
    readonly maxDelayMs?: number;
  };
  /**
   * Does not call a server any more that has not answered, or not in a form that can be read, several times in a row.
   *
   * @default Every call is made.
   */
  readonly circuit?: {
    /** How many failures in a row open the circuit. */
    readonly failures: number;
    /** How long it stays open, in milliseconds. After that one call is made, and decides. */
    readonly coolDownMs: number;
  };
}

/** A server as the hub sees it. */
export interface ServerStatus {
  /** Its name. */
  readonly name: string;
  /** Whether its session stands; `degraded` if it does, and the server does not answer. */
  readonly state: "up" | "degraded" | "down";
  /** Names of its tools, as `server.tool`. */
  readonly tools: readonly string[];
  /** Why it is down or degraded. */
  readonly failure?: Failure;
  /** What was wrong with its list of tools. */
  readonly problems: readonly string[];
  /**
   * Tools, as `server.tool`, that are no longer what they were when they were first listed. What models are shown of them
   * is still the first.
   */
  readonly changed?: readonly string[];
  /** How its circuit stands, if the hub has any: `open` lets no call through, `half_open` one. */
  readonly circuit?: "closed" | "open" | "half_open";
}

/** What goes with a call. */
export interface CallOptions {
  /** The caller's allowlist. It is checked here whatever was advertised. */
  readonly allow: readonly string[];
  /** Ends the call. */
  readonly signal: AbortSignal;
  /** A limit for this call, in milliseconds. */
  readonly timeoutMs?: number;
  /** A limit on silence for this call, in milliseconds, in place of the hub's. */
  readonly idleTimeoutMs?: number;
  /** Who calls, for whoever stands between worker and hub. */
  readonly caller?: {
    /** The specialist. */
    readonly worker: string;
    /** Id of the packet that it works on. */
    readonly packetId: string;
  };
  /**
   * Structural id of the call; goes to the server as `_meta["brownout/span"]`, and as `_meta["brownout/nonce"]`, with a
   * number if calls of the same span are in flight.
   */
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

/**
 * The hub: connects to every server, starts with the healthy ones, and never throws from a call.
 */
export class Hub implements ToolHub, AsyncDisposable {
  readonly #servers: ReadonlyMap<string, ManagedServer>;
  #closing: Promise<void> | undefined;

  private constructor(servers: ReadonlyMap<string, ManagedServer>) {
    this.#servers = servers;
  }

  /**
   * Connects to all servers at once. A server that cannot be reached is down, and costs the others nothing but the wait.
   *
   * @param signal Ends all attempts; servers that are not connected by then are down, as `cancelled`.
   * @throws {RangeError} If two ports have one name, or a name is empty or has a dot, or a time is no delay, or a number
   *   no count.
   */
  static async open(options: HubOptions, signal?: AbortSignal): Promise<Hub> {
    checkOptions(options);
    const servers = new Map<string, ManagedServer>();
    for (const port of options.ports) {
      if (port.name === "" || port.name.includes(".")) throw new RangeError(`not a server name: "${port.name}"`);
      if (servers.has(port.name)) throw new RangeError(`two servers are called "${port.name}"`);
      servers.set(port.name, new ManagedServer(port, options));
    }
    await Promise.all([...servers.values()].map((server) => server.open(signal)));
    return new Hub(servers);
  }

  /** See {@linkcode ToolHub.servers}. */
  servers(): ServerStatus[] {
    return [...this.#servers.values()].map((server) => server.status());
  }

  /** See {@linkcode ToolHub.specs}. */
  specs(allow: readonly string[]): ToolSpec[] {
    const named = new Set(allow.map(serverOf));
    const specs: ToolSpec[] = [];
    for (const [server, { specs: all }] of this.#servers) {
      if (named.has(server)) { for (const spec of all) if (isAllowed(spec.name, allow)) specs.push(spec); }
    }
    return specs;
  }

  /** See {@linkcode ToolHub.down}. */
  down(allow: readonly string[]): { name: string; failure: Failure }[] {
    const needed = new Set(allow.map(serverOf));
    const down: { name: string; failure: Failure }[] = [];
    for (const [name, server] of this.#servers) {
      if (!needed.has(name)) continue;
      const { state, failure } = server.status();
      if (state === "down" && failure !== undefined) down.push({ name, failure });
    }
    return down;
  }

  /** See {@linkcode ToolHub.call}. */
  call(name: string, args: { [key: string]: Json }, options: CallOptions): Promise<CallOutcome> {
    if (!isAllowed(name, options.allow)) {
      return Promise.resolve(failed("refused", `${name} is not a tool of this worker`));
    }
    const part = serverOf(name);
    const server = this.#servers.get(part);
    if (server === undefined) return Promise.resolve(failed("unknown_tool", `${part} is not connected`));
    return server.call(name.slice(part.length + 1), args, options);
  }

  /** Closes every connection, or gives an idle session back to the pool. Harmless when called again. */
  close(): Promise<void> {
    this.#closing ??= Promise.all([...this.#servers.values()].map((server) => server.close())).then(() => {});
    return this.#closing;
  }

  /** See {@linkcode close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function checkOptions(
  { connectTimeoutMs, callTimeoutMs, idleTimeoutMs, relistDelayMs, health, reconnect, circuit }: HubOptions,
): void {
  const delays = [connectTimeoutMs, callTimeoutMs, idleTimeoutMs, relistDelayMs, health?.timeoutMs];
  for (const ms of [...delays, reconnect?.delayMs, reconnect?.maxDelayMs, circuit?.coolDownMs]) checkDelay(ms ?? 0);
  // A check every 0 ms would leave no time for anything else.
  for (const count of [health?.everyMs ?? 1, health?.misses ?? 1, circuit?.failures ?? 1, reconnect?.attempts ?? 1]) {
    if (!Number.isFinite(count) || count < 1) throw new RangeError(`must be at least 1: ${count}`);
  }
}
