// Numbers as a reader sees them.

export const NONE = "–";

const known = (value) => value !== null && value !== undefined && !Number.isNaN(value);

/** A fixed number of decimals, with a real minus sign. */
export function fixed(value, digits) {
  if (!known(value)) return NONE;
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  return value
    .toFixed(digits)
    .replace(/^-(?=[0.]*$)/, "")
    .replace("-", "−");
}

/** A value of a metric: metrics that lie in [.., 1] are read in percent, others as they are. */
export const inPercent = (metric) => metric.high === 1;
/** The label of a metric with the unit of its numbers. */
export const withUnit = (metric) => (inPercent(metric) ? `${metric.label}, %` : metric.label);
export const scaleOf = (metric) => (inPercent(metric) ? 100 : 1);
export function score(value, metric, digits = 1) {
  return fixed(known(value) ? value * scaleOf(metric) : value, inPercent(metric) ? digits : digits + 2);
}

/** What a difference of two values is counted in. */
export const pointsOf = (metric) => (inPercent(metric) ? " points" : "");

/** A difference of two values of a metric, with its sign. */
export function difference(value, metric) {
  const text = score(value, metric);
  return value > 0 ? `+${text}` : text;
}

/** A p-value as scarce writes it. */
export function pValue(p) {
  if (!known(p)) return NONE;
  return p < 0.001 ? "< 0.001" : p > 0.9995 && p < 1 ? "> 0.999" : p.toFixed(3);
}
export const pWords = (p) => (/^[<>]/.test(pValue(p)) ? `p ${pValue(p)}` : `p = ${pValue(p)}`);

/** A duration. */
export function seconds(value) {
  if (!known(value)) return NONE;
  if (value >= 60) return `${fixed(value / 60, 1)} min`;
  return value >= 1
    ? `${fixed(value, 1)} s`
    : `${value >= 0.1 ? fixed(value * 1000, 0) : Number((value * 1000).toPrecision(2))} ms`;
}

export const megabytes = (value) => (known(value) ? `${fixed(value, 0)} MB` : NONE);

/** Whole numbers with thin spaces between thousands. */
export const count = (value) => (known(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f") : NONE);

export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

/** Names of a list with "and" before the last. */
export function listed(names, most = 6) {
  if (names.length > most) return `${names.slice(0, most - 1).join(", ")} and ${names.length - most + 1} more`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
