// The payload of the page (scarce.report.payload) as typed arrays, and what views ask of it.

const TYPES = { "<f8": Float64Array, "<f4": Float32Array, "<u1": Uint8Array, "<u2": Uint16Array, "<i4": Int32Array };

/** What stands beside a method that is fitted on true labels. */
export const MARK = "uses hidden labels";

/** The version of the payload that this script reads. */
export const VERSION = 1;

/**
 * An array of the payload, decoded.
 *
 * @param {{dtype: string, shape: number[], gzip: string}} packed Little-endian numbers, gzipped, in base64.
 * @returns {Promise<ArrayLike<number>>} All numbers in C order.
 */
export async function unpack({ dtype, shape, gzip }) {
  const type = TYPES[dtype];
  if (!type) throw new Error(`the page's data have an array of the unknown type ${dtype}`);
  const text = atob(gzip);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const numbers = new type(await new Response(stream).arrayBuffer()); // every browser's machine is little-endian
  const size = shape.reduce((product, length) => product * length, 1);
  if (numbers.length !== size) throw new Error(`the page's data have ${numbers.length} numbers where ${size} are due`);
  return numbers;
}

/** The payload with all its packed arrays decoded, as a `Study`. */
export async function decode(payload) {
  if (payload.version !== VERSION) throw new Error(`the page's data are of version ${payload.version}, not ${VERSION}`);
  const [means, gaps, scores] = await Promise.all([payload.means, payload.gaps, payload.scores].map(unpack));
  const columns = Object.entries(payload.runs).filter(([name]) => name !== "count");
  const unpacked = await Promise.all(columns.map(async ([name, packed]) => [name, await unpack(packed)]));
  const runs = { count: payload.runs.count, ...Object.fromEntries(unpacked) };
  return new Study({ ...payload, means, gaps, scores, runs });
}

/**
 * A method with its names: `label` as it stands in words, `plain` without its mark, `short` where there is little room.
 * The marks say that it is fitted on true labels.
 */
function named({ label, hidden_labels = false, ...method }) {
  const words = hidden_labels ? { label: `${label} (${MARK})`, short: `† ${label}` } : { label, short: label };
  return { ...method, hidden_labels, plain: label, ...words };
}

/**
 * A study's numbers. Metrics, scenarios, data sets, methods and runs are named by their indices.
 *
 * `study`, `metrics`, `scenarios`, `datasets`, `methods`, `statuses`, `messages` and `commands` are those of the payload;
 * `runs` has a typed array for each column.
 */
export class Study {
  #means;
  #gaps;
  #scores;
  #cells = null;

  constructor({ means, gaps, scores, methods, ...rest }) {
    Object.assign(this, { ...rest, methods: methods.map(named) });
    this.#means = means;
    this.#gaps = gaps;
    this.#scores = scores;
  }

  /** Indices of the methods that are fitted on true labels: in no rank and no test. */
  get oracles() {
    return this.methods.flatMap(({ hidden_labels }, place) => (hidden_labels ? [place] : []));
  }

  /** Index of the metric, scenario, data set or method of a name, or -1. */
  find(kind, name) {
    return this[kind].findIndex((one) => one.name === name);
  }

  #row(metric, scenario, dataset) {
    return ((metric * this.scenarios.length + scenario) * this.datasets.length + dataset) * this.methods.length;
  }

  /** Mean over repeats, filled as the study's policy says; NaN where the method has no value there at all. */
  mean(metric, scenario, dataset, method) {
    return this.#means[this.#row(metric, scenario, dataset) + method];
  }

  /** Runs that are missing among the repeats in which another method has a value. */
  gap(metric, scenario, dataset, method) {
    return this.#gaps[this.#row(metric, scenario, dataset) + method];
  }

  /** Indices of the data sets that count and have a scenario. */
  counted(scenario) {
    const limited = this.scenarios[scenario].datasets;
    const having = limited ? new Set(limited) : null;
    return this.datasets.flatMap(({ counted }, i) => (counted && (!having || having.has(i)) ? [i] : []));
  }

  /**
   * One metric in one scenario over some data sets, as `compare` of stats/statistics.js takes it.
   *
   * @param {number[]} datasets Indices, such as those of `counted` that a filter keeps.
   */
  panel(metric, scenario, datasets) {
    const rows = (table) =>
      this.datasets.map((_, dataset) => {
        const start = this.#row(metric, scenario, dataset);
        return Array.from(table.subarray(start, start + this.methods.length));
      });
    const { missing } = this.study;
    const { higher } = this.metrics[metric];
    const methods = this.methods.flatMap(({ hidden_labels }, place) => (hidden_labels ? [] : [place]));
    return { means: rows(this.#means), gaps: rows(this.#gaps), datasets, methods, missing, higherIsBetter: higher };
  }

  /** How `compare` of stats/statistics.js tests with data sets as blocks. */
  get procedure() {
    const { alpha, control, alternative, holm, own_blocks: blocks } = this.study;
    const own = blocks === "datasets";
    return {
      names: this.methods.map(({ name }) => name),
      alpha,
      control,
      alternative: own ? alternative : "two-sided",
      stepDown: !own || holm === "holm",
      q: this.nemenyi_q,
    };
  }

  /** Value of a metric in a run; NaN where it is undefined, or where the page has no single scores of this metric. */
  score(metric, run) {
    return this.#scores[metric * this.runs.count + run] ?? NaN;
  }

  /** Indices of the runs of a data set, a scenario and a method, by repeat. */
  runsOf(scenario, dataset, method) {
    this.#cells ??= this.#grouped();
    return this.#cells.get(this.#cell(scenario, dataset, method)) ?? [];
  }

  #cell(scenario, dataset, method) {
    return (scenario * this.datasets.length + dataset) * this.methods.length + method;
  }

  #grouped() {
    const { count, scenario, dataset, method, repeat } = this.runs;
    const cells = new Map();
    for (let run = 0; run < count; run++) {
      const cell = this.#cell(scenario[run], dataset[run], method[run]);
      if (cells.has(cell)) cells.get(cell).push(run);
      else cells.set(cell, [run]);
    }
    for (const runs of cells.values()) runs.sort((one, other) => repeat[one] - repeat[other]);
    return cells;
  }
}
