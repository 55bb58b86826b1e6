"""Rank Pruning: the unlabeled rows that look most like labeled ones are left out, and the rest is reweighted."""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import StratifiedKFold

from scarce.estimators import checks
from scarce.estimators.types import Seed
from scarce.methods.base import one_seed
from scarce.methods.weighted_logistic import LogisticClassifier

LARGEST_SHARE = 0.9999
"""Upper end of the estimated noise rates, which would otherwise leave no positive or no negative."""

FEWEST_KEPT = 10
"""Unlabeled rows that pruning leaves at least."""


class RankPruningClassifier(LogisticClassifier):
    """Rank Pruning around an unpenalised logistic regression, for labels that err on the negative side only.

    Out-of-fold probabilities of being labeled tell which unlabeled rows look like labeled ones. Their share estimates
    how many positives are hidden; as many of the top unlabeled rows are dropped, and the model is fitted again with
    the labeled rows weighing as much as all positives would.

    Parameters
    ----------
    n_splits : int, default=3
        Folds of the cross-validation, stratified by observed label; no more than there are labeled or unlabeled rows.
    max_iter : int, default=1000
        Largest number of lbfgs iterations of each fit (Ortega Vazquez et al., 2023: 100).
    scores : {"margin", "sigmoid"}, default="margin"
        How log-odds become scores: by ``probability_of_margin``, which keeps large ones apart, or by the logistic
        function (Ortega Vazquez et al., 2023).
    random_state : int, RandomState instance or None, default=None
        Of the folds.

    Attributes
    ----------
    noise_rate_ : float
        Estimate of P(s = 0 | y = 1), in [0, 1): the share of positives that are not labeled.
    n_pruned_ : int
        Unlabeled rows left out of the final fit.
    coef_ : ndarray of shape (1, n_features)
    intercept_ : ndarray of shape (1,)
    n_iter_ : int
        Iterations of the solver in the final fit.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`; notes say if a solver did not converge, or if there were too few rows to prune.

    Notes
    -----
    Scores come from ``predict_proba`` and estimate P(y = 1 | x).

    References
    ----------
    Northcutt, Wu, Chuang (2017), Learning with confident examples: Rank Pruning for robust classification with noisy
    labels, UAI, algorithm 1 with no mislabeled positives (rho_0 = 0); settings of Ortega Vazquez, vanden Broucke,
    De Weerdt (2023), section 4.

    Examples
    --------
    >>> import numpy as np
    >>> X, s = np.arange(40.0).reshape(-1, 1) % 20, np.repeat([0, 1, 0], [16, 8, 16])
    >>> RankPruningClassifier(random_state=0).fit(X, s).predict_proba(X).shape
    (40, 2)
    """

    def __init__(
        self, n_splits: int = 3, max_iter: int = 1000, scores: str = "margin", random_state: Seed = None
    ) -> None:
        self.n_splits = n_splits
        self.max_iter = max_iter
        self.scores = scores
        self.random_state = random_state

    def _check_parameters(self) -> None:
        super()._check_parameters()
        checks.whole("n_splits", self.n_splits, 2)

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Estimate the noise, prune, and fit the weighted model."""
        weight = np.ones(len(s)) if weight is None else weight
        splits = min(self.n_splits, int(s.sum()), int((1 - s).sum()))
        if splits < 2:
            self.notes_.append("too few rows for cross-validation: no row is pruned, labeled rows weigh 1")
            self.noise_rate_, kept = 0.0, np.ones(len(s), bool)
        else:
            self.noise_rate_, probability = self._cross_validate(X, s, weight, splits)
            kept = _kept(s, probability, self.noise_rate_, weight)
        self.n_pruned_ = int((~kept).sum())
        weight = weight * np.where(s == 1, 1 / (1 - self.noise_rate_), 1.0)
        self._score_by(self._fit_logistic(X[kept], s[kept], weight[kept], C=np.inf))
        self.notes_ = list(dict.fromkeys(self.notes_))

    def _cross_validate(
        self, X: np.ndarray, s: np.ndarray, weight: np.ndarray, splits: int
    ) -> tuple[float, np.ndarray]:
        """Mean noise rate of the folds, and each row's probability of being labeled by the model that left it out."""
        folds = StratifiedKFold(splits, shuffle=True, random_state=one_seed(self.random_state))
        probability, rates = np.empty(len(s)), []
        for rest, fold in folds.split(X, s):
            model = self._fit_logistic(X[rest], s[rest], weight[rest], C=np.inf)
            probability[fold] = model.predict_proba(X[fold])[:, 1]
            rates.append(noise_rate(s[fold], probability[fold], weight[fold]))
        return float(np.mean(rates)), probability


def noise_rate(s: np.ndarray, probability: np.ndarray, weight: np.ndarray | None = None) -> float:
    """Share of positives, in [0, 0.9999], that are not labeled.

    It is the share of unlabeled rows among the rows that are at least as likely labeled as the mean labeled row.
    Northcutt, Wu, Chuang (2017), Eq. 2 with the lower bound of Eq. 1 and no upper bound, as nothing is mislabeled
    positive.
    """
    weight = np.ones(len(s)) if weight is None else weight
    labeled = probability[s == 1]
    bound = min(np.average(labeled, weights=weight[s == 1]), labeled.max())  # a mean of equal values can round above
    likely = probability >= bound
    return min(float(np.average(s[likely] == 0, weights=weight[likely])), LARGEST_SHARE)


def _kept(s: np.ndarray, probability: np.ndarray, rate: float, weight: np.ndarray) -> np.ndarray:
    """Rows of the final fit: all labeled ones, and the unlabeled without the top share of hidden positives."""
    labeled, unlabeled, amount = np.average(s, weights=weight), probability[s == 0], weight[s == 0]
    hidden = min(rate * labeled / (1 - rate) / (1 - labeled), LARGEST_SHARE)
    n_hidden = min(int(amount.sum() * hidden), amount.sum() - FEWEST_KEPT)
    if hidden == 0 or n_hidden < 0:
        return np.ones(len(s), bool)
    order = np.argsort(unlabeled)[::-1]
    first_kept = order[np.searchsorted(np.cumsum(amount[order]), n_hidden, side="right")]
    return (s == 1) | (probability <= unlabeled[first_kept])
