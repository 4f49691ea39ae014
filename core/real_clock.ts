import { checkDelay, type Clock, type Timer } from "./clock.ts";

/** The longest delay that `setTimeout` keeps, in milliseconds (some 24 days); a longer one would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The machine's clock: monotonic, starting at 0 when it is made. */
export class RealClock implements Clock {
  /** Always `real`. */
  readonly kind = "real";
  readonly #start = performance.now();

  /** Real milliseconds since this clock was made. */
  now(): number {
    return performance.now() - this.#start;
  }

  /**
   * Asks to be woken once.
   *
   * @throws {RangeError} If `ms` is negative, infinite or not a number.
   */
  after(ms: number, wake: () => void): Timer {
    checkDelay(ms);
    let id: ReturnType<typeof setTimeout>;
    const wait = (left: number): void => {
      const step = Math.min(left, MAX_TIMEOUT_MS);
      id = setTimeout(() => left > step ? wait(left - step) : wake(), step);
    };
    wait(ms);
    return { cancel: () => clearTimeout(id) };
  }
}
