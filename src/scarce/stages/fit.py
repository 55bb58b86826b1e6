"""Rule `fit`: scores of the validation and test rows for all methods and scenarios of one data set.

One process imports what the methods share and then forks `lanes` processes. Each takes one cell (scenario, method)
after another and forks a child for it that runs its repeats. A cell whose file is valid is not fitted again.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import os
import pickle
import sys
import traceback
from pathlib import Path
from typing import Any

from scarce import paths, source_code
from scarce.config.project import Project
from scarce.errors import ConfigError, MethodError
from scarce.files import held
from scarce.fitting.cell import Cell, CellTask, run_cells, run_repeat
from scarce.fitting.fits import FAILED, missing_packages, write_runs
from scarce.fitting.worker import end_children_with_this_process, in_lanes, run_each
from scarce.stages.cell import StudyCell, resource_groups, sharing
from scarce.stages.index import update_index, write_index
from scarce.stages.inputs import labels_of, load_features
from scarce.stages.shared_fits import is_done, taken_over

#: What to do about a method that fails and stops its study.
AS_A_ROW = "on_error: record would keep it as a row"


def fit(
    project: Project,
    study_name: str,
    dataset: str,
    scenario: str | None = None,
    method: str | None = None,
    *,
    group: str | None = None,
    lanes: int = 1,
    repeat: int | None = None,
    pdb: bool = False,
    log: Path | None = None,
) -> None:
    """Fit the cells of a data set that have no valid file, `lanes` at a time; a `method` that is named, in any case.

    A cell that a part of the study has, or of a part the whole study, is taken over.

    By default all scenarios, and all methods or those of one `group` of `resource_groups`. With `repeat`, fit this
    repeat alone, write nothing, and print the outcome; `pdb` opens the debugger where it fails. The `log`
    gets what methods print, and the CPU time of each cell.
    """
    study = project.study(study_name)
    study.check_cell(dataset, scenario, method)
    if repeat is not None:
        if method is None:
            raise ConfigError("--repeat needs a scenario and a method")
        study.check_cell(dataset, scenario, method, repeat)
        print(fit_alone(StudyCell(project, study, dataset, scenario, method), repeat, pdb=pdb))
        return
    end_children_with_this_process()
    scenarios = [scenario] if scenario else [one.name for one in study.scenarios_of(dataset)]
    groups = {name: part for name, part in resource_groups(project, study).items() if group in (None, name)}
    cells = {
        name: [StudyCell(project, study, dataset, one, m) for one in scenarios for m in part if method in (None, m)]
        for name, part in groups.items()
    }
    for cell in itertools.chain(*cells.values()):
        cell.identity  # noqa: B018 - names an input that is missing, before anything is fitted
    again = method is not None
    pending = [cell for part in cells.values() for cell in part if again or not (is_done(cell) or taken_over(cell))]
    if pending:
        _fit_pending(pending, lanes, log, again=again)
    for name, part in cells.items():
        index, files = paths.fits_index(study.name, dataset, name), [cell.file for cell in part]
        if scenario:
            for file in files:
                update_index(index, file)
        else:
            write_index(index, files, {package for file in files for package in missing_packages(file)})


def _fit_pending(pending: list[StudyCell], lanes: int, log: Path | None, *, again: bool) -> None:
    """Fit the cells of one data set; those that another job has fitted meanwhile only if `again`."""
    study, dataset = pending[0].study, pending[0].dataset
    features = {one: load_features(study, dataset, one) for one in {cell.encoding for cell in pending}}
    labels = {name: labels_of(study, dataset, name) for name in dict.fromkeys(cell.scenario for cell in pending)}
    if any(map(len, labels.values())):
        _warm_up(pending)

    def work(cells: list[StudyCell]) -> None:
        with contextlib.ExitStack() as stack:
            for cell in sorted(cells, key=str):
                stack.enter_context(held(paths.lock(*cell.names)))
            if again or not all(map(is_done, cells)):
                loaded = [cell.load(labels[cell.scenario], features[cell.encoding]) for cell in cells]
                _fit_cells(cells, loaded, log)

    try:
        in_lanes(work, sharing(pending), lanes)
    finally:
        for scenario in labels:
            folder = paths.checkpoint(study.name, dataset, scenario, "method").parent
            with contextlib.suppress(OSError):  # folders that are empty now
                for one in (folder, *folder.parents[:2]):
                    one.rmdir()


def _fit_cells(cells: list[StudyCell], loaded: list[Cell], log: Path | None) -> None:
    """Fit cells that share their fits, and write a file for each."""
    checkpoints = [paths.checkpoint(*cell.names) for cell in cells]
    identities = [cell.identity for cell in cells]
    # a cell whose fits were interrupted is not finished with another version of a library
    keys = [source_code.digest([*one, cell.versions]) for one, cell in zip(identities, cells, strict=True)]
    study = cells[0].study
    seconds = cells[0].project.seconds(study, cells[0].method)
    results, cpu = run_cells(list(map(CellTask, loaded, checkpoints, keys)), seconds=seconds, output=log)
    if log:
        methods = "+".join(cell.method for cell in cells)
        with contextlib.suppress(OSError), log.open("a", encoding="utf-8") as handle:
            handle.write(f"# fitted {cells[0].scenario} {methods}: {cpu:.2f} CPU s\n")
    for cell, runs in zip(cells, results, strict=True):
        failed = [run for run in runs if run.status in FAILED]
        if failed and study.on_error == "raise":
            raise MethodError(
                f"repeat {failed[0].repeat}: {failed[0].message}",
                where=str(cell),
                hint=AS_A_ROW,
            )
    for cell, runs, checkpoint, identity in zip(cells, results, checkpoints, identities, strict=True):
        write_runs(cell.file, runs, *identity, versions=cell.versions)
        checkpoint.unlink(missing_ok=True)


def _warm_up(cells: list[StudyCell]) -> None:
    """Import what the forked processes need: modules of this package's methods, and the compiled tree kernels.

    Code of others is imported in the processes that run it.
    """
    import sklearn.base  # noqa: F401 - nearly all methods need it

    for estimator in dict.fromkeys(cell.estimator for cell in cells):
        if estimator.own:
            with contextlib.suppress(Exception):  # it is raised again where the method is built, and becomes a row
                estimator.load()
    if "scarce.trees.kernel" in sys.modules:
        from scarce import trees

        trees.warm()
    gc.collect()
    gc.freeze()  # the forked processes need not look through these objects for cycles


def fit_alone(cell: StudyCell, repeat: int, *, pdb: bool) -> str:
    """Run one repeat in the foreground and describe its outcome; no file is written, and exceptions are not caught.

    It runs in a child process, so that a method that ends its process leaves a message; with `pdb` in this one.

    Raises
    ------
    MethodError
        If the method ends its process.
    Exception
        Whatever the method raises.
    """
    loaded = cell.load()
    if reason := loaded.labels.repeat(repeat).skipped:
        return f"repeat {repeat} is skipped: {reason}"
    if pdb:
        run, trace = _attempt(loaded, repeat, pdb=True)
    else:
        with contextlib.suppress(OSError):  # there is none
            keyboard = os.dup(0)

        def attempt(repeat: int) -> tuple[Any, str]:
            with contextlib.suppress(NameError, OSError):  # a child has none, and the method may call breakpoint()
                sys.stdin = os.fdopen(keyboard)
            return _attempt(loaded, repeat)

        (outcome,) = run_each(attempt, [repeat])
        if outcome.status != "done":
            raise MethodError(outcome.value, where=f"{cell} repeat {repeat}")
        run, trace = outcome.value
    if isinstance(run, SystemExit):
        raise MethodError("the method ended the process", where=f"{cell} repeat {repeat}") from _Trace(trace)
    if isinstance(run, Exception):
        raise run from _Trace(trace)
    return (
        f"{cell} repeat {repeat}: {run.status}{f' ({run.message})' if run.message else ''}, "
        f"fit {run.fit_seconds:.3f} s, {len(run.test_scores)} test rows scored"
    )


class _Trace(Exception):
    """The traceback of an exception in a child process, as text."""


def _attempt(loaded: Cell, repeat: int, *, pdb: bool = False) -> tuple[Any, str]:
    """The run of a repeat, or the exception that ended it with its traceback."""
    try:
        return run_repeat(loaded, repeat, catch=False), ""
    except (Exception, SystemExit) as error:
        trace = f"\n{traceback.format_exc()}"
        if pdb:
            import pdb as debugger

            debugger.post_mortem(error.__traceback__)
        try:
            return pickle.loads(pickle.dumps(error)), trace
        except Exception:  # of a class of its own, which no other process can make
            return RuntimeError(f"{type(error).__name__}: {error}"), trace
