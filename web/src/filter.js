// Which data sets are in. Pure: no DOM.

/** Those of some data sets that the filter lets through. A size that is not known passes no limit. */
export function kept(data, datasets, state) {
  return datasets.filter((one) => {
    const { name, n, imbalance, nominal } = data.datasets[one];
    if (state.in.length && !state.in.includes(name)) return false;
    if (state.out.includes(name)) return false;
    if (!within(n, state.n_min, state.n_max)) return false;
    if (!within(imbalance, state.imbalance_min, state.imbalance_max)) return false;
    if (state.nominal === "none") return nominal === 0;
    return state.nominal === "any" || nominal > 0;
  });
}

function within(size, low, high) {
  const known = size ?? NaN;
  return (low === null || known >= low) && (high === null || known <= high);
}

/** The part of a state that takes the filter away. */
export const NO_FILTER = { in: [], out: [], n_min: null, n_max: null, imbalance_min: null, imbalance_max: null, nominal: "any" };

export const filtered = (state) =>
  Object.entries(NO_FILTER).some(([key, value]) => (Array.isArray(value) ? state[key].length > 0 : state[key] !== value));

/** The part of a state that lets through exactly some names of all: the shorter list of the two. */
export function picked(names, all) {
  const out = all.filter((name) => !names.includes(name));
  return out.length <= names.length || !names.length ? { in: [], out } : { in: names, out: [] };
}
