// The bar on top: metric, threshold rule, scenario, and which data sets are in. Built once, then updated.

import { el, fill, select } from "./dom.js";
import { filtered, kept, NO_FILTER, picked } from "./filter.js";
import { count, fixed, plural } from "./format.js";

const RULES = "*rules"; // stands for all metrics that differ in their threshold rule alone

/** The bar, and the function that brings it up to date. */
export function bar(data, set) {
  const node = el("form", { class: "bar", "aria-label": "What is shown", onsubmit: (event) => event.preventDefault() });
  const choices = el("div", { class: "fields" });
  const menu = datasetMenu(data, set);
  const line = el("p", { class: "included", id: "announcer", role: "status" });
  const reset = el("button", { type: "button", class: "link", id: "reset-filter", onclick: () => set(NO_FILTER) }, "All data sets again");
  const assumed = el("p", { class: "hint assumed", id: "assumed" });
  node.append(choices, el("div", { class: "line" }, line, reset, assumed));
  const update = (page) => {
    fill(choices, ...selectors(page, set), menu.node);
    menu.update(page);
    reset.hidden = !filtered(page.state);
    const words = included(page);
    if (line.textContent !== words) line.textContent = words;
    assumed.textContent = remarks(page);
    assumed.hidden = !assumed.textContent;
  };
  return { node, update };
}

function selectors({ data, metric, scenario }, set) {
  const ruled = data.metrics.filter(({ rule }) => rule);
  const seen = new Set();
  const entries = data.metrics.flatMap(({ name, label, rule, compared }) => {
    if (rule && ruled.length > 1) return seen.has(RULES) ? [] : (seen.add(RULES), [{ compared, option: [RULES, "F1"] }]);
    return [{ compared, option: [name, label] }];
  });
  const groups = [["Compared by the study", true], ["Not compared by the study", false]].map(([group, which]) => ({ group, options: entries.filter(({ compared }) => compared === which).map(({ option }) => option) }));
  const options = groups.filter((one) => one.options.length);
  const isRule = metric.rule && ruled.length > 1;
  return [
    select("Metric", options.length > 1 ? options : options.flatMap((one) => one.options), isRule ? RULES : metric.name, (name) => set({ metric: name === RULES ? ruled[0].name : name }), { id: "metric-of" }),
    isRule && select("Threshold chosen by", ruled.map(({ name, rule_label }) => [name, rule_label]), metric.name, (name) => set({ metric: name }), { id: "rule-of" }),
    data.scenarios.length > 1 && select("Scenario", data.scenarios.map(({ name, label }) => [name, label]), scenario.name, (name) => set({ scenario: name }), { id: "scenario-of" }),
  ].filter(Boolean);
}

function included({ data, state, counted, panel, metric, scenario }) {
  const inside = kept(data, counted, state).length;
  const dropped = inside - panel.datasets.length;
  const size = `${panel.datasets.length} of ${plural(counted.length, "data set")}${dropped ? ` (${dropped} of those chosen lack values)` : ""}`;
  return filtered(state) ? `${size}: ranks and tests are computed again for these. ${metric.label}, ${scenario.label}.` : `${size}. ${metric.label}, ${scenario.label}.`;
}

function remarks({ metric }) {
  return [
    metric.hidden_labels && "Uses hidden labels: a user of PU data cannot choose this threshold.",
    metric.assumes && `Estimated from observed labels. Assumes ${metric.assumes}.`,
    !metric.higher && "Smaller is better.",
  ].filter(Boolean).join(" ");
}

/** The menu of data sets: search, sizes, nominal columns, and a box for each. */
function datasetMenu(data, set) {
  let current = null;
  const summary = el("summary", {}, "Data sets");
  const search = el("input", { type: "search", id: "dataset-search", placeholder: "name", autocomplete: "off", oninput: () => narrow() });
  const list = el("div", { class: "checks", role: "group", "aria-label": "Data sets" });
  const numbers = (label, low, high, step) => el("fieldset", { class: "range" }, el("legend", {}, label), ...[[low, "from"], [high, "to"]].map(([key, text]) => el("label", {}, el("span", {}, text), el("input", { type: "number", min: 0, step, inputmode: "decimal", id: key.replace("_", "-"), onchange: (event) => set({ [key]: event.target.value === "" ? null : Number(event.target.value) }) }))));
  const nominal = el("div", {});
  const matches = ({ name, title, code }) => [name, title, code].some((text) => (text ?? "").toLowerCase().includes(search.value.trim().toLowerCase()));
  const boxes = data.datasets.map((dataset, place) => {
    const box = el("input", { type: "checkbox", id: `dataset-${place}`, onchange: () => pick() });
    const size = [dataset.n && `${count(dataset.n)} rows`, Number.isFinite(dataset.imbalance) && `1 : ${fixed(dataset.imbalance, 1)}`].filter(Boolean).join(", ");
    const node = el("label", { class: "check", title: dataset.title }, box, el("span", { class: "name" }, dataset.title), el("span", { class: "size" }, size));
    return { dataset, place, box, node };
  });
  list.append(...boxes.map(({ node }) => node));
  const listed = () => boxes.filter(({ node }) => !node.hidden);
  const pick = () => set(picked(boxes.filter(({ box, place }) => box.checked && current.counted.includes(place)).map(({ dataset }) => dataset.name), current.counted.map((place) => data.datasets[place].name)));
  const all = (checked) => () => {
    for (const { box } of listed()) box.checked = checked;
    pick();
  };
  const narrow = () => {
    for (const { dataset, place, node } of boxes) node.hidden = !matches(dataset) || !current.counted.includes(place);
  };
  const panel = el(
    "div",
    { class: "panel" },
    el("label", { class: "field" }, el("span", {}, "Search"), search),
    el("div", { class: "tools" }, el("button", { type: "button", class: "save", onclick: all(true) }, "Take those listed"), el("button", { type: "button", class: "save", onclick: all(false) }, "Leave them out")),
    list,
    numbers("Rows", "n_min", "n_max", "any"),
    numbers("Negatives per positive", "imbalance_min", "imbalance_max", "any"),
    nominal,
  );
  const node = el("details", { class: "menu", id: "dataset-menu" }, summary, panel);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !node.open) return;
    node.open = false;
    summary.focus();
  });
  document.addEventListener("click", (event) => {
    if (node.open && event.isTrusted && !node.contains(event.target)) node.open = false;
  });
  const update = (page) => {
    current = page;
    const { state, counted } = page;
    const inside = new Set(kept(data, counted, state));
    const chosen = new Set(kept(data, counted, { ...NO_FILTER, in: state.in, out: state.out }));
    for (const { place, box, node } of boxes) {
      box.checked = chosen.has(place);
      node.classList.toggle("out", !inside.has(place));
    }
    for (const key of ["n_min", "n_max", "imbalance_min", "imbalance_max"]) panel.querySelector(`#${key.replace("_", "-")}`).value = state[key] ?? "";
    fill(nominal, select("Nominal columns", [["any", "any"], ["none", "none"], ["some", "one or more"]], state.nominal, (value) => set({ nominal: value }), { id: "nominal-of" }));
    summary.textContent = `Data sets: ${inside.size} of ${counted.length}`;
    narrow();
  };
  return { node, update };
}
