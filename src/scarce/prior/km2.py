"""KM2: the largest share of the labeled rows' distribution in that of the unlabeled rows, by kernel embedding."""

from __future__ import annotations

import numpy as np

from scarce.prior.scores import at_most

WIDTHS = np.logspace(-1, 1, 5)
"""Kernel widths that are tried, in median distances between rows."""
START = 1.05
"""The slope at the start is that from 1 to here."""
SHARE = 0.2
"""How far the threshold lies between the slope at the start and the largest one."""
FARTHEST = 8.0
"""Largest lambda that is looked at, a mixture of seven eighths of positives."""


def km2(
    X: np.ndarray, s: np.ndarray, *, random_state: np.random.RandomState, max_rows: int = 800, epsilon: float = 0.01
) -> float:
    """Class prior by KM2, see `scarce.prior.estimate_class_prior`; columns are scaled to unit variance.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Finite; `scarce.prior.estimate_class_prior` checks and scales features first.
    s : ndarray of shape (n_samples,), bool
        Which rows are labeled.
    random_state : RandomState
        Of rows that are drawn.
    max_rows : int
        Rows that are used, since the time grows with their cube; of larger data at most half are labeled ones, unless
        there are too few others.
    epsilon : float
        Precision of lambda. The authors' 0.04 is more than a rare class itself.

    Returns
    -------
    float
        The share of positives among all rows; not yet cut to what is possible.

    References
    ----------
    Ramaswamy, Scott, Tewari (2016), algorithm KM2 with the widths and the threshold of the authors' experiments.
    """
    from threadpoolctl import threadpool_limits

    scale = X.std(axis=0)
    X = X / np.where(scale > 0, scale, 1)
    labeled, unlabeled = np.flatnonzero(s), np.flatnonzero(~s)
    n_labeled = min(len(labeled), max(max_rows // 2, max_rows - len(unlabeled)))
    component = X[at_most(labeled, n_labeled, random_state)]
    mixture = X[at_most(unlabeled, max_rows - n_labeled, random_state)]
    with threadpool_limits(1, user_api="blas"):  # its many small systems are slower on several threads
        kappa = mixture_proportion(mixture, component, epsilon)
    return s.mean() + kappa * (~s).mean()


def mixture_proportion(mixture: np.ndarray, component: np.ndarray, epsilon: float = 0.01) -> float:
    """Largest share kappa, in [0, 1), of a component H in a mixture F = kappa H + (1 - kappa) G.

    ``F + (lambda - 1)(F - H)`` is a distribution up to lambda = 1 / (1 - kappa). Its distance to the distributions,
    here to the convex hull of the rows in the kernel's feature space, is near 0 up to there and then rises. KM2 takes
    the lambda at which the slope passes a threshold.
    """
    kernel, difference, distance = _kernel(mixture, component)
    if distance == 0:  # the two samples are one
        return 1 - 1 / FARTHEST
    start = np.zeros(len(kernel))
    start[: len(mixture)] = 1 / len(mixture)
    hull = Hull(kernel)

    def away(factor: float) -> float:
        return hull.distance(start + (factor - 1) * difference)

    slope = away(START) / (START - 1)  # at 1 the distance is 0
    threshold = (1 - SHARE) * slope + SHARE * distance
    low, high = 1.0, FARTHEST
    while high - low > epsilon:
        middle, step = (low + high) / 2, epsilon / 2
        if (away(middle + step) - away(middle)) / step > threshold:
            high = middle
        else:
            low = middle
    return 1 - 2 / (low + high)


def _kernel(mixture: np.ndarray, component: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """The Gaussian kernel of the width that parts the samples best, F - H as weights of rows, and their distance."""
    from scipy.spatial.distance import cdist

    rows = np.concatenate([mixture, component])
    squared = cdist(rows, rows, "sqeuclidean")
    difference = np.repeat([1 / len(mixture), -1 / len(component)], [len(mixture), len(component)])
    median = np.median(squared) or squared.mean() or 1.0
    best = (-1.0, squared)
    for width in WIDTHS:
        kernel = np.exp(-squared / (2 * width**2 * median))
        distance = np.sqrt(max(difference @ kernel @ difference, 0))
        if distance > best[0]:
            best = distance, kernel
    distance, kernel = best
    return kernel, difference, float(distance)


class Hull:
    """Distances to the convex hull of rows in a kernel's feature space; each projection starts from the one before.

    Wolfe (1976), Finding the nearest point in a polytope: exact in finitely many steps but for rounding.
    """

    #: squared distances are right to this, with kernel values of at most 1
    GAP = 1e-10

    def __init__(self, kernel: np.ndarray) -> None:
        self.kernel = kernel
        self.corners = np.array([0])
        self.weights = np.array([1.0])

    def distance(self, point: np.ndarray) -> float:
        """Distance of the point with these weights of rows, which sum to 1 and may be negative."""
        kernel, target = self.kernel, self.kernel @ point
        self._restart(target)
        for _ in range(10 * len(kernel)):
            slope = kernel[:, self.corners] @ self.weights - target
            corner = int(np.argmin(slope))
            gap = slope[self.corners] @ self.weights - slope[corner]
            if gap <= self.GAP or corner in self.corners:
                break
            self.corners, self.weights = np.append(self.corners, corner), np.append(self.weights, 0.0)
            self._settle(target)
        inside = self.kernel[np.ix_(self.corners, self.corners)]
        squared = point @ target - 2 * self.weights @ target[self.corners] + self.weights @ inside @ self.weights
        return float(np.sqrt(max(squared, 0.0)))

    def _restart(self, target: np.ndarray) -> None:
        """Keep those corners of the last projection that have positive weights for this point; a start only."""
        while True:
            weights = self._nearest(target)
            if (weights > 0).all():
                self.weights = weights
                return
            self.corners = self.corners[weights > 0]

    def _settle(self, target: np.ndarray) -> None:
        """Move to the nearest point of the affine hull of the corners, dropping those that it would weigh below 0."""
        while True:
            weights = self._nearest(target)
            if (weights > 0).all():
                self.weights = weights
                return
            falls = weights <= 0
            steps = self.weights[falls] / (self.weights[falls] - weights[falls])
            moved = self.weights + steps.min() * (weights - self.weights)
            moved[np.flatnonzero(falls)[np.argmin(steps)]] = 0
            kept = moved > 0
            self.corners, self.weights = self.corners[kept], moved[kept] / moved[kept].sum()

    def _nearest(self, target: np.ndarray) -> np.ndarray:
        """Weights of the nearest point of the corners' affine hull; they sum to 1 and may be negative."""
        from scipy.linalg import cho_factor, cho_solve

        inside = self.kernel[np.ix_(self.corners, self.corners)]
        inside[np.diag_indices_from(inside)] += 1e-9  # rows may be the same
        both = cho_solve(cho_factor(inside), np.column_stack([target[self.corners], np.ones(len(self.corners))]))
        return both[:, 0] + both[:, 1] * (1 - both[:, 0].sum()) / both[:, 1].sum()
