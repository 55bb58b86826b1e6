"""Trees over attributes: maximum spanning trees of weights between pairs."""

from __future__ import annotations

import numpy as np

#: Weights this close, relative to the largest one, count as equal: sums in another order differ by less.
EQUAL = 1e-12


def maximum_spanning_tree(weights: np.ndarray) -> np.ndarray:
    """Parents in the maximum spanning tree, by Prim's algorithm from attribute 0.

    Parameters
    ----------
    weights : ndarray of shape (m, m)
        Symmetric; the diagonal is not read. Minus infinity marks edges that are taken only where no other one is left.

    Returns
    -------
    parents : ndarray of shape (m,)
        Parent of each attribute; -1 for attribute 0, the root. Of equal edges to attributes outside the tree, the one
        to the lowest attribute is taken, and of those the one from the lowest parent.

    Examples
    --------
    >>> maximum_spanning_tree(np.array([[0, 1, 3], [1, 0, 2], [3, 2, 0.0]]))
    array([-1,  2,  0])
    """
    m = len(weights)
    finite = np.abs(weights[np.isfinite(weights)])
    tolerance = EQUAL * finite.max(initial=0.0)
    parents = np.zeros(m, np.intp)
    parents[0] = -1
    best, outside = np.array(weights[0], float), np.arange(m) > 0
    for _ in range(m - 1):
        candidates = np.flatnonzero(outside)
        new = candidates[np.argmax(best[candidates] >= best[candidates].max() - tolerance)]
        outside[new] = False
        edge = weights[new]
        better = outside & (edge > best + tolerance)
        better |= outside & (edge >= best - tolerance) & (new < parents)
        parents[better] = new
        best[outside] = np.maximum(best, edge)[outside]
    return parents
