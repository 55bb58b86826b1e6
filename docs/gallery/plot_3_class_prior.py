"""
The class prior: what labels admit
==================================

Methods are told the share of positives. A user does not know it. How far do the labels say it, and when do they say
nothing?
"""

# %%
# Two round groups of rows at three distances; 10 % positives, half of them labeled.
import warnings

import matplotlib.pyplot as plt
import numpy as np

from scarce.prior import DoubtfulPrior, class_prior_interval, estimate_class_prior


def draw(distance, rows=1500, prior=0.1):
    """Features, and observed labels."""
    rng = np.random.default_rng(3)
    y = rng.random(rows) < prior
    X = rng.normal(size=(rows, 4))
    X[y, 0] += distance
    return X, (y & (rng.random(rows) < 0.5)).astype(int)


# %%
# Three estimators, and the interval that needs no estimator. Labeled rows are positive, which bounds the class prior
# from below; a region in which most rows are labeled cannot hold many more positives, which bounds it from above.
estimators = ("dedpul", "bbe", "elkan_noto")
found = {}
for distance in (4, 2, 1):
    for estimator in estimators:
        found[distance, estimator] = class_prior_interval(
            *draw(distance), method=estimator, n_resamples=4, random_state=0
        )
for (distance, estimator), one in found.items():
    print(f"distance {distance}, {estimator:10}  {one.estimate:.3f}  [{one.low:.3f}, {one.high:.3f}]  {one.abstains}")

# %%
fig, axes = plt.subplots(1, 3, figsize=(7.5, 3), sharey=True, sharex=True, layout="constrained")
for ax, distance in zip(axes, (4, 2, 1), strict=True):
    for place, estimator in enumerate(estimators):
        one = found[distance, estimator]
        ax.plot([one.low, one.high], [place, place], color="0.6", linewidth=4, solid_capstyle="butt")
        ax.plot(one.estimate, place, "o", color="0.6" if one.abstains else "C0")
    ax.axvline(0.1, color="black", linestyle=":")
    ax.set(yticks=range(3), yticklabels=estimators, xlabel="class prior")
    ax.set_title(f"{distance} standard deviations apart", fontsize="medium")
fig.suptitle("Estimates (grey: the method abstains), intervals, and the true class prior (dotted)", fontsize="medium")
plt.show()

# %%
# The nearer the classes, the higher the estimates. A bare estimate warns where it is not to be relied on:
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always", DoubtfulPrior)
    print(estimate_class_prior(*draw(1), method="tice", random_state=0))
print(*(str(one.message) for one in caught), sep="\n")
