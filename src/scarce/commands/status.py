"""`scarce status`: which cells of a study are done, running, failed or missing."""

from __future__ import annotations

import contextlib
from collections import Counter

from pydantic import Field

from scarce import paths
from scarce.commands.answers import Answer, Keys
from scarce.commands.outcome import left_out
from scarce.commands.processes import host, running_cells, slurm_jobs
from scarce.commands.terminal import grid
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.data.names import some
from scarce.errors import DataError, IncompleteError
from scarce.stages import unpacked
from scarce.stages.cell import StudyCell, all_cells

STATES = ("done", "with failures", "without data", "running", "partly done", "outdated", "damaged", "missing")


class CellKeys(Keys):
    dataset: str = Field(description="name of the data set")
    scenario: str = Field(description="name of the scenario")
    method: str = Field(description="name of the method")
    state: str = Field(description=f"one of: {', '.join(STATES)}")
    runs: dict[str, int] = Field(description="number of runs by status, of a cell that is done")
    finished: int = Field(description="finished repeats, of a cell that is running or partly done")

    def text(self, repeats: int) -> str:
        fixed = {"outdated": "~", "damaged": "!", "missing": "-", "without data": "n/a"}
        if self.state in fixed:
            return fixed[self.state]
        if self.state == "running":
            return f"{self.finished}>{repeats}"
        if self.state == "partly done":
            return f"{self.finished}.../{repeats}"
        others = "".join(f" {count}{status[0]}" for status, count in self.runs.items() if status != "ok")
        return f"{self.runs.get('ok', 0)}/{sum(self.runs.values())}{others}"


class Status(Answer):
    """The cells of a study."""

    study: str = Field(description="name of the study")
    complete: bool = Field(description="false where results lack a data set that is not optional")
    repeats: int = Field(description="repeats of each cell")
    counts: dict[str, int] = Field(description="number of cells by state")
    cells: list[CellKeys] = Field(description="every cell: data set x scenario x method")
    without: dict[str, str] = Field(description="data sets that results lack -> why")
    deleted: list[str] = Field(description="labels that were deleted and that fits were made with")
    pack: str = Field(description="the pack that the results come from, in words, or empty")
    host: str = Field(description="host on which running cells were looked for")
    queue: str | None = Field(description="this folder's jobs in Slurm's queue, in words; null without Slurm")

    @property
    def exit_code(self) -> int:
        return 0 if self.complete else IncompleteError.exit_code

    def text(self) -> str:
        methods = list(dict.fromkeys(cell.method for cell in self.cells))
        rows: dict[tuple[str, str], list[str]] = {}
        for cell in self.cells:
            rows.setdefault((cell.dataset, cell.scenario), []).append(cell.text(self.repeats))
        summary = ", ".join(f"{count} {kind}" for kind, count in self.counts.items() if count)
        again = f"(snakemake --cores 2 {self.study} makes them again)"
        legend = (
            "ok runs of all; f failed, t timeout, s skipped, d degenerate, n not installed; k>N running, as seen on "
            f"this host ({self.host}); k.../N partly done; ~ outdated; ! damaged; - missing; n/a without data"
        )
        lines = [
            f"{self.study}: {summary} of {len(self.cells)} cells",
            "",
            grid([(*names, *row) for names, row in rows.items()], ("data set", "scenario", *methods)),
            "",
            *(f"without {dataset}: {why}" for dataset, why in self.without.items()),
            *([f"deleted: {some(self.deleted, 3)} {again}"] if self.deleted else []),
            self.pack,
            legend,
            self.queue,
        ]
        return "\n".join(line for place, line in enumerate(lines) if line or place in (1, 3))


def status(project: Project, name: str) -> Status:
    """The state of every cell of a study."""
    study, running = project.study(name), running_cells(name)
    cells = [_state(cell, running) for cell in all_cells(project, study)]
    counts = Counter(cell.state for cell in cells)
    return Status(
        study=name,
        complete=not counts["without data"] or not left_out(project, study),
        repeats=study.repeats,
        counts={state: counts[state] for state in STATES},
        cells=cells,
        without={dataset: why for dataset in study.datasets if (why := unpacked.missing(name, dataset))},
        deleted=_deleted(study),
        pack=unpacked.note(name),
        host=host(),
        queue=slurm_jobs(),
    )


def _deleted(study: Study) -> list[str]:
    """Labels that were deleted and that fits were made with: they are made again by the next run."""
    return [
        str(file)
        for pair in study.pairs
        if not (file := paths.labels(study.name, *pair)).is_file()
        and any(paths.fit(study.name, *pair, method).is_file() for method in study.fitted_methods)
    ]


def _state(cell: StudyCell, running: set[tuple[str, ...]]) -> CellKeys:
    from scarce.fitting.ends import read_ends
    from scarce.fitting.fits import FAILED, STATUSES, read_checkpoint, read_identity

    finished = len(read_checkpoint(paths.checkpoint(*cell.names)))
    runs: dict[str, int] = {}

    def keys(state: str) -> CellKeys:
        _, dataset, scenario, method = cell.names
        return CellKeys(dataset=dataset, scenario=scenario, method=method, state=state, runs=runs, finished=finished)

    if cell.names[1:] in running:
        return keys("running")
    if not cell.file.is_file():
        return keys("partly done" if finished else "missing")
    try:
        ends, identity = read_ends(cell.file), read_identity(cell.file)
    except DataError:
        return keys("damaged")
    with contextlib.suppress(IncompleteError):  # inputs that were deleted since cannot be compared
        if identity != cell.identity:
            return keys("outdated")
    if not ends and unpacked.missing(cell.study.name, cell.dataset):
        return keys("without data")
    counts = Counter(end.status for end in ends)
    runs = {status: counts[status] for status in STATUSES if counts[status]}
    return keys("with failures" if any(counts[status] for status in FAILED) else "done")


def outdated_cells(project: Project, study: Study) -> int:
    """Cells whose fits were made with other arguments, code, labels or features than those of now."""
    from scarce.fitting.fits import read_identity

    outdated = 0
    for cell in all_cells(project, study):
        with contextlib.suppress(OSError, DataError, IncompleteError):
            outdated += read_identity(cell.file) != cell.identity
    return outdated
