// What every view is given: the data, the reader's choices, what follows from them, and small pieces of the page.

import { MARK } from "./data.js";
import { el } from "./dom.js";
import { fileName } from "./download.js";
import { kept } from "./filter.js";
import { listed, withUnit } from "./format.js";
import { looks } from "./look.js";
import { costs, panelOf } from "./model.js";
import { swatch } from "./plots.js";

export function pageOf(data, state, set) {
  const [metricPlace, scenarioPlace] = [data.find("metrics", state.metric), data.find("scenarios", state.scenario)];
  const [metric, scenario] = [data.metrics[metricPlace], data.scenarios[scenarioPlace]];
  const counted = data.counted(scenarioPlace);
  const inside = kept(data, counted, state);
  const panel = panelOf(data, state, metricPlace, scenarioPlace);
  const look = looks(data.methods);
  const ground = (place) => data.datasets[place].prevalence;

  return {
    data,
    state,
    set,
    metric,
    metricPlace,
    scenario,
    scenarioPlace,
    counted,
    inside,
    panel,
    looks: look,
    costs: costs(data, scenarioPlace, inside),
    heading: () => `${withUnit(metric)}${metric.assumes ? ", estimated" : ""}, ${scenario.label}`,
    file: (...parts) => fileName(data.study.name, metric.name, scenario.name, ...parts),
    /** What scores without information reach, over some data sets; null where that is not known. */
    baseline(places = panel.datasets) {
      const shares = metric.baseline === "prevalence" ? places.map(ground) : [];
      return shares.length && shares.every(Number.isFinite)
        ? shares.reduce((sum, share) => sum + share, 0) / shares.length
        : null;
    },
    methodLabel(place, own = look[place]) {
      const { label, plain, hidden_labels } = data.methods[place];
      return el(
        "span",
        { class: "method", title: label },
        swatch(own),
        el(
          "span",
          { class: "names" },
          el("span", { class: "name" }, plain),
          hidden_labels && el("span", { class: "mark" }, MARK),
        ),
      );
    },
    /** What a view says of methods that are fitted on true labels; nothing where the study has none. */
    footnote() {
      const known = data.oracles.map((place) => data.methods[place].plain);
      const text = `† Uses hidden labels: ${listed(known)}. Fitted on the true labels of the training rows, which nobody with PU data has; in no rank, test or front.`;
      return known.length > 0 && el("p", { class: "hint footnote" }, text);
    },
    datasetLink(place) {
      const { name, title } = data.datasets[place];
      const show = () => set({ dataset: name, method: null, repeat: null, view: "dataset", at: null }, "dataset-of");
      return el(
        "button",
        { type: "button", class: "link", title, "aria-label": `${title}: show every run`, onclick: show },
        title,
      );
    },
    command({ dataset, scenario: at, method, repeat }) {
      const names = {
        study: data.study.name,
        dataset: data.datasets[dataset].name,
        scenario: data.scenarios[at].name,
        method: data.methods[method].name,
        repeat,
      };
      return data.commands.explain.replace(/\{(\w+)\}/g, (whole, key) =>
        key in names ? shellWord(String(names[key])) : whole,
      );
    },
  };
}

/** A word that a shell takes as it stands. */
const shellWord = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
