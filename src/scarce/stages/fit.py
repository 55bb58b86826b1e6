"""Rule `fit`: scores of the validation and test rows of one (data set, scenario, method)."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

from scarce import paths, source_code
from scarce.config.project import Project
from scarce.errors import MethodError
from scarce.files import held
from scarce.fitting.worker import end_children_with_this_process
from scarce.stages.cell import load_cell


def fit(
    project: Project,
    study_name: str,
    dataset: str,
    scenario: str,
    method: str,
    *,
    repeat: int | None = None,
    pdb: bool = False,
    log: Path | None = None,
) -> None:
    """Run all repeats of a cell, or those that an earlier job has not finished; `log` gets what the method prints.

    With `repeat`, run that repeat alone in this process and print what came of it.
    """
    if repeat is not None:
        print(fit_alone(project, study_name, dataset, scenario, method, repeat, pdb=pdb))
        return
    from scarce.fitting.cell import run_cell
    from scarce.fitting.fits import write_runs

    end_children_with_this_process()
    study = project.study(study_name)
    study.check_cell(dataset, scenario, method)
    fingerprint = project.fingerprint(study, dataset, method)
    cell, inputs = load_cell(project, study, dataset, scenario, method)
    folder = paths.checkpoints(study.name, dataset, scenario, method)
    key = source_code.digest([fingerprint, inputs])
    with held(folder.with_name(f".{method}.lock")):
        runs = run_cell(cell, folder, key, seconds=project.seconds(study, method), output=log)
        failed = [run for run in runs if run.status in ("failed", "timeout")]
        if failed and study.on_error == "raise":
            raise MethodError(
                f"repeat {failed[0].repeat}: {failed[0].message}",
                where=f"{dataset} {scenario} {method}",
                hint="on_error: record would keep it as a row",
            )
        write_runs(paths.fit(study.name, dataset, scenario, method), runs, fingerprint, inputs)
        shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):  # an empty folder of the scenario, of the data set, of all checkpoints
        for parent in folder.parents[:3]:
            parent.rmdir()


def fit_alone(
    project: Project, study_name: str, dataset: str, scenario: str, method: str, repeat: int, *, pdb: bool
) -> str:
    """Run one repeat in this process and say what came of it; no file is written, and exceptions are not caught."""
    from scarce.fitting.cell import run_repeat

    study = project.study(study_name)
    study.check_cell(dataset, scenario, method, repeat)
    cell, _ = load_cell(project, study, dataset, scenario, method)
    if reason := cell.labels.repeat(repeat).skipped:
        return f"repeat {repeat} is skipped: {reason}"
    try:
        run = run_repeat(cell, repeat, catch=False)
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
