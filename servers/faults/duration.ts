import { z } from "zod";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
const WORDS = 'a duration is a number of milliseconds, at least 0, or text such as "500ms", "2s" or "1.5m"';
const SHAPE = /^(\d+(?:\.\d+)?)(ms|s|m)$/;

/**
 * A span of time in a scenario: milliseconds as a number, or text such as `"500ms"`, `"2s"` or `"1.5m"`. Parses to
 * milliseconds, and what it has parsed it parses again to the same.
 */
export const duration: z.ZodType<number, number | string> = z.union([
  // The same words on each branch: a number below 0 fails in its own, text in the union.
  z.number().nonnegative(WORDS),
  z.string().regex(SHAPE).transform((text) => {
    const [, amount = "", unit = ""] = SHAPE.exec(text) ?? [];
    return Number(amount) * (UNITS[unit] ?? NaN);
  }),
], { error: WORDS });
