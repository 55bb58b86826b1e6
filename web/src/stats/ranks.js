// Blocks of paired results, and the ranks of methods within them; as scarce.analysis.ranks.

/**
 * Which data sets and methods are compared, and their values; as `block_matrix` with data sets as blocks.
 *
 * Methods without any value in the data sets that are asked for are left out, and so are data sets without any value.
 *
 * @param {object} panel One metric in one scenario.
 * @param {number[][]} panel.means Data sets x methods, settled; NaN where a method has no value at all. Missing runs
 *   are filled as the policy says.
 * @param {number[][]} panel.gaps Runs that are missing among the repeats in which another method has a value.
 * @param {number[]} panel.datasets Indices of the data sets that are asked for, in order.
 * @param {number[]} [panel.methods] Indices of the methods that are compared, in order; all by default.
 * @param {"drop_dataset" | "worst" | "refuse"} panel.missing "drop_dataset" leaves out data sets in which a method
 *   that is compared lacks a run; "worst" counts a method without a value as infinitely bad; "refuse" compares
 *   nothing where something is missing.
 * @param {boolean} panel.higherIsBetter
 * @returns {{datasets: number[], methods: number[], values: number[][], leftOut: number[],
 *   holes: {dataset: number, method: number, runs: number}[], refused: boolean}} datasets, methods: indices of what is
 *   compared; leftOut: methods without any value; holes: what is missing of the methods that are compared.
 */
export function selectBlocks({ means, gaps, datasets, methods, missing, higherIsBetter }) {
  const all = methods ?? (means.length ? Array.from(means[0], (_, m) => m) : []);
  const present = datasets.filter((d) => all.some((m) => !Number.isNaN(means[d][m])));
  const found = present.length ? all.filter((m) => present.some((d) => !Number.isNaN(means[d][m]))) : all;
  const leftOut = all.filter((m) => !found.includes(m));
  const holes = present.flatMap((dataset) =>
    found.filter((m) => gaps[dataset][m] > 0).map((method) => ({ dataset, method, runs: gaps[dataset][method] })),
  );
  const refused = missing === "refuse" && (holes.length > 0 || leftOut.length > 0);
  const dropped = new Set(missing === "drop_dataset" ? holes.map(({ dataset }) => dataset) : []);
  const kept = refused ? [] : present.filter((d) => !dropped.has(d));
  const last = higherIsBetter ? -Infinity : Infinity;
  const values = kept.map((d) => found.map((m) => (Number.isNaN(means[d][m]) ? last : means[d][m])));
  return { datasets: kept, methods: found, values, leftOut, holes, refused };
}

/** Ranks of numbers, 1 for the smallest; equal numbers share their mean rank. */
export function ranksOf(numbers) {
  const order = numbers.map((_, i) => i).sort((i, j) => numbers[i] - numbers[j] || 0);
  const ranks = new Array(numbers.length);
  for (let start = 0, end = 1; start < order.length; start = end, end++) {
    while (end < order.length && numbers[order[end]] === numbers[order[start]]) end++;
    for (let place = start; place < end; place++) ranks[order[place]] = (start + 1 + end) / 2;
  }
  return ranks;
}

/** Ranks within each block: 1 is best, ties share their mean rank. */
export function rankBlocks(values, higherIsBetter = true) {
  return values.map((row) => {
    if (row.some(Number.isNaN)) throw new Error("a block with a missing value cannot be ranked");
    return ranksOf(higherIsBetter ? row.map((value) => -value) : row);
  });
}

/** Average rank of each method over blocks; Demsar 2006, section 3.2.2. */
export function averageRanks(ranks) {
  return (ranks[0] ?? []).map((_, m) => ranks.reduce((sum, row) => sum + row[m], 0) / ranks.length);
}

/** Indices of methods from the best average rank to the worst; equal ranks in the order of names. */
export function byRank(average, names) {
  return average.map((_, m) => m).sort((a, b) => average[a] - average[b] || compareNames(names[a], names[b]));
}

export function compareNames(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}
