"""
Read scores.csv with pandas
===========================

``scores.csv`` has a row for each run and metric. Tables and figures of the results page are views of it; this page
makes others.
"""

# %%
# The columns are dataset, scenario, repeat, method, metric, value. A pack holds the file compressed.
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from scarce.analysis.ranks import average_ranks, block_matrix

PACK = Path("../../packs/smoke")  # seen from docs/gallery of a clone
scores = pd.read_csv(PACK / "results/scores.csv.gz")
scores.head()

# %%
# Means and standard deviations over repeats:
one = scores[(scores.metric == "auc_pr") & (scores.scenario == "flip-75")]
one.pivot_table(index="method", columns="dataset", values="value", aggfunc=["mean", "std", "count"]).round(3)

# %%
# Blocks for tests are data sets, so repeats are averaged first. `block_matrix` does so, and notes what is missing.
blocks = block_matrix(scores, "auc_pr", "flip-75")
print(blocks.values.round(3))
average_ranks(blocks.values).sort_values()

# %%
# Who chose the threshold? Five columns for one question:
five = scores[scores.metric.isin(["f1_default", "f1_prior", "f1_validation", "f1_observed", "f1_oracle"])]
table = five.pivot_table(index="method", columns="metric", values="value")[list(dict.fromkeys(five.metric))]
table.round(3)

# %%
fig, ax = plt.subplots(figsize=(6.5, 3.2), layout="constrained")
for place, metric in enumerate(table):
    ax.plot(table[metric], range(len(table)), "ovs^D"[place], label=metric)
ax.set(yticks=range(len(table)), yticklabels=table.index, xlabel="mean F1")
ax.legend(frameon=False, fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
ax.set_title("Mean F1 of each method by five rules for the threshold", fontsize="medium")
plt.show()

# %%
# `runs.csv` has what is not a score: status, seconds, memory, class prior, threshold, seed.
runs = pd.read_csv(PACK / "results/runs.csv.gz")
runs.groupby("method")[["fit_seconds", "peak_memory_mb"]].median().round(2)
