"""Bayesian classifiers that learn from positive and unlabeled categories: PNB, PTAN and their averaged versions.

Labeled rows give the distribution of positives. What positives do not explain of the unlabeled rows is put down to
negatives: P(x|0) = (P(x) - p P(x|1)) / (1 - p), where p is the class prior of the unlabeled rows. PNB and APNB take
attributes for independent within a class; PTAN and APTAN give each attribute a parent, by a tree. APNB and APTAN
average over a Beta distribution of p.
"""

from __future__ import annotations

import numpy as np

from scarce.estimators import checks
from scarce.estimators.types import ArrayLike
from scarce.methods.bayes_network import Counts, PositiveBayes

#: A difference that is this small a part of its terms counts as 0: it is rounding.
ROUNDING = 1e-12


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
        The share of positives among the *unlabeled* rows, p = P(y = 1), in (0, 1).
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

    def __init__(
        self,
        class_prior: float | None = None,
        categorical: ArrayLike | None = None,
        n_levels: ArrayLike | None = None,
        n_bins: int = 10,
    ) -> None:
        self.class_prior = class_prior
        self.categorical = categorical
        self.n_levels = n_levels
        self.n_bins = n_bins

    def _check_parameters(self) -> None:
        super()._check_parameters()
        checks.number("class_prior", self.class_prior, "(0, 1)")

    def _prior(self) -> float:
        return checks.prior(self.class_prior)

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
        The share of positives among the *unlabeled* rows, p = P(y = 1), in (0, 1).
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
        self,
        class_prior: float | None = None,
        clip_cmi: bool = False,
        exact_parent: bool = False,
        categorical: ArrayLike | None = None,
        n_levels: ArrayLike | None = None,
        n_bins: int = 10,
    ) -> None:
        super().__init__(class_prior, categorical, n_levels, n_bins)
        self.clip_cmi = clip_cmi
        self.exact_parent = exact_parent

    def _check_parameters(self) -> None:
        super()._check_parameters()
        checks.choice("clip_cmi", self.clip_cmi, (True, False))
        checks.choice("exact_parent", self.exact_parent, (True, False))

    def _negatives_given(
        self, counts: Counts, positive: np.ndarray, parent_positive: np.ndarray, single: Counts
    ) -> np.ndarray:
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

    def __init__(
        self,
        alpha: float = 4.4,
        beta: float = 13.17,
        neg_fill: str = "uniform",
        categorical: ArrayLike | None = None,
        n_levels: ArrayLike | None = None,
        n_bins: int = 10,
    ) -> None:
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
        alpha: float = 4.4,
        beta: float = 13.17,
        neg_fill: str = "uniform",
        clip_cmi: bool = False,
        eq7: str = "conditional",
        categorical: ArrayLike | None = None,
        n_levels: ArrayLike | None = None,
        n_bins: int = 10,
    ) -> None:
        super().__init__(alpha, beta, neg_fill, categorical, n_levels, n_bins)
        self.clip_cmi = clip_cmi
        self.eq7 = eq7

    def _check_parameters(self) -> None:
        super()._check_parameters()
        checks.choice("clip_cmi", self.clip_cmi, (True, False))
        checks.choice("eq7", self.eq7, ("conditional", "printed"))

    def _negatives_given(
        self, counts: Counts, positive: np.ndarray, parent_positive: np.ndarray, single: Counts
    ) -> np.ndarray:
        return self._negatives(counts if self.eq7 == "conditional" else single, positive)
