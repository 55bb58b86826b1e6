"""Bayesian networks of two classes on categories: a table for each attribute and class, parents by a tree, log-odds.

Positives are estimated from labeled rows. Classifiers differ in how they estimate negatives from unlabeled rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from scarce.estimators.categories import CategoricalPUClassifier, level_counts, pair_counts, starts
from scarce.estimators.types import ArrayLike
from scarce.methods.base import probability_of_margin, two_columns
from scarce.methods.tan import maximum_spanning_tree

#: Log-odds are rounded to so many decimals: what is equal in exact arithmetic ties in whichever order it is added.
DECIMALS = 11


class Counts(NamedTuple):
    """What the tables of negatives are estimated from."""

    unlabeled: np.ndarray  # weight of the unlabeled rows with each level, or pair of levels
    n_unlabeled: np.ndarray | float  # weight of all unlabeled rows that a table is of
    cells: np.ndarray | int  # number of cells of the table that each value belongs to
    total: Callable[[np.ndarray], np.ndarray]  # sum of the table that each value belongs to


def _total_of_rows(values: np.ndarray) -> np.ndarray:
    return values.sum(-1, keepdims=True)


def _counted(
    codes: np.ndarray, rows: np.ndarray, weight: np.ndarray | None, levels: np.ndarray, pairs: bool
) -> tuple[np.ndarray, float]:
    """Counts of levels, or of pairs of them, among some rows, and the weight of these rows."""
    count = pair_counts if pairs else level_counts
    if weight is None:
        return count(codes[rows], levels), float(rows.sum())
    return count(codes[rows], levels, weight[rows]), float(weight[rows].sum())


class PositiveBayes(CategoricalPUClassifier):
    """What the four classifiers share: tables of both classes for each attribute, and the sum of their log-odds.

    Subclasses define `_prior`, `_negatives` and, with a tree, `_negatives_given`.
    """

    _tree = False
    """Whether attributes have parents; such a class has a parameter `clip_cmi`."""

    def _prior(self) -> float:
        """P(C = 1) among the unlabeled rows."""
        raise NotImplementedError

    def _negatives(self, counts: Counts, positive: np.ndarray) -> np.ndarray:
        """P(x|0) from counts and P(x|1), in the shape of `positive`."""
        raise NotImplementedError

    def _negatives_given(
        self, counts: Counts, positive: np.ndarray, parent_positive: np.ndarray, single: Counts
    ) -> np.ndarray:
        """P(x|l, 0), shape (r_parent, r).

        `counts` are those of pairs, `positive` is P(x|l, 1), `parent_positive` P(l|1) of shape (r_parent, 1), and
        `single` has the counts of x alone.
        """
        raise NotImplementedError

    def _learn_codes(self, codes: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Count levels, find the tree, and estimate the tables."""
        levels, first = self.n_levels_, starts(self.n_levels_)
        pairs = self._tree and len(levels) > 1
        labeled, n_labeled = _counted(codes, s == 1, weight, levels, pairs)
        unlabeled, n_unlabeled = _counted(codes, s == 0, weight, levels, pairs)
        n, N = (np.diag(table) if pairs else table for table in (labeled, unlabeled))
        attribute = np.repeat(np.arange(len(levels)), levels)
        counts = Counts(N, n_unlabeled, levels[attribute], lambda v: np.add.reduceat(v, first[:-1])[attribute])
        positive = (n + 1) / (n_labeled + counts.cells)
        single = np.array([self._negatives(counts, positive), positive])
        self.tree_ = np.full(len(levels), -1)
        if pairs:
            weights = self._pair_weights(labeled, n_labeled, unlabeled, n_unlabeled, np.log(single), first)
            self.tree_ = maximum_spanning_tree(weights)

        places = [slice(*ends) for ends in pairwise(first)]
        self.feature_log_prob_ = [np.log(single[:, place]) for place in places]
        ratios = [table[1:] - table[0] for table in self.feature_log_prob_]
        for i in np.flatnonzero(self.tree_ >= 0):
            here, above = places[i], places[self.tree_[i]]
            counts = Counts(unlabeled[above, here], N[above, None], levels[i], _total_of_rows)
            alone = Counts(N[here], n_unlabeled, levels[i], _total_of_rows)
            positive = (labeled[above, here] + 1) / (n[above, None] + levels[i])
            negative = self._negatives_given(counts, positive, single[1, above, None], alone)
            self.feature_log_prob_[i] = np.log([negative, positive])
            ratios[i] = np.concatenate([ratios[i], np.log(positive) - np.log(negative)])
        p = self._prior()
        self.class_log_prior_ = np.array([np.log1p(-p), np.log(p)])
        self._store(ratios)

    def _store(self, ratios: list[np.ndarray]) -> None:
        """Keep the log-odds of attributes in one row: of each its table without parent, then one a parent level."""
        outside = 1  # column 0 of each table is for a value outside its domain
        self._begin = starts([len(ratio) * (ratio.shape[1] + outside) for ratio in ratios])
        self._log_odds = np.zeros(self._begin[-1])
        for ratio, begin, end in zip(ratios, self._begin[:-1], self._begin[1:], strict=True):
            self._log_odds[begin:end].reshape(len(ratio), -1)[:, outside:] = ratio

    def _pair_weights(
        self,
        labeled: np.ndarray,
        n_labeled: float,
        unlabeled: np.ndarray,
        n_unlabeled: float,
        single_log: np.ndarray,
        first: np.ndarray,
    ) -> np.ndarray:
        """Weight of each pair of attributes (Eq. 5), shape (m, m); minus infinity where one has a single level."""
        levels, p = self.n_levels_, self._prior()
        m = len(levels)
        weights = np.zeros((m, m))
        for i in range(m - 1):  # with all attributes after it
            here, after = slice(first[i], first[i + 1]), slice(first[i + 1], first[-1])
            edges, of = first[i + 1 : -1] - first[i + 1], np.repeat(np.arange(m - i - 1), levels[i + 1 :])

            def total(values: np.ndarray, edges: np.ndarray = edges, of: np.ndarray = of) -> np.ndarray:
                return np.add.reduceat(values.sum(0), edges)[of]

            counts = Counts(unlabeled[here, after], n_unlabeled, (levels[i] * levels[i + 1 :])[of], total)
            positive = (labeled[here, after] + 1) / (n_labeled + counts.cells)
            negative = self._negatives(counts, positive)
            apart = single_log[:, here, None] + single_log[:, None, after]
            of_negatives = counts.unlabeled / n_unlabeled - p * positive
            if self.clip_cmi:
                of_negatives = np.maximum(of_negatives, 0.0)
            terms = p * positive * (np.log(positive) - apart[1]) + of_negatives * (np.log(negative) - apart[0])
            weights[i, i + 1 :] = weights[i + 1 :, i] = np.add.reduceat(terms.sum(0), edges)
        weights[levels == 1] = weights[:, levels == 1] = -np.inf
        return weights

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Log-odds of the positive class, shape (n_samples,), rounded to 11 decimals."""
        codes = self._read_codes(X)
        places = codes + (self._begin[:-1] + 1)
        if self._tree:
            parents = codes[:, self.tree_]  # of a root another column, which is not read
            places += (parents + 1) * np.where(self.tree_ >= 0, self.n_levels_ + 1, 0)
        negative, positive = self.class_log_prior_
        return np.round(self._log_odds[places].sum(1) + (positive - negative), DECIMALS)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Posterior probabilities of the two classes, shape (n_samples, 2).

        They differ from the logistic function of the log-odds by less than 4e-7: log-odds far from 0 do not tie.
        """
        return two_columns(probability_of_margin(self.decision_function(X)))

    def export_text(self, feature_names: Sequence[str] | None = None, decimals: int = 2) -> str:
        """The classifier as text: what each level adds to the log-odds, attributes below their parents.

        Parameters
        ----------
        feature_names : sequence of str of shape (n_features,), optional
            Default: those of the training data, or x0, x1, ...
        decimals : int, default=2
            Of the log-odds.

        Returns
        -------
        str
            First the log-odds of the class prior; then a line for each attribute, with a number for each of its levels;
            for an attribute with a parent, a line for each level of the parent.
        """
        check_is_fitted(self)
        names = feature_names if feature_names is not None else getattr(self, "feature_names_in_", None)
        if names is None:
            names = [f"x{i}" for i in range(self.n_features_in_)]
        if len(names) != self.n_features_in_:
            raise ValueError(f"feature_names has {len(names)} names, there are {self.n_features_in_} features")

        def numbers(values: Iterable[float]) -> str:
            return " ".join(f"{value:.{decimals}f}" for value in values)

        lines = [f"class prior: {numbers([self.class_log_prior_[1] - self.class_log_prior_[0]])}"]
        todo = [(int(root), 0) for root in np.flatnonzero(self.tree_ < 0)[::-1]]
        while todo:
            i, depth = todo.pop()
            negative, positive = self.feature_log_prob_[i]
            if depth == 0:
                lines.append(f"{names[i]}: {numbers(positive - negative)}")
            else:
                head = "|   " * depth + f"{names[i]} | {names[self.tree_[i]]} = "
                lines += [f"{head}{level}: {numbers(row)}" for level, row in enumerate(positive - negative)]
            todo += [(int(child), depth + 1) for child in np.flatnonzero(self.tree_ == i)[::-1]]
        return "\n".join(lines)
