// One description of a table gives the table of the page and its CSV.
//
// {name, caption, columns: [{label, kind, title}], rows: [{data, current, cells}], footer}. A column's kind is "number",
// "text" (which wraps) or "". A cell is a text, or {text, value, title, node, share, mark}: `value` is what it sorts by
// and what the CSV holds, `node` an element in place of the text, `share` from 0 to 1 how strong the cell is coloured.

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
    el("caption", {}, spec.caption),
    el("thead", {}, el("tr", {}, heads)),
    el("tbody", {}, spec.rows.map((row) => rowOf(row, spec.columns))),
    spec.footer?.length > 0 && el("tfoot", {}, spec.footer.map((row) => rowOf(row, spec.columns))),
  );
  globalThis.sortable?.(node); // of page.js, which all pages have
  return el("div", { class: "scroll", role: "region", "aria-label": spec.caption, tabindex: 0 }, node);
}

function rowOf({ cells, data = {}, current = false }, columns) {
  const attributes = Object.fromEntries(Object.entries(data).map(([key, value]) => [`data-${key}`, value]));
  return el("tr", { ...attributes, "aria-current": current ? "true" : null }, cells.map((cell, at) => tableCell(cellOf(cell), columns[at], at)));
}

function tableCell({ text, value, title, node, share, mark }, { kind }, at) {
  const known = share !== undefined && Number.isFinite(share);
  const classes = [kind === "number" ? "num" : kind, known && "shade", mark && "bold"].filter(Boolean).join(" ");
  const number = kind === "number" && value !== undefined ? sortText(value) : null;
  return el(
    at ? "td" : "th",
    { scope: at ? null : "row", class: classes || null, title, "data-sort": number, style: known ? { "--share": `${(100 * share).toFixed(1)}%` } : null },
    node ?? text,
  );
}

const sortText = (value) => (value === null || Number.isNaN(value) ? "" : String(value));

/** The table as CSV: numbers in full, texts as they stand, quoted where needed. */
export function csv({ columns, rows, footer = [] }) {
  const lines = [columns.map(({ label, key }) => key ?? label)];
  for (const { cells } of [...rows, ...footer]) lines.push(cells.map(cellOf).map(({ text, value }) => (value === undefined ? (text ?? "") : sortText(value))));
  return lines.map((line) => line.map((field) => quoted(String(field))).join(",") + "\n").join("");
}

const quoted = (field) => (/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
