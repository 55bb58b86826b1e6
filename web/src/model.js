// What the views show, computed from the numbers of the page for the reader's choices. Pure: no DOM.

import { kept } from "./filter.js";
import { signedRank as wilcoxon } from "./stats/exact.js";
import { interval, meanOfBlocks, sd } from "./stats/means.js";
import { signedRank as bayesian } from "./stats/signed_rank.js";
import { compare } from "./stats/statistics.js";
import { exactMean } from "./stats/ties.js";

/** One metric in one scenario over the data sets that the filter keeps, see `panelOver`. */
export function panelOf(data, state, metric, scenario) {
  return panelOver(data, metric, scenario, kept(data, data.counted(scenario), state));
}

/**
 * One metric in one scenario over some data sets: who is compared, values, ranks and tests; and `oracles`, which are
 * compared with nothing: {method, values, mean, low, high} over the same data sets, with runs that are missing passed over.
 */
function panelOver(data, metric, scenario, datasets) {
  const panel = compare(data.panel(metric, scenario, datasets), data.procedure);
  const oracles = data.oracles.map((method) => {
    const values = panel.datasets.map((dataset) => data.mean(metric, scenario, dataset, method));
    return { method, values, mean: meanOfBlocks(values.map((value) => [value]))[0], ...interval(values) };
  });
  return { ...panel, oracles: oracles.filter(({ values }) => values.some(Number.isFinite)) };
}

/** Values of a method over the data sets of a panel. */
export function column({ methods, values, oracles }, method) {
  const at = methods.indexOf(method);
  return at < 0 ? oracles.find((one) => one.method === method).values : values.map((row) => row[at]);
}

/** Two methods against each other over the data sets of a panel; differences are positive where the first is better. */
export function pair(panel, a, b, rope, higher) {
  const sign = higher ? 1 : -1;
  const [first, second] = [column(panel, a), column(panel, b)];
  const rows = panel.datasets.map((dataset, block) => {
    const [one, other] = [first[block], second[block]];
    return { dataset, a: one, b: other, difference: one === other ? 0 : sign * (one - other) };
  });
  const differences = rows.map(({ difference }) => difference);
  const finite = differences.every(Number.isFinite);
  const count = (holds) => differences.filter(holds).length;
  return {
    rows,
    rope,
    wins: count((one) => one > 0),
    losses: count((one) => one < 0),
    ties: count((one) => one === 0),
    mean: finite ? exactMean(differences) : NaN,
    wilcoxon: finite
      ? wilcoxon(
          differences,
          rows.map((row) => Math.max(Math.abs(row.a), Math.abs(row.b))),
        )
      : null,
    bayes: finite ? bayesian(differences, rope) : null,
  };
}

function median(values) {
  const sorted = Array.from(values)
    .filter(Number.isFinite)
    .sort((x, y) => x - y);
  const middle = sorted.length / 2;
  return sorted.length ? (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2 : NaN;
}

/** Failures, median fit time and memory of each method over the runs of some data sets in a scenario. */
export function costs(data, scenario, datasets) {
  const { runs, statuses } = data;
  const well = statuses.indexOf("ok");
  return data.methods.map((_, method) => {
    const own = datasets.flatMap((dataset) => data.runsOf(scenario, dataset, method));
    return {
      failures: own.filter((run) => runs.status[run] !== well).length,
      time: median(own.map((run) => runs.fit_seconds[run])),
      memory: median(own.map((run) => runs.peak_memory_mb[run])),
    };
  });
}

/** What is known of a run. */
export function runOf(data, metric, run) {
  const { runs, statuses, messages } = data;
  const numbers = [
    "fit_seconds",
    "peak_memory_mb",
    "class_prior",
    "threshold",
    "dataset",
    "scenario",
    "method",
    "repeat",
  ];
  return {
    ...Object.fromEntries(numbers.map((name) => [name, runs[name][run]])),
    value: data.score(metric, run),
    status: statuses[runs.status[run]] ?? "",
    message: messages[runs.message[run]] ?? "",
  };
}

const oraclesLast = (data, one, other) =>
  data.methods[one.method].hidden_labels - data.methods[other.method].hidden_labels;

/** The methods that ran on a data set with their runs and what sums them up, the best mean first, oracles last. */
export function onDataset(data, metric, scenario, dataset) {
  const sign = data.metrics[metric].higher ? -1 : 1;
  return data.methods
    .map((_, method) => {
      const runs = data.runsOf(scenario, dataset, method).map((run) => runOf(data, metric, run));
      return summary(method, runs, data.mean(metric, scenario, dataset, method));
    })
    .filter(({ runs }) => runs.length)
    .sort(
      (x, y) =>
        oraclesLast(data, x, y) ||
        Number.isNaN(x.mean) - Number.isNaN(y.mean) ||
        sign * (x.mean - y.mean) ||
        x.method - y.method,
    );
}

/** `known` is the mean where the page has no single scores of the metric. */
function summary(method, runs, known) {
  const values = runs.map(({ value }) => value).filter(Number.isFinite);
  return {
    method,
    runs,
    values,
    mean: values.length ? exactMean(values) : known,
    sd: values.length > 1 ? sd(values) : NaN,
    low: values.length ? Math.min(...values) : NaN,
    high: values.length ? Math.max(...values) : NaN,
    failures: runs.filter(({ status }) => status !== "ok").length,
    time: median(runs.map((run) => run.fit_seconds)),
  };
}

/** Panels of several [metric, scenario] over the data sets that all of them compare; those without any are null. */
function together(data, state, pairs) {
  const apart = pairs.map(([metric, scenario]) => panelOf(data, state, metric, scenario));
  const known = apart.filter(({ datasets }) => datasets.length);
  const datasets = (known[0]?.datasets ?? []).filter((one) => known.every((panel) => panel.datasets.includes(one)));
  const panels = pairs.map(([metric, scenario], at) =>
    apart[at].datasets.length && datasets.length
      ? panelOver(data, metric, scenario, datasets)
      : null,
  );
  return { panels, datasets };
}

const valueIn = (panel, method, key) =>
  (panel ? [...panel.rows, ...panel.oracles] : []).find((row) => row.method === method)?.[key] ?? NaN;

/** Mean, or average rank, of each method by flip ratio; the best over all ratios first. */
export function overRatios(data, state, metric, ratios, byRank) {
  const { panels, datasets } = together(
    data,
    state,
    ratios.map(({ scenario }) => [metric, scenario]),
  );
  const key = byRank ? "averageRank" : "mean";
  const lines = data.methods.map((_, method) => ({
    method,
    values: ratios.map(({ ratio }, at) => ({ ratio, value: valueIn(panels[at], method, key) })),
  }));
  const sign = !byRank && data.metrics[metric].higher ? -1 : 1;
  const size = ({ values }) => exactMean(values.map(({ value }) => value).filter(Number.isFinite));
  const known = lines.filter((line) => line.values.some(({ value }) => Number.isFinite(value)));
  return { datasets, lines: known.sort((x, y) => oraclesLast(data, x, y) || sign * (size(x) - size(y))) };
}

/** Mean F1 of each method under each threshold rule (`rules` are metrics), the best first. */
export function underRules(data, state, scenario, rules) {
  const { panels, datasets } = together(
    data,
    state,
    rules.map((metric) => [metric, scenario]),
  );
  const used = rules.filter((_, at) => panels[at]);
  const shown = panels.filter(Boolean);
  const rows = data.methods.map((_, method) => ({
    method,
    values: shown.map((panel) => valueIn(panel, method, "mean")),
  }));
  const best = ({ values }) => Math.max(...values.filter(Number.isFinite));
  return {
    datasets,
    used,
    rows: rows.filter(({ values }) => values.some(Number.isFinite)).sort((x, y) => oraclesLast(data, x, y) || best(y) - best(x)),
  };
}
