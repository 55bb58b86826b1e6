// One data set: every repeat of every method as a dot, and the run behind a dot.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart.js";
import { el, select } from "../dom.js";
import { saveButton } from "../download.js";
import { count, fixed, plural, scaleOf, score, seconds, withUnit } from "../format.js";
import { INK, LINE, MUTED } from "../look.js";
import { onDataset } from "../model.js";
import { BASELINE, labels, STYLE } from "../plots.js";
import { csv } from "../table.js";
import { block } from "./block.js";
import { allRuns, detail } from "./run.js";

export const title = "One data set";

export function view(page) {
  const { data, state } = page;
  const place = Math.max(
    0,
    data.datasets.findIndex(({ name }) => name === state.dataset),
  );
  const dataset = data.datasets[place];
  const methods = onDataset(data, page.metricPlace, page.scenarioPlace, place);
  const open = (run) =>
    page.set({ dataset: dataset.name, method: data.methods[run.method].name, repeat: run.repeat }, "run");
  const picker = el(
    "div",
    { class: "pickers" },
    select(
      "Data set",
      data.datasets.map(({ name, title }) => [name, title]),
      dataset.name,
      (name) => page.set({ dataset: name, method: null, repeat: null }),
      { id: "dataset-of" },
    ),
  );
  const run = methods
    .flatMap(({ runs }) => runs)
    .find(({ method, repeat }) => data.methods[method].name === state.method && repeat === state.repeat);
  if (!methods.length)
    return [picker, facts(dataset), el("p", { class: "hint" }, "This data set has no runs in this scenario.")];
  return [
    picker,
    facts(dataset),
    methods.some(({ values }) => values.length)
      ? picture(page, dataset, methods, run, open)
      : el("p", { class: "hint" }, "This page holds no single scores of this metric, or none is defined here."),
    detail(page, dataset, methods, run, open),
    methodTable(page, dataset, methods),
  ];
}

function facts({ title, n, d, prevalence, imbalance, nominal, counted, note }) {
  const parts = [
    n && `${count(n)} rows`,
    d && plural(d, "column"),
    Number.isFinite(prevalence) && `${fixed(100 * prevalence, 1)} % positive`,
    Number.isFinite(imbalance) && `${fixed(imbalance, 1)} negatives per positive`,
    nominal !== null && nominal !== undefined && plural(nominal, "nominal column"),
    !counted && "in no average or test",
    note,
  ];
  return el("p", { class: "hint" }, `${title}: ${parts.filter(Boolean).join(", ")}.`);
}

/** Dots are buttons: one stop of the tab key, arrows go from dot to dot, Enter opens the run. */
function picture(page, dataset, methods, run, open) {
  const { data, metric, looks } = page;
  const times = scaleOf(metric);
  const shown = methods.filter(({ values }) => values.length);
  const rows = shown.map(({ method }) => data.methods[method]);
  const most = Math.max(1, page.data.study.repeats - 1);
  const dots = shown.flatMap(({ method, runs }) =>
    runs
      .filter(({ value }) => Number.isFinite(value))
      .map((one) => ({
        ...one,
        ...looks[method],
        name: data.methods[method].name,
        label: data.methods[method].label,
        x: one.value * times,
        nudge: ((one.repeat % (most + 1)) / most - 0.5) * 10,
      })),
  );
  const base = page.baseline([data.datasets.indexOf(dataset)]);
  const draw = (width) => {
    const { marginLeft, axis } = labels(rows, width);
    const svg = Plot.plot({
      ...STYLE,
      width,
      height: 50 + rows.length * 24,
      marginLeft,
      marginTop: 34,
      marginBottom: 12,
      x: { axis: "top", label: `${withUnit(metric)} →`, nice: true, grid: true, ticks: width / 80 },
      y: { domain: rows.map(({ name }) => name), axis: null },
      marks: [
        base !== null ? Plot.ruleX([base * times], { stroke: MUTED, strokeDasharray: "2 3" }) : null,
        Plot.ruleY(rows, { y: "name", stroke: LINE }),
        axis,
        Plot.dot(dots, {
          y: "name",
          x: "x",
          symbol: "symbol",
          fill: "colour",
          fillOpacity: 0.55,
          stroke: "colour",
          strokeOpacity: 0.9,
          r: 4,
          className: "runs",
        }),
        Plot.tickX(shown, {
          y: ({ method }) => data.methods[method].name,
          x: ({ mean }) => mean * times,
          stroke: INK,
          strokeWidth: 2,
          inset: 3,
        }),
      ],
    });
    return controls(svg, dots, run, open, metric);
  };
  return chart({
    title: dataset.title,
    file: page.file("runs", dataset.name),
    label: `${metric.label} of every run on ${dataset.title}, ${plural(dots.length, "dot")}. Arrow keys go from dot to dot, Enter shows the run`,
    caption: `A dot is a repeat, a bar the mean over repeats.${base === null ? "" : ` ${BASELINE}`} Click a dot, or use arrow keys and Enter, for its run.`,
    live: true,
    draw,
  });
}

function controls(svg, dots, run, open, metric) {
  const nodes = [...svg.querySelectorAll("g.runs > *")];
  const start = Math.max(
    0,
    dots.findIndex((dot) => run && dot.method === run.method && dot.repeat === run.repeat),
  );
  const rowsOf = (at) =>
    dots
      .map(({ method }, place) => ({ method, place }))
      .filter(({ method }) => method === dots[at].method)
      .map(({ place }) => place)
      .sort((x, y) => dots[x].x - dots[y].x);
  const go = (from, to) => {
    nodes[from].setAttribute("tabindex", "-1");
    nodes[to].setAttribute("tabindex", "0");
    nodes[to].focus();
  };
  nodes.forEach((node, at) => {
    const dot = dots[at];
    const text = `${dot.label}, repeat ${dot.repeat}: ${score(dot.value, metric)}`;
    node.setAttribute("transform", `${node.getAttribute("transform") ?? ""} translate(0,${dot.nudge})`.trim());
    for (const [name, value] of Object.entries({
      role: "button",
      tabindex: at === start ? "0" : "-1",
      "aria-label": text,
      "data-method": dot.name,
      "data-repeat": dot.repeat,
    }))
      node.setAttribute(name, value);
    if (run && dot.method === run.method && dot.repeat === run.repeat) node.setAttribute("aria-current", "true");
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = text;
    node.append(title);
    node.addEventListener("click", () => open(dot));
    node.addEventListener("keydown", (event) => {
      const row = rowsOf(at);
      const here = row.indexOf(at);
      const next = {
        ArrowRight: row[here + 1],
        ArrowLeft: row[here - 1],
        ArrowDown: dots.findIndex(({ method }, place) => place > at && method !== dot.method),
        ArrowUp: dots.findLastIndex(({ method }, place) => place < at && method !== dot.method),
      }[event.key];
      if (event.key === "Enter" || event.key === " ") open(dot);
      else if (next === undefined || next < 0) return;
      else go(at, next);
      event.preventDefault();
    });
  });
  return svg;
}

function methodTable(page, dataset, methods) {
  const { data, metric, state } = page;
  const columns = [
    { label: "Method", key: "method" },
    { label: "Mean", key: "mean", kind: "number" },
    { label: "SD", key: "sd", kind: "number", title: "Standard deviation over repeats" },
    { label: "Lowest", key: "lowest", kind: "number" },
    { label: "Highest", key: "highest", kind: "number" },
    { label: "Runs", key: "runs", kind: "number" },
    { label: "Failures", key: "failures", kind: "number" },
    { label: "Fit time", key: "fit_seconds", kind: "number", title: "Median over repeats" },
  ];
  const rows = methods.map(({ method, mean, sd, low, high, runs, values, failures, time }) => {
    const { name, label } = data.methods[method];
    const show = () => page.set({ dataset: dataset.name, method: name, repeat: runs[0]?.repeat ?? null }, "run");
    return {
      data: { method: name },
      current: state.method === name,
      cells: [
        {
          text: label,
          value: name,
          node: el(
            "button",
            { type: "button", class: "link", title: label, "aria-label": `${label}: show its runs`, onclick: show },
            page.methodLabel(method),
          ),
        },
        { text: score(mean, metric), value: mean },
        { text: score(sd, metric), value: sd },
        { text: score(low, metric), value: low },
        { text: score(high, metric), value: high },
        { text: count(values.length), value: values.length },
        { text: count(failures), value: failures },
        { text: seconds(time), value: time },
      ],
    };
  });
  const every = saveButton(
    "CSV of all runs",
    `Save all runs on ${dataset.title} as CSV`,
    `${page.file("runs", dataset.name)}.csv`,
    "text/csv",
    () => csv(allRuns(page, dataset, methods)),
  );
  return block(
    page,
    {
      name: "dataset",
      caption: `${dataset.title}: ${page.heading()}. A method's name shows its runs.`,
      columns,
      rows,
    },
    every,
  );
}
