/** What every gate before a hub has in common: it looks at calls, and shows of the hub all that it has. */
import type { Failure, Json } from "../../core/mod.ts";
import type { CallOptions, CallOutcome, ServerStatus, ToolHub } from "../hub/mod.ts";
import type { ToolSpec } from "../models/model.ts";

/** A hub that stands before another, and decides on each call what becomes of it. */
export abstract class GateHub implements ToolHub {
  /** Stands before a hub. */
  constructor(protected readonly hub: ToolHub) {}

  /** See {@linkcode ToolHub.servers}. */
  servers(): ServerStatus[] {
    return this.hub.servers();
  }

  /** See {@linkcode ToolHub.specs}. */
  specs(allow: readonly string[]): ToolSpec[] {
    return this.hub.specs(allow);
  }

  /** See {@linkcode ToolHub.down}. */
  down(allow: readonly string[]): { name: string; failure: Failure }[] {
    return this.hub.down(allow);
  }

  /** See {@linkcode ToolHub.call}. */
  abstract call(name: string, args: { [key: string]: Json }, options: CallOptions): Promise<CallOutcome>;
}
