/** The ways in which a cell of the `sim` lane ends without an outcome that can be trusted. */

/** Nothing is left to run, and the cell is not done: it waits for something that can never happen. */
export class StalledError extends Error {
  /** `StalledError` */
  override readonly name = "StalledError";
  /**
   * A stall.
   *
   * @param at Virtual time of the stall, in milliseconds.
   */
  constructor(readonly at: number) {
    super(`stalled at ${at} ms: nothing is left to run and the cell has not ended`);
  }
}

/** The cell used real time, real randomness or real input and output, so its outcome cannot be trusted. */
export class StrayError extends Error {
  /** `StrayError` */
  override readonly name = "StrayError";
  /**
   * A use of something real.
   *
   * @param what What was used, for example `Date.now` or `setTimeout`.
   * @param where Where in the code, as `file:line:column`.
   * @param more What else is known, for the message.
   */
  constructor(readonly what: string, readonly where: string, more?: string) {
    super(`${what} at ${where}: a sim cell may wait only on its own clock${more === undefined ? "" : `; ${more}`}`);
  }
}

/** The cell woke more timers than is plausible: a loop that waits for ever. */
export class RunawayError extends Error {
  /** `RunawayError` */
  override readonly name = "RunawayError";
  /**
   * A loop without end.
   *
   * @param wakes How many timers had been woken.
   */
  constructor(readonly wakes: number) {
    super(`gave up after ${wakes} timers: the cell waits in a loop without end`);
  }
}
