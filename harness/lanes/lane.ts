/** A lane: where a cell's world lives. The code above is the same in both; only clock and pipes differ. */
import type { ServerPort, SessionPool } from "../../agents/mod.ts";
import type { Clock } from "../../core/mod.ts";
import type { FaultEntry, WorldEvent } from "../../servers/mod.ts";
import type { LaneName } from "../trace/event.ts";
import type { ServerLedger } from "./ledger.ts";

/** What a world is made of. */
export interface WorldSpec {
  /** Fixtures to run, by name. */
  readonly servers: readonly string[];
  /** Data of each fixture; what is missing is the fixture's default. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Faults of the cell. */
  readonly faults: readonly FaultEntry[];
  /** What all that is random in the cell depends on. */
  readonly seed: string;
  /** Whether timers that are due at the same instant are shuffled, by the seed. `sim` only. */
  readonly shuffle: boolean;
  /** Told what really happens between hub and servers. */
  readonly observer: (event: WorldEvent) => void;
  /** Calls the opening off. */
  readonly signal?: AbortSignal;
}

/** The servers and the clock of one cell. */
export interface World {
  /** What the servers themselves have on record; complete when {@linkcode World.run} has settled. */
  readonly ledgers: readonly ServerLedger[];
  /** The cell's clock; it has not been asked yet. */
  readonly clock: Clock;
  /** How to reach each server. */
  readonly ports: readonly ServerPort[];
  /** Sessions that are connected already, where the lane keeps some. */
  readonly pool?: SessionPool;
  /** Ends all connections at once, as the death of the subject's process would. The servers live on, with all they hold. */
  cut(): void;
  /**
   * Runs the cell's main function under this world's clock, once. Before it settles, every connection is closed.
   *
   * @throws What `main` throws, and the clock's own errors: stalled, stray, runaway.
   */
  run<T>(main: () => Promise<T>): Promise<T>;
}

/** Makes worlds, and keeps what outlives them. */
export interface Lane extends AsyncDisposable {
  /** Which one. */
  readonly name: LaneName;
  /**
   * Makes the world of one cell, with its servers ready. Whoever gets one runs it: that is what gives it back.
   *
   * @throws If a server cannot be started: an error of the bench.
   */
  open(spec: WorldSpec): Promise<World>;
}
