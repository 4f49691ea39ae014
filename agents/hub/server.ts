/** One server over the whole life of a hub: connected, listed, watched, lost and found again. */
import {
  type ByteConnection,
  CodedError,
  deadline,
  DeadlineExceeded,
  digest,
  type Failure,
  type Json,
  oneLine,
  type Timer,
  untilAborted,
} from "../../core/mod.ts";
import { asFailure } from "../engine/task.ts";
import type { ToolSpec } from "../models/model.ts";
import { Circuit, type CircuitResult } from "./circuit.ts";
import type { CallOptions, HubOptions, ServerPort, ServerStatus, SessionPool } from "./hub.ts";
import { idleLimit } from "./idle.ts";
import { type CallOutcome, failed, type OutcomeKind } from "./outcome.ts";
import { type ListedTool, Session } from "./session.ts";

/** Why work ends with the hub. Made once: an abort without a reason makes an error with a stack, which costs more. */
const OVER = new CodedError("cancelled", "the hub was closed");
const CLOSED: Failure = { code: "server_down", detail: "the connection closed" };

/** What a call's end says of its server: only one that does not answer, or not in a form that can be read, has failed. */
const RESULTS: Readonly<Partial<Record<OutcomeKind, CircuitResult>>> = {
  answered: "ok",
  tool_error: "ok",
  rpc_error: "ok",
  malformed: "failed",
  timeout: "failed",
  closed: "failed",
};

/** A tool as it was when it was first listed. A server cannot change what a model reads of it. */
interface Pin {
  readonly tool: ListedTool;
  /** Made when it is first compared. */
  digest?: string;
}

/** One server of a hub. */
export class ManagedServer {
  readonly #port: ServerPort;
  readonly #options: HubOptions;
  readonly #pins = new Map<string, Pin>();
  readonly #changed = new Set<string>();
  readonly #gone = new Set<string>();
  readonly #circuit: Circuit | undefined;
  /** Over when the hub closes. */
  readonly #life = new AbortController();
  readonly #timers = new Set<Timer>();
  readonly #work = new Set<Promise<void>>();
  #session: Session | undefined;
  #failure: Failure | undefined;
  #specs: readonly ToolSpec[] = [];
  /** Why its list could not be read again. */
  #listFailure: Failure | undefined;
  #relisting: "no" | "due" | "running" = "no";
  #attempts = 0;
  #missedPings = 0;
  #pingFailure: Failure | undefined;

  /** A server that is not connected yet. */
  constructor(port: ServerPort, options: HubOptions) {
    this.#port = port;
    this.#options = options;
    this.#circuit = options.circuit && new Circuit(options.circuit);
  }

  /** Connects to it for the first time. A failure is its state, and not thrown. */
  async open(signal?: AbortSignal): Promise<void> {
    const { health, pool } = this.#options;
    await this.#connect(pool, signal);
    if (health !== undefined) this.#checkLater(health);
  }

  /** Its tools, under the names that the hub gives them and as they were first listed. */
  get specs(): readonly ToolSpec[] {
    return this.#specs;
  }

  /** How it stands. */
  status(): ServerStatus {
    const circuit = this.#circuit?.state(this.#options.clock.now());
    const about = {
      name: this.#port.name,
      tools: this.#session === undefined ? [] : this.#specs.map(({ name }) => name),
      problems: this.#problems(),
      ...(this.#changed.size === 0 ? {} : { changed: [...this.#changed].map((tool) => this.#nameOf(tool)) }),
      ...(circuit === undefined ? {} : { circuit }),
    };
    if (!this.#session?.isOpen) return { ...about, state: "down", failure: this.#failure ?? CLOSED };
    const failure = circuit === undefined || circuit === "closed" ? this.#pingFailure : NOT_ANSWERING;
    return failure === undefined ? { ...about, state: "up" } : { ...about, state: "degraded", failure };
  }

  /** Calls one of its tools. Never throws. */
  call(tool: string, args: { [key: string]: Json }, options: CallOptions): Promise<CallOutcome> {
    const session = this.#session;
    if (session === undefined || !session.isOpen) return Promise.resolve(this.#notConnected());
    if (!this.#pins.has(tool) || this.#gone.has(tool)) return Promise.resolve(this.#noSuchTool(tool, session));
    const circuit = this.#circuit;
    return circuit === undefined
      ? this.#send(session, tool, args, options)
      : this.#sendThrough(circuit, () => this.#send(session, tool, args, options));
  }

  /** Ends all that is under way, and closes the connection or gives an idle session back to the pool. */
  async close(): Promise<void> {
    this.#life.abort(OVER);
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    const session = this.#session;
    this.#session = undefined;
    session?.listen();
    const { pool } = this.#options;
    if (session !== undefined) {
      if (pool !== undefined && session.isIdle) await pool.put(this.#port, session);
      else await session.close();
    }
    await Promise.all(this.#work);
  }

  async #send(
    session: Session,
    tool: string,
    args: { [key: string]: Json },
    { signal, timeoutMs = Infinity, idleTimeoutMs = this.#options.idleTimeoutMs, span }: CallOptions,
  ): Promise<CallOutcome> {
    const { clock, callTimeoutMs = 60_000 } = this.#options;
    using limit = deadline(clock, Math.min(timeoutMs, callTimeoutMs), signal);
    using idle = idleTimeoutMs === undefined ? undefined : idleLimit(clock, idleTimeoutMs, limit);
    const outcome = await session.call(tool, args, { "brownout/span": span }, limit.signal, idle?.alive);
    if (RESULTS[outcome.kind] === "ok") this.#isAlive();
    return outcome;
  }

  async #sendThrough(circuit: Circuit, send: () => Promise<CallOutcome>): Promise<CallOutcome> {
    const { clock } = this.#options;
    const settle = circuit.admit(clock.now());
    if (settle === undefined) {
      return failed("circuit_open", `${this.#port.name} is not called: ${NOT_ANSWERING.detail}`);
    }
    const outcome = await send();
    settle(RESULTS[outcome.kind] ?? "unknown", clock.now());
    return outcome;
  }

  #notConnected(): CallOutcome {
    // Being called off was the opener's affair; the server is simply not there.
    const code = this.#failure === undefined || this.#failure.code === "cancelled" ? CLOSED.code : this.#failure.code;
    return failed("closed", `${this.#port.name} is not connected`, { code });
  }

  #noSuchTool(tool: string, session: Session): CallOutcome {
    const name = this.#nameOf(tool);
    if (this.#gone.has(tool)) return failed("unlisted", `${name} is gone: its server no longer lists it`);
    if (session.lacks(tool)) return failed("unlisted", `there is no ${name} that can be used in its server's list`);
    return failed("unknown_tool", `there is no tool ${name}`);
  }

  async #connect(pool: SessionPool | undefined, signal?: AbortSignal): Promise<void> {
    const { clock, connectTimeoutMs = 10_000 } = this.#options;
    using limit = deadline(clock, connectTimeoutMs, signal);
    try {
      limit.signal.throwIfAborted();
      const session = await fromPool(this.#port, pool) ?? await connect(this.#port, limit.signal);
      if (this.#life.signal.aborted) await session.close();
      else this.#attach(session);
    } catch (error) {
      this.#failure = openFailure(error, limit.signal);
      if (!signal?.aborted) this.#reconnectLater();
    }
  }

  #attach(session: Session): void {
    this.#session = session;
    this.#failure = undefined;
    session.listen({ listChanged: () => this.#relistLater(), ended: () => this.#lost(session) });
    this.#adopt(session);
    if (session.isStale) this.#relistLater();
    if (!session.isOpen) this.#lost(session);
  }

  #lost(session: Session): void {
    if (this.#session !== session) return;
    this.#failure = CLOSED;
    this.#reconnectLater();
  }

  /** Compares the list with what was there before: what is new is pinned, what has changed is told. */
  #adopt(session: Session): void {
    const listed = new Map(session.tools.map((tool) => [tool.name, tool]));
    this.#gone.clear();
    for (const [name, pin] of this.#pins) {
      const now = listed.get(name);
      if (now !== undefined && isChanged(pin, now)) this.#changed.add(name);
      else if (now === undefined && session.isListWhole) this.#gone.add(name);
    }
    for (const [name, tool] of listed) if (!this.#pins.has(name)) this.#pins.set(name, { tool });
    this.#specs = [...this.#pins.values()].filter(({ tool }) => !this.#gone.has(tool.name))
      .map(({ tool: { name, description, inputSchema, annotations } }) => ({
        name: this.#nameOf(name),
        description,
        inputSchema,
        ...(annotations === undefined ? {} : { annotations }),
      }));
  }

  #problems(): string[] {
    const list = this.#listFailure;
    return [
      ...this.#session?.problems ?? [],
      ...[...this.#changed].map((tool) =>
        `tool ${oneLine(tool)} has changed since it was first listed; the first is shown`
      ),
      ...[...this.#gone].map((tool) => `tool ${oneLine(tool)} is gone from its list`),
      ...(list === undefined ? [] : [`its list of tools has changed and could not be read again: ${list.detail}`]),
    ];
  }

  /** Many notices in a row cost one list. */
  #relistLater(): void {
    if (this.#relisting === "due") return;
    const isRunning = this.#relisting === "running";
    this.#relisting = "due";
    if (!isRunning) this.#after(this.#options.relistDelayMs ?? 100, () => this.#relist());
  }

  async #relist(): Promise<void> {
    const session = this.#session;
    this.#relisting = "running";
    if (session?.isOpen) {
      using limit = deadline(this.#options.clock, this.#options.connectTimeoutMs ?? 10_000, this.#life.signal);
      this.#listFailure = await session.relist(limit.signal).then(() => undefined, asFailure);
      if (this.#session === session) this.#adopt(session);
    }
    const isDueAgain = this.#isDue();
    this.#relisting = "no";
    if (isDueAgain) this.#relistLater();
  }

  /** Apart, because it may have changed while the list was read. */
  #isDue(): boolean {
    return this.#relisting === "due";
  }

  #reconnectLater(): void {
    const { reconnect } = this.#options;
    if (reconnect === undefined || this.#life.signal.aborted || this.#attempts >= reconnect.attempts) return;
    const { delayMs = 100, maxDelayMs = 10_000 } = reconnect;
    const wait = Math.min(maxDelayMs, delayMs * 2 ** this.#attempts++);
    this.#after(wait, () => this.#connect(undefined, this.#life.signal));
  }

  /** It has answered something: whatever it was suspected of is over. A mere connection is no answer. */
  #isAlive(): void {
    this.#attempts = 0;
    this.#missedPings = 0;
    this.#pingFailure = undefined;
  }

  #checkLater(health: NonNullable<HubOptions["health"]>): void {
    this.#after(health.everyMs, async () => {
      await this.#check(health);
      this.#checkLater(health);
    });
  }

  async #check({ everyMs, timeoutMs = Math.min(everyMs, 5000), misses = 1 }: NonNullable<HubOptions["health"]>) {
    const session = this.#session;
    if (!session?.isOpen) return;
    using limit = deadline(this.#options.clock, timeoutMs, this.#life.signal);
    const failure = await session.ping(limit.signal);
    if (failure === undefined) this.#isAlive();
    else if (++this.#missedPings >= misses) this.#pingFailure = failure;
  }

  /** Does something later, unless the hub closes first. Whatever it is does not reject. */
  #after(ms: number, work: () => Promise<void>): void {
    if (this.#life.signal.aborted) return;
    const timer = this.#options.clock.after(ms, () => {
      this.#timers.delete(timer);
      const running = work().finally(() => this.#work.delete(running));
      this.#work.add(running);
    });
    this.#timers.add(timer);
  }

  #nameOf(tool: string): string {
    return `${this.#port.name}.${tool}`;
  }
}

const NOT_ANSWERING: Failure = { code: "server_down", detail: "it has not answered several calls in a row" };

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

function isChanged(pin: Pin, now: ListedTool): boolean {
  if (now === pin.tool) return false;
  try {
    return (pin.digest ??= digest(pin.tool)) !== digest(now);
  } catch {
    // Nested too deep to be compared: better one word too many.
    return true;
  }
}
