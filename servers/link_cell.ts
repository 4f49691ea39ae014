import type { Clock } from "../core/mod.ts";
import { type ArmedFault, armFaults } from "./faults/armed.ts";
import { Debts } from "./debts.ts";
import type { Circumstances, Fault, FaultEntry, Phase } from "./faults/fault.ts";
import type { LinkSession } from "./link_session.ts";
import type { FaultEvent, Observer } from "./world_event.ts";

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
  /** Whether a fault may look at how a session is set up: `initialize` and `tools/list`. */
  readonly ofSetup: boolean;
  /** Whether a fault may change bytes. */
  readonly ofBytes: boolean;
  /** Whether its faults need a connection that is made in the cell. */
  readonly needsFresh: boolean;
  /** Aborts when the cell is over. */
  readonly over: AbortController = new AbortController();
  /** What its hub still waits for. */
  readonly debts: Debts = new Debts();
  /** Open connections. */
  readonly sessions: Set<LinkSession> = new Set();
  /** Server ends that are being closed. */
  readonly closing: Set<Promise<void>> = new Set();
  /** Whether a fault has ended one of its connections. */
  hasHungUp = false;
  readonly #calls = new Map<string, number>();
  readonly #ordinals = new Map<string, number>();
  #attempts = 0;

  constructor(
    readonly server: string,
    catalogue: ReadonlyMap<string, Fault>,
    { faults, clock, seed, observer }: LinkBinding,
  ) {
    this.clock = clock;
    this.observe = observer;
    this.faults = armFaults(faults, catalogue, server, seed);
    this.ofSetup = this.faults.some(({ phase, hooks }) =>
      phase === "initialize" || phase === "list" || hooks.initialize !== undefined || hooks.list !== undefined
    );
    this.ofBytes = this.faults.some(({ hooks }) => hooks.bytes !== undefined);
    this.needsFresh = this.faults.some(({ id }) => catalogue.get(id)?.ofConnection);
  }

  /** Counts one more attempt to connect. */
  nextAttempt(): number {
    return ++this.#attempts;
  }

  /** Counts one more occasion of a phase: for a call, among the calls of its tool. */
  nextOf(phase: Phase, tool: string | undefined): number {
    const ordinals = tool === undefined ? this.#ordinals : this.#calls;
    const key = tool ?? phase;
    const ordinal = (ordinals.get(key) ?? 0) + 1;
    ordinals.set(key, ordinal);
    return ordinal;
  }

  /**
   * The faults that strike a new request, in their order: counted for those whose phase it is, and those that have a
   * hook of its name.
   */
  strike(phase: Phase, tool: string | undefined): readonly ArmedFault[] {
    if (this.faults.length === 0) return NONE;
    const now = this.clock.now();
    return this.faults.filter((fault) =>
      fault.phase === phase
        ? (tool === undefined || fault.covers(tool)) && fault.next(now)
        : (phase === "initialize" || phase === "list") && fault.hooks[phase] !== undefined
    );
  }

  /** Whether a fault strikes on an occasion that has no request: counted if it is of its phase. */
  strikesOn(fault: ArmedFault, phase: Phase): boolean {
    return fault.phase !== phase || fault.next(this.clock.now());
  }

  /** What a hook is told. */
  circumstances(fault: ArmedFault, tool: string | undefined, call: number, signal: AbortSignal): Circumstances {
    const { clock, server } = this;
    return { clock, server, tool, call, signal, random: fault.random(tool ?? "", call) };
  }

  /** Where a fault strikes, for events. */
  place(fault: ArmedFault, phase: Phase, tool: string | undefined, call: number): Omit<FaultEvent, "type"> {
    const known = phase === "call" || phase === "connect" ? {} : { phase };
    return {
      server: this.server,
      fault: fault.id,
      at: fault.at,
      ...(fault.rank > 1 ? { rank: fault.rank } : {}),
      ...(tool === undefined ? {} : { tool }),
      call,
      ...known,
    };
  }
}
