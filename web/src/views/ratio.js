// Score against flip ratio: one line a method, over the data sets that every ratio has.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart.js";
import { el, select } from "../dom.js";
import { fixed, plural, scaleOf, score } from "../format.js";
import { colour, INK, LINE, MUTED, PAPER, symbol } from "../look.js";
import { overRatios } from "../model.js";
import { STYLE } from "../plots.js";
import { folded } from "./block.js";

export const title = "Score against flip ratio";

export const ratios = (data) => data.scenarios.flatMap(({ ratio }, place) => (ratio === null ? [] : [{ ratio, place }])).sort((x, y) => x.ratio - y.ratio);
export const has = (data) => new Set(ratios(data).map(({ ratio }) => ratio)).size > 1;

const MARKED = 7; // methods with a colour of their own

export function view(page) {
  const { data, metric, state } = page;
  const byRank = state.trend === "rank";
  const { lines, datasets } = overRatios(data, state, page.metricPlace, ratios(data), byRank);
  const picker = el("div", { class: "pickers" }, select("Score", [["mean", "mean over data sets"], ["rank", "average rank"]], state.trend, (trend) => page.set({ trend }), { id: "ratio-of" }), marker(page, lines));
  if (!lines.length) return [picker, el("p", { class: "hint" }, "No data set has values of this metric at every flip ratio.")];
  const marked = state.mark.length ? lines.filter(({ place }) => state.mark.includes(data.methods[place].name)).slice(0, MARKED) : lines.slice(0, MARKED);
  marked.forEach((line, at) => Object.assign(line, { colour: colour(at), symbol: symbol(at), marked: true }));
  return [picker, picture(page, lines, marked, byRank, datasets), numbers(page, lines, byRank, datasets)];
}

function marker(page, lines) {
  const { data, state } = page;
  const shown = state.mark.length ? state.mark : lines.slice(0, MARKED).map(({ place }) => data.methods[place].name);
  const boxes = lines.map(({ place }) => {
    const { name, label } = data.methods[place];
    const pick = (event) => page.set({ mark: event.target.checked ? [...shown, name] : shown.filter((one) => one !== name) });
    return el("label", { class: "check", title: label }, el("input", { type: "checkbox", checked: shown.includes(name), disabled: !shown.includes(name) && shown.length >= MARKED, onchange: pick, id: `mark-${place}` }), el("span", {}, label));
  });
  return el("details", { class: "menu", "data-keep": "mark" }, el("summary", {}, `Coloured methods (${Math.min(shown.length, MARKED)} of at most ${MARKED})`), el("div", { class: "panel" }, el("div", { class: "checks" }, boxes)));
}

function picture(page, lines, marked, byRank, datasets) {
  const { data, metric } = page;
  const times = byRank ? 1 : scaleOf(metric);
  const points = lines.flatMap((line) => line.values.map(({ ratio, value }) => ({ ...line, ratio, value: value * times, label: data.methods[line.place].label })));
  const grey = points.filter((point) => !marked.some(({ place }) => place === point.place));
  const shown = points.filter((point) => marked.some(({ place }) => place === point.place));
  const title = (d) => `${d.label}, ${fixed(100 * d.ratio, 0)} %: ${fixed(d.value, byRank ? 2 : 1)}`;
  const draw = (width) => {
    const narrow = width < 520;
    return Plot.plot({
      ...STYLE,
      width,
      height: 400,
      marginLeft: 46,
      marginRight: narrow ? 16 : 190,
      marginBottom: 42,
      marginTop: 28,
      x: { label: "flip ratio, % of positives that are hidden", labelAnchor: "center", ticks: [...new Set(points.map(({ ratio }) => ratio))], tickFormat: (d) => fixed(100 * d, 0) },
      y: { label: `↑ ${byRank ? "average rank" : metric.label}`, reverse: byRank, grid: true, nice: true },
      marks: [
        Plot.line(grey, { x: "ratio", y: "value", z: "place", stroke: LINE, strokeWidth: 1.5, title }),
        Plot.line(shown, { x: "ratio", y: "value", z: "place", stroke: "colour", strokeWidth: 2 }),
        Plot.dot(shown, { x: "ratio", y: "value", symbol: "symbol", fill: "colour", stroke: PAPER, r: 5.5, title }),
        !narrow ? Plot.text(ends(shown), { x: "ratio", y: "value", text: (d) => (d.label.length > 26 ? `${d.label.slice(0, 25)}…` : d.label), title: "label", textAnchor: "start", dx: 12, fill: INK }) : null,
      ],
    });
  };
  return chart({
    title: "Score against flip ratio",
    file: page.file("ratio", byRank ? "rank" : "mean"),
    label: `${byRank ? "Average rank" : metric.label} by flip ratio, ${plural(lines.length, "method")}; the numbers are in the table below`,
    caption: `${plural(datasets.length, "data set")} with values at every ratio. Grey: the other methods.`,
    note: el("p", { class: "legend" }, marked.map(({ place, ...look }) => page.methodLabel(place, look))),
    draw,
  });
}

/** The last point of each line, moved apart where labels would overlap. */
function ends(points) {
  const last = Math.max(...points.map(({ ratio }) => ratio));
  return points.filter(({ ratio }) => ratio === last);
}

function numbers(page, lines, byRank, datasets) {
  const { data, metric } = page;
  const text = (value) => (byRank ? fixed(value, 2) : score(value, metric));
  const columns = [{ label: "Method", key: "method" }, ...ratios(data).map(({ place }) => ({ label: data.scenarios[place].label, key: data.scenarios[place].name, kind: "number" }))];
  const rows = lines.map(({ place, values }) => ({
    data: { method: data.methods[place].name },
    cells: [{ text: data.methods[place].label, value: data.methods[place].name, node: page.methodLabel(place) }, ...values.map(({ value }) => ({ text: text(value), value }))],
  }));
  return folded(page, "The numbers", { name: "ratio", caption: `${byRank ? "Average rank" : metric.label} by flip ratio, ${plural(datasets.length, "data set")}`, columns, rows });
}
