/** What a text states exactly: references, dates, clock times and numbers, each read once and never as two things. */
import { readDate } from "./read_date.ts";
import { readNumber } from "./read_number.ts";
import { readReference } from "./read_reference.ts";
import { readTime } from "./read_time.ts";
import type { Token } from "./tokens.ts";
import type { Unit } from "./units.ts";

/** Where a mention stands: `[from, to)` in tokens. */
interface Placed {
  readonly from: number;
  readonly to: number;
}

/** An identifier such as `ORD-7731-KX`. */
export interface ReferenceMention extends Placed {
  readonly kind: "reference";
  /** Upper case, without separators. */
  readonly key: string;
}

/** A date, as far as it is given. */
export interface DateMention extends Placed {
  readonly kind: "date";
  readonly year?: number;
  /** 1 to 12. */
  readonly month?: number;
  readonly day?: number;
  /** `7/8/2026` may also be read with day and month the other way round. */
  readonly swappable?: boolean;
}

/** A time of day. */
export interface TimeMention extends Placed {
  readonly kind: "time";
  /** Minutes since midnight, below 1440; two of them where morning or evening is not said. */
  readonly minutes: readonly number[];
}

/** A number, with its unit where it has one. */
export interface NumberMention extends Placed {
  readonly kind: "number";
  /** With its multiplier (`million`) and its sign. */
  readonly value: number;
  /** Without the multiplier. */
  readonly base: number;
  /** Digits after the point, as written. */
  readonly decimals: number;
  readonly unit?: Unit;
  /** `third`, `3rd`. */
  readonly ordinal: boolean;
  /** `about`, `nearly`, `over` and the like stand before it. */
  readonly approximate: boolean;
  /** It is said to be the least (`over`, `at least`) or the most (`under`, `up to`) and not the number itself. */
  readonly bound?: Bound;
}

/** On which side of a number that is no exact one the true number lies. */
export type Bound = "up" | "down";

/** Any of them. */
export type Mention = ReferenceMention | DateMention | TimeMention | NumberMention;

/** All mentions of a text, in order. Each reader looks at a few tokens ahead, so this is linear. */
export function readMentions(tokens: readonly Token[]): Mention[] {
  const found: Mention[] = [];
  let i = 0;
  while (i < tokens.length) {
    const mention = readDate(tokens, i) ?? readTime(tokens, i) ?? readReference(tokens, i) ?? readNumber(tokens, i);
    if (mention !== undefined) found.push(mention);
    i = mention === undefined ? i + 1 : Math.max(mention.to, i + 1);
  }
  return found;
}
