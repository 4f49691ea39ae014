/** The `sim` lane: everything in one process, on a virtual clock, over in-memory byte pipes. */
import type { ServerPort, Session, SessionPool } from "../../agents/mod.ts";
import { type ByteConnection, guardGlobals, inCell, memoryPair, VirtualClock } from "../../core/mod.ts";
import { FaultLink, FAULTS, FixtureHost, FIXTURES, FixtureServer } from "../../servers/mod.ts";
import type { Lane, World, WorldSpec } from "./lane.ts";
import { ledgerOf, type ServerLedger } from "./ledger.ts";

/** Options of {@linkcode simLane}. */
export interface SimLaneOptions {
  /**
   * Whether connected sessions are used again by later cells. Off, every cell connects anew; the traces are the same.
   *
   * @default true
   */
  readonly reuse?: boolean;
}

/** Opens the lane. As long as it lives, code inside a cell that reaches for the machine is found. */
export function simLane({ reuse = true }: SimLaneOptions = {}): Lane {
  const guard = guardGlobals();
  const idle = new Map<string, Rig[]>();
  return {
    name: "sim",
    open(spec) {
      const key = JSON.stringify(spec.servers);
      const rigs = idle.get(key) ?? [];
      idle.set(key, rigs);
      // A fault of the connection itself needs one that is made in the cell.
      const fresh = !reuse || spec.faults.some(({ fault }) => FAULTS.get(fault)?.ofConnection ?? true);
      const rig = fresh ? undefined : rigs.pop();
      const used = rig ?? new Rig(spec.servers);
      return Promise.resolve(used.open(spec, { pooled: !fresh, release: () => void rigs.push(used) }));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...idle.values()].flat().map((rig) => rig.discard()));
      guard[Symbol.dispose]();
    },
  };
}

/** One server with everything between it and the hub. */
interface Place {
  readonly link: FaultLink;
  readonly port: ServerPort;
  /** The server's state, which outlives each of its connections: what was done to the world stays done. */
  readonly host: FixtureHost;
  /** The hub's side of the connection that is parked. */
  session: Session | undefined;
}

/**
 * The servers of one cell at a time. Between cells their sessions stay connected: server data, faults, ordinals, random
 * numbers, record and clock are bound anew, and a session with anything left in flight is not kept.
 */
class Rig {
  readonly #places: readonly Place[];

  constructor(servers: readonly string[]) {
    this.#places = servers.map((name) => {
      const link = new FaultLink({ server: name, connect: () => this.#connect(place) });
      const port = { name, connect: () => link.open() };
      const fixture = FIXTURES.get(name);
      if (fixture === undefined) throw new RangeError(`no fixture ${name}`);
      const place: Place = { link, port, host: new FixtureHost(fixture), session: undefined };
      return place;
    });
  }

  open(spec: WorldSpec, { pooled, release }: { pooled: boolean; release: () => void }): World {
    const { data, faults, seed, shuffle, observer } = spec;
    const clock = new VirtualClock(shuffle ? { seed } : {});
    for (const { link, host } of this.#places) {
      link.bind({ faults, clock, seed, observer });
      host.bind({ data: data[link.server], clock });
    }
    let ledgers: readonly ServerLedger[] = [];
    return {
      clock,
      get ledgers() {
        return ledgers;
      },
      ports: this.#places.map(({ port }) => port),
      cut: () => this.#places.forEach(({ link }) => link.cut()),
      ...(pooled ? { pool: this.#pool() } : {}),
      run: async (main) => {
        try {
          return await inCell(clock, () => clock.run(() => this.#main(main)));
        } finally {
          ledgers = this.#places.map(({ link, host }) => ledgerOf(link.server, host.ledger));
          // All or nothing, so that the events of a cell come in the same order whether its sessions are fresh or not.
          if (this.#places.every(({ session }) => session?.isIdle)) release();
          else await this.discard();
        }
      },
    };
  }

  /** Closes what is connected. */
  async discard(): Promise<void> {
    await Promise.all(this.#places.map(async (place) => {
      place.session = undefined;
      await place.link.close();
      await place.link.discard();
    }));
  }

  async #main<T>(main: () => Promise<T>): Promise<T> {
    try {
      return await main();
    } finally {
      await Promise.all(this.#places.map(({ link }) => link.close()));
    }
  }

  #pool(): SessionPool {
    const placeOf = (port: ServerPort) => this.#places.find((place) => place.port === port);
    return {
      take(port) {
        const place = placeOf(port);
        const session = place?.session;
        if (place === undefined || session === undefined || !place.link.resume()) return undefined;
        place.session = undefined;
        return session;
      },
      async put(port, session) {
        const place = placeOf(port);
        if (place?.session === undefined && place?.link.park()) place.session = session;
        else await session.close();
      },
    };
  }

  async #connect(place: Place): Promise<ByteConnection> {
    const [near, far] = memoryPair();
    await new FixtureServer(place.host, far).start();
    return near;
  }
}
