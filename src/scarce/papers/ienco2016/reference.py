"""The published numbers: F on both readings, what stands under the tables, and the sizes of the samples."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scarce.analysis.reference import Reader, complete, register
from scarce.files import read_csv

if TYPE_CHECKING:
    import pandas as pd

FOLDER = Path(__file__).parent / "reference"

#: The metrics with which the printed F is compared: of the negative class, as the numbers of all methods but LUHC show,
#: and of the positive class, as the text defines it.
READINGS = ("f1_negative", "f1_default")


def published(folder: Path) -> pd.DataFrame:
    """Tables 2 to 4, each number once for each of `READINGS`."""
    import pandas as pd

    numbers = read_csv(folder / "f_measures.csv").rename(columns={"f_measure": "published"}).assign(printed_digits=2)
    return complete(pd.concat([numbers.assign(metric=metric) for metric in READINGS]))


def summary(folder: Path = FOLDER) -> pd.DataFrame:
    """What stands under Tables 2 to 4: columns k, statistic (wins, mean, average_rank, friedman), method, value."""
    return read_csv(folder / "summary.csv", dtype={"method": str}).fillna({"method": ""})


def fold_sizes(folder: Path = FOLDER) -> pd.DataFrame:
    """Table 1: columns dataset, scenario, features, n_labeled, n_unlabeled, n_test."""
    return read_csv(folder / "fold_sizes.csv")


register("ienco2016", Reader(published))
