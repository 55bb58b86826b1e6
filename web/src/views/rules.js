// F1 under each threshold rule, side by side.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart.js";
import { el } from "../dom.js";
import { fixed, plural, score } from "../format.js";
import { colour, LINE, PAPER, symbol } from "../look.js";
import { underRules } from "../model.js";
import { labels, STYLE, swatch } from "../plots.js";
import { block } from "./block.js";

export const title = "Threshold rules";

export const rules = (data) => data.metrics.flatMap(({ rule }, place) => (rule ? [place] : []));
export const has = (data) => rules(data).length > 1;

export function view(page) {
  const { data, scenario } = page;
  const { rows, datasets, used } = underRules(data, page.state, page.scenarioPlace, rules(data));
  if (rows.length === 0 || used.length < 2)
    return [el("p", { class: "hint" }, "No data set has F1 under two rules or more here.")];
  const looks = used.map((place, at) => ({
    place,
    colour: colour(at),
    symbol: symbol(at),
    hidden: data.metrics[place].hidden_labels,
    label: `${data.metrics[place].rule_label}${data.metrics[place].hidden_labels ? " †" : ""}`,
  }));
  const most = ({ values }) => Math.max(...values.filter((value, at) => Number.isFinite(value) && !looks[at].hidden));
  const dots = rows
    .flatMap(({ method, values }) =>
      values.map((value, at) => ({
        ...looks[at],
        rule: looks[at].label,
        name: data.methods[method].name,
        label: data.methods[method].label,
        value: 100 * value,
      })),
    )
    .filter(({ value }) => Number.isFinite(value));
  const names = rows.map(({ method }) => data.methods[method]);
  const draw = (width) => {
    const { marginLeft, axis } = labels(names, width);
    return Plot.plot({
      ...STYLE,
      width,
      height: 56 + rows.length * 21,
      marginLeft,
      marginTop: 36,
      marginBottom: 12,
      x: { axis: "top", label: "F1, %, mean over data sets →", nice: true, grid: true, ticks: width / 80 },
      y: { domain: names.map(({ name }) => name), axis: null },
      marks: [
        axis,
        Plot.ruleY(
          dots,
          Plot.groupY({ x1: "min", x2: "max" }, { y: "name", x1: "value", x2: "value", stroke: LINE, strokeWidth: 3 }),
        ),
        Plot.dot(dots, {
          y: "name",
          x: "value",
          symbol: "symbol",
          fill: "colour",
          stroke: PAPER,
          r: 5.5,
          title: (d) => `${d.label}, threshold by ${d.rule}: ${fixed(d.value, 1)}`,
        }),
      ],
    });
  };
  const columns = [
    { label: "Method", key: "method" },
    ...looks.map(({ place, label }) => ({
      label,
      key: data.metrics[place].name,
      kind: "number",
      title: data.metrics[place].label,
    })),
  ];
  const lines = rows.map((row) => ({
    data: { method: data.methods[row.method].name },
    cells: [
      {
        text: data.methods[row.method].label,
        value: data.methods[row.method].name,
        node: page.methodLabel(row.method),
      },
      ...row.values.map((value, at) => ({
        text: score(value, data.metrics[used[at]]),
        value,
        mark: !looks[at].hidden && value === most(row),
      })),
    ],
  }));
  const caption = `F1, %, by what chooses the threshold, ${scenario.label}: means over ${plural(datasets.length, "data set")} with values under each rule shown.${looks.some(({ hidden }) => hidden) ? " †: uses hidden labels, which nobody with PU data has. Bold: best of the other rules." : " Bold: best rule."}`;
  return [
    el(
      "p",
      { class: "hint" },
      `The same scores, cut at thresholds that ${used.length} rules choose. `,
      el("a", { href: "#thresholds" }, "What the rules are"),
    ),
    chart({
      title: "F1 under each rule",
      file: page.file("rules"),
      caption: looks.some(({ hidden }) => hidden) ? "†: uses hidden labels, which nobody with PU data has." : null,
      label: `F1 of ${plural(rows.length, "method")} under ${used.length} threshold rules; the numbers are in the table below`,
      note: el(
        "p",
        { class: "legend" },
        looks.map((look) => el("span", { class: "method" }, swatch(look), el("span", { class: "name" }, look.label))),
      ),
      draw,
    }),
    block(page, { name: "rules", caption, columns, rows: lines }),
  ];
}
