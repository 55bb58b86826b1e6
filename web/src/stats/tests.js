// Tests of whether methods differ, from their ranks over blocks; as scarce.analysis.tests, which has the formulas.
// Source: J. Demsar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006), section 3.2.

import { APPROXIMATE, EXACT, exactP } from "./exact.js";
import { byRank, compareNames } from "./ranks.js";
import { chdtrc, fdtrc, ndtr } from "./special.js";
import { settled } from "./ties.js";

/** Why k methods on N blocks cannot be tested, or null if they can. */
export function untestable(k, n) {
  if (k < 3) {
    return `only ${k} method${k === 1 ? "" : "s"}: these tests compare at least three (two: Wilcoxon's signed-rank test)`;
  }
  if (n < 2) return `only ${n} block${n === 1 ? "" : "s"}: a test needs at least two`;
  return null;
}

/**
 * The three omnibus tests of the hypothesis that all methods perform alike, which share one exact p-value.
 *
 * @typedef {{test: string, statistic: number, df1: number, df2: number | null, p: number, pExact: number | null,
 *   decisive: number, kind: string}} Omnibus p: by the chi-squared or F distribution; decisive: the exact p-value
 *   where it could be had, else the approximate one; kind: which of the two it is.
 *
 * @param {number[][]} ranks Blocks x methods, as `untestable` allows.
 * @returns {{friedman: Omnibus, friedmanTieCorrected: Omnibus, imanDavenport: Omnibus}}
 */
export function omnibus(ranks) {
  const [n, k] = [ranks.length, ranks[0].length];
  const squares = ranks[0].reduce((sum, _, m) => sum + ranks.reduce((s, row) => s + row[m], 0) ** 2, 0);
  // Rank sums are multiples of one half, so both numbers are exact and "all blocks agree" is an equality.
  const spread = 12 * squares - 3 * n * n * k * (k + 1) ** 2;
  const largest = n * n * k * (k + 1) * (k - 1);
  const chi2 = spread / (n * k * (k + 1));
  const correction = 1 - ranks.reduce((sum, row) => sum + tiedRanks(row), 0) / (n * k * (k * k - 1));
  const corrected = correction > 0 ? chi2 / correction : 0;
  const f = spread < largest ? ((n - 1) * spread) / (largest - spread) : Infinity;
  const [df1, df2] = [k - 1, (k - 1) * (n - 1)];
  const pExact = exactP(ranks);
  const outcome = (test, statistic, second, p) => {
    const [decisive, kind] = pExact === null ? [p, APPROXIMATE] : [pExact, EXACT];
    return { test, statistic, df1, df2: second, p, pExact, decisive, kind };
  };
  return {
    friedman: outcome("friedman", chi2, null, chdtrc(df1, chi2)),
    friedmanTieCorrected: outcome("friedman_tie_corrected", corrected, null, chdtrc(df1, corrected)),
    imanDavenport: outcome("iman_davenport", f, df2, fdtrc(df1, df2, f)),
  };
}

/** Sum of t^3 - t over the groups of t equal ranks. */
function tiedRanks(row) {
  const sizes = new Map();
  for (const rank of row) sizes.set(rank, (sizes.get(rank) ?? 0) + 1);
  return [...sizes.values()].reduce((sum, size) => sum + size ** 3 - size, 0);
}

/** Standard error of a difference of two average ranks. */
export function standardError(k, n) {
  return Math.sqrt((k * (k + 1)) / (6 * n));
}

/** Smallest difference of two average ranks that Nemenyi's test calls significant, from its critical value q. */
export function criticalDifference(q, k, n) {
  return q * standardError(k, n);
}

/**
 * Holm's procedure: which methods differ from a control.
 *
 * @param {number[]} average Average ranks.
 * @param {number} n Blocks.
 * @param {string[]} names Of the methods.
 * @param {object} how
 * @param {number} how.control Index of a method.
 * @param {"two-sided" | "one-sided"} how.alternative "one-sided" halves the two-sided p, whichever is better.
 * @param {number} how.alpha
 * @param {boolean} how.stepDown True is Holm's; false compares each p with its own step's level and does not stop.
 * @returns {{method: number, statistic: number, p: number, pAdjusted: number, significant: boolean}[]} Smallest p
 *   first, then by name; the statistic is positive where the control ranks better.
 */
export function holm(average, n, names, { control, alternative, alpha, stepDown }) {
  const k = average.length;
  const others = average.map((_, m) => m).filter((m) => m !== control);
  const differences = settled(others.map((m) => average[m] - average[control]), k);
  const rows = others.map((method, i) => {
    const statistic = differences[i] / standardError(k, n);
    return { method, statistic, p: ndtr(-Math.abs(statistic)) * (alternative === "two-sided" ? 2 : 1) };
  });
  rows.sort((one, other) => one.p - other.p || compareNames(names[one.method], names[other.method]));
  let largest = 0;
  return rows.map((row, step) => {
    const own = row.p * (k - 1 - step);
    largest = Math.max(largest, own);
    const pAdjusted = Math.min(stepDown ? largest : own, 1);
    return { ...row, pAdjusted, significant: pAdjusted <= alpha };
  });
}

/**
 * Nemenyi's test of all pairs by the critical difference, `limit`.
 *
 * @returns {{better: number, worse: number, statistic: number, significant: boolean}[]} The statistic is the
 *   difference in standard errors, to be held against q; largest difference first, then by name.
 */
export function nemenyi(average, n, names, limit) {
  const k = average.length;
  const order = byRank(average, names);
  const pairs = order.flatMap((better, place) => order.slice(place + 1).map((worse) => ({ better, worse })));
  const differences = settled(pairs.map(({ better, worse }) => average[worse] - average[better]), k);
  const byNames = (one, other) =>
    compareNames(names[one.better], names[other.better]) || compareNames(names[one.worse], names[other.worse]);
  return pairs
    .map((pair, i) => ({ ...pair, statistic: differences[i] / standardError(k, n), significant: differences[i] >= limit }))
    .sort((one, other) => other.statistic - one.statistic || byNames(one, other));
}

/**
 * Bars of a critical difference diagram: the largest groups in which no two methods are `limit` or more apart.
 *
 * @returns {number[][]} From the best rank to the worst, two members at least.
 */
export function cliques(average, names, limit) {
  const order = byRank(average, names);
  const groups = [];
  let endOfLast = 0;
  order.forEach((first, start) => {
    let end = start + 1;
    while (end < order.length && average[order[end]] - average[first] < limit) end++;
    if (end - start > 1 && end > endOfLast) {
      groups.push(order.slice(start, end));
      endOfLast = end;
    }
  });
  return groups;
}
