"""A model to use: a method of a finished study, fitted to all rows of a data set, with the study's threshold."""

from __future__ import annotations

import pickle
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from scarce import paths
from scarce.commands.model_card import TRUST, card, remarks
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.data.frames import TableEncoder, columns_of, frame_of
from scarce.data.store import Features, Prepared, load_prepared
from scarce.errors import ConfigError, DataError, IncompleteError, MethodError
from scarce.files import atomic, sha256, write_json
from scarce.fitting.cell import seed_all
from scarce.fitting.fits import SCORED, read_identity
from scarce.fitting.fitted import left_by
from scarce.fitting.model import pipeline
from scarce.labels.file import RepeatLabels
from scarce.scoring.runs import strictly
from scarce.stages.cell import StudyCell
from scarce.stages.inputs import existing
from scarce.stages.label import drawn
from scarce.stages.prior import estimated
from scarce.stages.results import read
from scarce.words import number, one_line

#: What pickle raises for objects that it cannot write.
UNPICKLABLE = (pickle.PicklingError, TypeError, AttributeError)


def refit(
    project: Project, study_name: str, dataset: str, method: str, *, scenario: str | None = None, output: Path
) -> str:
    """Fit a method to all rows of a data set as a study does; write the pipeline, and a JSON that describes it.

    Raises
    ------
    ConfigError
        If the study has no such cell, has several scenarios and none is named, or has settings that need labels which
        no user of a model has.
    IncompleteError
        If the study has no results of the method on the data set, or outdated ones.
    DataError
        If no labels can be drawn on all rows.
    MethodError
        If the fit fails.
    """
    if output.suffix != ".joblib":
        raise ConfigError(f"{output}: the name of a model ends in .joblib", hint="-o model.joblib")
    study = project.study(study_name)
    study.check_cell(dataset, scenario, method)
    cell = StudyCell(project, study, dataset, scenario or _only_scenario(study, dataset), method)
    _refuse_told(cell)
    results = results_of(cell)
    data = load_prepared(dataset)
    _refuse_hidden_encoding(cell, data)
    labels = labels_of_all_rows(cell, data)
    threshold = float(np.median(results["runs"].threshold))
    model, notes = fitted(cell, data, labels, threshold)
    about = card(cell, data, labels, results, model, notes)
    try:
        with atomic(output) as handle:
            joblib.dump(model, handle)
    except UNPICKLABLE as error:
        raise MethodError(f"the fitted method cannot be written: {one_line(error)}", where=str(cell)) from None
    beside = output.with_suffix(".json")
    write_json(beside, about | {"file": {"name": output.name, "sha256": sha256(output)}})
    for line in remarks(about):
        print(f"scarce: warning: {line}", file=sys.stderr)
    rows, limit = number(len(labels.train), "row"), about["threshold"]
    return (
        f"{output}: {method} of study {study.name}, fitted to {rows} of {dataset}, {int(labels.s.sum())} of them "
        f"labeled; a score {limit['comparison']} {threshold:.6g} is positive\n"
        f"{beside}: what it was made from, and what it assumes\n"
        f"{TRUST}"
    )


def _only_scenario(study: Study, dataset: str) -> str:
    names = [one.name for one in study.scenarios_of(dataset)]
    if len(names) > 1:
        message = f"study {study.name} has {len(names)} scenarios for {dataset}: {', '.join(names)}"
        raise ConfigError(message, hint=f"choose one: --scenario {names[0]}")
    return names[0]


def results_of(cell: StudyCell) -> dict[str, Any]:
    """Rows of the study's result files ``runs`` (with a threshold) and ``scores`` that are of a cell.

    Raises
    ------
    IncompleteError
        If the study has none, none with a threshold, or outdated ones.
    """
    study, found = cell.study, {}
    for name in ("runs", "scores"):
        frame = read(paths.result(name, study.name), study)
        of_cell = (frame.dataset == cell.dataset) & (frame.scenario == cell.scenario) & (frame.method == cell.method)
        found[name] = frame[of_cell]
    cell.check_current(cell.file, *read_identity(existing(cell.file, study.name)))
    scored = found["runs"][found["runs"].status.isin(SCORED)]
    usable = scored[scored.threshold.notna()]
    if usable.empty:
        said = (scored if len(scored) else found["runs"]).message.dropna().unique().tolist()
        hint = said[0] if said else f"snakemake --cores 2 {study.name}"
        raise IncompleteError(f"{cell}: no run of study {study.name} has a threshold", hint=hint)
    for fingerprint in usable.fingerprint.unique():
        cell.check_current(paths.result("runs", study.name), fingerprint)
    return found | {"runs": usable}


def _refuse_told(cell: StudyCell) -> None:
    """Raise ConfigError where the method is told what no user of a model has."""
    spec = cell.project.method(cell.method)
    for told, what in ((spec.hidden_labels, "fitted on true labels"), (spec.propensity, "told the true propensities")):
        if told:
            message = f"{cell.method} is an oracle: it is {what}, which no user of a model has"
            raise ConfigError(message, hint="name another method")


def _refuse_hidden_encoding(cell: StudyCell, data: Prepared) -> None:
    """Raise ConfigError where the model would be encoded by true labels."""
    study = cell.study
    encodings = [cell.encoding, *([study.options.encoding] if study.options.estimator else [])]
    if "woe_all_true" in encodings and data.categorical.any():
        message = f"study {study.name} encodes nominal columns by the true labels of all rows (encoding: woe_all_true)"
        raise ConfigError(message, hint="refit from a study with encoding: woe_train_observed, onehot or none")


def labels_of_all_rows(cell: StudyCell, data: Prepared) -> RepeatLabels:
    """Observed labels and class prior of all rows, as the repeat after the study's last would have them.

    Raises
    ------
    DataError
        If the rows do not allow what the scenario asks for.
    MethodError
        If the class prior cannot be estimated.
    """
    study = cell.study
    labels = drawn(study, cell.dataset, study.scenario(cell.scenario), data, None, study.repeats + 1)[-1]
    if labels.skipped:
        raise DataError(labels.skipped, where=str(cell))
    if study.options.estimator is None:
        return labels
    try:
        X = encoder_of(data, study.options.encoding).fit_transform(frame_of(data).iloc[labels.train], labels.s)
        prior, doubt = estimated(study, cell.dataset, cell.scenario, labels.repeat, X, labels.s)
    except Exception as error:
        raise MethodError(f"no class prior: {type(error).__name__}: {one_line(error)}", where=str(cell)) from error
    return replace(labels, class_prior=prior, note="; ".join(filter(None, [labels.note, doubt])))


def encoder_of(data: Features, encoding: str) -> TableEncoder:
    """The unfitted encoder of a data set; without nominal columns, all encodings of numbers by labels are one."""
    encoding = "woe_train_observed" if encoding == "woe_all_true" else encoding
    return TableEncoder(columns_of(data), encoding, scaled=data.scaled, as_bytes=data.X.dtype == np.uint8)


def fitted(cell: StudyCell, data: Features, labels: RepeatLabels, threshold: float) -> tuple[Any, list[str]]:
    """The pipeline of a cell, fitted to training rows and their observed labels, and what the fit remarked.

    Raises
    ------
    MethodError
        If anything in the fit raises an exception.
    """
    options = cell.study.options
    strict = cell.project.method(cell.method).comparison == ">"
    strict = strictly(options.decision, options.threshold_search, strict=strict)
    try:
        estimator = cell.estimator.load()(**cell.filled_arguments(labels))
        model = pipeline(encoder_of(data, cell.encoding), estimator, threshold, strict=strict)
        seed_all(labels.seed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(frame_of(data).iloc[labels.train], labels.s)
    except Exception as error:
        raise MethodError(f"{type(error).__name__}: {one_line(error)}", where=str(cell)) from error
    notes = [*filter(None, [labels.note]), *left_by(model[-1].estimator_).notes]
    return model, list(dict.fromkeys([*notes, *(one_line(warning.message) for warning in caught)]))
