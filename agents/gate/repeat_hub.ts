/** The first gate: no effect is had twice unknowingly. */
import { type Json, untilAborted } from "../../core/mod.ts";
import { type CallOptions, type CallOutcome, isAllowed, serverOf, type ToolHub } from "../hub/mod.ts";
import { failed } from "../hub/outcome.ts";
import { GateHub } from "./gate_hub.ts";
import { denied, madeBefore, madeForAnother, mayHaveActed } from "./denial.ts";
import type { EffectOptions } from "./effect_hub.ts";
import { effectId, withKey } from "./effect_id.ts";
import { kindOf, specOf } from "./kind.ts";

/**
 * A hub that looks a call with an effect up before anybody is asked about it. One that this packet has made gets its
 * result from then; one that another packet has made is denied; one that may have acted is refused until the packet has
 * read back. Calls for the same effect go one after the other. Each gets an idempotency key where the tool takes one, here
 * and not later: who approves a call sees all that is sent.
 */
export class RepeatHub extends GateHub {
  /** The last call under way for each effect. */
  readonly #under = new Map<string, Promise<void>>();

  /** Stands before a hub. */
  constructor(hub: ToolHub, private readonly options: EffectOptions) {
    super(hub);
  }

  /** See {@linkcode ToolHub.call}. */
  override async call(name: string, args: { [key: string]: Json }, options: CallOptions): Promise<CallOutcome> {
    const spec = isAllowed(name, options.allow) ? specOf(this.hub.specs([name]), name) : undefined;
    const kind = spec && kindOf(spec);
    if (spec === undefined || kind === "reads" || kind === "repeatable") {
      return await this.hub.call(name, args, options);
    }
    let id: string;
    try {
      id = effectId(this.options.runId, name, args);
    } catch {
      return denied(name, "policy", "its arguments cannot be written down");
    }
    if (kind === "unclaimed") {
      return this.#refusal(id, name, options, false) ?? await this.hub.call(name, args, options);
    }
    const keyed = withKey(spec, args, id);
    // As things were when the model asked: what it has not seen yet is no reason to repeat anything.
    const refusal = this.#under.has(id) ? undefined : this.#refusal(id, name, options, true);
    if (refusal !== undefined) return refusal;
    return await this.#inTurn(
      id,
      options.signal,
      async (hasWaited) =>
        (hasWaited ? this.#refusal(id, name, options, true) : undefined) ?? await this.hub.call(name, keyed, options),
    );
  }

  /** Why a call is not made; `undefined` if it may be. */
  #refusal(id: string, tool: string, { caller, span }: CallOptions, isClaimed: boolean): CallOutcome | undefined {
    const { effects, emit } = this.options;
    const permission = effects.permission(id, caller?.packetId ?? "");
    // Of a tool that claims nothing it is not known whether it acts: asked twice it may just have been read twice.
    if (permission.verdict === "send" || (!isClaimed && permission.verdict !== "unknown")) return undefined;
    if (permission.verdict === "unknown") effects.held(id, span);
    emit("effect", span, { tool, key: id, state: permission.verdict === "reuse" ? "reused" : "refused" });
    switch (permission.verdict) {
      case "reuse":
        return madeBefore(permission.outcome);
      case "another":
        return madeForAnother(tool);
      case "unknown":
        return mayHaveActed(tool, serverOf(tool));
    }
  }

  async #inTurn(
    id: string,
    signal: AbortSignal,
    work: (hasWaited: boolean) => Promise<CallOutcome>,
  ): Promise<CallOutcome> {
    const before = this.#under.get(id);
    const { promise, resolve } = Promise.withResolvers<void>();
    const mine = before === undefined ? promise : before.then(() => promise);
    this.#under.set(id, mine);
    try {
      if (before !== undefined) await untilAborted(before, signal);
    } catch {
      // The next one waits for `mine`, and through it for all before: giving up early lets nobody past them.
      this.#end(id, mine, resolve);
      return failed("aborted", "the call was called off");
    }
    try {
      return await work(before !== undefined);
    } finally {
      this.#end(id, mine, resolve);
    }
  }

  #end(id: string, mine: Promise<void>, resolve: () => void): void {
    resolve();
    if (this.#under.get(id) === mine) this.#under.delete(id);
  }
}
