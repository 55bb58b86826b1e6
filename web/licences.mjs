// Which packages are in the bundle, and under which licences.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Packages, from the paths of bundled files relative to the folder of package.json; sorted by name. */
function packages(root, inputs) {
  const folders = new Set();
  for (const path of inputs) {
    const found = path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/);
    if (found) folders.add(found[0]);
  }
  return [...folders].map((folder) => described(join(root, folder))).sort((a, b) => (a.title < b.title ? -1 : 1));
}

function described(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e(\.|$)/i.test(one));
  if (!license || !file) throw new Error(`${name} ${version} states no licence, or has no file of it: bundle another package`);
  return { title: `${name} ${version}`, license, text: readFileSync(join(folder, file), "utf8").replace(/\r/g, "").trim() };
}

const copyright = /^copyright (?:\(c\) )?\d{4}.*$/gim;

/** Licences of the bundled packages: as the comment that heads the bundle, and as a page. Each text stands once. */
export function licences(root, inputs) {
  const texts = new Map();
  for (const { title, license, text } of packages(root, inputs)) {
    const terms = text.replace(copyright, "").replace(/\n{3,}/g, "\n\n").trim();
    const owners = [...text.matchAll(copyright)].map(([line]) => line.trim().replace(/\.$/, ""));
    const group = texts.get(terms) ?? { license, terms, members: [] };
    group.members.push(`${title}: ${owners.join("; ") || "no copyright line"}`);
    texts.set(terms, group);
  }
  const groups = [...texts.values()];
  const plain = groups.map(({ license, members, terms }) => [`${license}`, ...members, "", terms].join("\n"));
  const marked = groups.map(({ license, members, terms }) => [
    `## ${license}`, "", ...members.map((line) => `- ${line}`), "", ...terms.split("\n").map((line) => `> ${line}`.trim()),
  ].join("\n"));
  const comment = ["The page of scarce (BSD-3-Clause). It contains these packages.", ...plain].join("\n\n");
  if (comment.includes("*/") || /<\/script/i.test(comment)) throw new Error("a licence would end the comment, or the script");
  return {
    head: `/*!\n${comment}\n*/\n`,
    page: ["# Packages in page.bundle.js", "Written by `make web`.", ...marked].join("\n\n") + "\n",
  };
}
