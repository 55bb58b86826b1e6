"""The stages from prepared data to the scores of one cell: encode, label, fit."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pubench import paths, registry
from pubench.errors import ConfigError, IncompleteError, MethodError
from pubench.files import read_npz, sha256, write_json, write_npz
from pubench.project import Project
from pubench.seeds import derive
from pubench.study import Study


def encode(project: Project, study_name: str, dataset: str) -> None:
    """Encode the features on all rows, for studies whose encoding does that."""
    from pubench.data.encode import encode_all
    from pubench.data.store import load_prepared

    study, prepared = project.study(study_name), load_prepared(dataset)
    X = encode_all(prepared.X, prepared.y, prepared.categorical, study.options.encoding, scaled=prepared.scaled)
    write_npz(paths.features(study.name, dataset), X=X)


def label(project: Project, study_name: str, dataset: str, scenario: str) -> None:
    """Hide labels and split rows for all repeats; reads y, and writes none of it."""
    from pubench.data.store import load_prepared
    from pubench.labels import make_labels

    study = project.study(study_name)
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


def fit(project: Project, study_name: str, dataset: str, scenario: str, method: str) -> None:
    """Run all repeats of a cell, or those that an earlier job has not finished."""
    from pubench.evaluate.cell import run_cell
    from pubench.evaluate.fits import write_runs

    study = project.study(study_name)
    fingerprint = project.fingerprint(study, method)
    cell, inputs = load_cell(project, study, dataset, scenario, method)
    folder = paths.checkpoints(study.name, dataset, scenario, method)
    key = registry.digest([fingerprint, *map(sha256, inputs)])
    runs = run_cell(cell, folder, key, seconds=study.limits.seconds or project.method(method).limits.seconds)
    failed = [run for run in runs if run.status in ("failed", "timeout")]
    if failed and study.on_error == "raise":
        raise MethodError(
            f"repeat {failed[0].repeat}: {failed[0].message}",
            where=f"{dataset} {scenario} {method}",
            hint="on_error: record would keep it as a row",
        )
    write_runs(paths.fit(study.name, dataset, scenario, method), runs, fingerprint)
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):  # an empty folder of the scenario, of the data set, of all checkpoints
        for parent in folder.parents[:3]:
            parent.rmdir()


def there(file: Path, study: Study) -> Path:
    """The file itself.

    Raises
    ------
    IncompleteError
        If the workflow has not made it yet.
    """
    if not file.is_file():
        raise IncompleteError(f"{file} is not there yet", hint=f"snakemake --cores 2 {study.name}")
    return file


def features(study: Study, dataset: str) -> Path:
    """Where a fit reads its features: encoded on all rows, or prepared, to be encoded inside the fit."""
    return paths.features(study.name, dataset) if study.encodes_all_rows else paths.prepared(dataset)


def load_cell(project: Project, study: Study, dataset: str, scenario: str, method: str) -> tuple[Any, list]:
    """A cell ready to run, and the files it was read from."""
    from pubench.data.encode import FittedEncoder
    from pubench.data.store import load_features_only
    from pubench.evaluate.cell import Cell
    from pubench.labels import Labels

    study.scenario(scenario)
    labels_file = there(paths.labels(study.name, dataset, scenario), study)
    features_file = there(features(study, dataset), study)
    if study.encodes_all_rows:
        X, encoder = read_npz(features_file, "X")["X"], None
    else:
        prepared = load_features_only(dataset)
        X = prepared.X

        def encoder():
            return FittedEncoder(study.options.encoding, prepared.categorical, scaled=prepared.scaled)

    labels, build = Labels.load(labels_file), builder(project, study, dataset, scenario, method)
    if len(labels):
        build(
            labels.repeat(0)
        )  # an argument the estimator does not take is a fault of the configuration, not a failed run
    cell = Cell(
        build=build,
        features=X,
        labels=labels,
        encoder=encoder,
    )
    return cell, [labels_file, features_file]


def builder(project: Project, study: Study, dataset: str, scenario: str, method: str) -> Callable[[Any], Any]:
    """A function that builds the unfitted estimator for a repeat's labels.

    Raises
    ------
    ConfigError
        If the estimator does not take the arguments that methods.yaml gives it.
    """
    spec = project.method(method)
    estimator = registry.find(spec.estimator).load()
    arguments = spec.arguments(study)

    def build(labels: Any) -> Any:
        given = {
            "$class_prior": labels.class_prior,
            "$label_share": labels.label_share,
            "$seed": method_seed(study, dataset, scenario, method, labels.repeat),
        }
        filled = {
            name: given.get(value, value) if isinstance(value, str) else value for name, value in arguments.items()
        }
        try:
            return estimator(**filled)
        except TypeError as error:
            raise ConfigError(f"method {method}: {estimator.__name__} {error}") from error

    return build


def method_seed(study: Study, dataset: str, scenario: str, method: str, repeat: int) -> int:
    """The seed of an estimator: the repeat's number in a paper's setting, otherwise from the cell's names."""
    if study.options.seeds == "paper":
        return repeat
    return derive(study.seed, "method", dataset=dataset, scenario=scenario, method=method, repeat=repeat)


def fit_alone(
    project: Project, study_name: str, dataset: str, scenario: str, method: str, repeat: int, *, pdb: bool
) -> str:
    """Run one repeat in this process and say what came of it; no file is written, and exceptions are not caught."""
    from pubench.evaluate.cell import run_repeat

    study = project.study(study_name)
    cell, _ = load_cell(project, study, dataset, scenario, method)
    if reason := cell.labels.repeat(repeat).skipped:
        return f"repeat {repeat} is skipped: {reason}"
    try:
        run = run_repeat(cell, repeat, catch=False)
    except Exception as error:
        if pdb:
            import pdb as debugger

            debugger.post_mortem(error.__traceback__)
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
            "code": registry.code_digest("pubench.trees"),
        },
    )
