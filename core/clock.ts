/**
 * Time, as something that is passed in.
 *
 * Everything that waits in Brownout waits on a {@linkcode Clock}. In the `wire` lane it is the machine's clock; in the
 * `sim` lane it is a virtual one that jumps to the next timer as soon as nothing is left to run.
 */

/** A pending wake-up that can be called off. */
export interface Timer {
  /** Calls the wake-up off. Harmless when it has already happened. */
  cancel(): void;
}

/** A source of time for one cell. All times are milliseconds since the clock was made. */
export interface Clock {
  /** `virtual` jumps from timer to timer; `real` follows the machine. */
  readonly kind: "virtual" | "real";
  /** Milliseconds since this clock was made. */
  now(): number;
  /**
   * Asks to be woken once.
   *
   * @param ms Delay in milliseconds, at least 0 and finite.
   * @param wake Called once, never before this call has returned.
   * @throws {RangeError} If `ms` is negative, infinite or not a number.
   */
  after(ms: number, wake: () => void): Timer;
}

/** Validates a delay, so that both clocks refuse the same ones. */
export function checkDelay(ms: number): void {
  if (!Number.isFinite(ms) || ms < 0) {
    throw new RangeError(`a delay must be a finite number of milliseconds, at least 0; got ${ms}`);
  }
}

/**
 * Resolves after `ms` milliseconds of the clock's time.
 *
 * @param signal Ends the wait early; its timer is then cancelled.
 * @throws The signal's reason, if it aborts first.
 */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.after(ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** The reason with which a {@linkcode Deadline} aborts its signal. */
export class DeadlineExceeded extends Error {
  /** `DeadlineExceeded` */
  override readonly name = "DeadlineExceeded";
  /**
   * A deadline that has passed.
   *
   * @param ms The time that was allowed, in milliseconds.
   */
  constructor(readonly ms: number) {
    super(`deadline of ${ms} ms exceeded`);
  }
}

/** A signal that aborts when its time is up or when its parent aborts, and holds nothing once disposed. */
export interface Deadline extends Disposable {
  /** Aborts with {@linkcode DeadlineExceeded}, or with the parent's reason. */
  readonly signal: AbortSignal;
  /** Aborts now, with a reason of the caller's. */
  abort(reason: unknown): void;
}

/**
 * Makes a signal for one piece of work: aborted after `ms` of the clock's time, or with `parent`, whichever is first.
 * Dispose it when the work is over: the timer is cancelled and the parent forgotten, and the signal never fires again.
 *
 * @param ms Milliseconds allowed; `undefined` for no limit of its own.
 * @example
 * ```ts
 * import { deadline, RealClock, sleep } from "./mod.ts";
 * import assert from "node:assert/strict";
 *
 * const clock = new RealClock();
 * using limit = deadline(clock, 5);
 * await assert.rejects(sleep(clock, 60_000, limit.signal), { name: "DeadlineExceeded" });
 * ```
 */
export function deadline(clock: Clock, ms: number | undefined, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  let over = false;
  const end = (): void => {
    over = true;
    timer?.cancel();
    parent?.removeEventListener("abort", onParent);
  };
  const abort = (reason: unknown): void => {
    if (over) return;
    end();
    controller.abort(reason);
  };
  const onParent = () => abort(parent?.reason);
  const timer = ms === undefined ? undefined : clock.after(ms, () => abort(new DeadlineExceeded(ms)));
  if (parent?.aborted) onParent();
  else parent?.addEventListener("abort", onParent, { once: true });
  return { signal: controller.signal, abort, [Symbol.dispose]: end };
}
