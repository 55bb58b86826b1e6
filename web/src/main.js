// The entry: decodes the numbers of the page, mounts the views, and keeps them and the address in step with the reader's choices.

import { bar } from "./bar.js";
import { decode } from "./data.js";
import { el, fill } from "./dom.js";
import { NO_FILTER } from "./filter.js";
import { pageOf } from "./page.js";
import * as address from "./state.js";
import * as cost from "./views/cost.js";
import * as dataset from "./views/dataset.js";
import * as leaderboard from "./views/leaderboard.js";
import * as ratio from "./views/ratio.js";
import * as rules from "./views/rules.js";
import * as two from "./views/two.js";

const { idOf, reveal } = globalThis; // of page.js, which every page has: ids of fragments, and what unfolds their places

/** Views in their order, with the choices that they read beside the metric, the scenario and the filter. */
const VIEWS = [
  ["leaderboard", leaderboard, ["heat"]],
  ["two", two, ["a", "b", "rope"]],
  ["dataset", dataset, ["dataset", "method", "repeat"]],
  ["cost", cost, ["cost", "against"]],
  ["ratio", ratio, ["trend", "mark"]],
  ["rules", rules, []],
];
const GLOBAL = ["metric", "scenario", ...Object.keys(NO_FILTER)];

function start(controls, data) {
  const views = VIEWS.filter(([, module]) => module.has?.(data) ?? true).map(([id, module, reads]) => ({
    id,
    module,
    reads,
    section: document.getElementById(id),
  }));
  let state = address.stateOf(data, location.hash);
  const stale = new Set(); // views that are to be drawn again
  const top = bar(data, set);
  fill(controls, top.node).hidden = false;
  for (const { section } of views) section.hidden = false;
  contents(views);

  /** Take over some choices: a new entry of the history, and the views that read them drawn again. */
  function set(change, focus = null) {
    const next = { ...state, ...change };
    const fragment = address.fragmentOf(data, next);
    if (fragment !== address.fragmentOf(data, state)) history.pushState(null, "", `#${fragment}`);
    show(next, focus);
  }

  /** Draw what differs: the bar and the first view at once, the others one after another. */
  function show(next, focus = null, everything = false) {
    const changed = Object.keys(next).filter((key) => JSON.stringify(next[key]) !== JSON.stringify(state[key]));
    const all = everything || changed.some((key) => GLOBAL.includes(key));
    state = next;
    const page = pageOf(data, state, set);
    window.scarce = { data, page, set, state, settled: null };
    const focused = document.activeElement?.id;
    if (all) top.update(page);
    for (const view of views) if (all || changed.some((key) => view.reads.includes(key))) stale.add(view);
    const draw = () => {
      const view = views.find((one) => stale.delete(one));
      if (view) redraw(view.section.querySelector(".view"), [view.module.view(window.scarce.page), window.scarce.page.footnote()]);
      if (everything && view === views[0]) performance.mark("first view");
      const target = document.getElementById(focus ?? focused ?? "");
      if (target && document.activeElement !== target && (focus || document.activeElement === document.body))
        target.focus({ preventScroll: !focus });
    };
    draw();
    window.scarce.settled = (async () => {
      while (stale.size) {
        await new Promise((resume) => setTimeout(resume));
        draw();
      }
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame); // charts are drawn in the next
      if (everything) jump(plain ? idOf(location.hash) : (state.view ?? state.at));
    })();
  }

  /** The address has changed: by Back, by a link to a place in the page, or by hand. */
  function follow() {
    const fragment = location.hash.slice(1);
    if (fragment && !address.isState(fragment)) {
      const place = idOf(location.hash);
      const isView = views.some(({ id }) => id === place);
      state = { ...state, view: isView ? place : null, at: isView ? null : place };
      history.replaceState(null, "", `#${address.fragmentOf(data, state)}`);
      document.getElementById(place)?.scrollIntoView();
    } else show(address.stateOf(data, fragment));
  }

  const plain = location.hash.length > 1 && !address.isState(location.hash);
  window.addEventListener("popstate", follow);
  show(state, null, true);
}

/** To a place in the page at once: what is above it has just been drawn. */
function jump(id) {
  reveal(id ?? "");
  document.getElementById(id ?? "")?.scrollIntoView({ behavior: "instant" });
}

/** Put new content in place, and keep what the reader had unfolded. */
function redraw(body, content) {
  const open = [...body.querySelectorAll("details")].map((details) => details.open);
  fill(body, content);
  [...body.querySelectorAll("details")].forEach((details, at) => {
    if (open[at]) details.open = true;
  });
}

/** Links to the views below the one to their section in the contents. */
function contents(views) {
  const link = document.querySelector("nav a[href='#explore']");
  link?.after(
    el(
      "ul",
      {},
      views.map(({ id, module }) => el("li", {}, el("a", { href: `#${id}` }, module.title))),
    ),
  );
}

const controls = document.getElementById("controls");
const source = document.getElementById("data");
const payload = controls && source ? JSON.parse(source.textContent) : null;
if (payload?.metrics.length) decode(payload).then((data) => start(controls, data));
else if (payload) {
  const nothing = el("p", { class: "hint" }, "No run of this study has a value of any metric.");
  document.querySelector("#leaderboard .view").append(nothing);
  window.scarce = { settled: Promise.resolve() };
}
