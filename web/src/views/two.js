// Two methods against each other: data sets as dots, differences in order, wins, Wilcoxon's and the Bayesian test.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart.js";
import { el, select } from "../dom.js";
import { difference, fixed, inPercent, plural, pointsOf, pWords, scaleOf, score, withUnit } from "../format.js";
import { INK, LINE, MUTED, PAPER } from "../look.js";
import { pair } from "../model.js";
import { labels, STYLE } from "../plots.js";
import { ropes } from "../state.js";
import { folded } from "./block.js";

export const title = "Two methods";

export function view(page) {
  const { data, panel, state } = page;
  const known = [...panel.methods, ...panel.oracles.map(({ method }) => method)];
  if (known.length < 2 || !panel.datasets.length)
    return [el("p", { class: "hint" }, "Two methods with values are needed.")];
  const [a, b] = chosen(page, known);
  const options = known.map((place) => [data.methods[place].name, data.methods[place].label]);
  const picker = el(
    "div",
    { class: "pickers" },
    select("First method", options, data.methods[a].name, (name) => page.set({ a: name, b: data.methods[b].name }), {
      id: "two-a",
    }),
    el(
      "button",
      {
        type: "button",
        class: "swap",
        "aria-label": "Swap the two methods",
        title: "Swap",
        onclick: () => page.set({ a: data.methods[b].name, b: data.methods[a].name }),
      },
      "⇄",
    ),
    select("Second method", options, data.methods[b].name, (name) => page.set({ a: data.methods[a].name, b: name }), {
      id: "two-b",
    }),
    select(
      "Practically equal within",
      ropes(data).map((rope) => [rope, `± ${score(Number(rope), page.metric)}${pointsOf(page.metric)}`]),
      state.rope,
      (rope) => page.set({ rope }),
      { id: "two-rope" },
    ),
  );
  if (a === b) return [picker, el("p", { class: "hint" }, "Choose two different methods.")];
  const result = pair(panel, a, b, Number(state.rope), page.metric.higher);
  const both = result.rows.some((row) => Number.isFinite(row.a) && Number.isFinite(row.b));
  if (!both) return [picker, el("p", { class: "hint" }, "No data set has a value of both.")];
  return [
    picker,
    words(page, a, b, result),
    el("div", { class: "side" }, scatter(page, a, b, result), ordered(page, a, b, result)),
    numbers(page, a, b, result),
  ];
}

/** Places of the two methods: those of the address, else the first two by average rank. */
function chosen({ data, panel, state }, known) {
  const place = (name) => known.find((one) => data.methods[one].name === name);
  const order = [...panel.rows, ...panel.oracles].map(({ method }) => method);
  const a = place(state.a) ?? order.find((one) => one !== place(state.b));
  return [a, place(state.b) ?? order.find((one) => one !== a)];
}

function words({ data, metric }, a, b, result) {
  const [first, second] = [a, b].map((place) => data.methods[place].label);
  const { wins, losses, ties, mean, wilcoxon, bayes } = result;
  const alone = wins + losses + ties < 2; // one data set: a p-value of 1 whatever the difference
  const numbers = {
    "data-wins": wins,
    "data-losses": losses,
    "data-ties": ties,
    "data-p": wilcoxon?.p,
    "data-mean": mean,
  };
  return el(
    "p",
    { class: "words", id: "two-words", ...numbers },
    `${first} is better than ${second} on ${plural(wins, "data set")}, worse on ${losses}, equal on ${ties}; mean difference ${difference(mean, metric)}${pointsOf(metric)}. `,
    alone && "Not tested: a test needs at least two data sets.",
    !alone && wilcoxon && `Wilcoxon's signed-rank test: ${pWords(wilcoxon.p)} (${wilcoxon.kind}). `,
    !alone &&
      bayes &&
      `Bayesian signed-rank test: P(better) = ${fixed(bayes.better, 3)}, P(practically equal) = ${fixed(bayes.equal, 3)}, P(worse) = ${fixed(bayes.worse, 3)}, each estimated by sampling.`,
  );
}

const outcome = ({ difference }) => (difference > 0 ? "win" : difference < 0 ? "loss" : "tie");
const OUTCOMES = { win: ["var(--c0)", "circle"], loss: ["var(--c1)", "triangle"], tie: ["var(--c6)", "square"] };

function scatter(page, a, b, { rows, rope }) {
  const { data, metric } = page;
  const times = scaleOf(metric);
  const dots = rows
    .map((row) => ({
      ...row,
      x: row.b * times,
      y: row.a * times,
      title: data.datasets[row.dataset].title,
      look: OUTCOMES[outcome(row)],
    }))
    .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  const all = dots.flatMap(({ x, y }) => [x, y]);
  const pad = (Math.max(...all) - Math.min(...all)) * 0.06 || 1;
  const domain = [Math.min(...all) - pad, Math.max(...all) + pad];
  const [first, second] = [a, b].map((place) => data.methods[place].label);
  const band = [domain[0], domain[1]].map((x) => ({ x, low: x - rope * times, high: x + rope * times }));
  const draw = (width) =>
    Plot.plot({
      ...STYLE,
      width,
      height: Math.min(width, 420),
      marginLeft: 48,
      marginBottom: 42,
      x: { domain, label: `${withUnit(metric)}: ${second} →`, labelAnchor: "right", ticks: width / 70 },
      y: { domain, label: `↑ ${withUnit(metric)}: ${first}` },
      marks: [
        Plot.areaY(band, { x: "x", y1: "low", y2: "high", fill: LINE, fillOpacity: 0.7, clip: true }),
        Plot.line(
          [
            [domain[0], domain[0]],
            [domain[1], domain[1]],
          ],
          { stroke: MUTED, strokeDasharray: "4 3" },
        ),
        Plot.dot(dots, {
          x: "x",
          y: "y",
          symbol: (d) => d.look[1],
          stroke: (d) => d.look[0],
          fill: (d) => d.look[0],
          fillOpacity: 0.55,
          r: 5,
          title: (d) => `${d.title}\n${first}: ${fixed(d.y, 1)}\n${second}: ${fixed(d.x, 1)}`,
        }),
      ],
    });
  return chart({
    title: "Data sets",
    file: page.file("two-scatter", data.methods[a].name, data.methods[b].name),
    label: `${metric.label} of ${first} against ${second} on ${dots.length} data sets; the numbers are in the table below`,
    caption: `${metric.higher ? "Above" : "Below"} the line ${first} is better. Grey: practically equal.`,
    draw,
  });
}

function ordered(page, a, b, { rows, rope }) {
  const { data, metric } = page;
  const times = scaleOf(metric);
  const bars = rows
    .filter(({ difference }) => Number.isFinite(difference))
    .map((row) => ({
      name: data.datasets[row.dataset].name,
      label: data.datasets[row.dataset].title,
      value: row.difference * times,
      look: OUTCOMES[outcome(row)],
    }))
    .sort((x, y) => y.value - x.value);
  const [first, second] = [a, b].map((place) => data.methods[place].label);
  const draw = (width) => {
    const { marginLeft, axis } = labels(bars, width);
    return Plot.plot({
      ...STYLE,
      width,
      height: 62 + bars.length * 19,
      marginLeft,
      marginTop: 44,
      marginBottom: 12,
      x: { axis: "top", label: `difference${inPercent(metric) ? " in points" : ""}, positive where ${first} is better`, nice: true, ticks: width / 90 },
      y: { domain: bars.map(({ name }) => name), axis: null },
      marks: [
        Plot.rect([0], { x1: -rope * times, x2: rope * times, fill: LINE, fillOpacity: 0.7 }),
        Plot.ruleX([0], { stroke: INK }),
        axis,
        Plot.ruleY(bars, { y: "name", x1: 0, x2: "value", stroke: (d) => d.look[0], strokeWidth: 2 }),
        Plot.dot(bars, {
          y: "name",
          x: "value",
          symbol: (d) => d.look[1],
          fill: (d) => d.look[0],
          stroke: PAPER,
          r: 5,
          title: (d) => `${d.label}: ${fixed(d.value, 2)}`,
        }),
      ],
    });
  };
  return chart({
    title: "Differences in order",
    file: page.file("two-differences", data.methods[a].name, data.methods[b].name),
    label: `Differences of ${first} and ${second} by data set, in order; the numbers are in the table below`,
    caption: `Dots: ${first} better; triangles: ${second} better; squares: equal.`,
    draw,
  });
}

function numbers(page, a, b, { rows }) {
  const { data, metric } = page;
  const [first, second] = [a, b].map((place) => data.methods[place].label);
  const columns = [
    { label: "Data set", key: "dataset" },
    { label: first, key: data.methods[a].name, kind: "number", title: first },
    { label: second, key: data.methods[b].name, kind: "number", title: second },
    { label: "Difference", key: "difference", kind: "number" },
    { label: "Outcome", key: "outcome" },
  ];
  const lines = rows.map((row) => ({
    data: { dataset: data.datasets[row.dataset].name },
    cells: [
      {
        text: data.datasets[row.dataset].title,
        value: data.datasets[row.dataset].name,
        node: page.datasetLink(row.dataset),
      },
      { text: score(row.a, metric), value: row.a },
      { text: score(row.b, metric), value: row.b },
      { text: difference(row.difference, metric), value: row.difference },
      { text: outcome(row) },
    ],
  }));
  return folded(page, "The numbers", {
    name: "two",
    caption: `${first} and ${second}: ${page.heading()}`,
    columns,
    rows: lines,
  });
}
