// Numbers that are equal in exact arithmetic are equal here, and sums do not depend on the order of their terms.
// As scarce.analysis.ties, which says why.

/** Largest difference of equal numbers, relative to the larger one: 64 units in the last place. */
export const RELATIVE = 2 ** -46;
/** The same for numbers near zero, where numbers around 1 cancel. */
export const ABSOLUTE = 2 ** -50;

/**
 * Sum of finite numbers, rounded once; as Python's `math.fsum`. With an infinite number or NaN, the plain sum.
 *
 * Source: J. R. Shewchuk, Adaptive precision floating-point arithmetic and fast robust geometric predicates, Discrete
 * & Computational Geometry 18 (1997), grow-expansion. The partial sums do not overlap, so only the two largest decide
 * the rounding, and a third where these lie halfway between two doubles.
 */
export function fsum(numbers) {
  const partials = [];
  for (let number of numbers) {
    if (!Number.isFinite(number)) return plainSum(numbers);
    let kept = 0;
    for (let partial of partials) {
      if (Math.abs(number) < Math.abs(partial)) [number, partial] = [partial, number];
      const sum = number + partial;
      const lost = partial - (sum - number);
      if (lost) partials[kept++] = lost;
      number = sum;
    }
    partials.length = kept;
    partials.push(number);
  }
  return rounded(partials);
}

function plainSum(numbers) {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

/** Sum of numbers that do not overlap, smallest first. */
function rounded(partials) {
  let i = partials.length - 1;
  if (i < 0) return 0;
  let sum = partials[i];
  let lost = 0;
  while (i > 0 && !lost) {
    const next = partials[--i];
    const before = sum;
    sum = before + next;
    lost = next - (sum - before);
  }
  if (i > 0 && Math.sign(lost) === Math.sign(partials[i - 1])) {
    // the sum was rounded to even at a tie, and what is left says on which side the true sum lies
    const doubled = 2 * lost;
    const other = sum + doubled;
    if (doubled === other - sum) sum = other;
  }
  return sum;
}

/** Mean whose sum is rounded once; NaN of nothing. */
export function exactMean(numbers) {
  return numbers.length ? fsum(numbers) / numbers.length : NaN;
}

/**
 * Numbers in which those that are equal but for rounding are the same double.
 *
 * Sorted neighbours are equal where they differ by at most max(RELATIVE * scale, ABSOLUTE), and so is whatever such
 * steps join. The number with the shortest decimals stands for all of them, the smaller one where two are as short.
 *
 * @param {ArrayLike<number>} numbers NaN and infinite numbers stay as they are.
 * @param {number | ArrayLike<number>} [scale] Size of what the numbers were computed from; by default their own.
 * @returns {number[]}
 */
export function settled(numbers, scale = numbers) {
  const result = Array.from(numbers);
  const scaleOf = typeof scale === "number" ? () => scale : (i) => Math.abs(scale[i]);
  const order = result.map((_, i) => i).filter((i) => Number.isFinite(result[i]));
  order.sort((i, j) => result[i] - result[j]);
  let start = 0;
  for (let end = 1; end <= order.length; end++) {
    const [last, next] = [order[end - 1], order[end]];
    const limit = Math.max(RELATIVE * Math.max(scaleOf(last), scaleOf(next)), ABSOLUTE);
    if (end < order.length && result[next] - result[last] <= limit) continue;
    if (result[last] !== result[order[start]]) join(result, order.slice(start, end));
    start = end;
  }
  return result;
}

function join(numbers, group) {
  const members = group.map((i) => numbers[i]);
  const shortest = members.reduce((best, one) => (decimals(one) - decimals(best) || one - best) < 0 ? one : best);
  for (const i of group) numbers[i] = shortest;
}

/** Length of a number as Python's `repr` writes it. */
function decimals(number) {
  const [digits, power] = Math.abs(number).toExponential().replace(".", "").split("e");
  const [count, exponent] = [digits.length, Number(power)];
  const sign = number < 0 || Object.is(number, -0) ? 1 : 0;
  if (exponent < -4 || exponent > 15) return sign + count + (count > 1) + 2 + Math.max(2, String(Math.abs(exponent)).length);
  if (exponent < 0) return sign + 1 - exponent + count;
  return sign + (count > exponent + 1 ? count + 1 : exponent + 3);
}

/** Whether a number is larger than a limit by more than rounding; `scale` as in `settled`. */
export function exceeds(number, limit, scale = 1) {
  const [one, other] = settled([number, limit], scale);
  return one > other;
}
