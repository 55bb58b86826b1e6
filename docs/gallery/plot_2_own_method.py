"""
A method of your own beside others
==================================

A class with ``fit(X, s)`` and ``predict_proba(X)`` is a method. Before it enters a study, it can be held against others
in a few lines.
"""

# %%
# The method: neighbours vote, and an unlabeled neighbour counts as positive with the probability that the class prior
# leaves it.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.neighbors import NearestNeighbors

from scarce.analysis.one_dataset import compare
from scarce.scoring.without_negatives import pu_auc, unlabeled_prior
from scarce.trees import PUBaggingExtraTreesClassifier, PUExtraTreesClassifier


class NeighboursByPrior(ClassifierMixin, BaseEstimator):
    """Share of positives among the nearest rows, unlabeled ones counted by the class prior."""

    def __init__(self, class_prior, n_neighbors=25):
        self.class_prior = class_prior
        self.n_neighbors = n_neighbors

    def fit(self, X, s):
        self.classes_ = np.unique(s)
        self.weight_ = np.where(s == 1, 1.0, unlabeled_prior(self.class_prior, s == 1, "one_sample"))
        self.index_ = NearestNeighbors(n_neighbors=self.n_neighbors).fit(X)
        return self

    def predict_proba(self, X):
        p = self.weight_[self.index_.kneighbors(X, return_distance=False)].mean(axis=1)
        return np.column_stack([1 - p, p])


# %%
# Data, and folds that all methods share.
rng = np.random.default_rng(1)
X = rng.normal(size=(1500, 4))
y = np.hypot(X[:, 0], X[:, 1]) > 2.3
s = (y & (rng.random(len(y)) < 0.4)).astype(int)
prior = y.mean()
folds = list(RepeatedStratifiedKFold(n_splits=3, n_repeats=3, random_state=0).split(X, s))
methods = {
    "Neighbours by prior": NeighboursByPrior(prior),
    "PU ET": PUExtraTreesClassifier(prior, scheme="one_sample", random_state=0),
    "PU Bagging ET": PUBaggingExtraTreesClassifier(random_state=0),
}

# %%
# The metric needs no negatives: the share of pairs of a labeled and an unlabeled test row that are in order.
values = {
    name: np.array(
        [pu_auc(s[test] == 1, method.fit(X[train], s[train]).predict_proba(X[test])[:, 1]) for train, test in folds]
    )
    for name, method in methods.items()
}

# %%
# Folds share training rows, so an ordinary t-test is too sure of itself. The corrected one of Nadeau and Bengio is not.
for other in ("PU ET", "PU Bagging ET"):
    row = compare(values["Neighbours by prior"] - values[other], test_to_train=1 / 2)
    print(f"against {other}: {row['mean_difference']:+.3f} [{row['low']:+.3f}, {row['high']:+.3f}], p = {row['p']:.2f}")

# %%
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
for place, ones in enumerate(values.values()):
    ax.scatter(ones, np.full(len(ones), place), alpha=0.6)
    ax.scatter(ones.mean(), place, marker="|", s=400, color="black")
ax.set(yticks=range(len(values)), yticklabels=list(values), xlabel="AUC of labeled against unlabeled test rows")
ax.set_title("AUC of three methods in nine test folds, and its mean", fontsize="medium")
plt.show()

# %%
# In a study the class is named by ``estimator: my_methods:NeighboursByPrior`` with ``class_prior: $class_prior``, and
# ``scarce compare my_methods:NeighboursByPrior --against packs/smoke`` ranks it among stored results.
