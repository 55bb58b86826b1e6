// A table of a view with the button that saves it.

import { el } from "../dom.js";
import { saveButton } from "../download.js";
import { csv, table } from "../table.js";

/** The table, and a button for its CSV; `extra` are other controls before that button. */
export function block(page, spec, ...extra) {
  const file = `${page.file(spec.name)}.csv`;
  const button = saveButton("CSV", `Save the table "${spec.caption}" as CSV`, file, "text/csv", () => csv(spec));
  return el("div", { class: "block" }, el("div", { class: "tools" }, extra, button), table(spec));
}

/** The same, folded below a chart that shows it. */
export function folded(page, summary, spec, open = false) {
  return el("details", { class: "numbers", open }, el("summary", {}, summary), block(page, spec));
}
