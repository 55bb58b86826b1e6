"""Bayesian classifiers that learn from positive and unlabeled categories: PNB, PTAN and their averaged versions.

Labeled rows give the distribution of positives. What positives do not explain of the unlabeled rows is put down to
negatives: P(x|0) = (P(x) - p P(x|1)) / (1 - p), where p is the class prior of the unlabeled rows. PNB and APNB take
attributes for independent within a class; PTAN and APTAN give each attribute a parent, by a tree. APNB and APTAN
average over a Beta distribution of p.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from scarce.estimators import checks
from scarce.estimators.categories import CategoricalPUClassifier, level_counts, pair_counts, starts
from scarce.methods.base import probability_of_margin, two_columns
from scarce.methods.tan import maximum_spanning_tree

#: A difference that is this small a part of its terms counts as 0: it is rounding.
ROUNDING = 1e-12
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


def _counted(codes, rows, weight, levels, pairs: bool) -> tuple[np.ndarray, float]:
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

    def _negatives_given(self, counts: Counts, positive, parent_positive, single: Counts) -> np.ndarray:
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

    def _pair_weights(self, labeled, n_labeled, unlabeled, n_unlabeled, single_log, first) -> np.ndarray:
        """Weight of each pair of attributes (Eq. 5), shape (m, m); minus infinity where one has a single level."""
        levels, p = self.n_levels_, self._prior()
        m = len(levels)
        weights = np.zeros((m, m))
        for i in range(m - 1):  # with all attributes after it
            here, after = slice(first[i], first[i + 1]), slice(first[i + 1], first[-1])
            edges, of = first[i + 1 : -1] - first[i + 1], np.repeat(np.arange(m - i - 1), levels[i + 1 :])

            def total(values, edges=edges, of=of):
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

    def decision_function(self, X) -> np.ndarray:
        """Log-odds of the positive class, shape (n_samples,), rounded to 11 decimals."""
        codes = self._read_codes(X)
        places = codes + (self._begin[:-1] + 1)
        if self._tree:
            parents = codes[:, self.tree_]  # of a root another column, which is not read
            places += (parents + 1) * np.where(self.tree_ >= 0, self.n_levels_ + 1, 0)
        negative, positive = self.class_log_prior_
        return np.round(self._log_odds[places].sum(1) + (positive - negative), DECIMALS)

    def predict_proba(self, X) -> np.ndarray:
        """Posterior probabilities of the two classes, shape (n_samples, 2).

        They differ from the logistic function of the log-odds by less than 4e-7: log-odds far from 0 do not tie.
        """
        return two_columns(probability_of_margin(self.decision_function(X)))

    def export_text(self, feature_names=None, decimals: int = 2) -> str:
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

        def numbers(values) -> str:
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


class PNBClassifier(PositiveBayes):
    """Positive naive Bayes: naive Bayes on categories from labeled positives, unlabeled rows and a class prior.

    With N1 labeled rows, n_ij of them with level j of attribute i, Nu unlabeled rows, N_ij of them with that level, and
    r_i levels,

    - P(x_ij|1) = (n_ij + 1) / (N1 + r_i),
    - P(x_ij|0) = (1 + (1 - p) Nu R_ij / sum_j R_ij) / (r_i + (1 - p) Nu), where R_ij = max(0, N_ij - P(x_ij|1) p Nu) is
      what positives do not explain. Where nothing is left, all levels are equally likely.

    A row is positive if its log-odds exceed 0. An attribute whose value is outside its domain is skipped.

    Parameters
    ----------
    class_prior : float
        p = P(y = 1) among the *unlabeled* rows, in (0, 1).
    categorical, n_levels, n_bins
        Domains of the attributes, as in `CategoricalPUClassifier`.

    Attributes
    ----------
    feature_log_prob_ : list of ndarray of shape (2, r_i)
        Logarithms of P(x_ij|0) and P(x_ij|1), for each attribute.
    class_log_prior_ : ndarray of shape (2,)
        Logarithms of 1 - p and p.
    tree_ : ndarray of shape (n_features,)
        -1 for each attribute: none has a parent.
    n_levels_, classes_, n_features_in_, feature_names_in_, notes_
        As in `CategoricalPUClassifier`.

    Notes
    -----
    The formula divides by Z_i, the sum of the clipped estimates of P(x_ij|0); Laplace's correction follows, so that
    tables sum to 1. The paper's printed definition of Z_i refers to itself.

    References
    ----------
    Denis, Laurent, Gilleron, Tommasi (2003), Text classification and co-training from positive and unlabeled examples,
    ICML workshop; Calvo, Larranaga, Lozano (2007), Learning Bayesian classifiers from positive and unlabeled examples,
    Pattern Recognition Letters 28: Eq. 2 and 3.

    Examples
    --------
    >>> import numpy as np
    >>> X, s = np.repeat([[0], [1]], [9, 20], axis=0), np.repeat([1, 0], [6, 23])
    >>> PNBClassifier(0.25, categorical=[0], n_levels=[2]).fit(X, s).predict([[0], [1]])
    array([1, 0])
    """

    def __init__(self, class_prior=None, categorical=None, n_levels=None, n_bins=10):
        self.class_prior = class_prior
        self.categorical = categorical
        self.n_levels = n_levels
        self.n_bins = n_bins

    def _check_parameters(self) -> None:
        super()._check_parameters()
        checks.number("class_prior", self.class_prior, "(0, 1)")

    def _prior(self) -> float:
        return float(self.class_prior)

    def _negatives(self, counts: Counts, positive: np.ndarray, p: float | np.ndarray | None = None) -> np.ndarray:
        """P(x|0), Eq. 3; `p` replaces the class prior."""
        p = self._prior() if p is None else p
        left = np.maximum(counts.unlabeled - positive * (p * counts.n_unlabeled), 0.0)
        sums = counts.total(left)
        share = np.where(sums > 0, left, 1.0) / np.where(sums > 0, sums, counts.cells)
        negatives = (1 - p) * counts.n_unlabeled
        return (1 + share * negatives) / (counts.cells + negatives)


class PTANClassifier(PNBClassifier):
    """Positive tree augmented naive Bayes: positive naive Bayes in which each attribute has one other as its parent.

    The parents form the maximum spanning tree of the conditional mutual information of two attributes given the class,
    with attribute 0 as the root and ties broken by the lowest index. For an attribute i with the parent level l,

    - P(x_ij|l, 1) = (n_ijl + 1) / (n_l + r_i),
    - P(x_ij|l, 0) as in `PNBClassifier` with the N_l unlabeled rows of level l: R_ij = N_ijl - P(x_ij|l, 1) p N_l.
      Without such rows all levels are equally likely.

    With one attribute it is `PNBClassifier`.

    Parameters
    ----------
    class_prior : float
        p = P(y = 1) among the *unlabeled* rows, in (0, 1).
    clip_cmi : bool, default=False
        The weight of a pair (Eq. 5) multiplies terms of negatives by P(x_ij, x_kl) - p P(x_ij, x_kl|1), which can be
        negative. True replaces such factors by 0; False leaves them, as printed.
    exact_parent : bool, default=False
        Class prior in the tables of negatives: p whatever the parent's level, as printed (False), or the one at that
        level, min(1, p P(l|1) Nu / N_l) (True).
    categorical, n_levels, n_bins
        Domains of the attributes, as in `CategoricalPUClassifier`.

    Attributes
    ----------
    tree_ : ndarray of shape (n_features,)
        Parent of each attribute; -1 for the root.
    feature_log_prob_ : list of ndarray
        Logarithms of P(x_ij|l, 0) and P(x_ij|l, 1), for each attribute: shape (2, r_parent, r_i), (2, r_i) for the
        root.
    class_log_prior_ : ndarray of shape (2,)
        Logarithms of 1 - p and p.
    n_levels_, classes_, n_features_in_, feature_names_in_, notes_
        As in `CategoricalPUClassifier`.

    Notes
    -----
    An attribute whose value is outside its domain is skipped; those below it have their tables without parent, as in
    `PNBClassifier`. An attribute with one level tells nothing: it joins the tree last, as a leaf where it can.

    All probabilities in the weights are Laplace estimates, except P(x_ij, x_kl) = N_ijkl / Nu. The paper calls those of
    positives maximum likelihood, whose logarithms may be infinite.

    References
    ----------
    Calvo, Larranaga, Lozano (2007), Learning Bayesian classifiers from positive and unlabeled examples, Pattern
    Recognition Letters 28: section 3.2, Eq. 5.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.random.RandomState(0).randint(2, size=(2, 80))
    >>> s = np.arange(80) < 10
    >>> X = np.column_stack([a, b, np.where(s, a, 1 - a)])
    >>> PTANClassifier(0.2, categorical=[0, 1, 2], n_levels=2).fit(X, s).tree_
    array([-1,  0,  0])
    """

    _tree = True

    def __init__(
        self, class_prior=None, clip_cmi=False, exact_parent=False, categorical=None, n_levels=None, n_bins=10
    ):
        super().__init__(class_prior, categorical, n_levels, n_bins)
        self.clip_cmi = clip_cmi
        self.exact_parent = exact_parent

    def _check_parameters(self) -> None:
        super()._check_parameters()
        checks.choice("clip_cmi", self.clip_cmi, (True, False))
        checks.choice("exact_parent", self.exact_parent, (True, False))

    def _negatives_given(self, counts: Counts, positive, parent_positive, single: Counts) -> np.ndarray:
        if not self.exact_parent:
            return self._negatives(counts, positive)
        positives = self._prior() * single.n_unlabeled * parent_positive
        rows = counts.n_unlabeled
        return self._negatives(counts, positive, np.minimum(positives, rows) / np.where(rows > 0, rows, 1.0))


class APNBClassifier(PositiveBayes):
    """Averaged positive naive Bayes: the class prior is not known but has a Beta distribution.

    P(x_ij|1) = (n_ij + 1) / (N1 + r_i) as in `PNBClassifier`. The estimate for negatives is the mean over the class
    prior,

        P(x_ij|0) = ((alpha + beta - 1) N_ij / Nu - alpha P(x_ij|1)) / (beta - 1).

    Estimates that are not positive are replaced (`neg_fill`), and the table is divided by its sum. The decision takes
    the mean of the class prior, alpha / (alpha + beta).

    Parameters
    ----------
    alpha, beta : float, default=4.4 and 13.17
        Of the Beta distribution of P(y = 1) among the *unlabeled* rows; alpha > 0 and beta > 1. The default has the
        mean 0.25 and the variance 0.01.
    neg_fill : {"uniform", "laplace"}, default="uniform"
        What replaces an estimate that is not positive, in a table of r cells: 1/r, as printed, or
        1 / (r + N beta / (alpha + beta)), where N is the weight of the unlabeled rows that the table is of.
    categorical, n_levels, n_bins
        Domains of the attributes, as in `CategoricalPUClassifier`.

    Attributes
    ----------
    feature_log_prob_, class_log_prior_, tree_, n_levels_, classes_, n_features_in_, feature_names_in_, notes_
        As in `PNBClassifier`.

    References
    ----------
    Calvo, Larranaga, Lozano (2007), Learning Bayesian classifiers from positive and unlabeled examples, Pattern
    Recognition Letters 28: section 4, Eq. 6.

    Examples
    --------
    >>> import numpy as np
    >>> X, s = np.repeat([[0], [1]], [9, 20], axis=0), np.repeat([1, 0], [6, 23])
    >>> APNBClassifier(alpha=8, categorical=[0], n_levels=[2]).fit(X, s).predict([[0], [1]])
    array([1, 0])
    """

    def __init__(self, alpha=4.4, beta=13.17, neg_fill="uniform", categorical=None, n_levels=None, n_bins=10):
        self.alpha = alpha
        self.beta = beta
        self.neg_fill = neg_fill
        self.categorical = categorical
        self.n_levels = n_levels
        self.n_bins = n_bins

    def _check_parameters(self) -> None:
        super()._check_parameters()
        checks.number("alpha", self.alpha, "(0, inf)")
        checks.number("beta", self.beta, "(1, inf)")
        checks.choice("neg_fill", self.neg_fill, ("uniform", "laplace"))

    def _prior(self) -> float:
        return self.alpha / (self.alpha + self.beta)

    def _negatives(self, counts: Counts, positive: np.ndarray) -> np.ndarray:
        """P(x|0), Eq. 6."""
        rows = counts.n_unlabeled
        all_rows = (self.alpha + self.beta - 1) * counts.unlabeled / np.where(rows > 0, rows, 1.0)
        explained = self.alpha * positive
        estimate = (all_rows - explained) / (self.beta - 1)
        filling = 1 / (counts.cells + (0.0 if self.neg_fill == "uniform" else (1 - self._prior()) * rows))
        estimate = np.where(all_rows > explained * (1 + ROUNDING), estimate, filling)
        return estimate / counts.total(estimate)


class APTANClassifier(APNBClassifier):
    """Averaged positive tree augmented naive Bayes: `PTANClassifier` with a Beta distribution of the class prior.

    The tree is that of `PTANClassifier` with the averaged estimates of `APNBClassifier` in the weights. For an
    attribute with the parent level l, P(x_ij|l, 1) = (n_ijl + 1) / (n_l + r_i), and P(x_ij|l, 0) is that of
    `APNBClassifier` with N_ijl / N_l in place of N_ij / Nu. Without an unlabeled row of level l all levels are equally
    likely.

    Parameters
    ----------
    alpha, beta, neg_fill
        As in `APNBClassifier`.
    clip_cmi : bool, default=False
        As in `PTANClassifier`.
    eq7 : {"conditional", "printed"}, default="conditional"
        Share of unlabeled rows in the tables of negatives: N_ijl / N_l, or N_ij / Nu as Eq. 7 is printed, which leaves
        negatives almost without a parent.
    categorical, n_levels, n_bins
        Domains of the attributes, as in `CategoricalPUClassifier`.

    Attributes
    ----------
    tree_, feature_log_prob_, class_log_prior_, n_levels_, classes_, n_features_in_, feature_names_in_, notes_
        As in `PTANClassifier`.

    References
    ----------
    Calvo, Larranaga, Lozano (2007), Learning Bayesian classifiers from positive and unlabeled examples, Pattern
    Recognition Letters 28: section 4, Eq. 7.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.random.RandomState(0).randint(2, size=(2, 80))
    >>> X, s = np.column_stack([a, b, a]), np.arange(80) < 10
    >>> print(APTANClassifier(categorical=[0, 1, 2], n_levels=2).fit(X, s).export_text(["a", "b", "c"]))
    class prior: -1.10
    a: -0.83 0.56
    |   b | a = 0: 0.17 -0.15
    |   b | a = 1: -0.71 0.59
    |   c | a = 0: 0.09 -0.23
    |   c | a = 1: -1.18 0.29
    """

    _tree = True

    def __init__(
        self,
        alpha=4.4,
        beta=13.17,
        neg_fill="uniform",
        clip_cmi=False,
        eq7="conditional",
        categorical=None,
        n_levels=None,
        n_bins=10,
    ):
        super().__init__(alpha, beta, neg_fill, categorical, n_levels, n_bins)
        self.clip_cmi = clip_cmi
        self.eq7 = eq7

    def _check_parameters(self) -> None:
        super()._check_parameters()
        checks.choice("clip_cmi", self.clip_cmi, (True, False))
        checks.choice("eq7", self.eq7, ("conditional", "printed"))

    def _negatives_given(self, counts: Counts, positive, parent_positive, single: Counts) -> np.ndarray:
        return self._negatives(counts if self.eq7 == "conditional" else single, positive)
