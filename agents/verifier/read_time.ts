import type { TimeMention } from "./mentions.ts";
import type { Token } from "./tokens.ts";

const DAY = 1440;

/** Reads a time of day: `17:00`, `9:0`, `5:30 p.m.`, `5pm`, the 5 of `5 to 9 pm`, `noon`, `midnight`. */
export function readTime(tokens: readonly Token[], from: number): TimeMention | undefined {
  const first = tokens[from];
  if (first?.lower === "noon") return { kind: "time", from, to: from + 1, minutes: [DAY / 2] };
  if (first?.lower === "midnight") return { kind: "time", from, to: from + 1, minutes: [0] };
  const clock = readClock(tokens, from);
  if (clock === undefined) return undefined;
  const half = halfAt(tokens, clock.to) ?? (clock.colon ? undefined : halfAfterRange(tokens, clock.to));
  if (half === undefined && !clock.colon) return undefined;
  if (!clock.colon && (clock.hour < 1 || clock.hour > 12) && half?.own !== true) return undefined;
  const to = half?.own === true ? half.to : clock.to;
  return { kind: "time", from, to, minutes: readings(clock, half) };
}

interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly colon: boolean;
  readonly to: number;
}

/** Hour and minute, with seconds passed over. */
function readClock(tokens: readonly Token[], from: number): Clock | undefined {
  const hour = small(tokens[from], 24);
  if (hour === undefined) return undefined;
  const minute = tokens[from + 1]?.text === ":" && tokens[from + 1]?.glued && tokens[from + 2]?.glued
    ? small(tokens[from + 2], 59)
    : undefined;
  if (minute === undefined) return { hour, minute: 0, colon: false, to: from + 1 };
  const seconds = tokens[from + 3]?.text === ":" && tokens[from + 3]?.glued && tokens[from + 4]?.kind === "number";
  return { hour, minute, colon: true, to: from + (seconds ? 5 : 3) };
}

function small(token: Token | undefined, most: number): number | undefined {
  if (token?.kind !== "number" || token.text.length > 2) return undefined;
  const value = Number(token.text);
  return value <= most ? value : undefined;
}

interface Half {
  readonly half: "am" | "pm";
  /** Whether it stands directly at this time and not at the end of a range. */
  readonly own: boolean;
  readonly to: number;
}

/** `am`, `p.m.`, `PM`. */
function halfAt(tokens: readonly Token[], at: number): Half | undefined {
  const word = tokens[at]?.lower;
  if (word === "am" || word === "pm") return { half: word, own: true, to: at + 1 };
  if (word !== "a" && word !== "p") return undefined;
  const dotted = tokens[at + 1]?.text === "." && tokens[at + 2]?.lower === "m" && tokens[at + 2]?.glued;
  if (!dotted) return undefined;
  const dot = tokens[at + 3]?.text === "." && tokens[at + 3]?.glued;
  return { half: word === "a" ? "am" : "pm", own: true, to: at + (dot ? 4 : 3) };
}

/** The `pm` of `5 to 9 pm` and `5-9pm`, seen from the 5. */
function halfAfterRange(tokens: readonly Token[], at: number): Half | undefined {
  if (!["-", "–", "—", "to", "until", "till"].includes(tokens[at]?.lower ?? "")) return undefined;
  const end = readClock(tokens, at + 1);
  const half = end === undefined ? undefined : halfAt(tokens, end.to);
  return half === undefined ? undefined : { ...half, own: false };
}

/** The minutes that a time can mean. */
function readings({ hour, minute, colon }: Clock, half: Half | undefined): number[] {
  const at = (h: number) => (h * 60 + minute) % DAY;
  if (half === undefined || hour > 12) return colon && half === undefined ? [at(hour)] : [at(hour)];
  const own = at(hour % 12 + (half.half === "pm" ? 12 : 0));
  return half.own ? [own] : [own, (own + DAY / 2) % DAY];
}
