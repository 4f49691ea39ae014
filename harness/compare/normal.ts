/** The standard normal distribution. */

/**
 * P(Z ≤ z), by the series of Marsaglia (2004), Evaluating the Normal Distribution, Journal of Statistical Software 11(4).
 * Correct to about 1e-15; beyond 8 standard deviations it is 0 or 1.
 */
export function normalCdf(z: number): number {
  if (Math.abs(z) > 8) return z < 0 ? 0 : 1;
  let [sum, term, before] = [z, z, NaN];
  for (let i = 3; sum !== before; i += 2) {
    before = sum;
    term *= z * z / i;
    sum += term;
  }
  return 0.5 + sum * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
}

/** Numerator and denominator of a rational function, the highest power first. */
type Ratio = readonly [readonly number[], readonly number[]];

const CENTRE: Ratio = [
  [
    2509.0809287301226727,
    33430.575583588128105,
    67265.770927008700853,
    45921.953931549871457,
    13731.693765509461125,
    1971.5909503065514427,
    133.14166789178437745,
    3.387132872796366608,
  ],
  [
    5226.495278852545925,
    28729.085735721942674,
    39307.89580009271061,
    21213.794301586595867,
    5394.1960214247511077,
    687.1870074920579083,
    42.313330701600911252,
    1,
  ],
];
const SHOULDER: Ratio = [
  [
    7.7454501427834140764e-4,
    0.0227238449892691845833,
    0.24178072517745061177,
    1.27045825245236838258,
    3.64784832476320460504,
    5.7694972214606914055,
    4.6303378461565452959,
    1.42343711074968357734,
  ],
  [
    1.05075007164441684324e-9,
    5.475938084995344946e-4,
    0.0151986665636164571966,
    0.14810397642748007459,
    0.68976733498510000455,
    1.6763848301838038494,
    2.05319162663775882187,
    1,
  ],
];
const TAIL: Ratio = [
  [
    2.01033439929228813265e-7,
    2.71155556874348757815e-5,
    0.0012426609473880784386,
    0.026532189526576123093,
    0.29656057182850489123,
    1.7848265399172913358,
    5.4637849111641143699,
    6.6579046435011037772,
  ],
  [
    2.04426310338993978564e-15,
    1.4215117583164458887e-7,
    1.8463183175100546818e-5,
    7.868691311456132591e-4,
    0.0148753612908506148525,
    0.13692988092273580531,
    0.59983220655588793769,
    1,
  ],
];

/**
 * The z with P(Z ≤ z) = p. Algorithm AS 241 (PPND16) of Wichura (1988), Applied Statistics 37(3): correct to about 1e-16.
 *
 * @param p Above 0 and below 1; 0 and 1 give the infinities.
 * @throws {RangeError} If `p` is no probability.
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`${p} is no probability`);
  if (p === 0 || p === 1) return p === 0 ? -Infinity : Infinity;
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(CENTRE, 0.180625 - q * q);
  const r = Math.sqrt(-Math.log(Math.min(p, 1 - p)));
  const z = r <= 5 ? ratio(SHOULDER, r - 1.6) : ratio(TAIL, r - 5);
  return q < 0 ? -z : z;
}

function ratio([above, below]: Ratio, x: number): number {
  const at = (powers: readonly number[]) => powers.reduce((sum, factor) => sum * x + factor, 0);
  return at(above) / at(below);
}
