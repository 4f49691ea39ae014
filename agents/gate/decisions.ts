/** What was decided on calls, and what it adds up to; kept in the run's log. */
import * as z from "zod";
import type { Json } from "../../core/mod.ts";
import { JsonValue } from "../contracts.ts";
import type { RunLog } from "../run_log.ts";
import type { CountedCall } from "./rules.ts";

/** The list of the run's log. */
const LIST = "gate.approvals";

const Decided = z.strictObject({
  entry: z.literal("decided"),
  callId: z.string(),
  tool: z.string(),
  args: z.record(z.string(), JsonValue),
  binding: z.string(),
  decision: z.enum(["approved", "denied"]),
  by: z.enum(["policy", "operator", "nobody"]),
  because: z.string(),
  /** When the call was asked for, in milliseconds of the run's clock. */
  at: z.number(),
});
const Entry = z.discriminatedUnion("entry", [
  Decided,
  z.strictObject({ entry: z.literal("used"), callId: z.string() }),
  z.strictObject({ entry: z.literal("returned"), callId: z.string() }),
]);

/** A decision on one call. */
export type Decided = Omit<z.output<typeof Decided>, "entry">;

/** What is known of a call id. */
export interface Known {
  /** The call that it belongs to. */
  readonly binding: string;
  /** What was decided; nothing yet while somebody is asked. */
  readonly decided?: Decided;
  /** Whether the call was made on the strength of it. */
  readonly isUsed: boolean;
  /** Whether that came to nothing, for certain. */
  readonly isReturned?: true;
  /** Whether it is of an earlier life of this run, which was killed. */
  readonly isEarlier: boolean;
}

interface Counted extends CountedCall {
  readonly callId: string;
}

/** The decisions of a run, those before a kill included. */
export class Decisions {
  readonly #log: RunLog;
  readonly #known = new Map<string, Known>();
  #counted: Counted[] = [];

  /**
   * Reads what the log has.
   *
   * @throws {z.ZodError} If the log holds what was never written here.
   */
  constructor(log: RunLog) {
    this.#log = log;
    for (const written of log.read(LIST)) this.#replay(Entry.parse(written));
  }

  /** Calls whose amounts count: let through and not given back, or waiting for a decision. */
  get counted(): readonly CountedCall[] {
    return this.#counted;
  }

  /** What is known of a call id. */
  of(callId: string): Known | undefined {
    return this.#known.get(callId);
  }

  /** A call is being decided on: its amount counts from now on, so that none can slip past it. */
  begin(callId: string, binding: string, call: CountedCall): void {
    this.#known.set(callId, { binding, isUsed: false, isEarlier: false });
    this.#counted.push({ ...call, callId });
  }

  /** It was decided. The amount of a call that is denied is given back. */
  decide(decided: Decided): void {
    this.#append({ entry: "decided", ...decided });
    this.#known.set(decided.callId, { binding: decided.binding, decided, isUsed: false, isEarlier: false });
    if (decided.decision === "denied") this.#giveBack(decided.callId);
  }

  /** Nobody waits for a decision any more. Nothing of it is remembered: a run that goes on asks again. */
  withdraw(callId: string): void {
    this.#giveBack(callId);
  }

  /** A call is made. From now on its decision is worth nothing. */
  use(callId: string): void {
    this.#append({ entry: "used", callId });
    const known = this.#known.get(callId);
    if (known !== undefined) this.#known.set(callId, { ...known, isUsed: true, isEarlier: false });
  }

  /** Nothing came of a call, for certain: its amount no longer counts. */
  giveBack(callId: string): void {
    this.#append({ entry: "returned", callId });
    this.#giveBack(callId);
  }

  #append(entry: { [key: string]: Json }): void {
    this.#log.append(LIST, entry);
  }

  /** The latest of that id only: an earlier one may have acted. */
  #giveBack(callId: string): void {
    const last = this.#counted.findLastIndex((counted) => counted.callId === callId);
    this.#counted = this.#counted.filter((_, i) => i !== last);
  }

  #replay(written: z.output<typeof Entry>): void {
    const { callId } = written;
    const known = this.#known.get(callId);
    if (written.entry === "decided") {
      const { entry: _, ...decided } = written;
      this.#known.set(callId, { binding: decided.binding, decided, isUsed: false, isEarlier: true });
      const { tool, args, at } = decided;
      if (decided.decision === "approved") this.#counted.push({ callId, tool, args, at });
    } else if (written.entry === "used") {
      if (known !== undefined) this.#known.set(callId, { ...known, isUsed: true });
    } else {
      if (known !== undefined) this.#known.set(callId, { ...known, isReturned: true });
      this.#giveBack(callId);
    }
  }
}
