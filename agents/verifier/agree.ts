/** When two mentions are the same thing. */
import type { DateMention, Mention, NumberMention } from "./mentions.ts";
import type { Unit } from "./units.ts";

/** Of two numbers: the same, the same with another unit, or not. */
export type NumberMatch = "same" | "other_unit" | "different";

/** Share by which `about` a number may be off. */
const ABOUT = 0.1;

/**
 * Compares a claimed number with one of the evidence. Units of one dimension are converted; a side without a unit
 * agrees with any. `about` allows 10 %; otherwise the evidence may be rounded to the claim's digits once it has two more.
 */
export function sameNumber(
  claimed: NumberMention,
  seen: NumberMention,
  unit: Unit | undefined = seen.unit,
): NumberMatch {
  const [a, b] = [claimed.unit, unit];
  if (a !== undefined && b !== undefined && a.dimension === b.dimension) {
    if (close(claimed, claimed.value * a.factor, seen.value * b.factor, seen)) return "same";
    return a.factor !== b.factor && claimed.value === seen.value ? "other_unit" : "different";
  }
  const equal = close(claimed, claimed.value, seen.value, seen) || close(claimed, claimed.base, seen.value, seen) ||
    close(claimed, claimed.value, seen.base, seen);
  if (!equal) return "different";
  return a !== undefined && b !== undefined && a.dimension !== b.dimension ? "other_unit" : "same";
}

function close(claimed: NumberMention, a: number, b: number, seen: NumberMention): boolean {
  const least = Math.max(Math.abs(a), Math.abs(b)) * 1e-9;
  if (Math.abs(a - b) <= least) return true;
  if (claimed.approximate) return Math.abs(a - b) <= Math.abs(b) * ABOUT;
  return seen.decimals >= claimed.decimals + 2 && roundsTo(b, a, claimed.decimals);
}

/** Whether a value rounds to another at so many digits after the point. */
export function roundsTo(value: number, rounded: number, decimals: number): boolean {
  return Math.abs(value - rounded) <= 0.5 * 10 ** -decimals + 1e-9;
}

/** Whether everything that a claimed date says is what the other says. */
export function sameDate(claimed: DateMention, seen: DateMention): boolean {
  const fits = (month: number | undefined, day: number | undefined) =>
    (claimed.year === undefined || seen.year === undefined && claimed.day !== undefined ||
      claimed.year === seen.year) &&
    (claimed.month === undefined || claimed.month === month) && (claimed.day === undefined || claimed.day === day);
  return fits(seen.month, seen.day) ||
    (seen.swappable === true || claimed.swappable === true) && fits(seen.day, seen.month);
}

/** Whether a claimed mention is borne out by one of the evidence, whatever kind that is. */
export function bearsOut(claimed: Mention, seen: Mention, unit?: Unit): boolean {
  switch (claimed.kind) {
    case "reference":
      return seen.kind === "reference" && seen.key === claimed.key;
    case "date":
      return seen.kind === "date" && sameDate(claimed, seen);
    case "time":
      return seen.kind === "time" && claimed.minutes.some((one) => seen.minutes.includes(one));
    case "number":
      if (seen.kind === "date") return claimed.unit === undefined && [seen.year, seen.day].includes(claimed.value);
      return seen.kind === "number" && sameNumber(claimed, seen, unit ?? seen.unit) === "same";
  }
}
