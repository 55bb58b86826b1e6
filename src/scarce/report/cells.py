"""Rows of agreement.csv as the figure and the page read them."""

from __future__ import annotations

import pandas as pd

WITHIN, OUTSIDE, UNKNOWN = "within", "outside", "unknown"


def judged(rows: pd.DataFrame) -> pd.DataFrame:
    """Single cells and averages with a verdict each, in percent.

    Parameters
    ----------
    rows : DataFrame
        As agreement.csv has them: fractions, an empty or missing `dataset` for averages over data sets, an empty
        `within` where no standard error could be had.

    Returns
    -------
    DataFrame
        The same columns; `published`, `reproduced`, `difference` in percent; `average` true for averages; `verdict`
        is within, outside or unknown. Rows without both numbers are left out.
    """
    rows = rows.dropna(subset=["published", "reproduced"]).reset_index(drop=True)
    within = rows["within"].astype("string").str.lower()  # a column with gaps comes back from a CSV as text
    percent = {name: rows[name].astype(float) * 100 for name in ("published", "reproduced", "difference")}
    verdict = within.map({"true": WITHIN, "false": OUTSIDE}).fillna(UNKNOWN)
    datasets = rows["dataset"].astype("string").fillna("")
    return rows.assign(**percent, dataset=datasets, average=(datasets == "").astype(bool), verdict=verdict)


def largest(rows: pd.DataFrame, n: int) -> pd.DataFrame:
    """The n rows with the largest absolute difference, largest first; ties keep their order."""
    order = rows["difference"].abs().sort_values(ascending=False, kind="stable").index
    return rows.loc[order].head(n)
