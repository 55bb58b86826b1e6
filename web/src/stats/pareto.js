// The Pareto front of cost against score.

/**
 * Indices of the points that no other point dominates, from the lowest cost to the highest.
 *
 * A point dominates another where it is at least as good in both and better in one; equal points are all on the front.
 *
 * @param {number[]} costs Lower is better. Points with a cost or score that is not finite are passed over.
 * @param {number[]} scores
 * @param {boolean} higherIsBetter Whether a higher score is better.
 * @returns {number[]}
 */
export function paretoFront(costs, scores, higherIsBetter = true) {
  const gains = higherIsBetter ? scores : scores.map((score) => -score);
  const order = costs.map((_, i) => i).filter((i) => Number.isFinite(costs[i]) && Number.isFinite(gains[i]));
  order.sort((i, j) => costs[i] - costs[j] || gains[j] - gains[i]);
  let best = null;
  return order.filter((i) => {
    const equal = best !== null && costs[i] === costs[best] && gains[i] === gains[best];
    if (best !== null && gains[i] <= gains[best] && !equal) return false;
    best = i;
    return true;
  });
}
