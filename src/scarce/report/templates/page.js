"use strict";
// Tables sort by a click, Enter or Space on a column's head; empty cells stay last either way.
const orders = new Map(); // of tables that are built anew (data-name): the column and direction that were chosen
function sortable(table) {
  const bodies = [...table.tBodies].filter((body) => body.rows.length > 1);
  const spans = bodies.some((body) => [...body.rows].some((row) => [...row.cells].some((cell) => cell.rowSpan > 1 || cell.colSpan > 1)));
  if (!table.tHead || !bodies.length || spans) return;

  // The lowest head over each column, whatever spans lie above it.
  const heads = [];
  const taken = [];
  [...table.tHead.rows].forEach((row, y) => {
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

  const value = (row, column) => {
    const cell = row.cells[column];
    const text = cell?.dataset.sort ?? cell?.textContent.trim() ?? "";
    const number = text === "" || text === "–" ? NaN : Number(text.replace(/%$/, ""));
    return Number.isNaN(number) ? (text === "–" || text === "nan" ? "" : text) : number;
  };

  heads.forEach((head, column) => {
    if (!head) return;
    const sample = bodies.flatMap((body) => [...body.rows].map((row) => value(row, column))).filter((v) => v !== "");
    if (!sample.length) return;
    const numeric = sample.every((v) => typeof v === "number");
    if (numeric && column > 0) head.setAttribute("data-numeric", "");
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    const order = (up) => {
      for (const other of heads) other?.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      for (const body of bodies) {
        const rows = [...body.rows].map((row) => [value(row, column), row]);
        rows.sort(([a], [b]) => {
          if (a === "" || b === "") return (a === "") - (b === "");
          const sign = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
          return up ? sign : -sign;
        });
        body.append(...rows.map(([, row]) => row));
      }
    };
    const key = head.textContent;
    button.addEventListener("click", () => {
      // numbers start with the largest, words with the first
      const before = head.getAttribute("aria-sort");
      const up = before ? before === "descending" : !numeric;
      if (table.dataset.name) orders.set(table.dataset.name, { key, up });
      order(up);
    });
    const chosen = orders.get(table.dataset.name);
    if (chosen?.key === key) order(chosen.up);
  });
}
for (const table of document.querySelectorAll(".scroll > table")) sortable(table);
// On a phone the contents start folded.
if (matchMedia("(max-width: 74.99rem)").matches) document.querySelector("nav details")?.removeAttribute("open");
// Of tables that fold, a selector shows one at a time.
for (const box of document.querySelectorAll(".chosen")) {
  const parts = [...box.children];
  if (parts.length < 2) continue;
  const select = document.createElement("select");
  select.setAttribute("aria-label", "Which table");
  select.className = "which";
  for (const [place, part] of parts.entries()) {
    const summary = part.querySelector("summary");
    select.append(new Option(summary.textContent, place));
    summary.hidden = true;
  }
  const show = () => {
    for (const part of parts) part.hidden = !(part.open = part === parts[select.value]);
  };
  select.addEventListener("change", show);
  box.before(select);
  box.addEventListener("reveal", (event) => {
    select.value = parts.findIndex((part) => part.contains(event.target));
    show();
  });
  show();
}
// A link to something that is folded unfolds it.
function reveal(id) {
  const target = document.getElementById(id);
  target?.dispatchEvent(new Event("reveal", { bubbles: true }));
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}
function idOf(hash) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1); // a lone % is no escape
  }
}
document.addEventListener("click", (event) => reveal(idOf(event.target.closest?.('a[href^="#"]')?.hash ?? "#")));
reveal(idOf(location.hash));
// Files of tables, from the bytes inside the page.
const files = JSON.parse(document.getElementById("table-files")?.textContent ?? "{}");
for (const button of document.querySelectorAll("[data-file]")) {
  button.parentElement.hidden = false;
  button.addEventListener("click", async () => {
    const bytes = Uint8Array.from(atob(files[button.dataset.file].gzip), (letter) => letter.charCodeAt(0));
    const content = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await new Response(content).blob());
    link.download = button.dataset.file;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
