/** A circuit breaker (M. Nygard, Release It!, 2007): who does not answer is not asked for a while. */

/** When a circuit opens and for how long. */
export interface CircuitLimits {
  /** How many failures in a row open it. */
  readonly failures: number;
  /** How long it stays open, in milliseconds. After that one call is let through, and decides. */
  readonly coolDownMs: number;
}

/** `closed`: calls go through. `open`: none does. `half_open`: one may, to see how it ends. */
export type CircuitState = "closed" | "open" | "half_open";

/** How a call ended, as far as the circuit cares. One that was called off says nothing of its server. */
export type CircuitResult = "ok" | "failed" | "unknown";

/** One server's circuit. It knows no clock: it is told what time it is. */
export class Circuit {
  #failures = 0;
  #openedAt: number | undefined;
  #isTrying = false;

  /** Makes a closed one. */
  constructor(private readonly limits: CircuitLimits) {}

  /** How it stands. */
  state(now: number): CircuitState {
    if (this.#openedAt === undefined) return "closed";
    return now - this.#openedAt < this.limits.coolDownMs ? "open" : "half_open";
  }

  /**
   * Asks to let a call through.
   *
   * @returns How to tell it what came of the call; `undefined` if the call must not be made.
   */
  admit(now: number): ((result: CircuitResult, now: number) => void) | undefined {
    const state = this.state(now);
    if (state === "closed") return (result, at) => this.#count(result, at);
    if (state === "open" || this.#isTrying) return undefined;
    this.#isTrying = true;
    return (result, at) => {
      this.#isTrying = false;
      if (result === "ok") this.#close();
      else if (result === "failed") this.#openedAt = at;
    };
  }

  #count(result: CircuitResult, now: number): void {
    if (result === "unknown") return;
    // A call from before it opened that ends well after all closes it again: the server does answer.
    if (result === "ok") return this.#close();
    if (++this.#failures >= this.limits.failures) this.#openedAt ??= now;
  }

  #close(): void {
    this.#failures = 0;
    this.#openedAt = undefined;
  }
}
