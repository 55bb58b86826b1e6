"""Fits from a CSV of scores that a person computed by other means."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scarce.config.project import Project
from scarce.config.study import Study
from scarce.errors import DataError
from scarce.files import read_csv
from scarce.fitting.fits import FittedRun, write_runs
from scarce.stages.cell import StudyCell
from scarce.stages.inputs import labels_of

COLUMNS = ["dataset", "scenario", "repeat", "part", "row", "score"]
HINT = "docs/compare.md says what a CSV of scores holds"


def fits_from_csv(project: Project, study: Study, method: str, file: Path) -> None:
    """Write a file of runs for each cell of a method, from a CSV with a row for each scored row of a repeat.

    The CSV has the columns `COLUMNS`: ``part`` is test or validation, and ``row`` is the row of the prepared data, as
    the labels have it. A repeat without validation rows has no threshold that is chosen on them.

    Raises
    ------
    DataError
        If it is no CSV, a column is missing, or a repeat lacks the score of a row, has two, or one that is not finite.
    """
    try:
        frame = read_csv(file, dtype={"dataset": str, "scenario": str, "part": str})
    except DataError:  # its hint is to delete the file
        raise DataError("it cannot be read as a CSV", where=str(file), hint=HINT) from None
    if lacking := [name for name in COLUMNS if name not in frame]:
        raise DataError(f"there is no column {lacking[0]}", where=str(file), hint=HINT)
    groups = dict(iter(frame.groupby(COLUMNS[:4])))
    for dataset, scenario in study.pairs:
        cell = StudyCell(project, study, dataset, scenario, method)
        runs = []
        for labels in labels_of(study, dataset, scenario):
            key = (dataset, scenario, labels.repeat)
            if labels.skipped:
                runs.append(FittedRun(labels.repeat, "skipped", labels.skipped))
                continue
            rows = {"test": labels.test, "validation": labels.train[labels.validation]}
            found = {part: _scores(groups.get((*key, part)), wanted) for part, wanted in rows.items()}
            if found["test"] is None or (found["validation"] is None and (*key, "validation") in groups):
                where = f"{file}: {dataset} {scenario} repeat {labels.repeat}"
                raise DataError("the rows are not those of the repeat, each once", where=where, hint=HINT)
            scores = {f"{part}_scores": values for part, values in found.items() if values is not None}
            status = "ok" if np.ptp(found["test"]) > 0 else "degenerate"
            runs.append(FittedRun(labels.repeat, status, **scores))
        write_runs(cell.file, runs, *cell.identity)


def _scores(given, wanted: np.ndarray) -> np.ndarray | None:
    """The scores of the wanted rows in their order; None where the given rows are others, or a score is not finite."""
    if given is None:
        return None
    by_row = given.set_index("row").score
    if by_row.index.has_duplicates or set(by_row.index) != set(wanted.tolist()) or not np.isfinite(by_row).all():
        return None
    return by_row.loc[wanted].to_numpy(float)
