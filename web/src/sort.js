// Tables sort by a click, Enter or Space on a column's head; empty cells stay last either way.

const EMPTY = new Set(["", "–", "nan"]);
const chosen = new Map(); // by the name of a table that is built anew: the column and direction that were picked

/** Make the heads of a table sort its rows; tables with spans in their body, or of one row, stay as they are. */
export function sortable(table) {
  const bodies = [...table.tBodies].filter((body) => body.rows.length > 1);
  const spans = bodies.some((body) => [...body.rows].some((row) => [...row.cells].some((cell) => cell.rowSpan > 1 || cell.colSpan > 1)));
  if (!table.tHead || !bodies.length || spans) return;
  const heads = lowestHeads(table.tHead);
  const memory = chosen.get(table.dataset.name);
  heads.forEach((head, column) => {
    if (!head) return;
    const sample = bodies.flatMap((body) => [...body.rows].map((row) => keyOf(row, column))).filter((key) => key !== "");
    if (!sample.length) return;
    const numeric = sample.every((key) => typeof key === "number");
    if (numeric && column > 0) head.setAttribute("data-numeric", "");
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    const order = (up) => {
      for (const other of heads) other?.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      for (const body of bodies) sortRows(body, column, up);
    };
    button.addEventListener("click", () => {
      // numbers start with the largest, words with the first
      const before = head.getAttribute("aria-sort");
      const up = before ? before === "descending" : !numeric;
      if (table.dataset.name) chosen.set(table.dataset.name, { head: head.textContent, up });
      order(up);
    });
    if (memory?.head === head.textContent) order(memory.up);
  });
}

/** The lowest head over each column, whatever spans lie above it. */
function lowestHeads(thead) {
  const heads = [];
  const taken = [];
  [...thead.rows].forEach((row, y) => {
    let x = 0;
    for (const cell of row.cells) {
      while (taken[y]?.[x]) x++;
      for (let dy = 0; dy < cell.rowSpan; dy++) {
        for (let dx = 0; dx < cell.colSpan; dx++) (taken[y + dy] ??= [])[x + dx] = true;
      }
      for (let dx = 0; dx < cell.colSpan; dx++) heads[x + dx] = cell.colSpan === 1 ? cell : null;
      x += cell.colSpan;
    }
  });
  return heads;
}

/** What a row sorts by: a number, a text, or "" for nothing. */
function keyOf(row, column) {
  const cell = row.cells[column];
  const text = cell?.dataset.sort ?? cell?.textContent.trim() ?? "";
  if (EMPTY.has(text)) return "";
  const number = Number(text.replace(/%$/, ""));
  return Number.isNaN(number) ? text : number;
}

function sortRows(body, column, up) {
  const rows = [...body.rows].map((row) => [keyOf(row, column), row]);
  rows.sort(([a], [b]) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
    return up ? order : -order;
  });
  body.append(...rows.map(([, row]) => row));
}
