"""Results of this benchmark on the public data sets that are most like a user's data.

``similar_sets.csv`` summarises the study ``advise_evidence``; ``python benchmarks/advise_evidence.py`` writes it anew.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np
import pandas as pd

FILE = Path(__file__).with_name("similar_sets.csv")
FACTS = ["rows", "columns", "nominal_share", "labeled_share"]
COLUMNS = ["dataset", "scenario", *FACTS, "class_prior", "method", "repeats", "auc_pr"]
NEAREST = 6


@dataclass(frozen=True)
class Facts:
    """What a data set looks like before anything is fitted: sizes, and shares in [0, 1]."""

    rows: int
    columns: int
    nominal_share: float
    labeled_share: float


def summarised(scores: pd.DataFrame, about: pd.DataFrame) -> pd.DataFrame:
    """The rows of similar_sets.csv: mean AUC-PR of each method on each data set and scenario.

    Parameters
    ----------
    scores : DataFrame
        As in scores.csv.
    about : DataFrame
        A row a data set and scenario, with `FACTS` and class_prior.
    """
    values = scores[scores["metric"] == "auc_pr"].dropna(subset=["value"])
    means = values.groupby(["dataset", "scenario", "method"])["value"].agg(auc_pr="mean", repeats="count")
    return about.merge(means.reset_index(), on=["dataset", "scenario"])[COLUMNS]


def similar(facts: Facts, methods: Collection[str], results: pd.DataFrame | None = None) -> pd.DataFrame:
    """The data sets and scenarios that are most like some data, with the ranks of methods there.

    Unlike are two sets by the sum of differences in the logarithms of rows, columns and labeled share and in the share
    of nominal columns, each over its standard deviation among all sets.

    Parameters
    ----------
    facts : Facts
    methods : collection of str
        Those to rank, by AUC-PR; ties share their mean rank.
    results : DataFrame, optional
        As in similar_sets.csv, by default that file.

    Returns
    -------
    DataFrame
        A row for each of the nearest `NEAREST`, the most similar first: dataset, scenario, `FACTS`, class_prior, and a
        column for each method with its rank.
    """
    results = pd.read_csv(FILE, dtype={"dataset": str}) if results is None else results
    results = results[results["method"].isin(methods)]
    keys = ["dataset", "scenario", *FACTS, "class_prior"]
    ranks = results.pivot_table(index=keys, columns="method", values="auc_pr").rank(axis=1, ascending=False)
    ranks = ranks[list(methods)].reset_index()
    known = _scaled(ranks[FACTS].to_numpy(float))
    spread = known.std(axis=0)
    wanted = _scaled(np.array([astuple(facts)], float))
    unlike = (np.abs(known - wanted) / np.where(spread > 0, spread, 1)).sum(axis=1)
    return ranks.iloc[np.argsort(unlike, kind="stable")[:NEAREST]].reset_index(drop=True)


def _scaled(facts: np.ndarray) -> np.ndarray:
    scaled = facts.copy()
    logged = [FACTS.index(name) for name in ("rows", "columns", "labeled_share")]
    scaled[:, logged] = np.log(scaled[:, logged])
    return scaled
