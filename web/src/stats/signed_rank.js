// The Bayesian signed-rank test; as scarce.analysis.signed_rank, but for the generator of random numbers. Its result
// is sampled, so it equals Python's within the error of sampling alone: a view that shows it says so.

import { settled } from "./ties.js";

/** Draws of the posterior; the standard error of a probability is then below 0.0023. */
export const DRAWS = 50_000;

/**
 * Where the mean of each two observations lies: -1 below the rope, 0 within it, 1 above it.
 *
 * @param {number[]} differences The pseudo-observation 0 is added here, as the first observation.
 * @param {number} rope Means that equal -rope or rope lie within.
 * @returns {number[][]}
 */
export function regions(differences, rope) {
  const observed = [0, ...differences];
  const means = observed.flatMap((one) => observed.map((other) => (one + other) / 2));
  const flat = settled([...means, -rope, rope], 1);
  const [low, high] = flat.slice(-2);
  return observed.map((_, i) =>
    observed.map((_, j) => {
      const mean = flat[i * observed.length + j];
      return mean > high ? 1 : mean < low ? -1 : 0;
    }),
  );
}

/**
 * Posterior probabilities that a difference is above the rope, within it, and below it.
 *
 * The observations have Dirichlet weights w: 1/2 for a pseudo-observation at 0, and 1 for each difference. Each draw
 * gives three sums of w_i w_j, over the pairs whose mean lies above, within and below the rope. A probability is the
 * share of draws in which its sum is the largest; equal sums share a draw.
 *
 * Source: Benavoli, Corani, Demsar & Zaffalon, Time for a change, JMLR 18(77) (2017), section 4.2.
 *
 * @param {number[]} differences Of two methods on n data sets, as a fraction; positive where the first is better.
 * @returns {{better: number, equal: number, worse: number} | null} null without differences, or where one is not
 *   finite.
 */
export function signedRank(differences, rope, { seed = 0, draws = DRAWS } = {}) {
  if (!differences.length || !differences.every(Number.isFinite)) return null;
  const sorted = differences.slice().sort((one, other) => one - other);
  const zero = sorted.filter((one) => one < 0).length; // place of the pseudo-observation
  const inOrder = [...sorted.slice(0, zero), 0, ...sorted.slice(zero)];
  const where = ordered(regions(sorted, rope), zero);
  // Among sorted observations, the means with one of them are sorted too: each region is a range.
  const [below, notAbove] = [-1, 0].map((side) => where.map((row) => row.filter((one) => one <= side).length));
  const uniform = generator(seed);
  const n = inOrder.length;
  const [weights, upTo] = [new Float64Array(n), new Float64Array(n + 1)];
  const totals = { better: 0, equal: 0, worse: 0 };
  for (let draw = 0; draw < draws; draw++) {
    for (let i = 0; i < n; i++) {
      weights[i] = i === zero ? normal(uniform) ** 2 / 2 : -Math.log(uniform());
      upTo[i + 1] = upTo[i] + weights[i];
    }
    let [better, equal, worse] = [0, 0, 0];
    for (let i = 0; i < n; i++) {
      better += weights[i] * (upTo[n] - upTo[notAbove[i]]);
      equal += weights[i] * (upTo[notAbove[i]] - upTo[below[i]]);
      worse += weights[i] * upTo[below[i]];
    }
    const largest = Math.max(better, equal, worse);
    const share = 1 / draws / ((better === largest) + (equal === largest) + (worse === largest));
    if (better === largest) totals.better += share;
    if (equal === largest) totals.equal += share;
    if (worse === largest) totals.worse += share;
  }
  return totals;
}

/** A matrix whose first row and column are moved to a place, in ascending order with the others. */
function ordered(matrix, place) {
  const moved = ([first, ...rest]) => [...rest.slice(0, place), first, ...rest.slice(place)];
  return moved(matrix).map(moved);
}

/** A standard normal number (Box & Muller 1958). Its square, halved, has the gamma distribution of shape 1/2. */
function normal(uniform) {
  return Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Uniform numbers in (0, 1): xoshiro128** of D. Blackman and S. Vigna (2021), seeded by a Weyl sequence. */
export function generator(seed) {
  const state = new Uint32Array(4);
  for (let i = 0; i < 4; i++) state[i] = scrambled((seed + Math.imul(i + 1, 0x9e3779b9)) >>> 0);
  const rotated = (number, by) => (number << by) | (number >>> (32 - by));
  const next = () => {
    const result = Math.imul(rotated(Math.imul(state[1], 5), 7), 9) >>> 0;
    const shifted = state[1] << 9;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotated(state[3], 11);
    return result;
  };
  return () => (next() * 2 ** 21 + (next() >>> 11) + 0.5) / 2 ** 53;
}

/** The finalizer of MurmurHash3. */
function scrambled(number) {
  let mixed = number;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
