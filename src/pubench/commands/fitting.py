"""The stages from prepared data to the scores of one cell: encode, label, prior, fit."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pubench import paths, registry, seeds, source_code
from pubench.errors import ConfigError, IncompleteError, MethodError
from pubench.files import held, read_npz, sha256, write_json, write_npz
from pubench.project import Project
from pubench.study import Study


def encode(project: Project, study_name: str, dataset: str) -> None:
    """Encode the features on all rows, for studies whose encoding does that."""
    from pubench.data.encode import encode_all
    from pubench.data.store import load_prepared

    study = project.study(study_name)
    study.check_cell(dataset)
    prepared = load_prepared(dataset)
    X = encode_all(prepared.X, prepared.y, prepared.categorical, study.options.encoding, scaled=prepared.scaled)
    write_npz(paths.features(study.name, dataset), X=X)


def label(project: Project, study_name: str, dataset: str, scenario: str) -> None:
    """Hide labels and split rows for all repeats; reads y, and writes none of it."""
    from pubench.data.store import load_prepared
    from pubench.labels import make_labels

    study = project.study(study_name)
    study.check_cell(dataset, scenario)
    made = make_labels(
        load_prepared(dataset).y,
        scenario=study.scenario(scenario),
        split=study.split,
        repeats=study.repeats,
        options=study.options,
        study_seed=study.seed,
        dataset=dataset,
    )
    made.save(paths.labels(study.name, dataset, scenario))


def prior(project: Project, study_name: str, dataset: str, scenario: str, *, log: Path | None = None) -> None:
    """Estimate the class prior of each repeat from its training rows as methods see them; reads no y."""
    import numpy as np

    from pubench.evaluate.worker import run_each
    from pubench.labels import Labels
    from pubench.prior import estimate_class_prior

    _end_children_with_this_process()
    study = project.study(study_name)
    study.check_cell(dataset, scenario)
    method = study.options.estimator
    if method is None:
        raise ConfigError(f"study {study.name} estimates no class prior", hint="options: {class_prior: estimated:tice}")
    labels = Labels.load(there(paths.labels(study.name, dataset, scenario)))
    X, encoder = load_features(study, dataset)

    def estimate(repeat: int) -> tuple[float, str]:
        rows, s = labels.repeat(repeat).train, labels.s[repeat]
        seed = method_seed(study, dataset, scenario, study.options.class_prior, repeat)
        try:
            X_train = encoder().fit(X[rows], s[rows]).transform(X[rows]) if encoder else X[rows]
            return estimate_class_prior(X_train, s[rows], method, random_state=seed), ""
        except Exception as error:
            return np.nan, f"{type(error).__name__}: {error}"

    priors, failed = np.full(len(labels), np.nan), [""] * len(labels)
    pending = [one.repeat for one in labels if not one.skipped]
    for repeat, outcome, value in run_each(estimate, pending, study.limits.seconds, log):
        priors[repeat], reason = value if outcome == "done" else (np.nan, value)
        if reason:
            failed[repeat] = f"no class prior: {' '.join(reason.split())[:250]}"
            if study.on_error == "raise":
                raise MethodError(
                    f"repeat {repeat}: {failed[repeat]}", where=f"{dataset} {scenario} {study.options.class_prior}"
                )
    write_npz(paths.prior(study.name, dataset, scenario), class_prior=priors, failed=np.array(failed, str))


def labels_of(study: Study, dataset: str, scenario: str) -> Any:
    """The labels of a cell, with the estimated class priors where the study estimates them."""
    from pubench.labels import Labels

    labels = Labels.load(there(paths.labels(study.name, dataset, scenario)))
    if study.options.estimator is None:
        return labels
    estimated = read_npz(there(paths.prior(study.name, dataset, scenario)), "class_prior", "failed")
    return labels.with_priors(**estimated)


def fit(
    project: Project, study_name: str, dataset: str, scenario: str, method: str, *, log: Path | None = None
) -> None:
    """Run all repeats of a cell, or those that an earlier job has not finished; `log` gets what the method prints."""
    from pubench.evaluate.cell import run_cell
    from pubench.evaluate.fits import write_runs

    _end_children_with_this_process()
    study = project.study(study_name)
    study.check_cell(dataset, scenario, method)
    fingerprint = project.fingerprint(study, method)
    cell, inputs = load_cell(project, study, dataset, scenario, method)
    folder = paths.checkpoints(study.name, dataset, scenario, method)
    key = source_code.digest([fingerprint, inputs])
    with held(folder.with_name(f".{method}.lock")):
        runs = run_cell(cell, folder, key, seconds=project.method(method).seconds(study), output=log)
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


def _end_children_with_this_process() -> None:
    """Have the system end what this process forks as soon as it is ended itself, even by kill -9 (Linux)."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    parent, prctl = os.getpid(), ctypes.CDLL(None).prctl

    def remember() -> None:  # what is forked may fork as well
        nonlocal parent
        parent = os.getpid()

    def bind() -> None:
        prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:  # it was ended before this took hold
            os._exit(1)

    os.register_at_fork(before=remember, after_in_child=bind)


def there(file: Path, asked: str = "") -> Path:
    """The file itself.

    Parameters
    ----------
    file : Path
    asked : str, optional
        What Snakemake is to be asked for to have it; by default its name, since a finished study misses no input of
        its fits.

    Raises
    ------
    IncompleteError
        If the workflow has not made it yet, or it is there no more.
    """
    if not file.is_file():
        raise IncompleteError(f"{file} is not there", hint=f"snakemake --cores 2 {asked or file}")
    return file


def features(study: Study, dataset: str) -> Path:
    """Where a fit reads its features: encoded on all rows, or prepared, to be encoded inside the fit."""
    return paths.features(study.name, dataset) if study.encodes_all_rows else paths.prepared(dataset)


@functools.cache
def digest_of(file: Path) -> str:
    """SHA-256 of a file that does not change while the command runs."""
    return sha256(file)


def digest_of_inputs(study: Study, dataset: str, scenario: str) -> str:
    """What a fit was made from: its labels, its features, and its class priors where they are estimated."""
    files = [paths.labels(study.name, dataset, scenario), features(study, dataset)]
    if study.options.estimator:
        files.append(paths.prior(study.name, dataset, scenario))
    return source_code.digest([digest_of(there(file)) for file in files])


def load_cell(project: Project, study: Study, dataset: str, scenario: str, method: str) -> tuple[Any, str]:
    """A cell ready to run, and the digest of what it was read from."""
    from pubench.evaluate.cell import Cell

    study.check_cell(dataset, scenario, method)
    labels = labels_of(study, dataset, scenario)
    X, encoder = load_features(study, dataset)
    build = builder(project, study, dataset, scenario, method)
    foreign = not registry.find(project.method(method).estimator).own
    if foreign:  # what nearly all of them import takes a second: once here, not in the process of each repeat
        import sklearn.base  # noqa: F401
    return Cell(build, X, labels, encoder, foreign), digest_of_inputs(study, dataset, scenario)


def load_features(study: Study, dataset: str) -> tuple[Any, Callable[[], Any] | None]:
    """Features encoded on all rows, or prepared ones with what makes a new encoder to be fitted on training rows."""
    from pubench.data.encode import FittedEncoder
    from pubench.data.store import load_features_only

    file = there(features(study, dataset))
    if study.encodes_all_rows:
        return read_npz(file, "X")["X"], None
    prepared = load_features_only(dataset)
    return prepared.X, lambda: FittedEncoder(study.options.encoding, prepared.categorical, scaled=prepared.scaled)


def builder(project: Project, study: Study, dataset: str, scenario: str, method: str) -> Callable[[Any], Any]:
    """A function that builds the unfitted estimator for a repeat's labels.

    What goes wrong in it (an import that fails, an argument that is refused) is the method's failure, and a row.
    """
    entry = registry.find(project.method(method).estimator)
    return lambda labels: entry.load()(**arguments(project, study, dataset, scenario, method, labels))


def arguments(project: Project, study: Study, dataset: str, scenario: str, method: str, labels: Any) -> dict[str, Any]:
    """Arguments of the estimator for a repeat's labels."""
    given = {
        "$class_prior": labels.class_prior,
        "$label_share": labels.label_share,
        "$seed": method_seed(study, dataset, scenario, method, labels.repeat),
        "$repeat_seed": labels.seed,
        "$categorical": list(_nominal(dataset)) if study.options.encoding == "none" else [],
    }
    return project.method(method).arguments(study, given)


@functools.cache
def _nominal(dataset: str) -> tuple[int, ...]:
    """Places of a data set's nominal columns; a method sees none where they are encoded as numbers."""
    from pubench.data.store import load_features_only

    return tuple(load_features_only(dataset).categorical.nonzero()[0].tolist())


def method_seed(study: Study, dataset: str, scenario: str, method: str, repeat: int) -> int:
    """The seed of a method in one run; scenarios that differ in the prior's factor alone are paired by sharing it."""
    run = {"dataset": dataset, "scenario": study.scenario(scenario).plain, "method": method, "repeat": repeat}
    return seeds.of_method(study.options.seeds, study.seed, **run)


def fit_alone(
    project: Project, study_name: str, dataset: str, scenario: str, method: str, repeat: int, *, pdb: bool
) -> str:
    """Run one repeat in this process and say what came of it; no file is written, and exceptions are not caught."""
    from pubench.evaluate.cell import run_repeat

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


def warm() -> None:
    """Compile the tree kernels once, so that parallel jobs find them in the cache."""
    import platform

    import numba

    from pubench import trees

    trees.warm()
    write_json(
        paths.KERNELS,
        {
            "numba": numba.__version__,
            "python": platform.python_version(),
            "code": source_code.code_digest("pubench.trees"),
        },
    )
