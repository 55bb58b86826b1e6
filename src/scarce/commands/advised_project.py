"""The project that `scarce advise` lays out around a user's file: a data set, and a study of its observed labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from scarce import paths
from scarce.commands.init import init
from scarce.config.datasets.fields import class_text
from scarce.config.loading import load_project
from scarce.config.project import Project
from scarce.data.names import no_column
from scarce.data.rows import open_rows
from scarce.errors import DataError
from scarce.words import number, shown

FOLDS = 5
#: Of the training rows of a fold, those on which a threshold is chosen.
VALIDATION_SIZE = 0.3
FEWEST_LABELED = 20
#: Method -> whether it needs the class prior, and why it is fitted. All are fast, and differ in how they learn.
METHODS = {
    "extra_trees": (False, "the naive forest, which takes unlabeled rows for negatives: what a PU method must beat"),
    "pu_bagging_et": (False, "many forests, each against a few unlabeled rows; needs no class prior"),
    "pu_wlr": (False, "linear, weighted by class; needs no class prior"),
    "elkan_noto": (False, "linear, with the label frequency estimated on held-out labeled rows; needs no class prior"),
    "pu_shrf": (True, "a forest of PU Hellinger trees, made for rare positives; is told the class prior"),
    "pu_et": (True, "extra trees that minimise a PU risk; is told the class prior"),
}  # fmt: skip
METRICS = ("pu_auc_test", "pu_aul_test", "pu_lee_liu_test", "pu_recall_test", "pu_ap_test", "pu_f1_test",
           "pu_precision_test")  # fmt: skip
_LABELED = {"1", "yes", "true", "y", "t", "p", "pos", "positive", "labeled", "labelled"}


@dataclass(frozen=True)
class Source:
    """A user's file and how it is read; the names of columns are those of the file."""

    file: Path
    label: str
    positive: str | None = None
    drop: Sequence[str] = ()
    keep: Sequence[str] = ()
    missing: Sequence[str] = ()
    delimiter: str = ","

    @property
    def name(self) -> str:
        """A name for the data set and its study, from letters and digits of the file's name."""
        stem = self.file.name.partition(".")[0].lower()
        name = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in stem).strip("_")
        return f"own_{name or 'data'}"  # so that it is no data set of the catalogue

    @property
    def read(self) -> dict:
        """The options of the reader."""
        return {"format": "csv", "delimiter": self.delimiter, "missing": list(self.missing)}


def classes_of(source: Source) -> Counter[str]:
    """The number of rows of each value of the label column.

    Raises
    ------
    DataError
        If there is no such file or column, or a cell of the column is empty.
    """
    if not source.file.is_file():
        raise DataError(f"there is no file {source.file}", hint="name a CSV file with a header line")
    names, body = open_rows(source.file, source.read | {"target": source.label})
    for option, columns in (("--label", [source.label]), ("--drop", source.drop), ("--keep", source.keep)):
        for column in columns:
            if column not in names:
                raise no_column(column, names, hint=f"correct {option}")
    at = names.index(source.label)
    counts = Counter(class_text(row[at]) for row in body())
    if not counts:
        raise DataError("there is no row below the header", where=source.file.name)
    if empty := counts.get(""):
        raise DataError(
            f"column {source.label!r} is empty in {number(empty, 'row')}",
            where=source.file.name,
            hint="write a word for unlabeled rows, such as 0, into the file: an empty cell may mean anything",
        )
    return counts


def positive_value(source: Source, counts: Counter[str]) -> str:
    """The value of the label column that means labeled positive.

    Raises
    ------
    DataError
        If the column has not two values, it is not clear which of them means labeled, or too few rows are labeled.
    """
    shown_counts = ", ".join(f"{shown(value)} ({count})" for value, count in counts.most_common(8))
    where, column = source.file.name, f"column {source.label!r}"
    if len(counts) == 1:
        raise DataError(
            f"{column} has one value, {shown_counts}: every row is labeled alike",
            where=where,
            hint="PU learning needs labeled positives and unlabeled rows",
        )
    if len(counts) > 2:
        more = f" and {len(counts) - 8} more" if len(counts) > 8 else ""
        raise DataError(
            f"{column} has {len(counts)} values: {shown_counts}{more}",
            where=where,
            hint="a label column has two: one for labeled positives, one for unlabeled rows",
        )
    if source.positive is None:
        meaning = [value for value in counts if value.lower() in _LABELED]
        if len(meaning) != 1:
            raise DataError(
                f"it is not clear which value of {column} means labeled: {shown_counts}",
                where=where,
                hint="say so by --positive VALUE",
            )
        positive = meaning[0]
    else:
        positive = class_text(source.positive)
        if positive not in counts:
            raise DataError(
                f"no row has {positive!r} in {column}: {shown_counts}", where=where, hint="correct --positive"
            )
    for rows, what in ((counts[positive], "labeled"), (counts.total() - counts[positive], "unlabeled")):
        if rows < FEWEST_LABELED:
            raise DataError(
                f"{number(rows, f'{what} row')} in {counts.total()}, and {FEWEST_LABELED} are the fewest",
                where=where,
                hint=f"{FOLDS} folds fit, choose a threshold and test on {what} rows: with fewer, each has less than "
                "four of them, and every number would be noise",
            )
    return positive


def lay_out(folder: Path, source: Source, positive: str, negative: str) -> None:
    """A project in a new folder, with the data set of a user's file."""
    init(folder)
    block = {
        "title": source.file.name,
        "sources": [{"kind": "local", "files": [{"path": str(source.file.absolute())}]}],
        "read": source.read,
        "target": source.label,
        "positive": positive,
        "negative": [negative],
    }
    if source.drop:
        block["steps"] = [{"step": "drop_columns", "columns": list(source.drop)}]
    about = "the file that `scarce advise` read; its positive class means labeled"
    _append(folder / paths.DATASETS_YAML, source.name, block, about)
    config = folder / paths.CONFIG_YAML
    lines = config.read_text(encoding="utf-8").splitlines()
    lines = [f"studies: [{source.name}]" if line.startswith("studies:") else line for line in lines]
    config.write_text("\n".join([*lines, ""]), encoding="utf-8")


def _append(file: Path, name: str, block: dict, about: str) -> None:
    text = yaml.safe_dump({name: block}, sort_keys=False, allow_unicode=True)
    file.write_text(f"{file.read_text(encoding='utf-8').rstrip()}\n\n# {about}\n{text}", encoding="utf-8")


def study_of(source: Source, prior: float, interval: tuple[float, float], told: bool, seed: int) -> dict:
    """The study of a data set: `prior` is what methods are told, if `told`, and `interval` bounds the metrics."""
    metrics = METRICS if told else METRICS[:4]
    return {
        "name": source.name,
        "title": f"Advice on {source.file.name}",
        "datasets": [source.name],
        "labeling": {"observed": {}},
        "split": {"plan": "k_fold", "folds": FOLDS, "validation_size": VALIDATION_SIZE},
        "repeats": FOLDS,
        "seed": seed,
        "methods": [method for method, (needs_prior, _) in METHODS.items() if told or not needs_prior],
        "options": {"class_prior": float(prior), "decision": "f1_observed"},
        "analysis": {"metrics": list(metrics), "class_prior_interval": [float(end) for end in interval]},
        "report": {"figures": []},
    }


def write_study(study: dict) -> Project:
    """Write the file of a study into the project of the working directory, and read the project."""
    file = paths.STUDIES / f"{study['name']}.yaml"
    file.write_text(yaml.safe_dump(study, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return load_project([file])
