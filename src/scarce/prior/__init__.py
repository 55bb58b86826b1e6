"""The class prior, estimated from labeled positives and unlabeled rows.

All rows are one sample (single-training-set setting), and some of its positives are labeled. The prior is the share of
positives among all rows, labeled ones included. It lies between the share of labeled rows and 1. The estimators are
imported when they are first used.
"""

from __future__ import annotations

from dataclasses import dataclass

from scarce.registry import Method
from scarce.words import did_you_mean


@dataclass(frozen=True)
class PriorEstimator(Method):
    """An estimator: its code, its assumption beside SCAR, its source and its cost."""

    cost: str


ESTIMATORS: dict[str, PriorEstimator] = {
    one.key: one
    for one in (
        PriorEstimator(
            "tice",
            "scarce.prior.tice:tice",
            assumption="some box of the feature space holds positives only",
            source="Bekker & Davis 2018",
            cost="linear in rows and features: a fraction of a second for 10,000 rows",
        ),
        PriorEstimator(
            "km2",
            "scarce.prior.km2:km2",
            assumption="the negatives are no mixture that holds the positives",
            source="Ramaswamy, Scott & Tewari 2016",
            cost="cubic in rows, so at most 800 of them are drawn: about a second, several for labels without signal",
        ),
        PriorEstimator(
            "elkan_noto",
            "scarce.prior.elkan_noto:elkan_noto",
            assumption="positives and negatives do not overlap, and a logistic model of s given x holds",
            source="Elkan & Noto 2008, estimator e1",
            cost="five logistic regressions",
        ),
    )
}


def find_estimator(method: str) -> PriorEstimator:
    """An estimator by name; raises ValueError, with the closest name, if there is none."""
    if method not in ESTIMATORS:
        raise ValueError(f"no estimator of the class prior is named {method!r} ({did_you_mean(method, ESTIMATORS)})")
    return ESTIMATORS[method]


def estimate_class_prior(X, s, method: str = "tice", random_state=None, **settings) -> float:
    """Estimate the share of positives among all rows from labeled positives and unlabeled rows.

    All rows are one sample (single-training-set setting) and labels are selected completely at random (SCAR).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numbers without gaps, nominal columns as indicators. Every estimator scales the columns itself.
    s : array-like of shape (n_samples,)
        Observed labels: of two values the larger means labeled positive.
    method : {"tice", "km2", "elkan_noto"}, default="tice"
        See `ESTIMATORS`.
    random_state : int, RandomState instance or None, default=None
        Of folds and of rows that are drawn.
    **settings
        Further arguments of the estimator, e.g. ``max_rows`` of km2.

    Returns
    -------
    float
        In [labeled share, 1 - 1/n_samples]: at least the labeled rows are positive, and at least one row is negative.

    Raises
    ------
    ValueError
        If no row or every row is labeled, or the estimator cannot work with so few labeled rows.

    References
    ----------
    Bekker, Davis (2018), Estimating the class prior in positive and unlabeled data through decision tree induction,
    AAAI. Ramaswamy, Scott, Tewari (2016), Mixture proportion estimation via kernel embedding of distributions, ICML.
    Elkan, Noto (2008), Learning classifiers from only positive and unlabeled data, KDD.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.arange(1000) % 5 == 0  # 20 % positives, half of them labeled
    >>> X, s = y + 0.1 * np.random.RandomState(0).normal(size=1000), y & (np.arange(1000) % 2 == 0)
    >>> 0.15 < estimate_class_prior(X.reshape(-1, 1), s, random_state=0) < 0.25
    True
    """
    import numpy as np
    from sklearn.utils import check_array, check_random_state

    from scarce.estimators.observed import observed_labels
    from scarce.estimators.scaling import flat_columns, unit_of

    estimate = find_estimator(method).load()
    X = check_array(X, dtype=float)
    X = np.where(np.logical_or(*flat_columns(X)), 0, X)
    X = X / unit_of(X)  # every estimator scales the columns; extreme sizes would overflow
    s = observed_labels(s) == 1
    if len(s) != len(X):
        raise ValueError(f"inconsistent numbers of samples: {len(X)} rows and {len(s)} observed labels")
    if s.all():
        raise ValueError("no unlabeled row: every row is a labeled positive")
    prior = float(estimate(X, s, random_state=check_random_state(random_state), **settings))
    return min(max(prior, float(s.mean())), 1 - 1 / len(s))
