"""`scarce advise`: what can be said about a user's own positive and unlabeled data, and which method to take."""

from __future__ import annotations

import contextlib
import math
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scarce import paths
from scarce.commands.advised_project import (
    METHODS,
    Source,
    classes_of,
    lay_out,
    positive_value,
    study_of,
    write_study,
)
from scarce.errors import ConfigError, DataError, ScarceError
from scarce.words import listed, number

if TYPE_CHECKING:
    import numpy as np

    from scarce.analysis.findings import Findings, MethodFacts, PriorBounds, TableFacts
    from scarce.analysis.scar import ScarResult
    from scarce.commands.progress import Line
    from scarce.config.project import Project
    from scarce.config.study import Study
    from scarce.data.store import Prepared
    from scarce.prior import PriorInterval

SCENARIO = "observed"
ORDERED_BY = "pu_ap_test"
#: Estimator of the class prior -> settings under which it costs seconds, not minutes, on rows that say little.
SETTINGS = {"km2": {"max_rows": 400, "n_resamples": 4}}


def advise(
    data: Path,
    *,
    label: str,
    positive: str | None = None,
    drop: Sequence[str] = (),
    keep: Sequence[str] = (),
    missing: Sequence[str] = (),
    delimiter: str = ",",
    class_prior: Sequence[float] = (),
    out: Path | None = None,
    seed: int = 0,
    lanes: int = 2,
) -> str:
    """Examine a CSV file of PU data, write the advice into a new folder, and return its lines for the terminal.

    Raises
    ------
    DataError
        If the file cannot be read, or does not allow any advice.
    ConfigError
        If the class prior that the user states is impossible.
    """
    source = Source(data, label, positive, drop, keep, missing, delimiter)
    counts = classes_of(source)
    labeled = positive_value(source, counts)
    (unlabeled,) = set(counts) - {labeled}
    stated = _stated(class_prior, counts[labeled] / counts.total())
    folder = out or Path(f"advise-{source.name.removeprefix('own_')}")
    lay_out(folder, source, labeled, unlabeled)
    try:
        with contextlib.chdir(folder):
            table = _prepared(source)
    except ScarceError:  # nothing worth keeping was made
        shutil.rmtree(folder, ignore_errors=True)
        raise
    from scarce.commands.progress import Line

    with contextlib.chdir(folder), Line(every=math.inf) as line:
        return _examined(source, labeled, table, stated, seed, lanes, folder, line)


def _stated(prior: Sequence[float], labeled_share: float) -> tuple[float, float] | None:
    """The interval of the class prior that the user states."""
    if not prior:
        return None
    if len(prior) > 2 or sorted(prior) != list(prior):
        raise ConfigError(f"--class-prior {' '.join(map(str, prior))}: one number, or the smaller and the larger one")
    low, high = prior[0], prior[-1]
    if not labeled_share < low <= high < 1:
        raise ConfigError(
            f"--class-prior {' '.join(map(str, prior))}: it lies between the share of labeled rows, "
            f"{labeled_share:.4g}, all of them positives, and 1"
        )
    return low, high


def _prepared(source: Source) -> Prepared:
    """The table, read and checked by the stages `fetch` and `prepare`; nothing doubtful that the user did not keep."""
    import numpy as np

    from scarce.config.loading import load_project
    from scarce.data.doubts import numberings, telling
    from scarce.data.store import load_prepared
    from scarce.stages.fetch import fetch
    from scarce.stages.prepare import prepare

    project = load_project([], strict=False)
    list(fetch(project, [source.name], missing=False, allow_missing=False))
    prepare(project, source.name, allow_unusable=False)
    table = load_prepared(source.name)
    found = {table.names[at]: how for at, how in numberings(table.names, table.X, np.arange(len(table.y)))}
    found |= dict.fromkeys(telling(table.names, table.X, table.y), "alone tells labeled from unlabeled rows")
    if doubtful := {name: how for name, how in found.items() if name not in source.keep}:
        columns = "; ".join(f"column {name!r} {how}" for name, how in doubtful.items())
        names = " ".join(f'"{name}"' if " " in name else name for name in doubtful)
        raise DataError(
            f"{columns}: an identifier, or known only because the row is labeled?",
            where=source.file.name,
            hint=f"leave out by --drop {names}, or, if it is known of every row beforehand, --keep {names}",
        )
    return table


def _examined(
    source: Source, labeled: str, table: Prepared, stated: Any, seed: int, lanes: int, folder: Path, line: Line
) -> str:
    """Everything after the checks: estimates, fits, and the files of the advice."""
    from scarce.analysis.findings import prior_bounds
    from scarce.data.encode import FittedEncoder

    about = f"{source.file.name}, {number(len(table.y), 'row')}"
    line.show(f"{about}: estimates the class prior, fits methods, tests whether labels are random")
    X = FittedEncoder("onehot", table.categorical).fit_transform(table.X, table.y)
    priors = _priors(X, table.y, seed)
    bounds = prior_bounds(priors, stated)
    told = bounds.told is not None
    # without one to tell, hardly more than the labeled share, which differs by a row or two between folds
    prior = bounds.told or bounds.low + 3 / len(table.y)
    study_file = study_of(source, prior, (bounds.low, bounds.high), told, seed)
    project = write_study(study_file)
    study = project.study(source.name)
    _fitted(project, study, source.name, lanes, line)
    line.show(f"{about}: tests whether labels are random")
    findings = _findings(project, study, _facts(source, labeled, table), priors, bounds, X, seed)
    return _written(findings, folder)


def _priors(X: np.ndarray, s: np.ndarray, seed: int) -> list[PriorInterval]:
    from scarce.prior import ESTIMATORS, class_prior_interval

    return [class_prior_interval(X, s, method, random_state=seed, **SETTINGS.get(method, {})) for method in ESTIMATORS]


def _facts(source: Source, labeled: str, table: Prepared) -> TableFacts:
    import numpy as np

    from scarce.analysis.findings import TableFacts

    return TableFacts(
        source.file.name, source.label, labeled, len(table.y), len(table.names), int(table.categorical.sum()),
        int(table.y.sum()), int(np.isnan(table.X).sum()), list(source.drop), table.description["warnings"],
    )  # fmt: skip


def _fitted(project: Project, study: Study, dataset: str, lanes: int, line: Line) -> None:
    """Run the stages of the study from its labels to its statistics."""
    from scarce.commands.progress import Cells, showing
    from scarce.stages.analyse import analyse
    from scarce.stages.collect import collect
    from scarce.stages.fit import fit
    from scarce.stages.label import label

    label(project, study.name, dataset)
    with showing(Cells(project, study), line, "Fit methods", lanes):
        fit(project, study.name, dataset, lanes=lanes, log=paths.log("advise", "fit"))
    collect(project, study.name)
    analyse(project, study.name)


def _findings(
    project: Project,
    study: Study,
    facts: TableFacts,
    priors: list[PriorInterval],
    bounds: PriorBounds,
    X: np.ndarray,
    seed: int,
) -> Findings:
    import numpy as np

    from scarce.analysis.findings import Findings
    from scarce.analysis.proposal import propose
    from scarce.analysis.similar_sets import Facts, similar
    from scarce.files import read_csv
    from scarce.stages.inputs import true_labels

    s = true_labels(study, study.name)  # of a study of observed labels, what was observed
    scores = read_csv(paths.result("scores", study.name))
    methods = [_method(project, study, method, scores, len(s)) for method in study.fitted_methods]
    pairs = read_csv(paths.result("pairs", study.name))
    pairs = pairs[pairs["metric"] == ORDERED_BY]
    near = similar(
        Facts(facts.rows, facts.columns, facts.nominal / facts.columns, facts.labeled_share), study.fitted_methods
    )
    means = {one.method: one.means.get(ORDERED_BY, np.nan) for one in methods if not one.failed}
    proposal = propose(means, pairs, near[list(means)].mean().to_dict())
    left_out = [project.methods[name].label for name in METHODS if name not in study.fitted_methods]
    naive = next(one for one in methods if one.method == next(iter(METHODS)))
    tests = _scar(X, s, bounds, naive.scores, seed)
    return Findings(study.name, facts, priors, bounds, tests, methods, left_out, ORDERED_BY, pairs, proposal, near, s)


def _method(project: Project, study: Study, method: str, scores: Any, n: int) -> MethodFacts:
    """A method's out-of-fold scores, thresholds and metrics, from the files of the stages."""
    import numpy as np

    from scarce.analysis.findings import MethodFacts
    from scarce.fitting.fits import SCORED, read_runs
    from scarce.stages.inputs import labels_of

    labels = labels_of(study, study.name, SCENARIO)
    out_of_fold, fold = np.full(n, np.nan), np.zeros(n, int)
    runs = read_runs(paths.fit(study.name, study.name, SCENARIO, method)).runs
    for run in runs:
        if run.status in SCORED:
            test = labels.repeat(run.repeat).test
            out_of_fold[test], fold[test] = run.test_scores, run.repeat
    own = scores[scores["method"] == method]
    by_fold = own[own["metric"] == "threshold_observed"].set_index("repeat")["value"]
    failed = listed(sorted({f"{run.status}: {run.message}" for run in runs if run.status not in SCORED}))
    return MethodFacts(
        method, project.methods[method].label, METHODS[method][1], out_of_fold, fold,
        by_fold.reindex(range(study.repeats)).to_numpy(float), own.groupby("metric")["value"].mean().to_dict(), failed,
    )  # fmt: skip


def _scar(X: np.ndarray, s: np.ndarray, bounds: PriorBounds, scores: np.ndarray, seed: int) -> list[ScarResult]:
    """SCAR tests given class priors around the one that is told to methods; none without one or without scores."""
    import numpy as np

    from scarce.analysis.scar import FACTORS, ScarResult
    from scarce.prior.scar_test import scar_test
    from scarce.scoring.without_negatives import auc_given_prior, pu_auc, unlabeled_prior

    if bounds.told is None or np.isnan(scores).any():
        return []
    line = s[None] == 1
    area = pu_auc(line, scores[None])
    results = []
    for prior in (factor * bounds.told for factor in FACTORS):
        if s.sum() < round(prior * len(s)) < len(s):
            test = scar_test(X, s, prior, scores=scores, n_draws=199, random_state=seed)
            auc = auc_given_prior(area, unlabeled_prior(prior, line, "one_sample"))
            results.append(ScarResult(prior, float(auc[0]), test.p_value))
    return results


def _written(findings: Findings, folder: Path) -> str:
    """Write the page, the ranked rows and the JSON into the working directory; the lines for the terminal."""
    from scarce.files import write_csv, write_json, write_text
    from scarce.report.advised import advice, ranked

    said = advice(findings, folder.as_posix())
    write_text("advise.html", said.page())
    write_json("advise.json", said.as_json())
    write_csv("ranked.csv", ranked(findings))
    files = f"Open {folder}/advise.html; rows by score are in {folder}/ranked.csv, all numbers in {folder}/advise.json."
    return "\n".join([*said.summary(), files])
