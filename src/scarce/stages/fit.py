"""Rule `fit`: scores of the validation and test rows for all methods and scenarios of one data set.

One process imports what the methods share and then forks: `lanes` processes that take cells (scenario, method), and for
each cell a child that runs its repeats. A cell whose file is valid is not fitted again.
"""

from __future__ import annotations

import contextlib
import gc
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

from scarce import paths, registry, source_code
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.errors import ConfigError, DataError, MethodError
from scarce.files import held
from scarce.fitting.worker import end_children_with_this_process, in_lanes
from scarce.stages.cell import cell, load_cell, resource_groups, sharing
from scarce.stages.index import update_index, write_index
from scarce.stages.inputs import digest_of_inputs, labels_of, load_features
from scarce.usage import fitted_line


class Job(NamedTuple):
    """What the cells of a job have in common."""

    project: Project
    study: Study
    dataset: str
    log: Path | None

    def fingerprint(self, method: str) -> str:
        return self.project.fingerprint(self.study, self.dataset, method)

    def inputs(self, scenario: str, method: str) -> str:
        return digest_of_inputs(self.study, self.dataset, scenario, self.project.encoding(self.study, method))

    def file(self, scenario: str, method: str) -> Path:
        return paths.fit(self.study.name, self.dataset, scenario, method)

    def missing_packages(self, scenario: str, method: str) -> list[str] | None:
        """The packages that a cell's valid file says are not installed; None if the file is missing or not valid."""
        from scarce.fitting.fits import missing_packages, read_runs

        try:
            runs, fingerprint, inputs = read_runs(self.file(scenario, method))
        except (OSError, DataError):
            return None
        valid = (fingerprint, inputs) == (self.fingerprint(method), self.inputs(scenario, method))
        return missing_packages(runs) if valid else None


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
    """Fit the cells of a data set that have no valid file, `lanes` at a time.

    Parameters
    ----------
    project : Project
    study_name, dataset : str
    scenario : str, optional
        By default, all scenarios of the study.
    method : str, optional
        Fit this method, again if its file is valid. By default, all methods of the study.
    group : str, optional
        Fit the methods of this group of equal resources; see `resource_groups`.
    lanes : int
        Processes that fit at a time.
    repeat : int, optional
        Fit this repeat of the method in this process, write nothing, and print the outcome; `pdb` opens the debugger
        where it fails.
    log : Path, optional
        File that gets what methods print, and the CPU time of each cell.
    """
    study = project.study(study_name)
    study.check_cell(dataset, scenario, method)
    if repeat is not None:
        if method is None:
            raise ConfigError("--repeat needs a scenario and a method")
        print(fit_alone(project, study_name, dataset, scenario, method, repeat, pdb=pdb))
        return
    end_children_with_this_process()
    scenarios = [scenario] if scenario else [one.name for one in study.scenarios]
    groups = resource_groups(project, study)
    methods = [method] if method else [name for part in groups if group in (None, part) for name in groups[part]]
    job = Job(project, study, dataset, log)
    for name in scenarios:  # before anything is fitted, name the input that is missing
        digest_of_inputs(study, dataset, name)
    _fit_pending(job, scenarios, methods, lanes, again=method is not None)
    for name, members in groups.items():
        index = paths.fits_index(study.name, dataset, name)
        if scenario:
            for one in set(members) & set(methods):
                update_index(index, job.file(scenario, one))
        elif group in (None, name):
            cells = [(one, member) for one in scenarios for member in members]
            missing = {package for one in cells for package in job.missing_packages(*one) or ()}
            write_index(index, [job.file(*one) for one in cells], missing)


def _fit_pending(job: Job, scenarios: list[str], methods: list[str], lanes: int, *, again: bool) -> None:
    """Fit the cells that have no valid file, or `again` all of them."""
    pending = {
        scenario: [m for m in methods if again or job.missing_packages(scenario, m) != []] for scenario in scenarios
    }
    if not any(pending.values()):
        return
    encodings = {name: job.project.encoding(job.study, name) for names in pending.values() for name in names}
    features = {one: load_features(job.study, job.dataset, one) for one in set(encodings.values())}
    labels = {name: labels_of(job.study, job.dataset, name) for name, names in pending.items() if names}
    if any(map(len, labels.values())):
        _warm_up(job.project, [method for method in methods if any(method in names for names in pending.values())])
    units = [
        (scenario, names)
        for scenario, names in pending.items()
        for names in sharing(job.project, job.study, job.dataset, scenario, names)
    ]

    def work(unit: tuple[str, list[str]]) -> None:
        scenario, names = unit
        cells = [
            cell(job.project, job.study, job.dataset, scenario, name, labels[scenario], features[encodings[name]])
            for name in names
        ]
        with contextlib.ExitStack() as stack:
            for name in sorted(names):
                stack.enter_context(held(paths.lock(job.study.name, job.dataset, scenario, name)))
            # another job may have fitted them while this one waited
            if again or any(job.missing_packages(scenario, name) != [] for name in names):
                _fit_unit(job, scenario, names, cells)

    try:
        in_lanes(work, units, lanes)
    finally:
        for scenario in pending:
            folder = paths.checkpoints(job.study.name, job.dataset, scenario, "method")
            with contextlib.suppress(OSError):  # folders that are empty now
                for parent in list(folder.parents)[:3]:
                    parent.rmdir()


def _fit_unit(job: Job, scenario: str, methods: list[str], cells: list[Any]) -> None:
    """Fit methods that share their fits, and write a file for each."""
    from scarce.fitting.cell import CellTask, run_cells
    from scarce.fitting.fits import FAILED, write_runs

    folders = [paths.checkpoints(job.study.name, job.dataset, scenario, method) for method in methods]
    identities = [(job.fingerprint(method), job.inputs(scenario, method)) for method in methods]
    keys = [source_code.digest(list(one)) for one in identities]
    seconds = job.project.seconds(job.study, methods[0])
    results, cpu = run_cells(list(map(CellTask, cells, folders, keys)), seconds=seconds, output=job.log)
    if job.log:
        with contextlib.suppress(OSError), job.log.open("a", encoding="utf-8") as handle:
            handle.write(fitted_line(scenario, methods, cpu))
    for method, runs in zip(methods, results, strict=True):
        failed = [run for run in runs if run.status in FAILED]
        if failed and job.study.on_error == "raise":
            raise MethodError(
                f"repeat {failed[0].repeat}: {failed[0].message}",
                where=f"{job.dataset} {scenario} {method}",
                hint="on_error: record would keep it as a row",
            )
    for method, runs, folder, identity in zip(methods, results, folders, identities, strict=True):
        write_runs(job.file(scenario, method), runs, *identity)
        shutil.rmtree(folder, ignore_errors=True)


def _warm_up(project: Project, methods: list[str]) -> None:
    """Import what the forked processes need: modules of this package's methods, and the compiled tree kernels.

    Code of others is imported in the processes that run it.
    """
    import sklearn.base  # noqa: F401 - nearly all methods need it

    for method in methods:
        entry = registry.find(project.method(method).estimator)
        if entry.own:
            with contextlib.suppress(Exception):  # it is raised again where the method is built, and becomes a row
                entry.load()
    if "scarce.trees.kernel" in sys.modules:
        from scarce import trees

        trees.warm()
    gc.collect()
    gc.freeze()  # the forked processes need not look through these objects for cycles


def fit_alone(
    project: Project, study_name: str, dataset: str, scenario: str, method: str, repeat: int, *, pdb: bool
) -> str:
    """Run one repeat in this process and describe its outcome; no file is written, and exceptions are not caught."""
    from scarce.fitting.cell import run_repeat

    study = project.study(study_name)
    study.check_cell(dataset, scenario, method, repeat)
    loaded = load_cell(project, study, dataset, scenario, method)
    if reason := loaded.labels.repeat(repeat).skipped:
        return f"repeat {repeat} is skipped: {reason}"
    try:
        run = run_repeat(loaded, repeat, catch=False)
    except (Exception, SystemExit) as error:
        if pdb:
            import pdb as debugger

            debugger.post_mortem(error.__traceback__)
        if isinstance(error, SystemExit):
            raise MethodError("the method ended the process", where=f"{dataset} {scenario} {method}") from error
        raise
    return (
        f"{dataset} {scenario} {method} repeat {repeat}: {run.status}{f' ({run.message})' if run.message else ''}, "
        f"fit {run.fit_seconds:.3f} s, {len(run.test_scores)} test rows scored"
    )
