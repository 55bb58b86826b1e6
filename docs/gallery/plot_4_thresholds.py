"""
Thresholds: five F1 scores of one ranking
=========================================

The same scores give very different F1, depending on who chose the threshold, and with which labels.
"""

# %%
# A forest of PU Hellinger trees on rare positives, of which a quarter is labeled.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split

from scarce.scoring.ranking import Ranking
from scarce.scoring.thresholds import best_f1
from scarce.trees import PUHellingerForestClassifier

rng = np.random.default_rng(5)
X = rng.normal(size=(6000, 4))
y = X[:, 0] + 0.7 * X[:, 1] + rng.normal(0, 0.5, len(X)) > 2.4
s = y & (rng.random(len(y)) < 0.25)
train, test = train_test_split(np.arange(len(y)), test_size=0.5, stratify=y, random_state=0)
fit, validation = train_test_split(train, test_size=0.5, stratify=s[train], random_state=0)
prior = y[train].mean()

forest = PUHellingerForestClassifier(prior, n_estimators=50, bootstrap="stratified", random_state=0)
of_validation = forest.fit(X[fit], s[fit]).predict_proba(X[validation])[:, 1]
of_test = forest.fit(X[train], s[train]).predict_proba(X[test])[:, 1]


# %%
# The threshold with the best F1 by some labels of some rows; rows at the threshold count as positive.
def best(labels, scores):
    return float(best_f1(Ranking(scores[None], labels[None]), "sweep").value[0])


thresholds = {
    "0.5": 0.5,
    "the class prior": prior,
    "validation, true labels": best(y[validation], of_validation),
    "validation, observed": best(s[validation], of_validation),
    "test rows themselves": best(y[test], of_test),
}
for name, threshold in thresholds.items():
    print(f"{name:24}  threshold {threshold:.3f}  F1 {f1_score(y[test], of_test >= threshold):.3f}")

# %%
# A user of PU data has the first, the second if the class prior is known, and the fourth. Papers often print the last.
grid = np.unique(np.quantile(of_test, np.linspace(0.5, 1, 300)))
fig, ax = plt.subplots(figsize=(6.5, 3.5), layout="constrained")
ax.plot(grid, [f1_score(y[test], of_test >= t) for t in grid], color="0.5", label="F1 on test rows")
for place, (name, threshold) in enumerate(thresholds.items()):
    ax.plot(threshold, f1_score(y[test], of_test >= threshold), "ovs^D"[place], label=name)
ax.set(xlabel="threshold", ylabel="F1")
ax.legend(frameon=False, fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
ax.set_title("F1 on test rows by threshold, and where five rules put it", fontsize="medium")
plt.show()

# %%
# Scores of this forest are shares of labeled rows in leaves, scaled by the class prior; fully grown trees leave most of
# them small. So 0.5 is not the place where a row is as likely positive as negative: the threshold has to be chosen.
