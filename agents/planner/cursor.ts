import type { RepairId } from "./repairs.ts";

/** Why a value could not be read. `end`: the text stops inside it. */
export type StopCause = "end" | "syntax" | "depth";

/** Ends the reading of one value. Never leaves the reader. No `Error`: a million stack traces would cost seconds. */
export class ReadStop {
  /**
   * @param cause Why reading stops.
   * @param at Offset from which a scanner may go on.
   * @param why What was found, for people.
   */
  constructor(readonly cause: StopCause, readonly at: number, readonly why: string) {}
}

/** A mend at an offset. */
export interface Mend {
  readonly id: RepairId;
  readonly at: number;
}

/** A place in a text that moves forward only, so that reading takes time in what it has passed. */
export class Cursor {
  /** Mends made so far. */
  readonly mends: Mend[] = [];
  /** Characters looked at, again and again included: the measure of the linear-time tests. */
  work = 0;

  constructor(readonly text: string, public pos: number) {}

  /** The character here; empty at the end of the text. */
  get char(): string {
    return this.text.charAt(this.pos);
  }

  /** Passes what a sticky pattern matches here, and returns it. */
  take(pattern: RegExp): string {
    const found = this.peek(pattern, this.pos);
    this.pos += found.length;
    return found;
  }

  /** What a sticky pattern matches at an offset, without passing it. */
  peek(pattern: RegExp, at: number): string {
    pattern.lastIndex = at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.work += found.length + 1;
    return found;
  }

  /** Passes a number of characters. */
  skip(count = 1): void {
    this.pos += count;
    this.work += count;
  }

  /** Notes a mend here, or at an offset. */
  mend(id: RepairId, at: number = this.pos): void {
    this.mends.push({ id, at });
  }

  /** Ends the reading: inside the value at the end of the text, at the unexpected character otherwise. */
  stop(why: string): never {
    if (this.pos >= this.text.length) throw new ReadStop("end", this.text.length, why);
    throw new ReadStop("syntax", this.pos, why);
  }
}
