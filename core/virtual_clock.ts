/**
 * The virtual clock: the one place on which every byte-stable promise of the `sim` lane rests.
 *
 * JavaScript shows no idleness, so the rule is strict: code under this clock waits only on microtasks and on the clock.
 * A *turn* begins when the clock wakes one timer and ends when the microtask queue is empty, which `process.nextTick`,
 * asked for from inside a microtask, reports exactly. Only then does time jump, to the next timer in (time, order of
 * asking). Nothing that belongs to the cell can run between two turns, so whoever runs there was resumed by something
 * real (a timer, a file, a socket): that is a {@linkcode StrayError} which names the place.
 */
import process from "node:process";
import { RunawayError, StalledError, StrayError } from "./cell_error.ts";
import { checkDelay, type Clock, type Timer } from "./clock.ts";
import { callers, placeOf } from "./place.ts";
import { Random } from "./random.ts";
import { type Entry, TimerQueue } from "./timer_queue.ts";

// Taken before any guard can replace them.
const { setImmediate, clearImmediate, setTimeout, clearTimeout } = globalThis;
const nextTick = process.nextTick;

/**
 * How long a stalled cell is watched for a sign of something real: so many pauses of so many real milliseconds, since a
 * busy machine makes pauses longer and so gets more time. Only ever spent on a stall.
 */
const LINGER = { pauses: 60, ms: 5 };

const RESUMED = "something real (a timer, a file, a socket, an import) resumed it before this line";

/** Options of a {@linkcode VirtualClock}. */
export interface VirtualClockOptions {
  /**
   * Shuffles timers that are due at the same instant, the same way each time for the same seed.
   *
   * @default undefined order of asking
   */
  seed?: string;
  /**
   * How many timers may be woken before the cell is called a runaway.
   *
   * @default 1_000_000
   */
  maxWakes?: number;
}

/**
 * A clock that jumps to its next timer as soon as nothing is left to run.
 *
 * @example
 * ```ts
 * import { sleep, VirtualClock } from "./mod.ts";
 * import assert from "node:assert/strict";
 *
 * const clock = new VirtualClock();
 * await clock.run(() => sleep(clock, 3_600_000));
 * assert.equal(clock.now(), 3_600_000); // an hour, at once
 * ```
 */
export class VirtualClock implements Clock {
  /** Always `virtual`. */
  readonly kind = "virtual";
  readonly #queue = new TimerQueue();
  readonly #ties: Random | undefined;
  readonly #maxWakes: number;
  #now = 0;
  #order = 0;
  #wakes = 0;
  #live = 0;
  #phase: "idle" | "begun" | "turn" | "between" | "over" = "idle";
  #fail: ((error: unknown) => void) | undefined;
  /** Calls off the real macrotask that begins the next turn. */
  #unschedule: (() => void) | undefined;
  /** Something real resumed the cell, and no line of code was to be seen yet. */
  #doubt = false;

  /**
   * Makes a clock that stands at 0 until it runs a cell.
   *
   * @param options Seed of ties, and limit of wakes.
   */
  constructor(options: VirtualClockOptions = {}) {
    this.#ties = options.seed === undefined ? undefined : new Random(`ties:${options.seed}`);
    this.#maxWakes = options.maxWakes ?? 1_000_000;
  }

  /** How many timers are waiting: not yet woken and not cancelled. */
  get pending(): number {
    return this.#live;
  }

  /** Whether a turn is running: the only time at which the cell may run. */
  get inTurn(): boolean {
    return this.#phase === "turn";
  }

  /** Whether a run is between two turns, when nothing of its cell has any business to run. */
  get betweenTurns(): boolean {
    return this.#phase === "between";
  }

  /**
   * Virtual milliseconds since this clock was made.
   *
   * @throws {StrayError} If asked between two turns of a run.
   */
  now(): number {
    if (this.#phase === "between") throw this.#stray("clock.now");
    return this.#now;
  }

  /**
   * Asks to be woken once, in the async context of the one who asks. Once the run is over nobody is woken any more.
   *
   * @throws {RangeError} If `ms` is negative, infinite or not a number.
   * @throws {StrayError} If asked between two turns of a run.
   */
  after(ms: number, wake: () => void): Timer {
    checkDelay(ms);
    if (this.#phase === "between") throw this.#stray("clock.after");
    if (this.#phase === "over") return { cancel() {} };
    const entry: Entry = {
      at: this.#now + ms,
      tie: this.#ties?.next() ?? 0,
      order: this.#order++,
      wake: undefined,
    };
    // A reaction runs in the context in which it was asked for. `AsyncLocalStorage.snapshot` would do the same with an
    // object that a finalization registry keeps, and with it the whole cell, until the next great garbage collection.
    new Promise<void>((resolve) => entry.wake = resolve).then(() => {
      try {
        wake();
      } catch (error) {
        this.#fail?.(error);
      }
    });
    this.#live++;
    this.#queue.push(entry);
    const cancel = () => {
      if (entry.wake === undefined) return;
      // Reported, not thrown: cancelling is what cleaning up does.
      if (this.#phase === "between") this.#stray("timer.cancel");
      entry.wake = undefined;
      this.#live--;
    };
    return { cancel };
  }

  /**
   * Runs `main` to its end under this clock. Can be called once.
   *
   * @returns What `main` returned.
   * @throws {StalledError} If nothing is left to run while `main` has not settled.
   * @throws {StrayError} If something real resumed the cell.
   * @throws {RunawayError} If more than `maxWakes` timers were woken.
   * @throws Whatever `main` or a timer's `wake` threw.
   */
  run<T>(main: () => T | Promise<T>): Promise<T> {
    if (this.#phase !== "idle") return Promise.reject(new Error("a virtual clock runs one cell, once"));
    return new Promise<T>((resolve, reject) => {
      const settle = (report: () => void): void => {
        this.#phase = "over";
        this.#fail = undefined;
        this.#unschedule?.();
        report();
      };
      this.#fail = (error) => settle(() => reject(error));
      const ended = (report: () => void) => {
        if (this.#phase === "between") this.#fail?.(this.#endedByReal());
        if (this.#phase !== "over") settle(report);
      };
      const first = () => {
        Promise.resolve().then(main).then(
          (value) => ended(() => resolve(value)),
          (error) => ended(() => reject(error)),
        );
      };
      this.#phase = "begun";
      this.#schedule(() => this.#turn(first));
    });
  }

  /** Ends the run from outside with an error; ignored when it is over. */
  abort(error: Error): void {
    this.#fail?.(error);
  }

  /**
   * Told by whoever watches the cell that it ran between two turns.
   *
   * @param where The line that was resumed; without one the run ends only if no line shows up before the next turn.
   */
  resumedByReal(where: string | undefined): void {
    if (this.#phase !== "between") return;
    if (where === undefined) this.#doubt = true;
    else {this.#fail?.(
        new StrayError("a wait on something real", where, "a timer, a file, a socket or an import it was"),
      );}
  }

  #turn(work: () => void): void {
    this.#phase = "turn";
    try {
      work();
    } catch (error) {
      return this.#fail?.(error);
    }
    // nextTick asked for from a microtask runs when the microtask queue has drained, chains and all.
    queueMicrotask(() => nextTick(() => this.#endTurn()));
  }

  #endTurn(): void {
    if (this.#phase === "over") return;
    this.#phase = "between";
    if (this.#queue.peek() === undefined) {
      this.#linger(LINGER.pauses);
    } else if (this.#wakes === this.#maxWakes) {
      this.#fail?.(new RunawayError(this.#maxWakes));
    } else {
      this.#schedule(() => this.#wakeNext());
    }
  }

  /**
   * Begins a turn from a real macrotask, the first one too: only there does `nextTick` come right after the microtasks,
   * before anything real. It also lets signals, progress and other cells in between two turns.
   */
  #schedule(turn: () => void): void {
    const id = setImmediate(turn);
    this.#unschedule = () => clearImmediate(id);
  }

  #wakeNext(): void {
    const next = this.#queue.pop();
    if (this.#doubt) return this.#fail?.(this.#endedByReal());
    if (next === undefined) return this.#endTurn();
    const wake = next.wake;
    next.wake = undefined;
    this.#live--;
    this.#wakes++;
    this.#now = next.at;
    this.#turn(() => wake?.());
  }

  #linger(pauses: number): void {
    if (this.#doubt) return this.#fail?.(this.#endedByReal());
    if (pauses === 0) return this.#fail?.(new StalledError(this.#now));
    const id = setTimeout(() => this.#linger(pauses - 1), LINGER.ms);
    this.#unschedule = () => clearTimeout(id);
  }

  /** Records a stray whose place is on the stack. */
  #stray(what: string): StrayError {
    const error = new StrayError(what, placeOf(callers()), RESUMED);
    this.#fail?.(error);
    return error;
  }

  /** A stray that left no line on the stack. */
  #endedByReal(): StrayError {
    const more = `a timer, a file, a socket or an import resumed the cell, after ${this.#now} ms of its time`;
    return new StrayError("a wait on something real", "an unknown place", more);
  }
}
