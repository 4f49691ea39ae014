/**
 * The injector: a link between a hub and a server that does to their messages what a scenario's faults say, and records
 * what really happened. Both lanes and every server, ours or anybody's, are reached through it.
 */
import { type ByteConnection, ClosedError, memoryPair } from "../core/mod.ts";
import type { ArmedFault } from "./faults/armed.ts";
import type { Fault } from "./faults/fault.ts";
import { FAULTS } from "./faults/registry.ts";
import { type LinkBinding, LinkCell } from "./link_cell.ts";
import { LinkSession } from "./link_session.ts";

const OVER = new ClosedError("the cell is over");

/** Between whom a link stands. */
export interface FaultLinkOptions {
  /** The server's name, as faults and events have it. */
  server: string;
  /** Connects to the real server: the other end of a memory pair, or a child process. Called for each connection. */
  connect: () => ByteConnection | Promise<ByteConnection>;
  /**
   * The faults that there are.
   *
   * @default FAULTS
   */
  catalogue?: ReadonlyMap<string, Fault>;
}

/** The server refused the connection, as far as the hub can see. */
export class ConnectionRefusedError extends Error {
  /** Tells it from other errors. */
  override readonly name = "ConnectionRefusedError";
  /** The code that a socket's refusal has. */
  readonly code = "ECONNREFUSED";
  /**
   * Words the refusal.
   *
   * @param server The server's name.
   * @param reason What the refusal says.
   */
  constructor(readonly server: string, readonly reason: string) {
    super(`${server}: ${reason}`);
  }
}

/**
 * The way from a hub to one server. Bound anew for each cell, it carries nothing from one to the next.
 *
 * Faults act in the order in which they are listed, each on what the one before it made: first on messages, then on the
 * bytes of a reply, then on those of the whole stream. Lines that none of them changes pass as the same bytes.
 *
 * @example
 * ```ts
 * import { FaultLink, FIXTURES, FixtureServer } from "./mod.ts";
 * import { memoryPair, RealClock } from "../core/mod.ts";
 * import assert from "node:assert/strict";
 *
 * const clock = new RealClock();
 * const link = new FaultLink({
 *   server: "orders",
 *   connect: async () => {
 *     const [near, far] = memoryPair();
 *     const server = new FixtureServer(FIXTURES.get("orders") ?? assert.fail(), far);
 *     server.bind({ clock });
 *     await server.start();
 *     return near;
 *   },
 * });
 * link.bind({ faults: [{ fault: "server_down", at: "orders" }], clock, seed: "1", observer: () => {} });
 * await assert.rejects(link.open(), { name: "ConnectionRefusedError" });
 * ```
 */
export class FaultLink {
  readonly #options: FaultLinkOptions;
  #cell: LinkCell | undefined;
  #parked: LinkSession | undefined;
  /** How often the hub was cut off. */
  #cuts = 0;

  /** Makes a link that is not bound. */
  constructor(options: FaultLinkOptions) {
    this.#options = options;
  }

  /** The server's name. */
  get server(): string {
    return this.#options.server;
  }

  /**
   * Sets what the next cell wants: ordinals and random numbers begin anew.
   *
   * @throws {Error} If a connection of the cell before is still open: await {@linkcode FaultLink.close} first.
   * @throws {RangeError} If a fault is not in the catalogue.
   * @throws {z.ZodError} If a fault's parameters do not fit.
   */
  bind(binding: LinkBinding): void {
    if (this.#cell !== undefined && this.#cell.sessions.size > 0) {
      throw new Error(`close the link to ${this.server} before binding it again`);
    }
    const cell = new LinkCell(this.server, this.#options.catalogue ?? FAULTS, binding);
    this.#cell?.over.abort(OVER);
    this.#cell = cell;
  }

  /**
   * Connects to the server.
   *
   * @returns The hub's end. Closing it closes the server's.
   * @throws {ConnectionRefusedError} If a fault refuses the connection.
   * @throws {ClosedError} If the cell ended meanwhile.
   * @throws Whatever the real `connect` throws.
   */
  async open(): Promise<ByteConnection> {
    const cell = this.#cell;
    if (cell === undefined) throw new Error(`bind the link to ${this.server} before opening it`);
    const attempt = cell.nextAttempt();
    const cuts = this.#cuts;
    const isGone = () => cell.over.signal.aborted || this.#cuts !== cuts;
    let ok = false;
    try {
      // What was cut off has to be closed first: the server may take one connection at a time.
      if (cuts > 0) await Promise.all(cell.closing);
      const struck = await this.#strikeConnect(cell, attempt);
      const far = await this.#options.connect();
      if (isGone()) {
        await far.close();
        throw new ClosedError();
      }
      const [hub, near] = memoryPair();
      ok = true;
      cell.observe({ type: "connect", server: this.server, attempt, ok });
      if (isGone()) { // whoever was told has cut the hub off
        await far.close();
        throw new ClosedError();
      }
      const session = new LinkSession(cell, near, far);
      session.start();
      session.opened(struck, attempt);
      return cell.faults.some(({ hooks }) => hooks.close !== undefined) ? this.#closingLate(hub, cell, session) : hub;
    } finally {
      if (!ok && this.#cuts === cuts) cell.observe({ type: "connect", server: this.server, attempt, ok });
    }
  }

  /**
   * Ends the hub's connections at once, as the death of its process would. What the server was given it has; what it
   * answers from now on reaches nobody. The cell goes on, and may connect again.
   */
  cut(): void {
    this.#cuts++;
    for (const session of this.#cell?.sessions ?? []) session.end("hub");
  }

  /**
   * Sets the cell's one connection aside, for the cell after it. To this cell it looks as if the hub had closed it.
   *
   * @returns `false` if there is no such connection, a request of this cell is still on its way, or a fault has touched
   *   its bytes or the connection itself: close it instead.
   */
  park(): boolean {
    const [session, ...others] = this.#cell?.sessions ?? [];
    if (session === undefined || others.length > 0 || this.#parked !== undefined || !session.isIdle) return false;
    session.detach();
    this.#parked = session;
    return true;
  }

  /**
   * Takes the connection that was parked into the cell to which the link is bound now. To this cell it looks like a
   * fresh one.
   *
   * @returns `false` if none was parked, or if the cell has faults of the connection itself, which could not strike it.
   */
  resume(): boolean {
    const [cell, session] = [this.#cell, this.#parked];
    if (cell === undefined || session === undefined || cell.needsFresh) return false;
    this.#parked = undefined;
    const attempt = cell.nextAttempt();
    cell.observe({ type: "connect", server: this.server, attempt, ok: true });
    session.attach(cell);
    return true;
  }

  /** Closes the connection that was parked, if one was. */
  async discard(): Promise<void> {
    const parked = this.#parked;
    this.#parked = undefined;
    await parked?.discard();
  }

  /** Whether a fault has ended a connection of the cell that nobody had ended before: true as soon as it has. */
  get hasHungUp(): boolean {
    return this.#cell?.hasHungUp ?? false;
  }

  /** Resolves when no fault holds a message of the cell back. Never, while one holds something for ever. */
  async flushed(): Promise<void> {
    await this.#cell?.debts.flushed();
  }

  /** Resolves when no fault holds a message back, and the servers have answered all the requests that they were given. */
  async settled(): Promise<void> {
    await this.#cell?.debts.settled();
  }

  /** Ends all connections of the cell and waits until the servers' ends are closed. Nothing of the cell happens after. */
  async close(): Promise<void> {
    const cell = this.#cell;
    if (cell === undefined) return;
    cell.over.abort(OVER);
    for (const session of cell.sessions) session.end("bench");
    await Promise.all(cell.closing);
  }

  /** @returns The faults that this attempt has met. */
  async #strikeConnect(cell: LinkCell, attempt: number): Promise<ArmedFault[]> {
    const struck: ArmedFault[] = [];
    for (const fault of cell.faults) {
      const { connect, opened } = fault.hooks;
      if ((connect ?? opened) === undefined || !cell.strikesOn(fault, "connect")) continue;
      struck.push(fault);
      const verdict = connect?.(cell.circumstances(fault, undefined, attempt, cell.over.signal));
      if (verdict === undefined) continue;
      cell.observe({ type: "fault", ...cell.place(fault, "connect", undefined, attempt) });
      const refused = await verdict;
      if (refused) throw new ConnectionRefusedError(this.server, refused.reason);
    }
    return struck;
  }

  /** The hub's end, whose closing faults may delay: until the bench itself closes the link. */
  #closingLate(hub: ByteConnection, cell: LinkCell, session: LinkSession): ByteConnection {
    let closing: Promise<void> | undefined;
    const close = async () => {
      for (const fault of session.isOpen ? cell.faults : []) {
        const hook = fault.hooks.close;
        if (hook === undefined || !cell.strikesOn(fault, "close")) continue;
        const call = cell.nextOf("close", undefined);
        const going = hook(cell.circumstances(fault, undefined, call, cell.over.signal));
        if (going === undefined) continue;
        cell.observe({ type: "fault", ...cell.place(fault, "close", undefined, call) });
        await going.catch(() => {});
      }
      await hub.close();
    };
    return {
      open: (reader) => hub.open(reader),
      write: (chunk) => hub.write(chunk),
      close: () => closing ??= close(),
    };
  }
}
