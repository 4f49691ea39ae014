/** The few figures that every benchmark prints. */

/** Minimum and median of some samples. */
export interface Spread {
  readonly min: number;
  readonly median: number;
}

/**
 * Minimum and (upper) median.
 *
 * @throws {RangeError} Without samples.
 */
export function spread(samples: readonly number[]): Spread {
  const sorted = samples.toSorted((a, b) => a - b);
  const [min, median] = [sorted[0], sorted[sorted.length >> 1]];
  if (min === undefined || median === undefined) throw new RangeError("nothing was measured");
  return { min, median };
}

/** Writes lines to stdout. */
export function print(...lines: string[]): void {
  Deno.stdout.writeSync(new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")));
}

/** A table with its first column to the left and the others to the right, as wide as their cells. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, i) => i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)).join("  ").trimEnd()
  ).join("\n");
}
