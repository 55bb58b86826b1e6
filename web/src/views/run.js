// The runs of a method on a data set, and all that is known of one of them.

import { el } from "../dom.js";
import { fixed, megabytes, NONE, score, seconds } from "../format.js";
import { folded } from "./block.js";

/** Details of the run that is open, and the other runs of its method; nothing where none is open. */
export function detail(page, dataset, methods, run, open) {
  if (!run) return null;
  const { data, metric } = page;
  const { runs } = methods.find(({ method }) => method === run.method);
  const method = data.methods[run.method];
  const pairs = [
    [metric.label, score(run.value, metric, 2)],
    ["Status", run.status],
    ["Message", run.message || NONE],
    ["Fit time", seconds(run.fit_seconds)],
    ["Peak memory", megabytes(run.peak_memory_mb)],
    ["Class prior", fixed(run.class_prior, 4)],
    ["Threshold", short(run.threshold)],
  ];
  return el(
    "section",
    { id: "run", class: "run", tabindex: -1, "aria-label": `Run of ${method.label}` },
    el("h4", {}, `${method.label} on ${dataset.title}, repeat ${run.repeat}`),
    el("dl", { class: "pairs" }, pairs.map(([key, value]) => el("div", {}, el("dt", {}, key), el("dd", {}, value)))),
    command(page.command(run)),
    runTable(page, dataset, method, runs, run, open),
  );
}

const short = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(5))) : NONE);

/** A command with a button that copies it. */
function command(text) {
  const said = el("span", { role: "status", class: "said" });
  const code = el("code", {}, text);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code); // pages from files may lack the clipboard
      said.textContent = "Selected: copy it by hand";
    }
  };
  return el("div", { class: "command" }, el("pre", {}, code), el("button", { type: "button", class: "save", "aria-label": "Copy the command", onclick: copy }, "Copy"), said);
}

function runTable(page, dataset, method, runs, run, open) {
  const { metric } = page;
  const columns = [
    { label: "Repeat", key: "repeat" },
    { label: metric.label, key: metric.name, kind: "number" },
    { label: "Status", key: "status" },
    { label: "Fit time", key: "fit_seconds", kind: "number" },
    { label: "Memory", key: "peak_memory_mb", kind: "number" },
    { label: "Class prior", key: "class_prior", kind: "number" },
    { label: "Threshold", key: "threshold", kind: "number" },
    { label: "Message", key: "message", kind: "text" },
  ];
  const rows = runs.map((one) => ({
    data: { repeat: one.repeat },
    current: one.repeat === run.repeat,
    cells: [
      { text: String(one.repeat), value: one.repeat, node: el("button", { type: "button", class: "link", "aria-label": `Repeat ${one.repeat}: show the run`, onclick: () => open(one) }, String(one.repeat)) },
      { text: score(one.value, metric, 2), value: one.value },
      one.status,
      { text: seconds(one.fit_seconds), value: one.fit_seconds },
      { text: megabytes(one.peak_memory_mb), value: one.peak_memory_mb },
      { text: fixed(one.class_prior, 4), value: one.class_prior },
      { text: short(one.threshold), value: one.threshold },
      one.message,
    ],
  }));
  return folded(page, `All ${runs.length} repeats`, { name: `runs-${method.name}`, caption: `All repeats of ${method.label} on ${dataset.title}`, columns, rows });
}
