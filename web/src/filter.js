// Which data sets are in. Pure: no DOM.

/** Data sets that a scenario has and that averages and tests count, as places in `data.datasets`. */
export function countable(data, scenario) {
  const limited = data.scenarios[scenario].datasets;
  return data.datasets.flatMap(({ counted }, place) => (counted && (!limited || limited.includes(place)) ? [place] : []));
}

/** Those of some data sets that the filter lets through. A size that is not known passes no limit. */
export function kept(data, places, state) {
  const limits = [
    ["n", state.n_min, state.n_max],
    ["imbalance", state.imbalance_min, state.imbalance_max],
  ];
  return places.filter((place) => {
    const dataset = data.datasets[place];
    if (state.in.length && !state.in.includes(dataset.name)) return false;
    if (state.out.includes(dataset.name)) return false;
    for (const [key, low, high] of limits) {
      const value = dataset[key] ?? NaN;
      if ((low !== null && !(value >= low)) || (high !== null && !(value <= high))) return false;
    }
    if (state.nominal === "none") return dataset.nominal === 0;
    if (state.nominal === "some") return dataset.nominal > 0;
    return true;
  });
}

/** The part of a state that takes the filter away. */
export const NO_FILTER = { in: [], out: [], n_min: null, n_max: null, imbalance_min: null, imbalance_max: null, nominal: "any" };

export const filtered = (state) =>
  Object.entries(NO_FILTER).some(([key, value]) => (Array.isArray(value) ? state[key].length : state[key] !== value));

/** The part of a state that lets through exactly some names of all: the shorter list of the two. */
export function picked(names, all) {
  const out = all.filter((name) => !names.includes(name));
  if (!out.length) return { in: [], out: [] };
  return out.length <= names.length || !names.length ? { in: [], out } : { in: names, out: [] };
}
