// Upper tails of distributions, with small relative error down to the smallest doubles.
// Named as in SciPy. Tested against it over a grid in tests/unit/report/test_web_statistics.py.

const EPSILON = 2 ** -53;
const TINY = 1e-300;
const STEPS = 100_000;

// Lanczos' approximation with g = 7 and nine terms; coefficients of P. Godfrey (2001).
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** Logarithm of the gamma function of a positive number. */
export function gammaln(x) {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - gammaln(1 - x);
  const t = x + 6.5;
  let sum = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) sum += LANCZOS[i] / (x - 1 + i);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** A continued fraction b0 + a1 / (b1 + a2 / (b2 + ...)), by Lentz's method; `term(i)` gives [a_i, b_i]. */
function continuedFraction(first, term) {
  let [value, c, d] = [first || TINY, first || TINY, 0];
  for (let i = 1; i < STEPS; i++) {
    const [a, b] = term(i);
    d = 1 / (b + a * d || TINY);
    c = b + a / c || TINY;
    const change = c * d;
    value *= change;
    if (Math.abs(change - 1) < EPSILON * 4) return value;
  }
  throw new Error("a continued fraction did not converge");
}

/**
 * Regularized upper incomplete gamma function Q(a, x).
 *
 * Source: Abramowitz & Stegun, Handbook of Mathematical Functions, 6.5.29 (series, for x < a + 1) and 6.5.31
 * (continued fraction).
 */
export function gammaincc(a, x) {
  if (!(x > 0)) return Number.isNaN(x) ? NaN : 1;
  if (x === Infinity) return 0;
  const front = Math.exp(a * Math.log(x) - x - gammaln(a));
  if (x >= a + 1) return front / continuedFraction(x + 1 - a, (i) => [i * (a - i), x + 2 * i + 1 - a]);
  let [term, sum] = [1 / a, 1 / a];
  for (let i = 1; term > sum * EPSILON; i++) {
    term *= x / (a + i);
    sum += term;
  }
  return 1 - front * sum;
}

/**
 * Regularized incomplete beta function I_x(a, b); `rest` is 1 - x, which a caller may know more exactly.
 *
 * Source: Abramowitz & Stegun, 26.5.8; where its continued fraction is slow, I_x(a, b) = 1 - I_{1-x}(b, a).
 */
export function betainc(a, b, x, rest = 1 - x) {
  if (!(x > 0)) return Number.isNaN(x) ? NaN : 0;
  if (!(rest > 0)) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - betainc(b, a, rest, x);
  const front = Math.exp(a * Math.log(x) + b * Math.log(rest) + gammaln(a + b) - gammaln(a) - gammaln(b));
  const fraction = continuedFraction(1, (i) => {
    const m = i >> 1;
    const top = i % 2 ? -(a + m) * (a + b + m) : m * (b - m);
    return [(top * x) / ((a + i - 1) * (a + i)), 1];
  });
  return front / fraction / a;
}

/** Normal distribution: probability of at most z. */
export function ndtr(z) {
  const tail = gammaincc(0.5, (z * z) / 2) / 2;
  return z > 0 ? 1 - tail : tail;
}

/** Chi-squared distribution: probability of more than x. */
export function chdtrc(df, x) {
  return gammaincc(df / 2, x / 2);
}

/** F distribution: probability of more than x. */
export function fdtrc(df1, df2, x) {
  if (x === Infinity) return 0;
  const whole = df2 + df1 * x;
  return betainc(df2 / 2, df1 / 2, df2 / whole, (df1 * x) / whole);
}

/** Student's t distribution: probability of more than t. */
export function tSf(t, df) {
  const square = t * t;
  const tail = square === Infinity ? 0 : betainc(df / 2, 0.5, df / (df + square), square / (df + square)) / 2;
  return t < 0 ? 1 - tail : tail;
}

const quantiles = new Map();

/** Student's t distribution: the t that is exceeded with a probability p in (0, 1/2]. */
export function tIsf(p, df) {
  const key = `${p} ${df}`;
  if (!quantiles.has(key)) quantiles.set(key, bisected((t) => tSf(t, df) > p));
  return quantiles.get(key);
}

/** The largest number, of at least 0, up to which `holds`. */
function bisected(holds) {
  let [low, high] = [0, 1];
  while (holds(high)) [low, high] = [high, 2 * high];
  for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
