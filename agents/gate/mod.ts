/**
 * What stands between workers and the hub: approval, and the record of what has had an effect.
 *
 * @module
 */
import type { Clock } from "../../core/mod.ts";
import type { Crew } from "../crews/crew.ts";
import type { ToolHub } from "../hub/mod.ts";
import type { Emit } from "../observe.ts";
import type { Operator } from "../people.ts";
import type { RunLog } from "../run_log.ts";

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
}

/** The hub behind its gates. */
export function gated(hub: ToolHub, _options: GateOptions): ToolHub {
  return hub;
}
