// What the reader has chosen, and the fragment of the address that says so. Pure: no DOM.

const one = (names, first) => ({
  first,
  read: (text) => (names.includes(text) ? text : first),
  write: (value) => (value === first ? null : value),
});

const number = {
  first: null,
  read: (text) => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : null),
  write: (value) => (value === null ? null : String(value)),
};

const many = (names) => ({
  first: [],
  read: (texts) => names.filter((name) => texts.includes(name)),
  write: (values) => (values.length ? values : null),
  list: true,
});

const whole = { ...number, read: (text) => (/^\d+$/.test(text) ? Number(text) : null) };

const text = { first: null, read: (value) => value || null, write: (value) => value };

/** The choices of a page: by key, the first value, and how it is read from and written to text. */
export function choices(data) {
  const names = (list) => list.map(({ name }) => name);
  const [metrics, scenarios, datasets, methods] = [data.metrics, data.scenarios, data.datasets, data.methods].map(names);
  const ropes = [...new Set(["0", "0.005", "0.01", "0.02", "0.05", String(data.study.rope)])];
  return {
    metric: one(metrics, metrics[0]),
    scenario: one(scenarios, scenarios[0]),
    in: many(datasets),
    out: many(datasets),
    n_min: number,
    n_max: number,
    imbalance_min: number,
    imbalance_max: number,
    nominal: one(["any", "none", "some"], "any"),
    heat: one(["value", "rank"], "value"),
    a: one(methods, null),
    b: one(methods, null),
    rope: one(ropes, String(data.study.rope)),
    dataset: one(datasets, datasets[0]),
    method: one(methods, null),
    repeat: whole,
    cost: one(["time", "memory"], "time"),
    against: one(["mean", "rank"], "mean"),
    trend: one(["mean", "rank"], "mean"),
    mark: many(methods),
    view: text,
    at: text,
  };
}

/** The state that a fragment (with or without "#") describes. What it does not name, or names wrongly, is as at first. */
export function read(fragment, fields) {
  const pairs = new URLSearchParams(fragment.replace(/^#/, ""));
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [
      key,
      pairs.has(key) ? field.read(field.list ? pairs.getAll(key) : pairs.get(key)) : field.first,
    ]),
  );
}

/** The fragment of a state, without "#"; what is as at first is left out. */
export function write(state, fields) {
  const pairs = new URLSearchParams();
  for (const [key, field] of Object.entries(fields)) {
    const value = field.write(state[key]);
    for (const each of value === null ? [] : [value].flat()) pairs.append(key, each);
  }
  return pairs.toString();
}

/** Whether a fragment describes a state; any other one is the id of a place in the page. */
export const isState = (fragment) => fragment.includes("=");
