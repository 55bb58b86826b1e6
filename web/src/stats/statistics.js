// All statistics of one metric in one scenario over the data sets that a reader kept; as scarce.analysis.statistics.

import { interval, meanOfBlocks } from "./means.js";
import { averageRanks, byRank, rankBlocks, selectBlocks } from "./ranks.js";
import { cliques, criticalDifference, holm, nemenyi, omnibus, untestable } from "./tests.js";

/**
 * @param {object} panel As for `selectBlocks`.
 * @param {object} settings
 * @param {string[]} settings.names Of all methods.
 * @param {number} settings.alpha
 * @param {string} settings.control "best" (average rank) or the name of a method.
 * @param {"two-sided" | "one-sided"} settings.alternative
 * @param {boolean} settings.stepDown See `holm`.
 * @param {(number | null)[]} settings.q Nemenyi's critical values, by number of methods.
 * @returns {object} What `selectBlocks` gives, with
 *   `ranks`: blocks x methods;
 *   `rows`: by rank, {method, averageRank, mean, low, high, wins (blocks in which no method is better)};
 *   `notTested`: why there are no tests, or null; and where there are tests
 *   `omnibus`; `exploratory`: whether the omnibus test keeps its hypothesis, so that no pair is called different;
 *   `control`, `holm` (the study's own variant), `nemenyi`, `criticalDifference`, `cliques`.
 *   Methods are indices into `names` everywhere.
 */
export function compare(panel, { names, alpha, control, alternative, stepDown, q }) {
  const blocks = selectBlocks(panel);
  const { values, methods } = blocks;
  const own = methods.map((m) => names[m]);
  const ranks = rankBlocks(values, panel.higherIsBetter);
  const average = averageRanks(ranks);
  const order = byRank(average, own);
  const rows = rowsOf(values, ranks, average);
  const [n, k] = [values.length, methods.length];
  const chosen = control === "best" ? order[0] : own.indexOf(control);
  const notTested = untestable(k, n) ?? (chosen < 0 ? `the control method ${control} has no ranks` : null);
  const result = { ...blocks, ranks, rows: order.map((i) => ({ method: methods[i], ...rows[i] })), notTested };
  if (notTested !== null) return result;
  const tests = omnibus(ranks);
  const exploratory = tests.imanDavenport.decisive > alpha;
  const limit = criticalDifference(q[k], k, n);
  const withheld = (row) => ({ ...row, significant: row.significant && !exploratory });
  return {
    ...result,
    omnibus: tests,
    exploratory,
    control: methods[chosen],
    holm: holm(average, n, own, { control: chosen, alternative, alpha, stepDown }).map((row) => ({
      ...withheld(row),
      method: methods[row.method],
    })),
    criticalDifference: limit,
    nemenyi: nemenyi(average, n, own, limit).map((row) => ({
      ...withheld(row),
      better: methods[row.better],
      worse: methods[row.worse],
    })),
    cliques: cliques(average, own, limit).map((group) => group.map((i) => methods[i])),
  };
}

function rowsOf(values, ranks, average) {
  const best = ranks.map((row) => Math.min(...row));
  const means = meanOfBlocks(values);
  return average.map((averageRank, i) => ({
    averageRank,
    mean: means[i],
    ...interval(values.map((row) => row[i])),
    wins: ranks.filter((row, block) => row[i] === best[block]).length,
  }));
}
