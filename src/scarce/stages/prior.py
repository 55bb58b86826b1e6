"""Rule `prior`: estimated class priors, for studies that estimate them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scarce import paths
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.errors import ConfigError, MethodError
from scarce.files import write_npz
from scarce.fitting.worker import end_children_with_this_process, in_lanes
from scarce.stages.cell import method_seed
from scarce.stages.index import update_index, write_index
from scarce.stages.inputs import labels_file, load_features


def prior(
    project: Project,
    study_name: str,
    dataset: str,
    scenario: str | None = None,
    *,
    lanes: int = 1,
    log: Path | None = None,
) -> None:
    """Estimate the class prior of each repeat from its training rows as methods see them; reads no y.

    Without a scenario, do so for all scenarios of the data set, `lanes` at a time.
    """
    end_children_with_this_process()
    study = project.study(study_name)
    study.check_cell(dataset, scenario)
    if study.options.estimator is None:
        raise ConfigError(f"study {study.name} estimates no class prior", hint="options: {class_prior: estimated:tice}")
    features = load_features(study, dataset, study.options.encoding)
    scenarios = [scenario] if scenario else [one.name for one in study.scenarios_of(dataset)]
    in_lanes(lambda name: _estimate(study, dataset, name, features, log), scenarios, lanes)
    files = [paths.prior(study.name, dataset, name) for name in scenarios]
    index = paths.priors_index(study.name, dataset)
    update_index(index, files[0]) if scenario else write_index(index, files)


def estimated(study: Study, dataset: str, scenario: str, repeat: int, X: Any, s: Any) -> tuple[float, str]:
    """The class prior of encoded training rows by the study's estimator, and why it is not to be relied on, or "".

    Raises what the estimator raises.
    """
    import warnings

    from scarce.prior import DoubtfulPrior, estimate_class_prior

    seed = method_seed(study, dataset, scenario, study.options.class_prior, repeat)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DoubtfulPrior)
        value = estimate_class_prior(X, s, study.options.estimator, random_state=seed)
    doubts = [one for one in caught if issubclass(one.category, DoubtfulPrior)]
    for one in caught:
        if one not in doubts:  # into the log, as without this record
            warnings.showwarning(one.message, one.category, one.filename, one.lineno)
    return value, "; ".join(str(one.message) for one in doubts)


def _estimate(study: Study, dataset: str, scenario: str, features: tuple, log: Path | None) -> None:
    import numpy as np

    from scarce.fitting.worker import run_each
    from scarce.labels.file import Labels

    X, encoder = features
    labels = Labels.load(labels_file(study, dataset, scenario))

    def estimate(repeat: int) -> tuple[float, str, str]:
        """The class prior, why there is none, and why it is not to be relied on."""
        one = labels.repeat(repeat)
        X_train = X[one.train]
        try:
            X_train = encoder().fit(X_train, one.s).transform(X_train) if encoder else X_train
            value, doubt = estimated(study, dataset, scenario, repeat, X_train, one.s)
            return value, "", doubt
        except Exception as error:
            return np.nan, f"{type(error).__name__}: {error}", ""

    priors, failed, notes = np.full(len(labels), np.nan), [""] * len(labels), [""] * len(labels)
    pending = [one.repeat for one in labels if not one.skipped]
    for repeat, outcome, value in run_each(estimate, pending, study.limits.seconds, log):
        priors[repeat], reason, notes[repeat] = value if outcome == "done" else (np.nan, value, "")
        if reason:
            failed[repeat] = f"no class prior: {' '.join(reason.split())[:250]}"
            if study.on_error == "raise":
                raise MethodError(
                    f"repeat {repeat}: {failed[repeat]}", where=f"{dataset} {scenario} {study.options.class_prior}"
                )
    arrays = {"failed": np.array(failed, str), "note": np.array(notes, str)}
    write_npz(paths.prior(study.name, dataset, scenario), class_prior=priors, **arrays)
