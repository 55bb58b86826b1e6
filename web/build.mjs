// Writes the page's script and the licences of what is in it. The same sources and node_modules give the same bytes.
//
//   node build.mjs           into the package, and LICENSES.md beside this file
//   node build.mjs FOLDER    both into a folder (the test that compares them)

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { licences } from "./licences.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] && resolve(process.argv[2]);
const bundle = join(folder ?? join(here, "../src/scarce/report/templates"), "page.bundle.js");

const result = await build({
  absWorkingDir: here,
  entryPoints: ["src/main.js"],
  bundle: true,
  format: "iife",
  target: "es2022",
  minify: true,
  legalComments: "eof",
  metafile: true,
  write: false,
  logLevel: "warning",
});

const [output] = Object.values(result.metafile.outputs);
const bundled = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
const { head, page } = licences(here, bundled.map(([path]) => path));
writeFileSync(bundle, head + result.outputFiles[0].text);
writeFileSync(join(folder ?? here, "LICENSES.md"), page);
console.log(`${bundle}: ${readFileSync(bundle).length} bytes`);
