// Score against flip ratio: one line a method, over the data sets that every ratio has.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart.js";
import { el, select } from "../dom.js";
import { fixed, plural, scaleOf, score, withUnit } from "../format.js";
import { colour, INK, LINE, MUTED, PAPER, symbol } from "../look.js";
import { overRatios } from "../model.js";
import { BASELINE, spread, STYLE } from "../plots.js";
import { folded } from "./block.js";

export const title = "Score against flip ratio";

export const ratios = (data) =>
  data.scenarios
    .flatMap(({ ratio }, scenario) => (ratio === null ? [] : [{ ratio, scenario }]))
    .sort((x, y) => x.ratio - y.ratio);
export const has = (data) => new Set(ratios(data).map(({ ratio }) => ratio)).size > 1;

const MARKED = 7; // methods with a colour of their own

export function view(page) {
  const { data, metric, state } = page;
  const byRank = state.trend === "rank";
  const { lines, datasets } = overRatios(data, state, page.metricPlace, ratios(data), byRank);
  const picker = el(
    "div",
    { class: "pickers" },
    select(
      "Score",
      [
        ["mean", "mean over data sets"],
        ["rank", "average rank"],
      ],
      state.trend,
      (trend) => page.set({ trend }),
      { id: "ratio-of" },
    ),
    marker(page, lines),
  );
  if (!lines.length)
    return [picker, el("p", { class: "hint" }, "No data set has values of this metric at every flip ratio.")];
  const marked = state.mark.length
    ? lines.filter(({ method }) => state.mark.includes(data.methods[method].name)).slice(0, MARKED)
    : lines.slice(0, MARKED);
  marked.forEach((line, at) => Object.assign(line, { colour: colour(at), symbol: symbol(at), marked: true }));
  return [picker, picture(page, lines, marked, byRank, datasets), numbers(page, lines, byRank, datasets)];
}

function marker(page, lines) {
  const { data, state } = page;
  const shown = state.mark.length ? state.mark : lines.slice(0, MARKED).map(({ method }) => data.methods[method].name);
  const boxes = lines.map(({ method }) => {
    const { name, label } = data.methods[method];
    const pick = (event) =>
      page.set({ mark: event.target.checked ? [...shown, name] : shown.filter((one) => one !== name) });
    return el(
      "label",
      { class: "check", title: label },
      el("input", {
        type: "checkbox",
        checked: shown.includes(name),
        disabled: !shown.includes(name) && shown.length >= MARKED,
        onchange: pick,
        id: `mark-${method}`,
      }),
      el("span", {}, label),
    );
  });
  return el(
    "details",
    { class: "menu", "data-keep": "mark" },
    el("summary", {}, `Coloured methods (${Math.min(shown.length, MARKED)} of at most ${MARKED})`),
    el("div", { class: "panel" }, el("div", { class: "checks" }, boxes)),
  );
}

function picture(page, lines, marked, byRank, datasets) {
  const { data, metric } = page;
  const times = byRank ? 1 : scaleOf(metric);
  const points = lines.flatMap((line) =>
    line.values.map(({ ratio, value }) => ({
      ...line,
      ratio,
      value: value * times,
      label: data.methods[line.method].label,
      short: data.methods[line.method].short,
    })),
  );
  const base = byRank ? null : page.baseline(datasets);
  const grey = points.filter((point) => !marked.some(({ method }) => method === point.method));
  const shown = points.filter((point) => marked.some(({ method }) => method === point.method));
  const title = (d) => `${d.label}, ${fixed(100 * d.ratio, 0)} %: ${fixed(d.value, byRank ? 2 : 1)}`;
  const draw = (width) => {
    const narrow = width < 520;
    const { scale } = plot(width, narrow, []);
    const last = narrow ? [] : ends(shown);
    const at = last.map(({ value }) => scale("y").apply(value));
    const moved = spread(at, 14, 358);
    return plot(
      width,
      narrow,
      last.map((end, i) => ({ ...end, dy: moved[i] - at[i] })),
    );
  };
  const plot = (width, narrow, written) =>
    Plot.plot({
      ...STYLE,
      width,
      height: 400,
      marginLeft: 46,
      marginRight: narrow ? 16 : 190,
      marginBottom: 42,
      marginTop: 28,
      x: {
        label: "flip ratio, % of positives that are hidden",
        labelAnchor: "center",
        labelArrow: "none",
        ticks: [...new Set(points.map(({ ratio }) => ratio))],
        tickFormat: (d) => fixed(100 * d, 0),
      },
      y: { label: `↑ ${byRank ? "average rank" : withUnit(metric)}`, reverse: byRank, grid: true, nice: true },
      marks: [
        base !== null ? Plot.ruleY([base * times], { stroke: MUTED, strokeDasharray: "2 3" }) : null,
        Plot.line(grey, { x: "ratio", y: "value", z: "method", stroke: LINE, strokeWidth: 1.5, title }),
        Plot.line(shown, { x: "ratio", y: "value", z: "method", stroke: "colour", strokeWidth: 2 }),
        Plot.dot(shown, { x: "ratio", y: "value", symbol: "symbol", fill: "colour", stroke: PAPER, r: 5.5, title }),
        written.map((end) =>
          Plot.text([end], {
            x: "ratio",
            y: "value",
            text: (d) => (d.short.length > 26 ? `${d.short.slice(0, 25)}…` : d.short),
            title: "label",
            textAnchor: "start",
            dx: 12,
            dy: end.dy,
            fill: INK,
          }),
        ),
      ],
    });
  return chart({
    title: "Score against flip ratio",
    file: page.file("ratio", byRank ? "rank" : "mean"),
    label: `${byRank ? "Average rank" : metric.label} by flip ratio, ${plural(lines.length, "method")}; the numbers are in the table below`,
    caption: [
      `${plural(datasets.length, "data set")} with values at every ratio.`,
      marked.length < lines.length && "Grey: the other methods.",
      base !== null && BASELINE,
    ]
      .filter(Boolean)
      .join(" "),
    note: el(
      "p",
      { class: "legend" },
      marked.map(({ method, ...look }) => page.methodLabel(method, look)),
    ),
    draw,
  });
}

/** The last point of each line. */
function ends(points) {
  const last = Math.max(...points.map(({ ratio }) => ratio));
  return points.filter(({ ratio }) => ratio === last);
}

function numbers(page, lines, byRank, datasets) {
  const { data, metric } = page;
  const text = (value) => (byRank ? fixed(value, 2) : score(value, metric));
  const columns = [
    { label: "Method", key: "method" },
    ...ratios(data).map(({ scenario }) => ({
      label: data.scenarios[scenario].label,
      key: data.scenarios[scenario].name,
      kind: "number",
    })),
  ];
  const rows = lines.map(({ method, values }) => ({
    data: { method: data.methods[method].name },
    cells: [
      { text: data.methods[method].label, value: data.methods[method].name, node: page.methodLabel(method) },
      ...values.map(({ value }) => ({ text: text(value), value })),
    ],
  }));
  return folded(page, "The numbers", {
    name: byRank ? "ratio-ranks" : "ratio",
    caption: `${byRank ? "Average rank" : withUnit(metric)} by flip ratio, ${plural(datasets.length, "data set")}`,
    columns,
    rows,
  });
}
