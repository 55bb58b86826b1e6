"""
Compare with stored results
===========================

A pack holds labels, splits and scores of a finished study. One method is fitted on them; the numbers of the others are
those of the pack.
"""

# %%
# The pack of the study `smoke` has two small data sets of generated rows. From the shell this is
# ``scarce compare sklearn.ensemble:RandomForestClassifier --against packs/smoke``; here the same command runs in a new
# project.
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

PACK = Path("../../packs/smoke").resolve()  # seen from docs/gallery of a clone
project = Path(tempfile.mkdtemp()) / "project"


def scarce(*arguments, folder="."):
    done = subprocess.run(
        [sys.executable, "-m", "scarce", *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.replace(str(project.parent), "")


print(scarce("init", str(project)))
print(scarce("compare", "sklearn.ensemble:RandomForestClassifier", "--against", str(PACK), folder=project))

# %%
# The answer is a table too: wins and losses over data sets, and the probability of being better by the Bayesian
# signed-rank test.
results = project / "results/smoke_with_random_forest_classifier"
comparison = pd.read_csv(results / "comparison.csv")
wanted = comparison[comparison.metric == "auc_pr"]
wanted[["scenario", "other", "wins", "losses", "mean_difference", "p_better", "p_worse"]].round(2)

# %%
scores = pd.read_csv(results / "scores.csv")
means = scores[scores.metric == "auc_pr"].pivot_table(index="method", columns="scenario", values="value")
means = means.sort_values("flip-50")
fig, ax = plt.subplots(figsize=(6.5, 3), layout="constrained")
for scenario, marker in zip(means.columns, "os", strict=False):
    ax.plot(means[scenario], range(len(means)), marker, label=scenario)
ax.set(yticks=range(len(means)), yticklabels=means.index, xlabel="mean AUC-PR over two data sets")
ax.legend(frameon=False)
ax.set_title("Mean AUC-PR of the pack's methods and of the random forest", fontsize="medium")
plt.show()

# %%
# Two data sets show how it is done, not which method is better: no test can tell much over two blocks.
