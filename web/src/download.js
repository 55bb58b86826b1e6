// Files from bytes inside the page: what is shown, as CSV and SVG.

import { el } from "./dom.js";

/** A button that saves a file. `content` gives its text when it is pressed. */
export function saveButton(label, description, file, type, content) {
  return el("button", { type: "button", class: "save", "aria-label": description, title: description, onclick: () => save(file, type, content()) }, label);
}

export function save(file, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = el("a", { href: address, download: file });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A name for a file, of letters that every system takes. */
export const fileName = (...parts) =>
  parts.filter(Boolean).map((part) => String(part).replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[-.]+|-+$/g, "").slice(0, 60)).filter(Boolean).join("_");

/** A chart as a file that stands alone: light colours in place of variables, white ground, its own font. */
export function standalone(svg) {
  const copy = svg.cloneNode(true);
  const light = el("span", { class: "light", hidden: true });
  document.body.append(light);
  const style = getComputedStyle(light);
  const solved = (text) => text.replace(/var\((--[\w-]+)\)/g, (whole, name) => style.getPropertyValue(name).trim() || whole);
  for (const node of [copy, ...copy.querySelectorAll("*")]) {
    for (const { name, value } of [...node.attributes]) {
      if (value.includes("var(--")) node.setAttribute(name, solved(value));
      if (name === "tabindex" || name === "role") node.removeAttribute(name);
    }
  }
  const { width, height } = svg.viewBox.baseVal;
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ width, height, fill: "#ffffff" })) ground.setAttribute(name, value);
  const first = copy.querySelector("style");
  if (first) first.after(ground);
  else copy.prepend(ground);
  copy.setAttribute("color", solved("var(--ink)"));
  copy.setAttribute("font-family", "system-ui, sans-serif");
  copy.style.setProperty("--plot-background", "#ffffff");
  light.remove();
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}
