// A chart: drawn for the width that it has, and again where that changes, with its title and its downloads.

import { el } from "./dom.js";
import { saveButton, standalone } from "./download.js";

const observer = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) target.redraw(contentRect.width);
});

/**
 * A figure. `draw(width)` gives an SVG element; `label` says to a screen reader what it shows.
 * `live` charts hold controls, so they are groups and no images.
 */
export function chart({ title, caption, label, file, draw, live = false, note = null }) {
  const box = el("div", { class: "chart" });
  let drawn = 0;
  box.redraw = (width) => {
    if (width < 1 || Math.abs(width - drawn) < 2) return;
    drawn = width;
    const svg = draw(Math.max(280, Math.floor(width)));
    for (const part of svg.querySelectorAll("g[aria-label]")) part.removeAttribute("aria-label"); // a group may have none
    svg.setAttribute("role", live ? "group" : "img");
    svg.setAttribute("aria-label", label);
    box.replaceChildren(svg);
  };
  observer.observe(box);
  const button = saveButton("SVG", `Save the chart "${title}" as SVG`, `${file}.svg`, "image/svg+xml", () => standalone(box.firstElementChild));
  return el("figure", { class: "view-chart" }, el("div", { class: "head" }, el("h4", {}, title), button), note, box, caption && el("figcaption", {}, caption));
}
