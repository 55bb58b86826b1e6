// Colours and shapes, by the names of style sheet variables: the style sheet has them for light, dark and print.

const COLOURS = 7;
const SYMBOLS = ["circle", "square", "triangle", "diamond", "star", "cross", "wye"];

export const INK = "var(--ink)";
export const MUTED = "var(--muted)";
export const LINE = "var(--line)";
export const PAPER = "var(--paper)";
export const colour = (place) => `var(--c${place % COLOURS})`;
export const symbol = (place) => SYMBOLS[place % SYMBOLS.length];

/** Look of each method, by place: the family gives the colour, the place within the family the shape. */
export function looks(methods) {
  const families = [...new Set(methods.map(({ family }) => family))];
  const seen = new Map();
  return methods.map(({ family }) => {
    const place = seen.get(family) ?? 0;
    seen.set(family, place + 1);
    return { colour: colour(families.indexOf(family)), symbol: symbol(place) };
  });
}
