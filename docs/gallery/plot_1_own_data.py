"""
Own data: from arrays to rows to look at
========================================

Two thousand rows, three percent positives, half of them labeled. Which of the unlabeled rows should be looked at first,
and what can be said of that list?
"""

# %%
# Rows and observed labels. In practice `y` is not there; here it judges the answers at the end.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from scarce.prior import class_prior_interval
from scarce.scoring.without_negatives import auc_given_prior, pu_auc, unlabeled_prior
from scarce.trees import PUExtraTreesClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(2000, 5))
y = X[:, 0] + X[:, 1] > 2.6
s = (y & (rng.random(2000) < 0.5)).astype(int)
print(f"{s.sum()} labeled of {len(s)} rows")

# %%
# The class prior first: what do the labels admit? The estimate abstains where it is not to be relied on.
found = class_prior_interval(X, s, method="dedpul", random_state=0)
print(f"{found.low:.3f} to {found.high:.3f}, estimate {found.estimate:.3f}")
print(found.abstains or "nothing speaks against the estimate")

# %%
# Scores out of fold: no row is scored by a forest that has seen its label. One sample was drawn and partly labeled, so
# ``scheme="one_sample"``.
forest = PUExtraTreesClassifier(found.estimate, scheme="one_sample", random_state=0)
folds = StratifiedKFold(5, shuffle=True, random_state=0)
scores = cross_val_predict(forest, X, s, cv=folds, method="predict_proba")[:, 1]

# %%
# How good is the ranking? Labeled against unlabeled rows gives an AUC that is too low, since some unlabeled rows are
# positive; the class prior corrects it.
observed = pu_auc(s == 1, scores)
corrected = auc_given_prior(observed, unlabeled_prior(found.estimate, s == 1, "one_sample"))
print(f"AUC of labeled against unlabeled rows {observed:.3f}, given the class prior {corrected:.3f}")

# %%
# The unlabeled rows with the highest scores are the ones to look at.
unlabeled = np.flatnonzero(s == 0)
first = unlabeled[np.argsort(-scores[unlabeled], kind="stable")]
print("look at rows", first[:10])

# %%
# What nobody knows in practice: how many of them are positive.
hits = np.cumsum(y[first])
fig, ax = plt.subplots(figsize=(6, 3.5), layout="constrained")
ax.plot(np.arange(1, 101), hits[:100], label="by score")
ax.plot(np.arange(1, 101), np.arange(1, 101) * y[unlabeled].mean(), linestyle="--", label="at random")
ax.set(xlabel="unlabeled rows looked at", ylabel="hidden positives found")
ax.legend(frameon=False)
ax.set_title(
    f"Hidden positives among the first 100 unlabeled rows: {hits[99]} of {y[unlabeled].sum()}", fontsize="medium"
)
plt.show()
