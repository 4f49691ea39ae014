import { type ByteConnection, type Clock, LineSplitter, sleep } from "../core/mod.ts";
import type { Debts } from "./debts.ts";
import type { Step } from "./faults/fault.ts";
import { type Fields, isFields } from "./jsonrpc.ts";

/** What a {@linkcode LinkOutput} needs of its session. */
export interface OutputOwner {
  /** The clock of the cell. */
  clock(): Clock;
  /** What the hub of the cell still waits for. */
  debts(): Debts;
  /** Aborts when the connection ends. */
  readonly signal: AbortSignal;
  /** Ends the connection in the server's name. */
  hangUp(): void;
  /** Told of each message that really reaches the hub, where that is asked for. */
  heard(message: Fields): void;
}

/**
 * The bytes from a link to its hub. One script at a time is played on them; what comes meanwhile waits, as it would behind
 * a half sent line.
 */
export class LinkOutput {
  readonly #near: ByteConnection;
  readonly #owner: OutputOwner;
  #waiting: Iterable<Step>[] = [];
  #isPlaying = false;
  #monitor: LineSplitter | undefined;

  constructor(near: ByteConnection, owner: OutputOwner) {
    this.#near = near;
    this.#owner = owner;
  }

  /** Whether {@linkcode OutputOwner.heard} is told what passes: where faults change bytes, nobody else knows. */
  listen(on: boolean): void {
    this.#monitor = on ? new LineSplitter({ line: (text) => this.#heard(text), overlong: () => {} }) : undefined;
  }

  /** Sends bytes. */
  write(bytes: Uint8Array): void {
    if (this.#isPlaying) this.#waiting.push([bytes]);
    else this.#send(bytes);
  }

  /** Plays a script: at once as far as its first pause, then on the clock. */
  play(steps: Iterable<Step>): void {
    if (this.#isPlaying) return void this.#waiting.push(steps);
    this.#isPlaying = true;
    void this.#play(steps);
  }

  async #play(first: Iterable<Step>): Promise<void> {
    const { signal, clock } = this.#owner;
    const debts = this.#owner.debts();
    for (let steps: Iterable<Step> | undefined = first; steps !== undefined; steps = this.#waiting.shift()) {
      for (const step of steps) {
        if (signal.aborted) return;
        if (step === "hang_up") return this.#owner.hangUp();
        if (step instanceof Uint8Array) this.#send(step);
        else {
          debts.hold();
          try {
            await sleep(clock(), step.wait, signal);
          } catch {
            return;
          } finally {
            debts.letGo();
          }
        }
      }
    }
    this.#isPlaying = false;
  }

  #send(bytes: Uint8Array): void {
    this.#monitor?.push(bytes);
    sendTo(this.#near, bytes);
  }

  #heard(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return;
    }
    for (const message of Array.isArray(value) ? value : [value]) {
      if (isFields(message)) this.#owner.heard(message);
    }
  }
}

/** What a fault makes of the pieces of a line. Lazy, because scripts may have no end. */
export function* script(
  steps: Iterable<Step>,
  change: (line: Uint8Array) => Iterable<Step> | void,
  { fired, broke }: { fired(): void; broke(error: unknown): void },
): Generator<Step> {
  for (const step of steps) {
    let made: Iterable<Step> | void = undefined;
    try {
      if (step instanceof Uint8Array) made = change(step);
    } catch (error) {
      broke(error);
    }
    if (made === undefined) {
      yield step;
      continue;
    }
    fired();
    try {
      yield* made;
    } catch (error) {
      broke(error);
    }
  }
}

/** Sends bytes to a side that may be gone, which its reader will hear of by itself. */
export function sendTo(side: ByteConnection, bytes: Uint8Array): void {
  try {
    const written = side.write(bytes);
    if (written instanceof Promise) written.catch(() => {});
  } catch {
    // As above.
  }
}
