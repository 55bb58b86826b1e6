// Data sets x methods: values or ranks, as a table whose cells are coloured.

import * as Plot from "@observablehq/plot";
import { el, select } from "../dom.js";
import { saveButton, standalone } from "../download.js";
import { fixed, score, withUnit } from "../format.js";
import { column } from "../model.js";
import { block } from "./block.js";

export function heat(page) {
  const { data, panel, metric, state } = page;
  const byRank = state.heat === "rank";
  const ranked = panel.rows.map(({ method }) => panel.methods.indexOf(method));
  const order = [...panel.rows, ...(byRank ? [] : panel.oracles)].map(({ method }) => method);
  const columnsOf = order.map((method) => column(panel, method));
  const cells = panel.datasets.map((_, row) =>
    byRank ? ranked.map((at) => panel.ranks[row][at]) : columnsOf.map((values) => values[row]),
  );
  const share = shares(cells, byRank ? false : metric.higher, byRank);
  const columns = [
    { label: "Data set", key: "dataset" },
    ...order.map((method) => ({
      label: data.methods[method].short,
      key: data.methods[method].name,
      kind: "number",
      title: data.methods[method].label,
    })),
  ];
  const rows = panel.datasets.map((place, row) => ({
    data: { dataset: data.datasets[place].name },
    cells: [
      {
        text: data.datasets[place].title,
        value: data.datasets[place].name,
        title: data.datasets[place].title,
        node: page.datasetLink(place),
      },
      ...cells[row].map((value, at) => {
        const rank = panel.ranks[row][ranked[at]];
        return {
          text: byRank ? fixed(value, 1).replace(/\.0$/, "") : score(value, metric),
          value,
          share: share[row][at],
          mark: rank === Math.min(...panel.ranks[row]),
        };
      }),
    ],
  }));
  const what = byRank ? `Ranks by ${metric.label}` : withUnit(metric);
  const spec = {
    name: byRank ? "heat-ranks" : "heat",
    class: "heat",
    caption: `${what} by data set and method, ${page.scenario.label}. Bold: best of its data set.`,
    columns,
    rows,
  };
  const choice = select(
    "Cells",
    [
      ["value", "values"],
      ["rank", "ranks"],
    ],
    state.heat,
    (heat) => page.set({ heat }),
    { id: "heat-cells" },
  );
  const svg = saveButton("SVG", "Save the heat map as SVG", `${page.file(spec.name)}.svg`, "image/svg+xml", () =>
    standalone(picture(spec)),
  );
  return [el("h4", { id: "heat" }, "Data sets and methods"), block(page, spec, choice, svg)];
}

/** How strong each cell is coloured, 1 for the best: values over their whole range, ranks from 1 to the number of methods. */
function shares(cells, higher, byRank) {
  const known = cells.flat().filter(Number.isFinite);
  const [low, high] = byRank ? [1, cells[0].length] : [Math.min(...known), Math.max(...known)];
  return cells.map((row) =>
    row.map((value) => {
      if (!Number.isFinite(value)) return NaN;
      const share = high > low ? (value - low) / (high - low) : 0.5;
      return higher ? share : 1 - share;
    }),
  );
}

/** The same as a picture, for the file. */
function picture({ caption, columns, rows }) {
  const marks = rows.flatMap(({ cells }) =>
    cells.slice(1).map((cell, at) => ({ ...cell, row: cells[0].value, column: columns[at + 1].key })),
  );
  const label = new Map([
    ...rows.map(({ cells }) => [cells[0].value, cells[0].text]),
    ...columns.map(({ key, title }) => [key, title]),
  ]);
  const longest = (texts) => Math.max(...texts.map((text) => text.length)) * 6.6 + 16;
  return Plot.plot({
    width: longest(rows.map(({ cells }) => cells[0].text)) + (columns.length - 1) * 44,
    height: longest(columns.slice(1).map(({ title }) => title)) + rows.length * 22 + 30,
    marginLeft: longest(rows.map(({ cells }) => cells[0].text)),
    marginTop: longest(columns.slice(1).map(({ title }) => title)),
    marginBottom: 26,
    caption: null,
    x: {
      axis: "top",
      label: null,
      tickRotate: -90,
      tickFormat: (key) => label.get(key),
      tickSize: 0,
      domain: columns.slice(1).map(({ key }) => key),
    },
    y: {
      label: null,
      tickFormat: (name) => label.get(name),
      tickSize: 0,
      domain: rows.map(({ cells }) => cells[0].value),
    },
    marks: [
      Plot.cell(marks, { x: "column", y: "row", fill: "var(--heat)", fillOpacity: (d) => 0.6 * d.share }),
      Plot.text(marks, {
        x: "column",
        y: "row",
        text: "text",
        fill: "var(--ink)",
        fontWeight: (d) => (d.mark ? "bold" : "normal"),
      }),
      Plot.text([caption], { frameAnchor: "bottom-left", dy: 20, text: (d) => d, fill: "var(--muted)" }),
    ],
  });
}
