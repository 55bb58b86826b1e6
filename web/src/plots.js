// What charts share: labels of rows, swatches, axes.

import * as Plot from "@observablehq/plot";
import { listed } from "./format.js";
import { INK } from "./look.js";

/** What a caption says of the line of a baseline. */
export const BASELINE = "Dotted: prevalence, what a random order scores.";

/** Settings of every chart. */
export const STYLE = { style: { fontSize: "12px", background: "transparent", overflow: "visible" } };

const LETTER = 6.8; // pixels that a letter of a label takes about

/**
 * Room for the labels of rows (`name`, `label`, and `short` where the label is too long), and the mark that writes them;
 * long ones end with an ellipsis.
 */
export function labels(rows, width, share = 0.36) {
  const text = ({ label, short = label }) => short;
  const longest = Math.max(...rows.map((row) => text(row).length)) * LETTER;
  const room = Math.max(40, Math.min(longest, width * share, 220));
  const axis = Plot.text(rows, {
    y: "name",
    text,
    title: "label",
    frameAnchor: "left",
    textAnchor: "end",
    dx: -10,
    fill: INK,
    lineWidth: (room + 10) / 12,
    textOverflow: "ellipsis",
  });
  return { marginLeft: room + 20, axis };
}

/** Names of what a chart shows, for its label. */
export const names = (rows) =>
  listed(
    rows.map(({ label }) => label),
    12,
  );

const SHAPES = {
  circle: "M6 1.2A4.8 4.8 0 1 1 6 10.8A4.8 4.8 0 1 1 6 1.2Z",
  square: "M1.6 1.6H10.4V10.4H1.6Z",
  triangle: "M6 1L11.2 10.4H.8Z",
  diamond: "M6 .3L10.2 6L6 11.7L1.8 6Z",
  star: "M6 .4L7.4 4.3L11.6 4.4L8.3 6.9L9.5 10.9L6 8.5L2.5 10.9L3.7 6.9L.4 4.4L4.6 4.3Z",
  cross: "M4.2 1H7.8V4.2H11V7.8H7.8V11H4.2V7.8H1V4.2H4.2Z",
  wye: "M4.6 6.6L1 4.4L2.6 1.6L6 3.8L9.4 1.6L11 4.4L7.4 6.6V11H4.6Z",
};

/** The mark of a method as a small picture beside its name. */
export function swatch({ colour, symbol }) {
  const space = "http://www.w3.org/2000/svg";
  const [svg, path] = ["svg", "path"].map((tag) => document.createElementNS(space, tag));
  for (const [name, value] of Object.entries({
    viewBox: "0 0 12 12",
    width: 12,
    height: 12,
    "aria-hidden": "true",
    class: "swatch",
  }))
    svg.setAttribute(name, value);
  path.setAttribute("d", SHAPES[symbol]);
  path.setAttribute("fill", colour);
  svg.append(path);
  return svg;
}

/** Positions moved apart so that neighbours are `gap` apart and none lies beyond `high`; their order is kept. */
export function spread(positions, gap, high) {
  const order = positions.map((_, i) => i).sort((i, j) => positions[i] - positions[j]);
  const moved = positions.slice();
  order.forEach((i, place) => {
    if (place) moved[i] = Math.max(moved[i], moved[order[place - 1]] + gap);
  });
  let limit = high;
  for (const i of order.toReversed()) {
    moved[i] = Math.min(moved[i], limit);
    limit = moved[i] - gap;
  }
  return moved;
}

/**
 * Which points get a label above them, in the order given: those whose label covers no earlier label and no point.
 * `x` and `y` are in pixels. A label near an edge is anchored there.
 */
export function placedLabels(points, width) {
  const boxes = [];
  const dots = points.map(({ x, y }) => ({ left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }));
  const apart = (one, other) =>
    one.right < other.left || other.right < one.left || one.bottom < other.top || other.bottom < one.top;
  return points.flatMap((point) => {
    const long = point.text.length * LETTER;
    const anchor = point.x - long / 2 < 44 ? "start" : point.x + long / 2 > width - 4 ? "end" : "middle";
    const left = point.x - (anchor === "start" ? 5 : anchor === "end" ? long - 5 : long / 2);
    const box = { left, right: left + long, top: point.y - 21, bottom: point.y - 7 };
    if (![...boxes, ...dots].every((other) => apart(box, other))) return [];
    boxes.push(box);
    return [{ ...point, anchor, left }];
  });
}
