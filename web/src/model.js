// What the views show, computed from the numbers of the page for the reader's choices. Pure: no DOM.

import { signedRank as wilcoxon } from "./stats/exact.js";
import { averageRanks, byRank, rankBlocks, selectBlocks } from "./stats/ranks.js";
import { tIsf } from "./stats/special.js";
import { criticalDifference, cliques, holm, imanDavenport, untestable } from "./stats/tests.js";
import { exactMean, settled } from "./stats/ties.js";
import { countable, kept } from "./filter.js";

/** Data sets x methods of an array metric x scenario x data set x method. */
function cells({ shape, values }, metric, scenario) {
  const [, scenarios, datasets, methods] = shape;
  const start = (metric * scenarios + scenario) * datasets * methods;
  return Array.from({ length: datasets }, (_, d) => Array.from(values.subarray(start + d * methods, start + (d + 1) * methods)));
}

/**
 * One metric in one scenario over some data sets: who is compared, values, ranks and tests.
 *
 * `methods` and `datasets` hold places in the data; whatever else goes by method follows the order of `methods`, and
 * `order` holds places in it from the best average rank to the worst.
 */
export function panelOf(data, metric, scenario, places) {
  const { study } = data;
  const higher = data.metrics[metric].higher;
  const blocks = selectBlocks({
    means: cells(data.means, metric, scenario),
    gaps: cells(data.gaps, metric, scenario),
    datasets: places,
    missing: study.missing,
    higherIsBetter: higher,
  });
  const { datasets, methods, values } = blocks;
  const names = methods.map((place) => data.methods[place].name);
  const ranks = rankBlocks(values, higher);
  const average = datasets.length ? averageRanks(ranks) : [];
  const columns = methods.map((_, at) => values.map((row) => row[at]).filter(Number.isFinite));
  const mean = settled(columns.map(exactMean));
  return {
    ...blocks,
    names,
    ranks,
    average,
    mean,
    interval: columns.map((column, at) => interval(column, mean[at])),
    wins: methods.map((_, at) => ranks.filter((row) => row[at] === Math.min(...row)).length),
    order: average.length ? byRank(average, names) : [],
    ...tested(data, names, ranks, average),
  };
}

/** The tests of a panel, or the `reason` why there are none. */
function tested({ study, nemenyi_q }, names, ranks, average) {
  const [k, n] = [names.length, ranks.length];
  const missing = study.control !== "best" && !names.includes(study.control);
  const reason = untestable(k, n) ?? (missing ? `the control method ${study.control} has no ranks` : null);
  if (reason) return { reason, omnibus: null, holm: [], control: null, limit: null, cliques: [] };
  const own = study.own_blocks === "datasets";
  const test = imanDavenport(ranks);
  const p = test.pExact ?? test.p;
  const options = { control: study.control, alternative: own ? study.alternative : "two-sided", alpha: study.alpha, stepDown: !own || study.holm === "holm" };
  const compared = holm(average, names, n, options);
  const limit = criticalDifference(k, n, nemenyi_q[k]);
  const byMethod = [];
  for (const row of compared) byMethod[row.method] = { p: row.pAdjusted, significant: row.significant };
  return { reason: null, omnibus: { ...test, decisive: p, keeps: p > study.alpha }, holm: byMethod, control: compared[0].control, limit, cliques: cliques(average, names, limit) };
}

/** 95 % confidence interval of a mean over data sets, by Student's t; NaN for fewer than two. */
function interval(values, mean) {
  const n = values.length;
  if (n < 2) return [NaN, NaN];
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1));
  const half = (tIsf(0.025, n - 1) * sd) / Math.sqrt(n);
  return [mean - half, mean + half];
}

/** Two methods (places in the data) against each other over the data sets of a panel. */
export function pair(panel, a, b, rope, higher) {
  const sign = higher ? 1 : -1;
  const [first, second] = [a, b].map((place) => panel.methods.indexOf(place));
  const rows = panel.datasets.map((place, row) => {
    const [one, other] = [panel.values[row][first], panel.values[row][second]];
    return { place, a: one, b: other, difference: one === other ? 0 : sign * (one - other) };
  });
  const differences = rows.map(({ difference }) => difference);
  const finite = rows.every(({ difference }) => Number.isFinite(difference));
  const scale = rows.map((row) => Math.max(Math.abs(row.a), Math.abs(row.b)));
  return {
    rows,
    wins: differences.filter((one) => one > 0).length,
    losses: differences.filter((one) => one < 0).length,
    ties: differences.filter((one) => one === 0).length,
    mean: exactMean(differences),
    wilcoxon: finite ? wilcoxon(differences, scale) : null,
    differences: finite ? differences : null,
    rope,
  };
}

/** Points that no other one beats: cheaper and at least as good, or better and no dearer. From the cheapest on. */
export function front(points, higher) {
  const better = (one, other) => (higher ? one.value > other.value : one.value < other.value);
  const dominated = (point) => points.some((other) => other.cost <= point.cost && !better(point, other) && (other.cost < point.cost || better(other, point)));
  return points.filter((point) => !dominated(point)).sort((x, y) => x.cost - y.cost);
}

function median(values) {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((x, y) => x - y);
  const middle = sorted.length / 2;
  return sorted.length ? (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2 : NaN;
}

/** Failures, median fit time and memory of each method (by place) over the runs of some data sets in a scenario. */
export function costs(data, scenario, datasets) {
  const { runs, statuses } = data;
  const inside = new Set(datasets);
  const well = statuses.indexOf("ok");
  const found = data.methods.map(() => ({ failures: 0, times: [], memories: [] }));
  for (let run = 0; run < runs.count; run++) {
    if (runs.scenario[run] !== scenario || !inside.has(runs.dataset[run])) continue;
    const method = found[runs.method[run]];
    method.failures += runs.status[run] !== well;
    method.times.push(runs.fit_seconds[run]);
    method.memories.push(runs.peak_memory_mb[run]);
  }
  return found.map(({ failures, times, memories }) => ({ failures, time: median(times), memory: median(memories) }));
}

/** The runs of each method on a data set, best mean first: `[{place, runs, values, mean, sd, low, high, failures, time}]`. */
export function runsOf(data, metric, scenario, dataset) {
  const { runs, scores, statuses, messages } = data;
  const byMethod = data.methods.map(() => []);
  for (let at = 0; at < runs.count; at++) {
    if (runs.dataset[at] !== dataset || runs.scenario[at] !== scenario) continue;
    byMethod[runs.method[at]].push({
      dataset,
      scenario,
      method: runs.method[at],
      repeat: runs.repeat[at],
      value: metric < scores.shape[0] ? scores.values[metric * runs.count + at] : NaN,
      status: statuses[runs.status[at]],
      message: messages[runs.message[at]] ?? "",
      fit_seconds: runs.fit_seconds[at],
      peak_memory_mb: runs.peak_memory_mb[at],
      class_prior: runs.class_prior[at],
      threshold: runs.threshold[at],
    });
  }
  const sign = data.metrics[metric].higher ? -1 : 1;
  return byMethod
    .flatMap((list, place) => (list.length ? [summary(place, list.sort((x, y) => x.repeat - y.repeat))] : []))
    .sort((x, y) => Number.isNaN(x.mean) - Number.isNaN(y.mean) || sign * (x.mean - y.mean) || 0);
}

function summary(place, runs) {
  const values = runs.map(({ value }) => value).filter(Number.isFinite);
  const mean = exactMean(values);
  const sd = values.length > 1 ? Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)) : NaN;
  return {
    place,
    runs,
    values,
    mean,
    sd,
    low: values.length ? Math.min(...values) : NaN,
    high: values.length ? Math.max(...values) : NaN,
    failures: runs.filter(({ status }) => status !== "ok").length,
    time: median(runs.map(({ fit_seconds }) => fit_seconds)),
  };
}

/** Panels of several (metric, scenario) over the data sets that all of them compare. */
function common(data, state, pairs) {
  const places = pairs.map(([, scenario]) => kept(data, countable(data, scenario), state));
  const first = pairs.map(([metric, scenario], at) => panelOf(data, metric, scenario, places[at]));
  const known = first.filter(({ datasets }) => datasets.length);
  const datasets = (known[0]?.datasets ?? []).filter((place) => known.every((panel) => panel.datasets.includes(place)));
  const panels = pairs.map(([metric, scenario], at) => (first[at].datasets.length ? panelOf(data, metric, scenario, datasets) : null));
  return { panels, datasets };
}

const valueIn = (panel, place, key) => panel?.[key][panel.methods.indexOf(place)] ?? NaN;

/** Mean, or average rank, of each method by flip ratio; the best at the first ratio first. */
export function overRatios(data, state, metric, ratios, byRank) {
  const { panels, datasets } = common(data, state, ratios.map(({ place }) => [metric, place]));
  const values = (place) => ratios.map(({ ratio }, at) => ({ ratio, value: valueIn(panels[at], place, byRank ? "average" : "mean") }));
  const lines = datasets.length ? data.methods.map((_, place) => ({ place, values: values(place) })).filter((line) => line.values.some(({ value }) => Number.isFinite(value))) : [];
  const sign = !byRank && data.metrics[metric].higher ? -1 : 1;
  const size = ({ values }) => exactMean(values.map(({ value }) => value).filter(Number.isFinite));
  return { datasets, lines: lines.sort((x, y) => sign * (size(x) - size(y))) };
}

/** Mean F1 of each method under each threshold rule (`rules` are places of metrics), the best first. */
export function underRules(data, state, scenario, rules) {
  const { panels, datasets } = common(data, state, rules.map((metric) => [metric, scenario]));
  const used = rules.filter((_, at) => panels[at]?.methods.length);
  const shown = panels.filter((panel) => panel?.methods.length);
  const rows = data.methods.map((_, place) => ({ place, values: shown.map((panel) => valueIn(panel, place, "mean")) }));
  const best = ({ values }) => Math.max(...values.filter(Number.isFinite));
  return { datasets, used, rows: datasets.length && used.length > 1 ? rows.filter(({ values }) => values.some(Number.isFinite)).sort((x, y) => best(y) - best(x)) : [] };
}
