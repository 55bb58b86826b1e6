// Exact p-values, as scarce.analysis.exact: of the omnibus statistics, and of Wilcoxon's signed-rank test.

import { ranksOf } from "./ranks.js";
import { ndtr } from "./special.js";
import { fsum, settled } from "./ties.js";

export const EXACT = "exact";
export const APPROXIMATE = "approximate";
/** Arrangements of ranks that the exact test of an omnibus statistic may go through. */
export const ARRANGEMENTS = 1_000_000;
/** With more methods a single block has too many arrangements. */
export const MANY = 8;
/** Differences for which the signed-rank test is exact. */
export const EXACT_DIFFERENCES = 500;

const KEPT = 64;
const distributions = new Map();

/**
 * Exact p-value of the omnibus statistics, or null where that takes too many steps.
 *
 * It is the probability of a sum of squared rank sums at least as large, under all arrangements of the ranks of each
 * block, ties as they are (Friedman 1937, section 2).
 *
 * @param {number[][]} ranks Blocks x methods.
 * @returns {number | null}
 */
export function exactP(ranks) {
  const doubled = ranks.map((row) => row.map((rank) => Math.round(2 * rank)));
  if (doubled[0].length > MANY) return null;
  const blocks = doubled.map(ascending).sort(lexicographic);
  const key = blocks.map((block) => block.join()).join(";");
  if (!distributions.has(key)) {
    if (distributions.size >= KEPT) distributions.delete(distributions.keys().next().value);
    distributions.set(key, nullDistribution(blocks));
  }
  const found = distributions.get(key);
  if (found === null) return null;
  const sums = doubled[0].map((_, j) => doubled.reduce((sum, row) => sum + row[j], 0));
  const own = sumOfSquares(sums);
  return fsum(found.counts.filter((_, i) => found.squares[i] >= own)) / fsum(found.counts);
}

function ascending(numbers) {
  return numbers.slice().sort((one, other) => one - other);
}

function lexicographic(one, other) {
  const i = one.findIndex((number, place) => number !== other[place]);
  return i < 0 ? 0 : one[i] - other[i];
}

function sumOfSquares(numbers) {
  return numbers.reduce((sum, number) => sum + number * number, 0);
}

/** Sums of squared rank sums and their frequencies, from the doubled ranks of each block in ascending order. */
function nullDistribution(blocks) {
  const k = blocks[0].length;
  const base = 2 * k * blocks.length + 1;
  if (BigInt(base) ** BigInt(k) >= 2n ** 63n) return null;
  // The sums of a block's ranks are known, so all rank sums but the largest tell states apart.
  const narrow = base ** (k - 1) < 2 ** 53;
  const start = countArrangements(blocks[0]);
  let states = [{ sums: blocks[0], count: start }]; // in ascending order, since all methods are alike
  let steps = start;
  for (const block of blocks.slice(1)) {
    steps += states.length * countArrangements(block);
    if (steps > ARRANGEMENTS) return null;
    const next = new Map();
    const sums = new Array(k);
    const order = block.slice();
    do {
      for (const state of states) {
        sortedSum(state.sums, order, sums);
        const key = narrow ? numberOf(sums, base) : sums.join();
        const known = next.get(key);
        if (known) known.count += state.count;
        else next.set(key, { sums: sums.slice(), count: state.count });
      }
    } while (rearrange(order));
    states = [...next.values()];
  }
  return { squares: states.map(({ sums }) => sumOfSquares(sums)), counts: states.map(({ count }) => count) };
}

/** Writes the sums of two lists into a third, in ascending order. */
function sortedSum(one, other, sums) {
  for (let i = 0; i < one.length; i++) {
    const sum = one[i] + other[i];
    let place = i;
    for (; place > 0 && sums[place - 1] > sum; place--) sums[place] = sums[place - 1];
    sums[place] = sum;
  }
}

function numberOf(sums, base) {
  let number = 0;
  for (let i = sums.length - 2; i >= 0; i--) number = number * base + sums[i];
  return number;
}

/** How many different orders some numbers have. */
function countArrangements(block) {
  const seen = new Map();
  let count = 1;
  block.forEach((number, i) => {
    seen.set(number, (seen.get(number) ?? 0) + 1);
    count = (count * (i + 1)) / seen.get(number);
  });
  return Math.round(count);
}

/** Turns an order of some numbers into the next one in lexicographic order; false after the last (descending) one. */
function rearrange(order) {
  let pivot = order.length - 2;
  while (pivot >= 0 && order[pivot] >= order[pivot + 1]) pivot--;
  if (pivot < 0) return false;
  let larger = order.length - 1;
  while (order[larger] <= order[pivot]) larger--;
  [order[pivot], order[larger]] = [order[larger], order[pivot]];
  for (let i = pivot + 1, j = order.length - 1; i < j; i++, j--) [order[i], order[j]] = [order[j], order[i]];
  return true;
}

/**
 * Wilcoxon's signed-rank test of paired differences, two-sided; equal magnitudes share their mean rank.
 *
 * @param {number[]} differences
 * @param {number | number[]} [scale] Size of the numbers whose differences these are, see `settled`.
 * @param {"split" | "drop"} [zeros] Zeros are ranked and split between both sides (Demsar 2006, section 3.1.3; Pratt
 *   1959), or left out before ranking (Wilcoxon 1945).
 * @returns {{p: number, side: number, kind: string}} side: 1 where positive differences have the larger rank sum, -1
 *   where negative ones have, 0 where both are equal.
 */
export function signedRank(differences, scale = 1, zeros = "split") {
  const scales = typeof scale === "number" ? differences.map(() => scale) : scale;
  const sizes = settled([...differences.map(Math.abs), 0], [...scales, 0]).slice(0, -1);
  const ranked = differences.map((_, i) => i).filter((i) => zeros === "split" || sizes[i] > 0);
  const ranks = ranksOf(ranked.map((i) => sizes[i]));
  const doubled = [];
  let excess = 0; // the ranks of zeros count for both sides, and cancel
  ranked.forEach((i, place) => {
    if (!sizes[i]) return;
    const rank = Math.round(2 * ranks[place]);
    doubled.push(rank);
    excess += rank * Math.sign(differences[i]);
  });
  if (!doubled.length) return { p: 1, side: 0, kind: EXACT };
  const side = Math.sign(excess);
  if (doubled.length > EXACT_DIFFERENCES) {
    return { p: 2 * ndtr(-Math.abs(excess) / Math.sqrt(sumOfSquares(doubled))), side, kind: APPROXIMATE };
  }
  return { p: Math.min(1, 2 * lowerTail(doubled, Math.abs(excess))), side, kind: EXACT };
}

/** Probability of a rank sum as far from its mean, on one side, under random signs. */
function lowerTail(doubled, excess) {
  const total = doubled.reduce((sum, rank) => sum + rank, 0);
  const chance = new Float64Array(total + 1); // of each doubled rank sum of the positive differences
  chance[0] = 1;
  let reached = 0;
  for (const rank of ascending(doubled)) {
    reached += rank;
    for (let sum = reached; sum >= 0; sum--) chance[sum] = (chance[sum] + (sum < rank ? 0 : chance[sum - rank])) / 2;
  }
  return fsum(chance.subarray(0, (total - excess) / 2 + 1));
}
