/**
 * The statistics against what others have published or computed. "SciPy" is SciPy 1.17.1, with the call beside the number.
 */
import assert from "node:assert/strict";
import { Random } from "../../core/mod.ts";
import { binomialCdf, binomialPmf } from "./binomial.ts";
import { pairedBootstrap } from "./bootstrap.ts";
import { detectableMean, detectableRate, mcnemarPower } from "./detectable.ts";
import { holm } from "./holm.ts";
import { mcnemar } from "./mcnemar.ts";
import { normalCdf, normalQuantile } from "./normal.ts";
import { passHatK } from "./pass_k.ts";
import { signFlipTest } from "./sign_flip.ts";

/** Darwin's maize, cross- less self-fertilised, in eighths of an inch (Fisher 1935, section 17). */
const MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48].map((eighths) => eighths / 8);
/** Student's sleep data: extra hours with the second drug less those with the first (R: `sleep`). */
const SLEEP = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4];

function near(actual: number | undefined, expected: number, relative = 1e-9): void {
  const isNear = actual !== undefined && Math.abs(actual - expected) <= relative * Math.abs(expected);
  assert.ok(isNear, `${actual} is not ${expected}`);
}

Deno.test("mcnemar() gives the exact p of published tables", () => {
  // Agresti (1990), p. 350, approval ratings: 150 turned one way and 86 the other. SciPy: binomtest(86, 236).
  near(mcnemar(86, 150), 3.7159361395713866e-5);
  // The tables of statsmodels' own tests, whose chi-squared p are 5.45e-6, 0.3786 and 0.0898. SciPy: binomtest(b, b + c).
  near(mcnemar(121, 59), 4.4344492637551645e-6);
  near(mcnemar(70, 59), 0.3786876626931185);
  near(mcnemar(80, 59), 0.08945231499446925);
});

Deno.test("mcnemar() is twice the tail of a fair coin, and needs six pairs to go below 0.05", () => {
  near(mcnemar(0, 5), 0.0625);
  near(mcnemar(0, 6), 0.03125);
  near(mcnemar(5, 1), 0.21875);
  near(mcnemar(1, 11), 26 / 4096);
  near(mcnemar(2, 8), 112 / 1024);
});

Deno.test("mcnemar() is 1 without discordant pairs and with as many of each, and never more", () => {
  assert.deepEqual([mcnemar(0, 0), mcnemar(3, 3), mcnemar(1, 0), mcnemar(500, 501)], [1, 1, 1, 1]);
});

Deno.test("mcnemar() does not care which side is which, and holds for thousands of pairs", () => {
  assert.equal(mcnemar(500, 600), mcnemar(600, 500));
  // SciPy: binomtest(500, 1100).
  near(mcnemar(500, 600), 0.0028195449914364284);
  assert.ok(mcnemar(0, 5000) < 1e-300);
  assert.throws(() => mcnemar(-1, 2), RangeError);
  assert.throws(() => mcnemar(0.5, 2), RangeError);
});

Deno.test("binomialCdf() and its mirror image make one, and its terms add up", () => {
  for (const [k, n, p] of [[3, 10, 0.3], [0, 1, 0.9], [400, 1000, 0.5], [7, 8, 0.01]] as const) {
    near(binomialCdf(k, n, p) + binomialCdf(n - k - 1, n, 1 - p), 1);
    near([...Array(k + 1).keys()].reduce((sum, j) => sum + binomialPmf(j, n, p), 0), binomialCdf(k, n, p));
  }
  assert.deepEqual([binomialCdf(-1, 5, 0.5), binomialCdf(5, 5, 0.5), binomialCdf(0, 0, 0.5)], [0, 1, 1]);
  assert.deepEqual([binomialCdf(0, 5, 0), binomialCdf(4, 5, 1)], [1, 0]);
});

Deno.test("normalQuantile() gives the check values of algorithm AS 241 and SciPy's", () => {
  // Wichura (1988), section 4.
  near(normalQuantile(0.25), -0.6744897501960817, 1e-14);
  near(normalQuantile(0.001), -3.090232306167814, 1e-14);
  near(normalQuantile(1e-20), -9.262340089798408, 1e-14);
  // SciPy: norm.ppf(p).
  near(normalQuantile(0.975), 1.959963984540054, 1e-14);
  near(normalQuantile(0.8), 0.8416212335729143, 1e-14);
  assert.deepEqual([normalQuantile(0), normalQuantile(0.5), normalQuantile(1)], [-Infinity, 0, Infinity]);
});

Deno.test("normalCdf() gives SciPy's values, and undoes normalQuantile()", () => {
  // SciPy: norm.cdf(z).
  near(normalCdf(-3), 1.34989803163e-3, 1e-9);
  near(normalCdf(-1.96), 2.49978951482e-2, 1e-9);
  near(normalCdf(0.5), 0.691462461274, 1e-9);
  for (const p of [1e-6, 0.025, 0.3, 0.5, 0.9, 0.999]) near(normalCdf(normalQuantile(p)), p, 1e-9);
  assert.deepEqual([normalCdf(-9), normalCdf(0), normalCdf(9), normalCdf(Infinity)], [0, 0.5, 1, 1]);
});

Deno.test("holm() gives the adjusted p-values of published examples", () => {
  // The example in the documentation of pingouin.multicomp (method "holm").
  assert.deepEqual(holm([0.5, 0.003, 0.32, 0.054, 0.0003]).map((p) => +p.toFixed(6)), [
    0.64,
    0.012,
    0.64,
    0.162,
    0.0015,
  ]);
  // Wikipedia, Holm-Bonferroni method: H1 and H4 are rejected at 0.05, H2 and H3 are not.
  assert.deepEqual(holm([0.01, 0.04, 0.03, 0.005]).map((p) => +p.toFixed(6)), [0.03, 0.06, 0.06, 0.02]);
});

Deno.test("holm() gives equal p-values equal results, never more than 1, and leaves one alone", () => {
  assert.deepEqual(holm([0.02, 0.02, 0.02]), [0.06, 0.06, 0.06]);
  assert.deepEqual(holm([0.9, 0.8]), [1, 1]);
  assert.deepEqual([holm([0.04]), holm([])], [[0.04], []]);
  assert.throws(() => holm([0.1, NaN]), RangeError);
});

Deno.test("signFlipTest() gives Fisher's own p for Darwin's maize: 1726 of 32768 assignments", () => {
  assert.equal(signFlipTest(MAIZE, { random: new Random("0") }), 1726 / 32768);
  // SciPy: permutation_test((sleep,), mean, permutation_type="samples", n_resamples=inf).
  assert.equal(signFlipTest(SLEEP, { random: new Random("0") }), 4 / 1024);
});

Deno.test("signFlipTest() is the exact McNemar test on differences of one, zeros aside", () => {
  for (const [up, down] of [[6, 0], [5, 1], [9, 3], [2, 2]] as const) {
    const differences = [...Array(up).fill(1), ...Array(down).fill(-1), 0, 0, 0];
    near(signFlipTest(differences, { random: new Random("0") }), mcnemar(up, down));
  }
});

Deno.test("signFlipTest() draws where there are too many signs: near the exact p, never 0, the same each time", () => {
  const differences = [...Array(20).fill(1), ...Array(10).fill(-1)];
  const p = signFlipTest(differences, { random: new Random("0") });
  assert.ok(Math.abs(p - mcnemar(20, 10)) < 0.01, `${p}`);
  assert.equal(signFlipTest(differences, { random: new Random("0") }), p);
  assert.equal(signFlipTest(Array(40).fill(1), { random: new Random("0"), resamples: 999 }), 1 / 1000);
});

Deno.test("signFlipTest() shows nothing by no pair, one pair, or pairs that do not differ", () => {
  for (const differences of [[], [0.4], [0, 0, 0, 0, 0, 0, 0]]) {
    assert.equal(signFlipTest(differences, { random: new Random("0") }), 1);
  }
  // 0.1 + 0.2 and 0.3: equal but for rounding.
  assert.equal(signFlipTest([0.1, 0.2, -0.3], { random: new Random("0") }), 1);
});

Deno.test("pairedBootstrap() gives SciPy's BCa interval, within the error of resampling", () => {
  // SciPy: bootstrap((x,), mean, n_resamples=200000, method="BCa").
  for (const [values, lower, upper] of [[MAIZE, -0.2083, 4.5417], [SLEEP, 1.05, 2.62]] as const) {
    const interval = pairedBootstrap(values, { random: new Random("0"), resamples: 50_000 });
    assert.ok(
      interval !== undefined && Math.abs(interval[0] - lower) < 0.08 && Math.abs(interval[1] - upper) < 0.08,
      `${interval}`,
    );
  }
  // One pair of twenty is worse: BCa's lower end lies further out than the upper. SciPy: (-0.25, 0).
  assert.deepEqual(pairedBootstrap([...Array(19).fill(0), -1], { random: new Random("0") }), [-0.25, 0]);
});

Deno.test("pairedBootstrap() gives the same numbers each time with a seed, others with another", () => {
  const interval = (seed: string) => pairedBootstrap(MAIZE, { random: new Random(seed) });
  assert.deepEqual(interval("0"), [-0.25, 4.533333333333333]);
  assert.deepEqual(interval("0"), interval("0"));
  assert.notDeepEqual(interval("0"), interval("1"));
});

Deno.test("pairedBootstrap() gives no interval of one pair, and a point where all pairs are equal", () => {
  const random = new Random("0");
  assert.equal(pairedBootstrap([], { random }), undefined);
  assert.equal(pairedBootstrap([0.5], { random }), undefined);
  assert.deepEqual(pairedBootstrap([0.1, 0.1, 0.1], { random }), [0.1, 0.1]);
  assert.deepEqual(pairedBootstrap([0, 0], { random }), [0, 0]);
});

Deno.test("pairedBootstrap() turns around with its sides, but for the error of resampling", () => {
  const there = pairedBootstrap(SLEEP, { random: new Random("0"), resamples: 50_000 });
  const back = pairedBootstrap(SLEEP.map((one) => -one), { random: new Random("1"), resamples: 50_000 });
  assert.ok(there !== undefined && back !== undefined);
  assert.ok(Math.abs(there[0] + back[1]) < 0.05 && Math.abs(there[1] + back[0]) < 0.05, `${there}, ${back}`);
});

Deno.test("mcnemarPower() gives the exact power that MESS validates: 0.80 for 144 pairs, 25 % and 45 %", () => {
  // MESS, tests/testthat/testpowermcnemar.R; Duffy (1984). One-sided at 0.025 there: the other tail adds nothing here.
  assert.equal(mcnemarPower(144, 0.25, 0.45).toFixed(2), "0.80");
  // The sums over SciPy's binom.pmf and binom.cdf, term by term.
  near(mcnemarPower(144, 0.25, 0.45), 0.8009197667122332);
  near(mcnemarPower(22, 0.05, 0.45), 0.7515694760295943);
  near(mcnemarPower(20, 0.5, 0), 0.9793052673339845);
  near(mcnemarPower(60, 0.2, 0.05), 0.5808549092029066);
});

Deno.test("detectableRate() is where the power is 0.8: the same numbers as SciPy's root finder on SciPy's sums", () => {
  near(detectableRate(6), 0.9634924839989961);
  near(detectableRate(10), 0.6731718214777695);
  near(detectableRate(50), 0.15352242757513576);
  near(detectableRate(50, 0.05), 0.2295176546315089);
  near(detectableRate(100, 0.05), 0.141575423004709);
});

Deno.test("detectableRate() shrinks with pairs, and is none where no difference would do", () => {
  const sizes = [10, 100, 1000, 10_000].map((n) => detectableRate(n) ?? NaN);
  assert.deepEqual(sizes, sizes.toSorted((a, b) => b - a));
  assert.deepEqual([detectableRate(0), detectableRate(1), detectableRate(5), detectableRate(100, 0.5)], [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("detectableMean() is (1.96 + 0.84) standard errors, and none without spread", () => {
  // SciPy and NumPy: std(sleep, ddof=1) / sqrt(10) * (norm.ppf(0.975) + norm.ppf(0.8)).
  near(detectableMean(SLEEP), 1.0897010113018113);
  for (const values of [[], [1], [0.1, 0.1, 0.1], [0, 0]]) assert.equal(detectableMean(values), undefined);
});

Deno.test("passHatK() is the mean of C(c, k) / C(n, k), and no power of the pass rate", () => {
  // C(3,2)/C(5,2) = 3/10, and 1.
  near(passHatK([{ n: 5, passed: 3 }, { n: 2, passed: 2 }], 2), 0.65);
  near(passHatK([{ n: 5, passed: 3 }], 1), 0.6);
  assert.equal(passHatK([{ n: 5, passed: 3 }], 4), 0);
  assert.equal(passHatK([{ n: 3, passed: 3 }], 3), 1);
  assert.throws(() => passHatK([{ n: 2, passed: 2 }], 3), /pass\^3 needs 3 trials of each, and there are 2/);
  assert.throws(() => passHatK([], 1), RangeError);
});
