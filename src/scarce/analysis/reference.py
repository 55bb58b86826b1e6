"""The published numbers of a paper, in our names and in fractions.

``reference/<study>/`` holds them as printed (its README describes the files). Two layouts are read: files that are in
our names already (``published.csv``, and beside it what else a paper prints, see `printed`), and the tables and single
runs of ortega2023.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from scarce import paths
from scarce.files import read_csv

PUBLISHED = [
    "scenario", "metric", "dataset", "method", "published", "printed_digits", "published_sd", "corrected", "note"
]  # fmt: skip
AUTHOR_RUNS = ["dataset", "scenario", "repeat", "method", "metric", "value"]

AVERAGES = ["table_3", "table_4", "table_A1"]
PER_DATASET = ["table_A2", "table_A3", "table_A4", "table_A5", "table_A6", "table_A7"]
METRICS = {"f1_opt": "f1_oracle"}
RUN_METRICS = {"roc": "auc_roc", "ap": "auc_pr", "f1": "f1_default", "f1_ci": "f1_prior", "f1_max": "f1_oracle"}
PERCENT_DIGITS = 3  # tables print percent with one decimal


#: What a paper may print beside values: ranks in its tables, numbers that methods chose, sizes of its data sets.
PRINTED = {
    "ranks": ["table", "metric", "dataset", "method", "rank", "significant", "corrected", "note"],
    "facts": ["scenario", "fact", "dataset", "method", "published", "note"],
    "sizes": [
        "dataset", "examples", "features", "minority_percent", "corrected_examples", "corrected_features",
        "corrected_percent", "note",
    ],
}  # fmt: skip
TEXTS = ("table", "metric", "scenario", "fact", "dataset", "method", "significant", "note")


def _folder(study: str, root: Path | None) -> Path:
    """A folder of published numbers below `root`, or that of the paper."""
    own = Path(root) / study if root else None
    return own if own and own.is_dir() else paths.reference(study)


def printed(study: str | None, what: str, root: Path | None = None) -> pd.DataFrame:
    """What a paper prints beside values; no rows where it prints none.

    Parameters
    ----------
    study : str or None
    what : {"ranks", "facts", "sizes"}
        ``ranks``: by table of the report, an empty data set for the average rank, whose ``significant`` is the paper's
        mark (yes, no or empty); ``corrected`` as in `published`. ``facts``: means over runs of what methods state of
        themselves. ``sizes``: of the data sets.
    """
    file = _folder(study or "", root) / f"{what}.csv"
    if study is None or not file.exists():
        return pd.DataFrame(columns=PRINTED[what])
    rows = read_csv(file, dtype=dict.fromkeys(TEXTS, str))[PRINTED[what]]
    return rows.assign(**{name: rows[name].fillna("") for name in TEXTS if name in rows})


def published(study: str, root: Path | None = None) -> pd.DataFrame | None:
    """Published numbers of `study`, or None where there are none.

    Returns
    -------
    DataFrame
        Columns scenario, metric, dataset (empty: average over the paper's data sets), method, published (as printed,
        in [0, 1]), printed_digits (decimals of the fraction), published_sd (as printed, for information), corrected
        (the right value where the printed one is a known misprint), note.
    """
    folder = _folder(study, root)
    if (folder / "published.csv").exists():
        return _complete(read_csv(folder / "published.csv", dtype={"dataset": str, "note": str}))
    if not (folder / "table_3.csv").exists():
        return None
    names = dict(read_csv(folder / "datasets.csv")[["dataset_code", "dataset"]].itertuples(index=False))
    rows = []
    for name in AVERAGES:
        table = read_csv(folder / f"{name}.csv")
        rows.append(
            table.assign(
                dataset="", published=_fraction(table["mean_percent"]), published_sd=_fraction(table["sd_percent"])
            )
        )
    for name in PER_DATASET:
        table = read_csv(folder / f"{name}.csv")
        rows.append(table.assign(dataset=table["dataset_code"].map(names), published=_fraction(table["value_percent"])))
    numbers = pd.concat(rows, ignore_index=True).assign(printed_digits=PERCENT_DIGITS)
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
    numbers = numbers.merge(errata, on=["scenario", "metric", "dataset", "method"], how="left", validate="1:1")
    return _complete(numbers)


def author_runs(study: str, file: Path | None, root: Path | None = None) -> pd.DataFrame | None:
    """The authors' single runs, read from their own `file`, in the shape of scores.csv (values in [0, 1]).

    None without a file. Runs on data sets that the paper does not report are left out.
    """
    if file is None:
        return None
    folder = _folder(study, root)
    datasets = read_csv(folder / "datasets.csv").set_index("author_runs_name")["dataset"]
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


def _complete(numbers: pd.DataFrame) -> pd.DataFrame:
    """All columns, in order; texts are never missing."""
    numbers = numbers.reindex(columns=PUBLISHED)
    for name in ("dataset", "note"):
        numbers[name] = numbers[name].astype(object).fillna("").astype(str)
    for name in ("published_sd", "corrected"):
        numbers[name] = numbers[name].astype(float)
    return numbers.sort_values(PUBLISHED[:4], ignore_index=True)
