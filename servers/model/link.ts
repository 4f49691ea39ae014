/**
 * The way from the agents to their models: does to calls and turns what a scenario's faults say, and records what really
 * happened. It stands in the same process as its caller in both lanes, and inside the endpoint for everybody else.
 */
import { type Clock, ClosedError, type Deadline, deadline, untilAborted } from "../../core/mod.ts";
import { type ArmedFault, armFaults } from "../faults/armed.ts";
import type { Fault, FaultEntry } from "../faults/fault.ts";
import type { ModelCall, ModelReply } from "../faults/model_hooks.ts";
import { MODEL_FAULTS } from "../faults/model/mod.ts";
import type { ModelObserver } from "./events.ts";
import { ModelPassage } from "./passage.ts";

/** Asks a model for its next turn. Throws if the call fails, and the signal's reason if that aborts. */
export type NextTurn<Call extends ModelCall = ModelCall> = (call: Call, signal: AbortSignal) => Promise<ModelReply>;

/** What one cell wants of the way to its models. */
export interface ModelBinding {
  /** The cell's faults, for all its servers and agents; those at an agent are taken. */
  readonly faults: readonly FaultEntry[];
  /** The cell's clock. */
  readonly clock: Clock;
  /** What all random numbers of the faults depend on. */
  readonly seed: string;
  /** Told what really happens. */
  readonly observer: ModelObserver;
}

/** Options of {@linkcode ModelLink}. */
export interface ModelLinkOptions {
  /**
   * The faults that there are.
   *
   * @default MODEL_FAULTS
   */
  readonly catalogue?: ReadonlyMap<string, Fault>;
}

/** One call that has begun. Dispose it when it is over. */
export interface BegunCall<Call extends ModelCall> extends Disposable {
  /** Its way through the faults. */
  readonly passage: ModelPassage<Call>;
}

const CATALOGUE: ReadonlyMap<string, Fault> = new Map(MODEL_FAULTS.map((fault) => [fault.id, fault]));
const OVER = new ClosedError("the cell is over");

/** The state of one cell. */
interface ModelCell {
  readonly binding: ModelBinding;
  readonly faults: Map<string, readonly ArmedFault[]>;
  readonly calls: Map<string, number>;
  readonly open: Set<Deadline>;
  closed: boolean;
}

/**
 * Bound anew for each cell, it carries nothing from one to the next.
 *
 * Faults act in the order in which they are listed, each on what the one before it made. Their occasions are the calls of
 * one agent; a fault at `agent:*` counts them for each agent apart, so that agents that work at the same time cannot
 * change each other's faults.
 *
 * @example
 * ```ts
 * import { ModelLink } from "./mod.ts";
 * import { RealClock } from "../../core/mod.ts";
 * import assert from "node:assert/strict";
 *
 * const usage = { inputTokens: 1, outputTokens: 1 };
 * const link = new ModelLink(() => Promise.resolve({ text: "a rose", calls: [], finish: "stop", usage }));
 * const faults = [{ fault: "model_overloaded", at: "agent:poet", when: { first: 1 } }];
 * link.bind({ faults, clock: new RealClock(), seed: "1", observer: () => {} });
 * const { signal } = new AbortController();
 * const call = { agent: "poet", system: "", messages: [], tools: [] };
 * await assert.rejects(link.next(call, signal), { code: "model_error", status: 529 });
 * assert.equal((await link.next(call, signal)).text, "a rose");
 * ```
 */
export class ModelLink<Call extends ModelCall = ModelCall> {
  readonly #next: NextTurn<Call>;
  readonly #catalogue: ReadonlyMap<string, Fault>;
  #cell: ModelCell | undefined;

  /**
   * A link that is not bound.
   *
   * @param next The real model.
   */
  constructor(next: NextTurn<Call>, { catalogue = CATALOGUE }: ModelLinkOptions = {}) {
    this.#next = next;
    this.#catalogue = catalogue;
  }

  /**
   * Sets what the next cell wants: ordinals and random numbers begin anew. Calls of the cell before are ended.
   *
   * @throws {RangeError} If a fault at an agent is not in the catalogue.
   * @throws {z.ZodError} If a fault's parameters do not fit.
   */
  bind(binding: ModelBinding): void {
    const faults = binding.faults.filter(({ at }) => at.startsWith("agent:"));
    // Now, and not when the first agent calls.
    for (const { at } of faults) armFaults(faults, this.#catalogue, at, binding.seed);
    this.close();
    this.#cell = {
      binding: { ...binding, faults },
      faults: new Map(),
      calls: new Map(),
      open: new Set(),
      closed: false,
    };
  }

  /**
   * Asks the model, through the faults.
   *
   * @throws {ModelCallError} If a fault fails the call.
   * @throws {ClosedError} If the cell is over.
   * @throws Whatever the model throws, and the signal's reason if that aborts first.
   */
  async next(call: Call, signal: AbortSignal): Promise<ModelReply> {
    using begun = this.begin(call, signal, false);
    const { passage } = begun;
    const reply = await passage.ask() ?? await this.real(passage.request, passage.signal);
    return await passage.turn(reply);
  }

  /**
   * Begins a call, counts it, and settles which faults strike it: for callers that take its steps themselves.
   *
   * @param bytes Whether bytes are sent, so that faults of bytes act on them.
   * @throws {ClosedError} If the cell is over.
   */
  begin(request: Call, signal: AbortSignal, bytes: boolean): BegunCall<Call> {
    const cell = this.#cell;
    if (cell === undefined) throw new Error("bind the link to the models before asking one");
    if (cell.closed) throw OVER;
    const { clock, observer: observe } = cell.binding;
    const { agent } = request;
    const call = (cell.calls.get(agent) ?? 0) + 1;
    cell.calls.set(agent, call);
    const now = clock.now();
    const faults = this.#faultsOf(cell, agent).filter((fault) => fault.next(now));
    const life = deadline(clock, undefined, signal);
    cell.open.add(life);
    return {
      passage: new ModelPassage({ request, call, faults, bytes, clock, observe, signal: life.signal }),
      [Symbol.dispose]() {
        cell.open.delete(life);
        life[Symbol.dispose]();
      },
    };
  }

  /** Asks the real model, without any fault. */
  real(call: Call, signal: AbortSignal): Promise<ModelReply> {
    return untilAborted(this.#next(call, signal), signal);
  }

  /** Ends the cell: calls on their way throw {@linkcode ClosedError}, and so does every later one. */
  close(): void {
    const cell = this.#cell;
    if (cell === undefined) return;
    cell.closed = true;
    for (const life of cell.open) life.abort(OVER);
  }

  #faultsOf(cell: ModelCell, agent: string): readonly ArmedFault[] {
    const known = cell.faults.get(agent);
    if (known !== undefined) return known;
    const { faults, seed } = cell.binding;
    const armed = faults.length === 0 ? [] : armFaults(faults, this.#catalogue, `agent:${agent}`, seed);
    cell.faults.set(agent, armed);
    return armed;
  }
}
