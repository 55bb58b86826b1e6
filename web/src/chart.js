// A chart: drawn for the width that it has, and again where that changes, with its title and its downloads.

import { el } from "./dom.js";
import { saveButton, standalone } from "./download.js";

// Heads of charts are as wide as the charts, and drawing does not change their size.
const observer = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    if (target.isConnected) target.redraw(contentRect.width);
    else observer.unobserve(target);
  }
});

/**
 * A figure. `draw(width)` gives an SVG element; `label` says to a screen reader what it shows.
 * `live` charts hold controls, so they are groups and no images.
 */
export function chart({ title, caption, label, file, draw, live = false, note = null }) {
  const box = el("div", { class: "chart" });
  let drawn = 0;
  const redraw = (width) => {
    if (width < 1 || Math.abs(width - drawn) < 2) return;
    drawn = width;
    const svg = draw(Math.max(280, Math.floor(width)));
    for (const part of svg.querySelectorAll("g[aria-label]")) part.removeAttribute("aria-label"); // a group may have none
    svg.setAttribute("role", live ? "group" : "img");
    svg.setAttribute("aria-label", label);
    box.replaceChildren(svg);
  };
  const button = saveButton("SVG", `Save the chart "${title}" as SVG`, `${file}.svg`, "image/svg+xml", () =>
    standalone(box.firstElementChild),
  );
  const head = Object.assign(el("div", { class: "head" }, el("h4", {}, title), button), { redraw });
  observer.observe(head);
  return el("figure", { class: "view-chart" }, head, note, box, caption && el("figcaption", {}, caption));
}
