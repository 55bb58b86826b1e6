"""
LaTeX tables in a paper
=======================

A study writes each of its tables as LaTeX. Where a paper needs another one, pandas makes it from ``scores.csv``.
"""

# %%
# ``results/<study>/tables/auc_pr.tex`` is ready for ``\input``, with the package `booktabs`. Unpacking a pack makes it
# as a run does.
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

PACK = Path("../../packs/smoke")  # seen from docs/gallery of a clone
project = Path(tempfile.mkdtemp()) / "project"
for arguments, folder in ((["init", str(project)], "."), (["unpack", str(PACK.resolve())], project)):
    subprocess.run([sys.executable, "-m", "scarce", *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)
print((project / "results/smoke/tables/auc_pr.tex").read_text(encoding="utf-8"))

# %%
# A table of your own: mean and standard deviation of two methods, the better mean in bold.
scores = pd.read_csv(PACK / "results/scores.csv.gz")
one = scores[(scores.metric == "auc_pr") & scores.method.isin(["pu_shrf", "adasyn_rf"])]
layout = {"index": ["dataset", "scenario"], "columns": "method", "values": "value"}
means, spread = (100 * one.pivot_table(**layout, aggfunc=name) for name in ("mean", "std"))
table = means.map("{:.1f}".format).mask(means.eq(means.max(axis=1), axis=0), means.map("\\textbf{{{:.1f}}}".format))
table = table + spread.map(r" $\pm$ {:.1f}".format)
table.columns = [name.replace("_", r"\_") for name in table.columns]
print(table.to_latex(multirow=False, caption="AUC-PR in percent, mean and standard deviation over repeats."))

# %%
# A figure for the same paper: as PDF, in the width of a column, with letters that stay text.
plt.rcParams["pdf.fonttype"] = 42
fig, ax = plt.subplots(figsize=(3.35, 2.2), layout="constrained")
ax.plot(means["adasyn_rf"], means["pu_shrf"], "o", color="black")
ax.axline((50, 50), slope=1, color="0.7", linewidth=0.8)
ax.set(xlabel="ADASYN+RF", ylabel="PU-SHRF", aspect="equal")
ax.set_title("AUC-PR in percent: above the line PU-SHRF is better", fontsize="x-small")
plt.show()  # fig.savefig("auc_pr.pdf") in a paper's folder

# %%
# Captions, tests and notes are in ``results/<study>/report.html``; each table there has its files beside it.
