// Means over data sets; as scarce.analysis.means.

import { tIsf } from "./special.js";
import { exactMean, fsum, settled } from "./ties.js";

/** Intervals of means have the level 95 %, whatever the level of a study's tests. */
const OUTSIDE = 0.05;

/** Mean over blocks, by method; infinitely bad values of the policy "worst" are passed over. */
export function meanOfBlocks(values) {
  return settled((values[0] ?? []).map((_, m) => exactMean(finite(values.map((row) => row[m])))));
}

function finite(numbers) {
  return numbers.filter(Number.isFinite);
}

/**
 * Student's interval of the mean over blocks, at level 1 - alpha; NaN where fewer than two are finite.
 *
 * It takes the data sets as a sample of independent ones. Intervals of two methods may overlap though the methods
 * differ on every data set: the differences between data sets are in both.
 *
 * @returns {{low: number, high: number}}
 */
export function interval(numbers, alpha = OUTSIDE) {
  const own = finite(numbers);
  const mean = exactMean(own);
  if (own.length < 2) return { low: NaN, high: NaN };
  const half = tIsf(alpha / 2, own.length - 1) * (sd(own) / Math.sqrt(own.length));
  return { low: mean - half, high: mean + half };
}

/** Standard deviation, ddof 1. */
export function sd(numbers) {
  const mean = exactMean(numbers);
  return Math.sqrt(fsum(numbers.map((number) => (number - mean) ** 2)) / (numbers.length - 1));
}
