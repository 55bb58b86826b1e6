// Methods by average rank: critical differences, means with their intervals, wins, failures, time and memory.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart.js";
import { el } from "../dom.js";
import { count, fixed, listed, megabytes, plural, pValue, pWords, score, seconds } from "../format.js";
import { INK, LINE, PAPER } from "../look.js";
import { labels, names, STYLE } from "../plots.js";
import { block } from "./block.js";
import { heat } from "./heat.js";

export const title = "Leaderboard";

export function view(page) {
  const { panel } = page;
  if (!panel.methods.length || !panel.datasets.length) return [el("p", { class: "hint" }, "No data set has values of this metric in this scenario under this filter.")];
  return [
    el("p", { class: "words", id: "omnibus" }, omnibusWords(page)),
    panel.methods.length > 1 && rankChart(page),
    block(page, leaderTable(page)),
    notes(page),
    heat(page),
  ];
}

/** What the tests say, in two or three sentences. */
export function omnibusWords({ data, panel }) {
  const label = (place) => data.methods[place].label;
  const best = panel.order.filter((at) => panel.average[at] === panel.average[panel.order[0]]).map((at) => label(panel.methods[at]));
  const leads = `${listed(best)} ${best.length > 1 ? "share" : "has"} the best average rank, ${fixed(panel.average[panel.order[0]], 2)}.`;
  if (panel.reason) return `${panel.methods.length > 1 ? leads : ""} Not tested: ${panel.reason}.`.trim();
  const { omnibus, control } = panel;
  const how = omnibus.pExact !== null ? "exact" : "Iman-Davenport, approximate";
  const friedman = `Friedman's test is ${omnibus.keeps ? "not significant" : "significant"} at ${data.study.alpha} (${pWords(omnibus.decisive)}, ${how})`;
  if (omnibus.keeps) return `${leads} ${friedman}, so no method is called different.`;
  const same = panel.order.filter((at) => at !== control && !panel.holm[at].significant).map((at) => label(panel.methods[at]));
  const rest = same.length === 0 ? "every other method differs from it" : same.length === panel.methods.length - 1 ? "no method differs from it" : `not distinguishable from it: ${listed(same)}`;
  return `${leads} ${friedman}. Against ${label(panel.methods[control])} by Holm's procedure: ${rest}.`;
}

function notes({ data, panel }) {
  const left = panel.leftOut.map((place) => data.methods[place].label);
  const holed = [...new Set(panel.holes.map(({ dataset }) => dataset))].map((place) => data.datasets[place].title);
  const holes = panel.holes.reduce((sum, { runs }) => sum + runs, 0);
  const lines = [
    left.length && `Left out, without any value here: ${listed(left, 9)}.`,
    holes > 0 && data.study.missing === "drop_dataset" && `${plural(holed.length, "data set is", "data sets are")} left out, since a method lacks runs there: ${listed(holed, 9)}.`,
    holes > 0 && data.study.missing === "worst" && `${plural(holes, "run is", "runs are")} missing, on ${listed(holed, 9)}; each counts as the worst of its repeat.`,
  ].filter(Boolean);
  return lines.length ? el("ul", { class: "notes hint" }, lines.map((line) => el("li", {}, line))) : null;
}

/** Average ranks from the best to the worst; bars on the right join what Nemenyi's test does not tell apart. */
function rankChart(page) {
  const { data, panel, looks } = page;
  const tested = !panel.reason;
  const rows = panel.order.map((at) => {
    const place = panel.methods[at];
    const differs = tested && !panel.omnibus.keeps && at !== panel.control && panel.holm[at].significant;
    return { ...looks[place], name: data.methods[place].name, label: data.methods[place].label, rank: panel.average[at], differs };
  });
  const bars = tested ? panel.cliques.map((group) => ({ first: panel.names[group[0]], last: panel.names[group.at(-1)] })) : [];
  const wide = 10 + bars.length * 7;
  const draw = (width) => {
    const { marginLeft, axis } = labels(rows, width);
    return Plot.plot({
      ...STYLE,
      width,
      height: 62 + rows.length * 21,
      marginLeft,
      marginRight: wide + 6,
      marginTop: 46,
      marginBottom: 16,
      x: { domain: [1, panel.methods.length], axis: "top", label: "average rank (1 is best)", ticks: Math.min(panel.methods.length, width / 60), nice: false },
      y: { domain: rows.map(({ name }) => name), axis: null, padding: 0 },
      marks: [
        Plot.ruleY(rows, { y: "name", stroke: LINE }),
        axis,
        Plot.ruleY(rows, { y: "name", x1: 1, x2: "rank", stroke: "colour", strokeWidth: 2 }),
        Plot.dot(rows, { y: "name", x: "rank", symbol: "symbol", stroke: "colour", fill: (d) => (d.differs ? PAPER : d.colour), strokeWidth: 2, r: 5, title: (d) => `${d.label}: ${fixed(d.rank, 2)}` }),
        bars.map((bar, at) => Plot.link([bar], { x1: panel.methods.length, x2: panel.methods.length, y1: "first", y2: "last", dx: 12 + at * 7, stroke: INK, strokeWidth: 3.5, strokeLinecap: "butt" })),
        tested ? Plot.link([0], { x1: 1, x2: Math.min(1 + panel.limit, panel.methods.length), y1: rows[0].name, y2: rows[0].name, dy: -18, stroke: INK, strokeWidth: 2, markerStart: "tick", markerEnd: "tick" }) : null,
      ],
    });
  };
  return chart({
    title: "Average ranks",
    file: page.file("ranks"),
    label: `Average ranks of ${names(rows)}; the numbers are in the table below`,
    caption: tested
      ? `Bars on the right join methods whose ranks lie less than the critical difference (${fixed(panel.limit, 2)}, Nemenyi, ${data.study.alpha}) apart.` +
        (panel.omnibus.keeps ? " Friedman's test is not significant, so no pair is called different." : ` Hollow: differs from ${data.methods[panel.methods[panel.control]].label} (Holm).`)
      : null,
    draw,
  });
}

function leaderTable(page) {
  const { data, panel, metric } = page;
  const tested = !panel.reason;
  const withheld = tested && panel.omnibus.keeps;
  const columns = [
    { label: "Method", key: "method" },
    { label: "Average rank", key: "average_rank", kind: "number" },
    { label: "Mean", key: "mean", kind: "number", title: `Mean of ${metric.label} over data sets` },
    { label: "95 % interval", key: "interval", kind: "number", title: "95 % confidence interval of the mean over data sets, by Student's t" },
    { label: "Wins", key: "wins", kind: "number", title: "Data sets on which no method is better" },
    { label: "Holm p", key: "p_holm", kind: "number", title: "Adjusted p-value against the control, by Holm's procedure" },
    { label: "Failures", key: "failures", kind: "number", title: "Runs that did not end with status ok" },
    { label: "Fit time", key: "fit_seconds", kind: "number", title: "Median over runs" },
    { label: "Memory", key: "peak_memory_mb", kind: "number", title: "Median over runs of the peak" },
  ];
  const rows = panel.order.map((at) => {
    const place = panel.methods[at];
    const { name, label } = data.methods[place];
    const cost = page.costs[place];
    const control = tested && at === panel.control;
    const holm = tested && !control ? panel.holm[at] : null;
    const mark = holm && !withheld && holm.significant;
    const [low, high] = panel.interval[at];
    return {
      data: { method: name },
      cells: [
        { text: label, value: name, node: page.methodLabel(place), title: label },
        { text: fixed(panel.average[at], 2), value: panel.average[at], mark: at === panel.order[0] },
        { text: score(panel.mean[at], metric), value: panel.mean[at] },
        { text: Number.isFinite(low) ? `${score(low, metric)} – ${score(high, metric)}` : "–", value: Number.isFinite(low) ? (high - low) / 2 : NaN },
        { text: count(panel.wins[at]), value: panel.wins[at] },
        { text: control ? "control" : holm ? `${pValue(holm.p)}${mark ? " ✓" : ""}` : "–", value: holm ? holm.p : NaN, title: mark ? "differs from the control" : null },
        { text: count(cost.failures), value: cost.failures },
        { text: seconds(cost.time), value: cost.time },
        { text: megabytes(cost.memory), value: cost.memory },
      ],
    };
  });
  const base = page.baseline();
  const footer = base === null ? [] : [{ data: { method: "" }, cells: [{ text: "Prevalence (random order)", value: "" }, "", { text: score(base, metric), value: base }, "", "", "", "", "", ""] }];
  const marks = tested && !withheld ? ` ✓: differs from the control at ${data.study.alpha}.` : "";
  return { name: "leaderboard", caption: `${page.heading()}. ${plural(panel.datasets.length, "data set")}, ${plural(panel.methods.length, "method")}.${marks}`, columns, rows, footer };
}
