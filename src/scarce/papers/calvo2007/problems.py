"""Problems, and which of two methods wins them (calvo2007, sections 5.1 to 5.3).

A *problem* is a source of rows in a scenario (numbers of labeled and of unlabeled rows, and a class prior). A source is
a real data set, or a topology, whose problems are drawn from several models. Its draws are the repeats of its data
sets. Sources that come from one database form a group in the figure and in the claims.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from scarce.analysis import exact
from scarce.analysis.rows import matching
from scarce.analysis.ties import RELATIVE

#: By database, in the paper's order: how a reader knows it, and how the names of its data sets start.
DATABASES = {
    "accdon": ("ACCDON", ("acc_", "don_")),
    "splice": ("Splice (stand-in)", ("splice_",)),
    "letter": ("Letter", ("letter_",)),
    "nursery": ("Nursery", ("nursery_",)),
    "synthetic": ("Synthetic", ("tan_",)),
}
PROBLEM = ["database", "source", "scenario"]
OUTCOMES = ("won", "lost", "undecided")
COLUMNS = [
    *PROBLEM, "class_prior", "metric", "method", "other", "n", "n_differ", "difference", "p", "outcome"
]  # fmt: skip


def database_of(dataset: str) -> str:
    """The database of a data set, "" where it belongs to none of the paper's."""
    return next((name for name, (_, starts) in DATABASES.items() if dataset.startswith(starts)), "")


def source_of(dataset: str) -> str:
    """The source of a data set: the topology of a model, else the data set itself.

    >>> source_of("tan_two_hubs_3"), source_of("letter_d")
    ('two_hubs', 'letter_d')
    """
    return re.sub(r"^tan_(\w+)_\d+$", r"\1", dataset)


def design_of(scenario: str) -> tuple[int, int, float]:
    """Numbers of labeled and unlabeled rows and class prior of a case-control scenario, from its name.

    >>> design_of("l100-u1000-p0.1")
    (100, 1000, 0.1)
    """
    labeled, unlabeled, prior = re.fullmatch(r"l(\d+)-u(\d+)-p([\d.e-]+)", scenario).groups()
    return int(labeled), int(unlabeled), float(prior)


def draws(scores: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Values of a metric, a row a draw and a column a method.

    The index has the levels database, source, scenario, dataset and repeat. Data sets of no database are left out.
    `scores` has the columns of scores.csv.
    """
    rows = matching(scores, metric=metric)
    names = rows["dataset"].unique()
    databases, sources = ({name: of(name) for name in names} for of in (database_of, source_of))
    rows = rows.assign(database=rows["dataset"].map(databases), source=rows["dataset"].map(sources))
    rows = rows[rows["database"] != ""]
    index = [*PROBLEM, "dataset", "repeat"]
    return rows.set_index([*index, "method"])["value"].unstack("method")  # noqa: PD010 - a draw that is twice is refused


def signed_rank(differences: Sequence[float] | np.ndarray) -> tuple[float, int]:
    """P-value and side of Wilcoxon's test with zeros dropped, see `scarce.analysis.exact.signed_rank`."""
    return exact.signed_rank(differences, zeros="drop")[:2]


def outcomes(
    scores: pd.DataFrame, metric: str, pairs: Iterable[tuple[str, str]], *, alpha: float = 0.01
) -> pd.DataFrame:
    """What became of every problem for each pair of methods.

    Parameters
    ----------
    scores : DataFrame
        Columns dataset, scenario, repeat, method, metric, value; larger values are better.
    metric : str
    pairs : iterable of (method, other)
    alpha : float
        Level of the test.

    Returns
    -------
    DataFrame
        A row a pair and problem, with the columns `COLUMNS`: ``n`` draws in which both have a value, ``n_differ`` of
        them with a difference, the mean ``difference`` method - other, ``p`` of `signed_rank`, and the ``outcome`` for
        the method: won, lost or undecided. Problems without draws of both are left out.
    """
    values, rows = draws(scores, metric), []
    for method, other in pairs:
        if not {method, other} <= set(values.columns):
            continue
        differences = (values[method] - values[other]).dropna()
        for key, drawn in differences.groupby(level=PROBLEM):
            p, side = signed_rank(drawn)
            outcome = "undecided" if p > alpha or not side else "won" if side > 0 else "lost"
            n_differ = int((drawn.abs() > RELATIVE).sum())
            prior = design_of(key[2])[2]
            rows.append((*key, prior, metric, method, other, len(drawn), n_differ, float(drawn.mean()), p, outcome))
    frame = pd.DataFrame(rows, columns=COLUMNS)
    return frame.astype({"class_prior": float, "n": int, "n_differ": int, "difference": float, "p": float})


def counted(frame: pd.DataFrame) -> pd.DataFrame:
    """Problems won, lost and undecided, by method, other and database; the columns are `OUTCOMES`."""
    keys = ["method", "other", "database"]
    counts = frame.groupby([*keys, "outcome"], sort=False).size().unstack("outcome")  # noqa: PD010 - keys are unique
    return counts.reindex(columns=OUTCOMES).fillna(0).astype(int)


def databases_in(frame: pd.DataFrame) -> list[str]:
    """The databases of some rows or columns named ``database``, in the paper's order."""
    present = set(frame["database"])
    return [name for name in DATABASES if name in present]
