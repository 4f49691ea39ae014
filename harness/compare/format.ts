/** Numbers of a comparison as people read them. */

/** Three decimals below 10, fewer above; `-` where there is none. At most seven characters below a million. */
export function number(value: number | null): string {
  if (value === null) return "-";
  const size = Math.abs(value);
  if (size >= 1e6) return value.toExponential(1);
  // What is not zero must not look like it.
  if (size > 0 && size < 0.0005) return value.toExponential(0);
  return value.toFixed(size < 10 ? 3 : size < 1000 ? 1 : 0);
}

/** {@linkcode number} with its sign. */
export function signed(value: number | null): string {
  return value !== null && value > 0 ? `+${number(value)}` : number(value);
}

/** A share in percent, with one decimal where it needs one. */
export function percent(value: number | null): string {
  return value === null ? "-" : `${Number((value * 100).toFixed(1))}%`;
}

/** A p-value: three decimals, and never 0. */
export function probability(p: number | null): string {
  return p === null ? "-" : p < 0.001 ? "<0.001" : p.toFixed(3);
}

/** A p-value with its name: `p = 0.031`, `p < 0.001`. */
export function equation(p: number): string {
  return p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`;
}
