"""The published tables of the paper, and its authors' file of single runs.

The folder of numbers holds the tables as printed: ``table_*.csv`` in percent, ``errata.csv`` with the misprints,
``datasets.csv`` and ``methods.csv`` with the names that the paper and its authors use, ``unreported.csv`` with those of
the data sets that the authors ran and the paper does not report.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scarce.analysis.reference import AUTHOR_RUNS, Reader, complete, register
from scarce.files import read_csv

if TYPE_CHECKING:
    import pandas as pd

AVERAGES = ["table_3", "table_4", "table_A1"]
PER_DATASET = ["table_A2", "table_A3", "table_A4", "table_A5", "table_A6", "table_A7"]
METRICS = {"f1_opt": "f1_oracle"}
RUN_METRICS = {"roc": "auc_roc", "ap": "auc_pr", "f1": "f1_default", "f1_ci": "f1_prior", "f1_max": "f1_oracle"}
PERCENT_DIGITS = 3  # tables print percent with one decimal


def published(folder: Path) -> pd.DataFrame:
    """The numbers of the tables in our names, misprints marked; see `scarce.analysis.reference.published`."""
    import pandas as pd

    names = dict(read_csv(folder / "datasets.csv")[["dataset_code", "dataset"]].itertuples(index=False))
    tables = []
    for name in AVERAGES:
        table = read_csv(folder / f"{name}.csv")
        means, spreads = _fraction(table["mean_percent"]), _fraction(table["sd_percent"])
        tables.append(table.assign(dataset="", published=means, published_sd=spreads))
    for name in PER_DATASET:
        table = read_csv(folder / f"{name}.csv")
        tables.append(
            table.assign(dataset=table["dataset_code"].map(names), published=_fraction(table["value_percent"]))
        )
    numbers = pd.concat(tables, ignore_index=True).assign(printed_digits=PERCENT_DIGITS)
    numbers["scenario"] = _scenario(numbers["flip_ratio"])
    numbers["metric"] = numbers["metric"].replace(METRICS)

    errata = read_csv(folder / "errata.csv").dropna(subset=["method", "pdf_value"])
    errata = errata[errata["pdf_value"] != errata["paper_text_value"]]
    errata = pd.DataFrame(
        {
            "scenario": _scenario(errata["flip_ratio"]),
            "metric": errata["metric"].replace(METRICS),
            "dataset": errata["dataset_code"].map(names),
            "method": errata["method"],
            "corrected": _fraction(errata["pdf_value"]),
            "note": "misprint: " + errata["note"],
        }
    )
    return complete(numbers.merge(errata, on=["scenario", "metric", "dataset", "method"], how="left", validate="1:1"))


def author_runs(folder: Path, file: Path) -> pd.DataFrame:
    """The single runs of the authors' `file` on the data sets that the paper reports."""
    return _runs(folder, file, "datasets.csv")


def unreported_runs(folder: Path, file: Path) -> pd.DataFrame:
    """The single runs of the authors' `file` on public data sets that the paper does not report."""
    return _runs(folder, file, "unreported.csv")


def _runs(folder: Path, file: Path, listed: str) -> pd.DataFrame:
    import pandas as pd

    datasets = read_csv(folder / listed).set_index("author_runs_name")["dataset"]
    wide = read_csv(file, encoding="utf-8-sig")
    wide = wide[wide["dataset"].isin(datasets.index)]
    methods = read_csv(folder / "methods.csv").set_index("column_suffix_in_author_csv")["method"]
    keys = pd.DataFrame(
        {
            "dataset": wide["dataset"].map(datasets),
            "scenario": _scenario(wide["flip_ratio"]),
            "repeat": wide["data_partition"],
        }
    )
    parts = [
        keys.assign(method=method, metric=metric, value=wide[f"{prefix}_{suffix}"])
        for suffix, method in methods.items()
        for prefix, metric in RUN_METRICS.items()
    ]
    runs = pd.concat(parts, ignore_index=True)[AUTHOR_RUNS]
    return runs.sort_values(AUTHOR_RUNS[:-1], ignore_index=True)


def _fraction(percent: pd.Series) -> pd.Series:
    """Percent to fractions; rounded so that 56.1 becomes 0.561 and no neighbour of it."""
    return (percent / 100.0).round(10)


def _scenario(flip_ratio: pd.Series) -> pd.Series:
    return "flip-" + (flip_ratio.astype(float) * 100).round().astype(int).astype(str)


register("ortega2023", Reader(published, author_runs, unreported_runs))
