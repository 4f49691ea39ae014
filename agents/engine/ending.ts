/**
 * What can end a run from outside its graph: its deadline and its caller.
 */
import { type Clock, DeadlineExceeded, type FailureCode, type Timer } from "../../core/mod.ts";
import { asFailure } from "./task.ts";

/** Why a run ends early. */
export interface Cause {
  /** The run's status. */
  readonly status: "deadline" | "cancelled";
  /** The failure code of the tasks that were running. */
  readonly code: FailureCode & ("timeout" | "cancelled");
  /** What happened, for people. */
  readonly detail: string;
  /** The reason with which signals abort. */
  readonly reason: unknown;
}

/** Watches a run's deadline and its caller's signal. The first of them to come is the cause, for good. */
export class Ending implements Disposable {
  /** Told once, at the moment of the end. */
  onEnd: ((cause: Cause) => void) | undefined;
  readonly #clock: Clock;
  readonly #dueAt: number;
  readonly #timer: Timer | undefined;
  #cause: Cause | undefined;

  /** @param deadlineMs Milliseconds allowed from now; `undefined` for no limit. */
  constructor(clock: Clock, readonly deadlineMs: number | undefined, readonly signal: AbortSignal | undefined) {
    this.#clock = clock;
    this.#dueAt = deadlineMs === undefined ? Infinity : clock.now() + deadlineMs;
    if (deadlineMs !== undefined) this.#timer = clock.after(deadlineMs, this.#onDeadline);
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** The cause of the end, if it has come. Looks at the clock too: on a real one, microtasks alone starve its timers. */
  cause(): Cause | undefined {
    if (this.#dueAt !== Infinity && this.#clock.now() >= this.#dueAt) this.#onDeadline();
    return this.#cause;
  }

  /** Forgets the signal and cancels the timer. */
  [Symbol.dispose](): void {
    this.#timer?.cancel();
    this.signal?.removeEventListener("abort", this.#onAbort);
  }

  readonly #onDeadline = (): void => {
    const ms = this.deadlineMs ?? 0;
    const detail = `the run's deadline of ${ms} ms has passed`;
    this.#end({ status: "deadline", code: "timeout", detail, reason: new DeadlineExceeded(ms) });
  };

  readonly #onAbort = (): void => {
    const reason: unknown = this.signal?.reason;
    const detail = `the run was called off: ${asFailure(reason).detail}`;
    this.#end({ status: "cancelled", code: "cancelled", detail, reason });
  };

  #end(cause: Cause): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    this.onEnd?.(cause);
  }
}
