import type { Clock } from "../core/mod.ts";
import { type ArmedFault, armFaults } from "./faults/armed.ts";
import type { Circumstances, Fault, FaultEntry } from "./faults/fault.ts";
import type { LinkSession } from "./link_session.ts";
import type { Observer } from "./world_event.ts";

/** What one cell wants of a link. */
export interface LinkBinding {
  /** The cell's faults, for all its servers; a link takes those that are at its own. */
  faults: readonly FaultEntry[];
  /** The cell's clock. */
  clock: Clock;
  /** What all random numbers of the faults depend on. */
  seed: string;
  /** Told what really happens. */
  observer: Observer;
}

const NONE: readonly ArmedFault[] = [];

/** The state of a link for one cell. */
export class LinkCell {
  readonly clock: Clock;
  readonly observe: Observer;
  readonly faults: readonly ArmedFault[];
  /** Aborts when the cell is over. */
  readonly over: AbortController = new AbortController();
  /** Open connections. */
  readonly sessions: Set<LinkSession> = new Set();
  /** Server ends that are being closed. */
  readonly closing: Set<Promise<void>> = new Set();
  readonly #calls = new Map<string, number>();
  #attempts = 0;

  constructor(
    readonly server: string,
    catalogue: ReadonlyMap<string, Fault>,
    { faults, clock, seed, observer }: LinkBinding,
  ) {
    this.clock = clock;
    this.observe = observer;
    this.faults = armFaults(faults, catalogue, server, seed);
  }

  /** Counts one more attempt to connect. */
  nextAttempt(): number {
    return ++this.#attempts;
  }

  /** Counts one more call of a tool. */
  nextCall(tool: string): number {
    const call = (this.#calls.get(tool) ?? 0) + 1;
    this.#calls.set(tool, call);
    return call;
  }

  /** The faults that strike a new call of this tool, in their order. Counts the call for each fault that covers it. */
  strike(tool: string): readonly ArmedFault[] {
    if (this.faults.length === 0) return NONE;
    const now = this.clock.now();
    return this.faults.filter((fault) => fault.ofCalls && fault.covers(tool) && fault.next(now));
  }

  /** What a hook is told. */
  circumstances(fault: ArmedFault, tool: string | undefined, call: number, signal: AbortSignal): Circumstances {
    const { clock, server } = this;
    return { clock, server, tool, call, signal, random: fault.random(tool ?? "", call) };
  }
}
