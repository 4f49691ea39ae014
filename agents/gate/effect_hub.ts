/** The last gate before the hub: writes down each call that may act before it is sent, and what came of it. */
import type { FailureCode, Json } from "../../core/mod.ts";
import { type CallOptions, type CallOutcome, serverOf, type ToolHub } from "../hub/mod.ts";
import { failed } from "../hub/outcome.ts";
import { GateHub } from "./gate_hub.ts";
import type { Emit } from "../observe.ts";
import { outcomeUnknown } from "./denial.ts";
import { effectId, keyIn } from "./effect_id.ts";
import type { EffectEnd, Effects } from "./effects.ts";
import { kindOf, specOf } from "./kind.ts";

/** What the record of effects works with. */
export interface EffectOptions {
  /** The record, shared with whoever asks it for permission. */
  readonly effects: Effects;
  /** What tells the run from others. */
  readonly runId: string;
  /** Told of each effect, as `effect`. */
  readonly emit: Emit;
}

/** A hub that remembers effects. One of which nobody knows whether it was had is told as `outcome_unknown`. */
export class EffectHub extends GateHub {
  /** Stands before a hub. */
  constructor(hub: ToolHub, private readonly options: EffectOptions) {
    super(hub);
  }

  /** See {@linkcode ToolHub.call}. */
  override async call(name: string, args: { [key: string]: Json }, options: CallOptions): Promise<CallOutcome> {
    const spec = specOf(this.hub.specs([name]), name);
    const kind = spec && kindOf(spec);
    if (kind === undefined || kind === "repeatable") return await this.hub.call(name, args, options);
    return kind === "reads"
      ? await this.#read(name, args, options)
      : await this.#act(name, args, options, kind === "acts");
  }

  async #read(name: string, args: { [key: string]: Json }, options: CallOptions): Promise<CallOutcome> {
    const outcome = await this.hub.call(name, args, options);
    if (outcome.code !== undefined) return outcome;
    const { effects, emit } = this.options;
    const had = effects.readBack(serverOf(name), options.caller?.packetId ?? "", outcome);
    for (const { id, tool } of had) emit("effect", options.span, { tool, key: id, state: "done" });
    return had.length === 0 ? outcome : { ...outcome, settles: had.flatMap(({ callIds }) => callIds) };
  }

  async #act(
    name: string,
    args: { [key: string]: Json },
    options: CallOptions,
    isClaimed: boolean,
  ): Promise<CallOutcome> {
    const { effects, runId, emit } = this.options;
    // What surely is not sent is not written down as sent: it can be tried again.
    if (options.signal.aborted) return failed("aborted", "the call was called off");
    if (this.hub.down([name]).length > 0) return await this.hub.call(name, args, options);
    const id = effectId(runId, name, args);
    const key = keyIn(args);
    const packetId = options.caller?.packetId ?? "";
    effects.sent(id, { packetId, tool: name, callId: options.span, ...(key === undefined ? {} : { key }) });
    if (isClaimed) emit("effect", options.span, { tool: name, key: id, state: "sent" });
    const outcome = await this.hub.call(name, args, options);
    const end = endOf(outcome);
    effects.ended(id, end, outcome);
    // A tool that claims no effect has failed as any other; only a repeat of it is held back.
    if (!isClaimed) return outcome;
    emit("effect", options.span, { tool: name, key: id, state: end });
    return end === "unknown" ? outcomeUnknown(name, serverOf(name), outcome) : outcome;
  }
}

/** Codes by which a server says exactly why it has not even begun. */
const NOT_BEGUN: ReadonlySet<FailureCode> = new Set(["rate_limited", "unauthorized", "conflict"]);

/**
 * What a call's end says of its effect. A server that refuses with a reason that has a code has not acted. One that answers
 * with an error may have acted before it failed, and one that answers with nothing has not said that it has done anything.
 */
export function endOf({ kind, code }: CallOutcome): EffectEnd {
  if (code !== undefined && NOT_BEGUN.has(code)) return "failed";
  switch (kind) {
    case "answered":
      return code === undefined ? "done" : "unknown";
    case "tool_error":
    case "rpc_error":
    case "malformed":
    case "timeout":
    case "aborted":
    case "closed":
      return "unknown";
    case "circuit_open":
    case "refused":
    case "denied":
    case "unknown_tool":
    case "unlisted":
      return "failed";
  }
}
