// Seconds of the statistics of one filter change: node test/speed.mjs. CPU time, since the machine may be shared.

import { compare } from "../src/stats/statistics.js";
import { signedRank } from "../src/stats/exact.js";
import { generator, signedRank as bayesian } from "../src/stats/signed_rank.js";

function milliseconds(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1000).toFixed(1);
}

const uniform = generator(1);
const names = Array.from({ length: 26 }, (_, i) => `m${i}`);
const q = Array(27).fill(3);
const settings = { names, alpha: 0.05, control: "best", alternative: "two-sided", stepDown: true, q };

for (const [methods, datasets] of [[26, 60], [13, 13], [8, 2], [5, 8], [4, 20], [3, 60]]) {
  const change = () => {
    const means = Array.from({ length: datasets }, () => Array.from({ length: methods }, uniform));
    const gaps = means.map((row) => row.map(() => 0));
    const panel = { means, gaps, datasets: means.map((_, i) => i), missing: "drop_dataset", higherIsBetter: true };
    return milliseconds(() => compare(panel, settings));
  };
  console.log(`${methods} methods, ${datasets} data sets: first ${change()} ms, then ${change()}, ${change()}, ${change()} ms`);
}

const differences = Array.from({ length: 60 }, () => uniform() - 0.4);
console.log(`two methods, 60 data sets: Wilcoxon ${milliseconds(() => signedRank(differences))} ms`);
console.log(`two methods, 60 data sets: Bayesian signed-rank ${milliseconds(() => bayesian(differences, 0.01))} ms`);
