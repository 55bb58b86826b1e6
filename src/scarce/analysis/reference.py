"""The published numbers of a paper, in our names and in fractions.

`scarce.paths.reference` says in which folder they are. Its files are in our names (``published.csv``, and beside it
what else a paper prints, see `printed`), or as the paper has them, with a `Reader` that the paper registers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scarce import paths
from scarce.errors import ConfigError
from scarce.files import read_csv

if TYPE_CHECKING:
    import pandas as pd

PUBLISHED = [
    "scenario", "metric", "dataset", "method", "published", "printed_digits", "published_sd", "corrected", "note"
]  # fmt: skip
AUTHOR_RUNS = ["dataset", "scenario", "repeat", "method", "metric", "value"]

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


@dataclass(frozen=True)
class Reader:
    """How the numbers of a paper are read.

    Attributes
    ----------
    published : callable
        From the paper's folder of numbers to what `published` returns, or None where there are none.
    author_runs : callable, optional
        From that folder and the authors' own file to what `author_runs` returns.
    unreported_runs : callable, optional
        The same of runs on data sets that the paper does not report.
    """

    published: Callable[[Path], pd.DataFrame | None]
    author_runs: Callable[[Path, Path], pd.DataFrame] | None = None
    unreported_runs: Callable[[Path, Path], pd.DataFrame] | None = None


READERS: dict[str, Reader] = {}


def register(paper: str, reader: Reader) -> None:
    """Add the reader of a paper whose files are not in our names; raises ConfigError if there is one already."""
    if READERS.get(paper, reader) != reader:
        raise ConfigError(f"two readers of the published numbers of {paper} are registered")
    READERS[paper] = reader


def published(paper: str, folder: Path | None = None) -> pd.DataFrame | None:
    """Published numbers of a paper, or None where there are none.

    Returns
    -------
    DataFrame
        Columns scenario, metric, dataset (empty: average over the paper's data sets), method, published (as printed,
        in [0, 1]), printed_digits (decimals of the fraction), published_sd (as printed, for information), corrected
        (the right value where the printed one is a known misprint), note.
    """
    return READERS.get(paper, IN_OUR_NAMES).published(folder or paths.reference(paper))


def author_runs(paper: str, file: Path | None, folder: Path | None = None) -> pd.DataFrame | None:
    """The authors' single runs, read from their own `file`, in the shape of scores.csv (values in [0, 1]).

    None without a file, and where the paper has no reader for it.
    """
    read = READERS.get(paper, IN_OUR_NAMES).author_runs
    return read(folder or paths.reference(paper), file) if read and file else None


def held_against(
    paper: str, file: Path | None, datasets: Collection[str]
) -> tuple[pd.DataFrame | None, pd.DataFrame | None]:
    """What the results on some data sets are held against: published numbers, and the authors' single runs.

    Where the authors ran all of the data sets and report none of them, there are no published numbers.
    """
    folder, unreported = paths.reference(paper), READERS.get(paper, IN_OUR_NAMES).unreported_runs
    if file and unreported and {*datasets} <= {*(runs := unreported(folder, file))["dataset"]}:
        return None, runs
    return published(paper), author_runs(paper, file)


def printed(paper: str | None, what: str, folder: Path | None = None) -> pd.DataFrame:
    """What a paper prints beside values; no rows where it prints none.

    Parameters
    ----------
    paper : str or None
    what : {"ranks", "facts", "sizes"}
        ``ranks``: by table of the report, an empty data set for the average rank, whose ``significant`` is the paper's
        mark (yes, no or empty); ``corrected`` as in `published`. ``facts``: means over runs of what methods state of
        themselves. ``sizes``: of the data sets.
    folder : Path, optional
        By default the paper's.
    """
    import pandas as pd

    file = None if paper is None else (folder or paths.reference(paper)) / f"{what}.csv"
    if file is None or not file.exists():
        return pd.DataFrame(columns=PRINTED[what])
    rows = read_csv(file, dtype=dict.fromkeys(TEXTS, str))[PRINTED[what]]
    return rows.assign(**{name: rows[name].fillna("") for name in TEXTS if name in rows})


def complete(numbers: pd.DataFrame) -> pd.DataFrame:
    """All columns of published numbers, in order; texts are never missing."""
    numbers = numbers.reindex(columns=PUBLISHED)
    for name in ("dataset", "note"):
        numbers[name] = numbers[name].astype(object).fillna("").astype(str)
    for name in ("published_sd", "corrected"):
        numbers[name] = numbers[name].astype(float)
    return numbers.sort_values(PUBLISHED[:4], ignore_index=True)


def _in_our_names(folder: Path) -> pd.DataFrame | None:
    file = folder / "published.csv"
    return complete(read_csv(file, dtype={"dataset": str, "note": str})) if file.exists() else None


IN_OUR_NAMES = Reader(_in_our_names)
