/** How often a provider may be asked, by all cells together. */
import { type Clock, sleep, untilAborted } from "../../../core/mod.ts";

/** The limits of one provider. */
export interface ThrottleOptions {
  /** How many calls may be on their way at once. */
  readonly concurrent: number;
  /** How many may begin within any minute. */
  readonly perMinute?: number;
}

const MINUTE = 60_000;

/**
 * Lets calls begin in the order in which they ask. Each that has begun is told when it is over.
 *
 * @example
 * ```ts
 * import { RealClock } from "../../../core/mod.ts";
 * import { Throttle } from "./throttle.ts";
 *
 * const throttle = new Throttle({ concurrent: 1 }, new RealClock());
 * using _call = await throttle.enter(new AbortController().signal);
 * ```
 */
export class Throttle {
  #running = 0;
  #notBefore = 0;
  readonly #begun: number[] = [];
  readonly #waiting: (() => void)[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  /** A throttle that nobody has asked yet. */
  constructor(private readonly options: ThrottleOptions, private readonly clock: Clock) {}

  /**
   * Waits until a call may begin.
   *
   * @throws The signal's reason, if it aborts first.
   */
  async enter(signal: AbortSignal): Promise<Disposable> {
    const mine = this.#turn.then(() => this.#enter(signal));
    // One after the other: who came first begins first, whatever it waits for.
    this.#turn = mine.catch(() => {});
    try {
      return await untilAborted(mine, signal);
    } catch (error) {
      // Whoever has gone does not wait for those before it; should its turn come all the same, it is over.
      mine.then((call) => call[Symbol.dispose](), () => {});
      throw error;
    }
  }

  /** The provider has asked to be left alone: no call begins for so long, in milliseconds. */
  pause(ms: number): void {
    this.#notBefore = Math.max(this.#notBefore, this.clock.now() + ms);
  }

  async #enter(signal: AbortSignal): Promise<Disposable> {
    const { concurrent, perMinute } = this.options;
    while (this.#running >= concurrent) await this.#ended(signal);
    for (;;) {
      signal.throwIfAborted();
      const now = this.clock.now();
      while (this.#begun[0] !== undefined && this.#begun[0] <= now - MINUTE) this.#begun.shift();
      const [oldest = now] = this.#begun;
      const full = perMinute !== undefined && this.#begun.length >= perMinute;
      const wait = Math.max(this.#notBefore - now, full ? oldest + MINUTE - now : 0);
      if (wait <= 0) break;
      await sleep(this.clock, wait, signal);
    }
    this.#running++;
    if (perMinute !== undefined) this.#begun.push(this.clock.now());
    let over = false;
    return {
      [Symbol.dispose]: () => {
        if (over) return;
        over = true;
        this.#running--;
        this.#waiting.shift()?.();
      },
    };
  }

  #ended(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        const at = this.#waiting.indexOf(onEnd);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(signal.reason);
      };
      const onEnd = () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(onEnd);
    });
  }
}
