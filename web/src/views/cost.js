// Cost against score, with the methods that no other one beats in both.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart.js";
import { el, select } from "../dom.js";
import { fixed, listed, megabytes, scaleOf, score, seconds, withUnit } from "../format.js";
import { INK, MUTED, PAPER } from "../look.js";
import { paretoFront } from "../stats/pareto.js";
import { BASELINE, placedLabels, STYLE } from "../plots.js";
import { folded } from "./block.js";

export const title = "Cost against score";

const COSTS = {
  time: { label: "median fit time, seconds", text: seconds },
  memory: { label: "median peak memory, MB", text: megabytes },
};

export function view(page) {
  const { data, panel, metric, state, looks } = page;
  const byRank = state.against === "rank";
  const points = [...panel.rows, ...panel.oracles].flatMap(({ method, averageRank, mean }) => {
    const cost = page.costs[method][state.cost];
    const value = byRank ? averageRank : mean;
    const known = cost > 0 && Number.isFinite(value);
    return known ? [{ ...data.methods[method], method, cost, value, ...looks[method] }] : [];
  });
  const picker = el(
    "div",
    { class: "pickers" },
    select(
      "Cost",
      [
        ["time", "fit time"],
        ["memory", "memory"],
      ],
      state.cost,
      (cost) => page.set({ cost }),
      { id: "cost-of" },
    ),
    select(
      "Score",
      [
        ["mean", "mean over data sets"],
        ["rank", "average rank"],
      ],
      state.against,
      (against) => page.set({ against }),
      { id: "cost-against" },
    ),
  );
  if (!points.length)
    return [picker, el("p", { class: "hint" }, `No run of these data sets states its ${state.cost}.`)];
  const front = paretoFront(
    points.map(({ cost }) => cost),
    points.map(({ value, hidden_labels }) => (hidden_labels ? NaN : value)),
    !byRank && metric.higher,
  );
  const best = front.map((at) => points[at]);
  for (const point of points) point.best = best.includes(point);
  return [
    picker,
    el(
      "p",
      { class: "words" },
      `On the front: ${listed(
        best.map(({ label }) => label),
        9,
      )}.${best.length < points.length ? " Every other method costs at least as much as one of them that scores as well or better." : ""}`,
    ),
    picture(page, points, best, byRank),
    numbers(page, points, byRank),
  ];
}

function picture(page, points, best, byRank) {
  const { metric, state } = page;
  const times = byRank ? 1 : scaleOf(metric);
  const cost = COSTS[state.cost];
  const better = byRank ? "lower" : metric.higher ? "higher" : "lower";
  const base = byRank ? null : page.baseline();
  const ends = [Math.min(...points.map(({ cost }) => cost)) / 1.25, Math.max(...points.map(({ cost }) => cost)) * 1.25];
  const draw = (width) => {
    const { scale } = plot(width, []);
    const first = [...points].sort((x, y) => y.best - x.best);
    return plot(
      width,
      placedLabels(
        first.map((point) => ({
          x: scale("x").apply(point.cost),
          y: scale("y").apply(point.value * times),
          text: short(point.short),
          point,
        })),
        width,
      ),
    );
  };
  const plot = (width, written) =>
    Plot.plot({
      ...STYLE,
      width,
      height: Math.max(320, Math.min(460, width * 0.6)),
      marginLeft: 48,
      marginRight: 24,
      marginBottom: 42,
      marginTop: 30,
      x: {
        type: "log",
        domain: ends,
        label: `${cost.label} →`,
        ticks: roundNumbers(ends, width),
        tickFormat: (d) => d.toLocaleString("en", { maximumSignificantDigits: 2 }),
      },
      y: {
        label: `↑ ${byRank ? "average rank" : withUnit(metric)} (${better} is better)`,
        reverse: byRank,
        grid: true,
        nice: true,
      },
      marks: [
        base !== null ? Plot.ruleY([base * times], { stroke: MUTED, strokeDasharray: "2 3" }) : null,
        Plot.line(best, { x: "cost", y: (d) => d.value * times, stroke: MUTED, curve: "step-after" }),
        Plot.dot(points, {
          x: "cost",
          y: (d) => d.value * times,
          symbol: "symbol",
          stroke: "colour",
          fill: (d) => (d.best ? d.colour : PAPER),
          strokeWidth: 2,
          r: 5.5,
          title: (d) => `${d.label}\n${cost.text(d.cost)}\n${byRank ? fixed(d.value, 2) : score(d.value, metric)}`,
        }),
        ["start", "middle", "end"].map((anchor) =>
          Plot.text(
            written.filter((one) => one.anchor === anchor),
            {
              x: ({ point }) => point.cost,
              y: ({ point }) => point.value * times,
              text: "text",
              textAnchor: anchor,
              dx: { start: -5, middle: 0, end: 5 }[anchor],
              dy: -14,
              fill: INK,
              stroke: PAPER,
              strokeWidth: 3,
            },
          ),
        ),
      ],
    });
  return chart({
    title: "Cost against score",
    file: page.file("cost", state.cost),
    label: `${byRank ? "Average rank" : metric.label} against ${cost.label}, ${points.length} methods; the numbers are in the table below`,
    caption: `Filled, on the line: no method is at least as good and cheaper (Pareto front). Medians over the runs of the data sets that are in.${base === null ? "" : ` ${BASELINE}`}`,
    draw,
  });
}

/** Powers of ten within two ends; on wide charts, or where there is one at most, also their double and fivefold. */
function roundNumbers([low, high], width) {
  const powers = [];
  for (let exponent = Math.floor(Math.log10(low)); 10 ** exponent <= high; exponent++) powers.push(10 ** exponent);
  const inside = (numbers) => numbers.filter((number) => number >= low && number <= high);
  const some = inside(powers);
  return some.length > 1 && (width < 500 || some.length > 4)
    ? some
    : inside(powers.flatMap((power) => [power, 2 * power, 5 * power]));
}

const short = (text) => (text.length > 22 ? `${text.slice(0, 21)}…` : text);

function numbers(page, points, byRank) {
  const columns = [
    { label: "Method", key: "method" },
    { label: byRank ? "Average rank" : "Mean", key: byRank ? "average_rank" : "mean", kind: "number" },
    { label: "Fit time", key: "fit_seconds", kind: "number" },
    { label: "Memory", key: "peak_memory_mb", kind: "number" },
    { label: "On the front", key: "front" },
  ];
  const rows = [...points]
    .sort((x, y) => x.cost - y.cost)
    .map((point) => {
      const { time, memory } = page.costs[point.method];
      return {
        data: { method: point.name },
        cells: [
          { text: point.label, value: point.name, node: page.methodLabel(point.method) },
          { text: byRank ? fixed(point.value, 2) : score(point.value, page.metric), value: point.value },
          { text: seconds(time), value: time },
          { text: megabytes(memory), value: memory },
          { text: point.best ? "yes" : "no" },
        ],
      };
    });
  return folded(page, "The numbers", { name: "cost", caption: `Cost and score: ${page.heading()}`, columns, rows });
}
