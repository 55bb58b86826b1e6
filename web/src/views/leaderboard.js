// Methods by average rank: critical differences, means with their intervals, wins, failures, time and memory.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart.js";
import { el } from "../dom.js";
import { count, fixed, listed, megabytes, plural, NONE, pValue, pWords, score, seconds } from "../format.js";
import { INK, LINE, PAPER } from "../look.js";
import { labels, names, STYLE } from "../plots.js";
import { block } from "./block.js";
import { heat } from "./heat.js";

export const title = "Leaderboard";

export function view(page) {
  const { panel } = page;
  if (!panel.methods.length || !panel.datasets.length)
    return [el("p", { class: "hint" }, "No data set has values of this metric in this scenario under this filter.")];
  return [
    el("p", { class: "words", id: "omnibus", "data-p": panel.omnibus?.imanDavenport.decisive }, omnibusWords(page)),
    panel.methods.length > 1 && rankChart(page),
    block(page, leaderTable(page)),
    notes(page),
    heat(page),
  ];
}

/** What the tests say, in two or three sentences. */
export function omnibusWords({ data, panel }) {
  const label = (method) => data.methods[method].label;
  const [first] = panel.rows;
  const best = panel.rows
    .filter(({ averageRank }) => averageRank === first.averageRank)
    .map(({ method }) => label(method));
  const leads = `${listed(best)} ${best.length > 1 ? "share" : "has"} the best average rank, ${fixed(first.averageRank, 2)}.`;
  if (panel.notTested) return `${panel.rows.length > 1 ? `${leads} ` : ""}Not tested: ${panel.notTested}.`;
  const { decisive, kind } = panel.omnibus.imanDavenport;
  const how = kind === "exact" ? "exact" : "Iman-Davenport, approximate";
  const friedman = `Friedman's test is ${panel.exploratory ? "not significant" : "significant"} at ${data.study.alpha} (${pWords(decisive)}, ${how})`;
  if (panel.exploratory) return `${leads} ${friedman}, so no method is called different.`;
  const alike = new Set(panel.holm.filter(({ significant }) => !significant).map(({ method }) => method));
  const same = panel.rows.filter(({ method }) => alike.has(method)).map(({ method }) => label(method));
  const all = same.length === panel.holm.length;
  const rest =
    same.length === 0
      ? "every other method differs from it"
      : all
        ? "no method differs from it"
        : `not distinguishable from it: ${listed(same, 9)}`;
  return `${leads} ${friedman}. Against ${label(panel.control)} by Holm's procedure: ${rest}.`;
}

function notes({ data, panel }) {
  const left = panel.leftOut.map((place) => data.methods[place].label);
  const holed = [...new Set(panel.holes.map(({ dataset }) => dataset))].map((place) => data.datasets[place].title);
  const holes = panel.holes.reduce((sum, { runs }) => sum + runs, 0);
  const lines = [
    left.length && `Left out, without any value here: ${listed(left, 9)}.`,
    holes > 0 &&
      data.study.missing === "drop_dataset" &&
      `${plural(holed.length, "data set is", "data sets are")} left out, since a method lacks runs there: ${listed(holed, 9)}.`,
    holes > 0 &&
      data.study.missing === "worst" &&
      `${plural(holes, "run is", "runs are")} missing, on ${listed(holed, 9)}; each counts as the worst of its repeat.`,
  ].filter(Boolean);
  return lines.length
    ? el(
        "ul",
        { class: "notes hint" },
        lines.map((line) => el("li", {}, line)),
      )
    : null;
}

/** Average ranks from the best to the worst; bars on the right join what Nemenyi's test does not tell apart. */
function rankChart(page) {
  const { data, panel, looks } = page;
  const tested = !panel.notTested;
  const differing = new Set((panel.holm ?? []).filter(({ significant }) => significant).map(({ method }) => method));
  const rows = panel.rows.map(({ method, averageRank }) => {
    const { name, label } = data.methods[method];
    return { ...looks[method], name, label, rank: averageRank, differs: differing.has(method) };
  });
  const groups = panel.exploratory ? [panel.rows.map(({ method }) => method)] : (panel.cliques ?? []);
  const bars = groups.map((group) => ({
    first: data.methods[group[0]].name,
    last: data.methods[group.at(-1)].name,
  }));
  const beyond = tested && 1 + panel.criticalDifference > rows.length;
  const ruler = tested && !beyond ? [{ name: rows[0].name, from: 1, to: 1 + panel.criticalDifference }] : [];
  const gap = bars.length > 8 ? 4.5 : 7;
  const wide = 10 + bars.length * gap;
  const draw = (width) => {
    const { marginLeft, axis } = labels(rows, width);
    return Plot.plot({
      ...STYLE,
      width,
      height: (tested ? 80 : 46) + rows.length * 21,
      marginLeft,
      marginRight: wide + 6,
      marginTop: tested ? 64 : 30,
      marginBottom: 16,
      x: {
        domain: [1, panel.methods.length],
        axis: "top",
        label: null,
        ticks: Math.min(panel.methods.length, width / 60),
        nice: false,
      },
      y: { domain: rows.map(({ name }) => name), axis: null, padding: 0 },
      marks: [
        Plot.ruleY(rows, { y: "name", stroke: LINE }),
        axis,
        Plot.ruleY(rows, { y: "name", x1: 1, x2: "rank", stroke: "colour", strokeWidth: 2 }),
        Plot.dot(rows, {
          y: "name",
          x: "rank",
          symbol: "symbol",
          stroke: "colour",
          fill: (d) => (d.differs ? PAPER : d.colour),
          strokeWidth: 2,
          r: 5,
          title: (d) => `${d.label}: ${fixed(d.rank, 2)}`,
        }),
        bars.map((bar, at) =>
          Plot.link([bar], {
            x1: panel.methods.length,
            x2: panel.methods.length,
            y1: "first",
            y2: "last",
            dx: 12 + at * gap,
            stroke: INK,
            strokeWidth: gap / 2,
            strokeLinecap: "butt",
          }),
        ),
        Plot.link(ruler, {
          x1: "from",
          x2: "to",
          y1: "name",
          y2: "name",
          dy: -44,
          stroke: INK,
          strokeWidth: 2,
          markerStart: "tick",
          markerEnd: "tick",
        }),
        Plot.text(tested ? [rows[0]] : [], {
          x: 1,
          y: "name",
          text: () =>
            `critical difference ${fixed(panel.criticalDifference, 2)}${beyond ? ", more than any two ranks can differ" : ""}`,
          textAnchor: "start",
          dy: -56,
          fill: INK,
        }),
      ],
    });
  };
  return chart({
    title: "Average ranks, 1 is best",
    file: page.file("ranks"),
    label: `Average ranks of ${names(rows)}; the numbers are in the table below`,
    caption: `Rank 1 is the best of a data set; ranks are averaged over ${plural(panel.datasets.length, "data set")}.${tested ? ` ${reading(page)}` : ""}`,
    draw,
  });
}

/** What the bars and the hollow marks say. */
function reading({ data, panel }) {
  if (panel.exploratory)
    return "Friedman's test is not significant, so no pair is called different, and the bar on the right joins all methods.";
  const size = `${fixed(panel.criticalDifference, 2)}, Nemenyi, ${data.study.alpha}`;
  return `Bars on the right join methods whose average ranks lie less than the critical difference (${size}) apart: the test does not tell them apart. Hollow: differs from ${data.methods[panel.control].label} by Holm's procedure.`;
}

function leaderTable(page) {
  const { data, panel, metric } = page;
  const holm = new Map((panel.holm ?? []).map((row) => [row.method, row]));
  const columns = [
    { label: "Method", key: "method" },
    { label: "Average rank", key: "average_rank", kind: "number" },
    { label: "Mean", key: "mean", kind: "number", title: `Mean of ${metric.label} over data sets` },
    {
      label: "95 % interval",
      key: ["mean_low", "mean_high"],
      kind: "number",
      title: "Student's 95 % confidence interval of the mean over data sets",
    },
    { label: "Wins", key: "wins", kind: "number", title: "Data sets on which no method is better" },
    {
      label: "Holm p",
      key: "p_holm",
      kind: "number",
      title: "Adjusted p-value against the control, by Holm's procedure",
    },
    {
      label: "Failures",
      key: "failures",
      kind: "number",
      title: "Runs that did not end with status ok, over all data sets that are in",
    },
    { label: "Fit time", key: "fit_seconds", kind: "number", title: "Median over runs" },
    { label: "Memory", key: "peak_memory_mb", kind: "number", title: "Median over runs of the peak" },
  ];
  const rows = [...panel.rows, ...panel.oracles].map(({ method, averageRank, mean, low, high, wins }, place) => {
    const { name, label } = data.methods[method];
    const cost = page.costs[method];
    const test = holm.get(method);
    const [from, to] = [Math.max(low, metric.low ?? -Infinity), Math.min(high, metric.high ?? Infinity)];
    return {
      data: { method: name },
      cells: [
        { text: label, value: name, node: page.methodLabel(method), title: label },
        { text: fixed(averageRank, 2), value: averageRank ?? NaN, mark: place === 0 },
        { text: score(mean, metric), value: mean },
        { text: Number.isNaN(low) ? NONE : `${score(from, metric)} – ${score(to, metric)}`, value: [low, high] },
        { text: count(wins), value: wins ?? NaN },
        {
          text:
            method === panel.control
              ? "control"
              : test
                ? `${pValue(test.pAdjusted)}${test.significant ? " ✓" : ""}`
                : NONE,
          value: test?.pAdjusted ?? NaN,
          title: test?.significant ? "differs from the control" : null,
        },
        { text: count(cost.failures), value: cost.failures },
        { text: seconds(cost.time), value: cost.time },
        { text: megabytes(cost.memory), value: cost.memory },
      ],
    };
  });
  const base = page.baseline();
  const footer =
    base === null
      ? []
      : [
          {
            data: { method: "" },
            cells: [
              { text: "Prevalence (random order)", value: "" },
              "",
              { text: score(base, metric), value: base },
              "",
              "",
              "",
              "",
              "",
              "",
            ],
          },
        ];
  const marks = panel.holm?.some(({ significant }) => significant)
    ? ` ✓: differs from the control at ${data.study.alpha}.`
    : "";
  return {
    name: "leaderboard",
    caption: `${page.heading()}. ${plural(panel.datasets.length, "data set")}, ${plural(panel.methods.length, "method")}.${marks}`,
    columns,
    rows,
    footer,
  };
}
