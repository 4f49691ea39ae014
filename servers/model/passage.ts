import type { Clock } from "../../core/mod.ts";
import type { ArmedFault } from "../faults/armed.ts";
import {
  type ModelCall,
  ModelCallError,
  type ModelCircumstances,
  type ModelReply,
  type WireReply,
} from "../faults/model_hooks.ts";
import { untilGone } from "../faults/model/wire.ts";
import type { ModelObserver } from "./events.ts";

/** What a passage is made of. */
export interface PassageOptions<Call extends ModelCall> {
  /** What the caller asks. */
  readonly request: Call;
  /** The number of the call among the calls of its agent. */
  readonly call: number;
  /** The faults that strike it, in their order, settled once, when it is made. */
  readonly faults: readonly ArmedFault[];
  /** Whether bytes are sent: a fault of bytes then acts on them, and not on the turn. */
  readonly bytes: boolean;
  /** The cell's clock. */
  readonly clock: Clock;
  /** Told what really happens. */
  readonly observe: ModelObserver;
  /** Aborts when the caller goes away or the cell ends. */
  readonly signal: AbortSignal;
}

/** One call on its way through the faults: to the model, back, and out as bytes. */
export class ModelPassage<Call extends ModelCall> {
  /** What is asked; faults may have changed it. */
  request: Call;
  readonly #options: PassageOptions<Call>;
  readonly #fired = new Set<ArmedFault>();

  /** A call that has not begun. */
  constructor(options: PassageOptions<Call>) {
    this.#options = options;
    this.request = options.request;
  }

  /** Its number among the calls of its agent, from 1. */
  get call(): number {
    return this.#options.call;
  }

  /** Aborts when the caller goes away or the cell ends. */
  get signal(): AbortSignal {
    return this.#options.signal;
  }

  /** Whether a fault may change the turn, so that all of it must be there first. */
  get changesTurn(): boolean {
    return this.#options.faults.some((fault) => this.#onTurn(fault) !== undefined);
  }

  /** Whether a fault may change the bytes. */
  get changesBytes(): boolean {
    return this.#options.faults.some(({ hooks }) => hooks.wire !== undefined);
  }

  /**
   * The way to the model.
   *
   * @returns A reply in the model's stead, if a fault has one; otherwise the model is to be asked {@linkcode request}.
   * @throws {ModelCallError} If a fault fails the call.
   * @throws The signal's reason, if it aborts first.
   */
  async ask(): Promise<ModelReply | undefined> {
    for (const fault of this.#options.faults) {
      const { ask } = fault.hooks;
      if (ask === undefined) continue;
      const verdict = await this.#consult(fault, (ctx) => ask(this.request, ctx));
      if (verdict?.do === "replace") this.request = { ...this.request, ...verdict.change };
      if (verdict?.do === "answer") return verdict.reply;
      if (verdict?.do === "fail") throw new ModelCallError(verdict.failure);
      if (verdict?.do === "drop") return untilGone(this.signal);
    }
    return undefined;
  }

  /**
   * The way back.
   *
   * @throws {ModelCallError} If a fault fails the call after all.
   * @throws The signal's reason, if it aborts first.
   */
  async turn(reply: ModelReply): Promise<ModelReply> {
    for (const fault of this.#options.faults) {
      const turn = this.#onTurn(fault);
      if (turn === undefined) continue;
      const before = reply;
      const verdict = await this.#consult(fault, (ctx) => turn(before, ctx));
      if (verdict?.do === "replace") reply = verdict.reply;
      if (verdict?.do === "fail") throw new ModelCallError(verdict.failure);
      if (verdict?.do === "drop") return untilGone(this.signal);
    }
    return reply;
  }

  /**
   * The way out.
   *
   * @throws The signal's reason, if it aborts first.
   */
  async wire(reply: WireReply): Promise<WireReply> {
    for (const fault of this.#options.faults) {
      const { wire } = fault.hooks;
      if (wire === undefined) continue;
      const before = reply;
      const fired = () => this.#observeFired(fault);
      const verdict = await this.#consult(fault, (ctx) => wire(before, { ...ctx, fired }), false);
      if (verdict?.do === "replace") reply = verdict.reply;
      if (verdict?.do === "drop") {
        fired();
        return untilGone(this.signal);
      }
    }
    return reply;
  }

  #onTurn({ hooks }: ArmedFault): ArmedFault["hooks"]["turn"] {
    return this.#options.bytes && hooks.wire !== undefined ? undefined : hooks.turn;
  }

  /** Asks a fault what to do, and records that it fired, or that it broke; a broken fault lets the call pass. */
  async #consult<V>(
    fault: ArmedFault,
    hook: (ctx: ModelCircumstances) => V | void | Promise<V | void>,
    fires = true,
  ): Promise<V | void> {
    const { call, clock, observe, signal } = this.#options;
    const { request } = this;
    const { agent } = request;
    signal.throwIfAborted();
    try {
      const random = fault.random(agent, call);
      const verdict = hook({ clock, random, call, agent, request, signal });
      if (verdict !== undefined && fires) this.#observeFired(fault);
      return verdict instanceof Promise ? await verdict : verdict;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      observe({ type: "model_fault_broke", ...placeOf(fault), agent, call, message: String(error) });
    }
  }

  #observeFired(fault: ArmedFault): void {
    if (this.#fired.has(fault)) return;
    this.#fired.add(fault);
    const { call, observe } = this.#options;
    observe({ type: "model_fault", ...placeOf(fault), agent: this.request.agent, call });
  }
}

/** Which fault it is, for an event. */
function placeOf({ id, at, rank }: ArmedFault): { fault: string; at: string; rank?: number } {
  return { fault: id, at, ...(rank > 1 ? { rank } : {}) };
}
