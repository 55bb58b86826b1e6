// Calls functions of src/: reads [[module, function, arguments, ...], ...] as JSON from stdin, writes the list of results.
// [method, arguments] after the arguments are calls of the result's own methods, one after the other.
// Numbers that JSON lacks are the strings "NaN", "Infinity" and "-Infinity".

import { readFileSync } from "node:fs";

const foreign = { NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity };
const read = (_, value) => (typeof value === "string" && value in foreign ? foreign[value] : value);
const write = (_, value) => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value);

const results = [];
for (const [module, name, args, ...chain] of JSON.parse(readFileSync(0, "utf8"), read)) {
  const found = (await import(`../src/${module}.js`))[name];
  let value = await found(...args);
  for (const [method, own] of chain) value = typeof value[method] === "function" ? value[method](...own) : value[method];
  results.push(value ?? null);
}
process.stdout.write(JSON.stringify(results, write));
