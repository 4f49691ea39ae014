/**
 * What stands between workers and the hub: no effect is had twice unknowingly, no call is made that a rule holds back,
 * and what was sent is on record.
 *
 * @module
 */
import type { Clock } from "../../core/mod.ts";
import type { Crew } from "../crews/crew.ts";
import type { ToolHub } from "../hub/mod.ts";
import type { Emit } from "../observe.ts";
import type { Operator } from "../people.ts";
import type { RunLog } from "../run_log.ts";
import { ApprovalHub } from "./approval_hub.ts";
import { EffectHub } from "./effect_hub.ts";
import { Effects } from "./effects.ts";
import { RepeatHub } from "./repeat_hub.ts";

export { bindingOf } from "./binding.ts";

/** What a gate works with. */
export interface GateOptions {
  /** The team, for its approval rules. */
  readonly crew: Crew;
  /** Who decides; nobody, and what needs a decision is denied. */
  readonly operator?: Operator;
  /** Remembers decisions and calls across a kill. */
  readonly log: RunLog;
  /** The run's clock. */
  readonly clock: Clock;
  /** Told of each decision. */
  readonly emit: Emit;
  /**
   * What tells the run from others that call the same servers; part of every idempotency key. The same after a kill.
   *
   * @default "run"
   */
  readonly runId?: string;
}

/**
 * The hub behind its gates. A call passes three, in this order: whether the same was done before, or may have been;
 * whether it is approved; and the record of what is sent.
 *
 * @throws {z.ZodError} If the log holds entries of these gates that were never written by them.
 */
export function gated(hub: ToolHub, { crew, operator, log, clock, emit, runId = "run" }: GateOptions): ToolHub {
  const record = { effects: new Effects(log), runId, emit };
  const wasSent = (callId: string) => record.effects.wasSent(callId);
  const deciding = { rules: crew.approval ?? [], log, clock, emit, wasSent };
  const approval = { ...deciding, ...(operator === undefined ? {} : { operator }) };
  return new RepeatHub(new ApprovalHub(new EffectHub(hub, record), approval), record);
}
