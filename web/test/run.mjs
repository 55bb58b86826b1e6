// Calls functions of src/: reads [[module, function, arguments], ...] as JSON from stdin, writes the list of results.
// Numbers that JSON lacks are the strings "NaN", "Infinity" and "-Infinity".

import { readFileSync } from "node:fs";

const foreign = { NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity };
const read = (_, value) => (typeof value === "string" && value in foreign ? foreign[value] : value);
const write = (_, value) => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value);

const results = [];
for (const [module, name, args] of JSON.parse(readFileSync(0, "utf8"), read)) {
  const found = (await import(`../src/${module}.js`))[name];
  results.push((await found(...args)) ?? null);
}
process.stdout.write(JSON.stringify(results, write));
