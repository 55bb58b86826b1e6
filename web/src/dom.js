// Elements from plain values. Text becomes text nodes only: names of a study are never read as markup.

/** An element. Attributes that are null, undefined or false are left out; `on...` are listeners; null children too. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [property, one] of Object.entries(value)) node.style.setProperty(property, one);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

/** Replace all children of a node. */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined && child !== false) node.append(child);
}

/** Text for the visible line that screen readers read out when it changes. */
export function announce(text) {
  const line = document.getElementById("announcer");
  if (line && line.textContent !== text) line.textContent = text;
}

/** A select with its label. `options` are [value, text] or {group, options}. */
export function select(label, options, value, onpick, attributes = {}) {
  const entry = ([key, text]) => el("option", { value: key, selected: key === value, title: text }, text);
  const parts = options.map((one) => (one.group ? el("optgroup", { label: one.group }, one.options.map(entry)) : entry(one)));
  const node = el("select", { ...attributes, onchange: (event) => onpick(event.target.value) }, parts);
  node.value = value;
  return el("label", { class: "field" }, el("span", {}, label), node);
}
