// One description of a table gives the table of the page and its CSV.
//
// {name, caption, columns: [{label, key, kind, title}], rows: [{data, current, cells}], footer}. A column's kind is
// "number", "text" (which wraps) or ""; `key` is its head in the CSV. A cell is a text, or {text, value, title, node,
// share, mark}: `value` is what it sorts by and what the CSV holds, `node` an element in place of the text, `share` from
// 0 to 1 how strong the cell is coloured. A column whose key is [low, high] has values [low, high], sorts by the width of
// the interval, and is two columns in the CSV.

import { el } from "./dom.js";

const cellOf = (cell) => (cell !== null && typeof cell === "object" ? cell : { text: String(cell ?? "") });

/** A table in a box that scrolls. */
export function table(spec) {
  const heads = spec.columns.map(({ label, kind, title }) =>
    el("th", { scope: "col", title, class: kind === "number" ? "num" : null }, label),
  );
  const node = el(
    "table",
    { class: `results ${spec.class ?? ""}`.trim(), "data-name": spec.name },
    el("caption", {}, el("span", {}, spec.caption)),
    el("thead", {}, el("tr", {}, heads)),
    el(
      "tbody",
      {},
      spec.rows.map((row) => rowOf(row, spec.columns)),
    ),
    spec.footer?.length > 0 &&
      el(
        "tfoot",
        {},
        spec.footer.map((row) => rowOf(row, spec.columns)),
      ),
  );
  globalThis.sortable?.(node); // of page.js, which every page has
  return el("div", { class: "scroll", role: "region", "aria-label": spec.caption, tabindex: 0 }, node);
}

function rowOf({ cells, data = {}, current = false }, columns) {
  const attributes = Object.fromEntries(Object.entries(data).map(([key, value]) => [`data-${key}`, value]));
  return el(
    "tr",
    { ...attributes, "aria-current": current ? "true" : null },
    cells.map((cell, at) => tableCell(cellOf(cell), columns[at], at)),
  );
}

function tableCell({ text, value, title, node, share, mark }, { kind }, at) {
  const known = share !== undefined && Number.isFinite(share);
  const classes = [kind === "number" ? "num" : kind, known && "shade", mark && "bold"].filter(Boolean).join(" ");
  const number = kind === "number" && value !== undefined ? sortText(value) : null;
  return el(
    at ? "td" : "th",
    {
      scope: at ? null : "row",
      class: classes || null,
      title,
      "data-sort": number,
      style: known ? { "--share": `${(100 * share).toFixed(1)}%` } : null,
    },
    node ?? text,
  );
}

const number = (value) => (value === null || Number.isNaN(value) ? "" : String(value));
const sortText = (value) => number(Array.isArray(value) ? value[1] - value[0] : value);

/** The table without its footer as CSV: numbers in full, texts quoted where needed. */
export function csv({ columns, rows }) {
  const lines = [columns.flatMap(({ label, key }) => key ?? label)];
  for (const { cells } of rows)
    lines.push(
      cells
        .map(cellOf)
        .flatMap(({ text, value = text ?? "" }) => value)
        .map((value) => (typeof value === "string" ? asCell(value) : number(value))),
    );
  return lines.map((line) => line.map((field) => quoted(String(field))).join(",") + "\n").join("");
}

/** A text that a spreadsheet takes for no formula; as scarce.words.as_cell. */
const asCell = (text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const quoted = (field) => (/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
