/** What the tests of this folder share: a cell, a world of one server in it, and a hub that speaks plain JSON lines. */
import {
  type ByteConnection,
  type ChildConnection,
  type Clock,
  guardGlobals,
  inCell,
  JsonLines,
  memoryPair,
  spawnChild,
  VirtualClock,
} from "../core/mod.ts";
import type { Fault, FaultEntry } from "./faults/fault.ts";
import type { Fixture } from "./fixture.ts";
import { FixtureServer } from "./fixture_server.ts";
import { FIXTURES } from "./fixtures/registry.ts";
import { FaultLink } from "./injector.ts";
import type { Fields } from "./jsonrpc.ts";
import type { WorldEvent } from "./world_event.ts";

/** Runs a test as a cell: on virtual time, with every use of the real world an error, and no timer left at the end. */
export async function sim(work: (clock: VirtualClock) => Promise<void>): Promise<void> {
  using _guard = guardGlobals();
  const clock = new VirtualClock();
  await clock.run(() => inCell(clock, () => work(clock)));
  if (clock.pending > 0) throw new Error(`${clock.pending} timers were left`);
}

/** Starts `serve.ts` as anybody would: without a permission, but for one file if need be. */
export function spawnServe(args: readonly string[], allowRead?: string): ChildConnection {
  const env: Record<string, string> = {};
  for (const name of ["DENO_DIR", "HOME", "XDG_CACHE_HOME"]) {
    const value = Deno.env.get(name);
    if (value !== undefined) env[name] = value;
  }
  const allow = allowRead === undefined ? [] : [`--allow-read=${allowRead}`];
  const script = new URL("./serve.ts", import.meta.url).pathname;
  // Patience enough that only an end by itself can give exit code 0.
  return spawnChild({
    command: Deno.execPath(),
    args: ["run", "--no-prompt", ...allow, script, ...args],
    env,
    graceMs: 60_000,
  });
}

/** A hub of twenty lines. */
export class PlainHub {
  readonly received: unknown[] = [];
  readonly closed: Promise<void>;
  readonly #lines: JsonLines;
  readonly #waiting = new Map<unknown, (reply: Fields) => void>();
  #id = 0;

  constructor(connection: ByteConnection) {
    const lines = this.#lines = new JsonLines(connection);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    lines.onclose = resolve;
    lines.onmessage = (message) => {
      this.received.push(message);
      const reply = message as Fields;
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    };
    lines.start();
  }

  /** The id of the last request. */
  get lastId(): number {
    return this.#id;
  }

  request(method: string, params: Fields = {}): Promise<Fields> {
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve);
      this.#lines.send({ jsonrpc: "2.0", id, method, params }).catch(reject);
    });
  }

  call(name: string, args: Fields, meta?: Fields): Promise<Fields> {
    return this.request("tools/call", { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) });
  }

  notify(method: string, params: Fields = {}): Promise<void> {
    return this.#lines.send({ jsonrpc: "2.0", method, params });
  }

  close(): Promise<void> {
    return this.#lines.close();
  }
}

/** A fixture behind a link. */
export class World {
  readonly events: WorldEvent[] = [];
  readonly link: FaultLink;
  /** How many connections the fixture has seen. */
  connections = 0;

  constructor(
    readonly clock: Clock,
    fixture: Fixture | string,
    faults: readonly FaultEntry[] = [],
    seed = "1",
    catalogue?: ReadonlyMap<string, Fault>,
  ) {
    const found = typeof fixture === "string" ? FIXTURES.get(fixture) : fixture;
    if (found === undefined) throw new Error(`no fixture ${fixture}`);
    this.link = new FaultLink({
      server: found.id,
      ...(catalogue === undefined ? {} : { catalogue }),
      connect: async () => {
        this.connections++;
        const [near, far] = memoryPair();
        const server = new FixtureServer(found, far);
        server.bind({ clock });
        await server.start();
        return near;
      },
    });
    this.bind(faults, seed);
  }

  bind(faults: readonly FaultEntry[], seed = "1"): void {
    this.events.length = 0;
    this.link.bind({ faults, clock: this.clock, seed, observer: (event) => this.events.push(event) });
  }

  async hub(): Promise<PlainHub> {
    return new PlainHub(await this.link.open());
  }

  /** The events of these types, without what every event of a one-server world has. */
  seen(...types: readonly WorldEvent["type"][]): Fields[] {
    return this.events.filter(({ type }) => types.includes(type)).map(({ server: _, ...event }) => event);
  }
}
