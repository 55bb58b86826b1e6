"""Compare one method with those of a pack: it alone is fitted, on the pack's labels and splits."""

from __future__ import annotations

import csv
import inspect
import io
import itertools
import re
import shlex
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scarce import paths, registry
from scarce.analysis.head_to_head import COLUMNS, head_to_head
from scarce.analysis.rope import ROPE
from scarce.commands.pack import restore_labels
from scarce.commands.terminal import Said, grid
from scarce.config.methods import MethodSpec
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.data.availability import missing
from scarce.errors import ConfigError, DataError, IncompleteError
from scarce.files import read_json, sha256, write_csv, write_json
from scarce.scoring.collect import ordered
from scarce.scoring.observed_metrics import ALL_METRICS
from scarce.stages import pack_files as files
from scarce.stages.analyse import analyse
from scarce.stages.collect import cells, counts_by_version, scored, statuses, write_tables
from scarce.stages.describe import datapackage, manifest
from scarce.stages.figures import figures
from scarce.stages.fit import fit
from scarce.stages.given_scores import fits_from_csv
from scarce.stages.label import encode
from scarce.stages.page import page
from scarce.stages.results import read
from scarce.stages.tables import tables
from scarce.stages.verdicts import verdicts
from scarce.words import closest, did_you_mean, listed, number

NOT_DESCRIBED = "this project does not describe it"
#: Arguments of an estimator that are filled in where its class takes them.
FILLED = {"random_state": "$seed", "class_prior": "$class_prior"}
#: Data sets from which on Wilcoxon's signed-rank test can reject at 0.05: the smallest p-value is 2 / 2**n.
FEW = 6


def compare(
    project: Project,
    method: str,
    *,
    against: Path,
    control: str | None = None,
    rope: float = ROPE,
    lanes: int = 1,
) -> Said:
    """Fit a method on the labels and splits of a pack, and write the results of the pack's study with it.

    Parameters
    ----------
    method : str
        A method of the project that the pack lacks, ``module:Class``, or a CSV of scores (see `fits_from_csv`).
    against : Path
        A pack; see `scarce.stages.pack_files`.
    control : str, optional
        The method that Holm's procedure compares with; by default as in the study.
    rope : float
        Differences up to it are practically none in the Bayesian signed-rank test.
    lanes : int
        Processes at a time.

    Raises
    ------
    ConfigError
        If the method is not known, is in the pack, or the control is not; or `rope` is negative.
    DataError
        If the pack is damaged, or none of its data sets can be had.
    """
    if not rope >= 0:
        raise ConfigError(f"--rope must be 0 or more, got {rope}")
    about = files.read_index(against)
    spec = described(project, method)
    if spec.name in about["methods"]:
        own = method != spec.name  # a class or a CSV, which may well be something else
        hint = "give the class or the file another name" if own else "its numbers are in the pack's scores.csv"
        raise ConfigError(f"the pack has {spec.name}", hint=hint)
    study = derived(project, about, spec, control)
    project = with_method(project, about, study, spec)
    given = Path(method) if method.endswith(".csv") else None
    there = [name for name in study.datasets if about["datasets"][name]["status"] == "ok"]
    left_out = {name: NOT_DESCRIBED for name in about["study"]["datasets"] if name not in study.datasets}
    left_out |= {} if given else {name: why for name in there if (why := _lacking(project, name, about))}
    kept = [name for name in there if name not in left_out]
    if not kept:
        raise DataError(f"none of the data sets can be had: {_reasons(left_out)}", hint="set a mirror: scarce doctor")
    if given:  # in place of a fingerprint of code
        about["fingerprints"] = {name: {spec.name: f"scores {sha256(given)}"} for name in there}
    _mark(study, about | {"compared": spec.name}, left_out)
    restore_labels(study, against, kept)
    usable = study.model_copy(update={"datasets": kept})
    if given:
        fits_from_csv(project, usable, spec.name, given)
    for dataset in kept if not given else ():
        if study.encodes_all_rows:
            from scarce.data.store import load_prepared

            encode(study, load_prepared(dataset))
        fit(project, study.name, dataset, None, spec.name, lanes=lanes)
    again = shlex.join(["scarce", "compare", method, "--against", str(against)])
    _collect(project, study, usable, spec.name, against, again)
    analyse(project, study.name)
    verdicts(project, study.name)
    for stage in (tables, figures, page):
        stage(project, study.name)
    return _answer(study, spec, f"{len(kept)} of {number(len(about['study']['datasets']), 'data set')}", left_out, rope)


def described(project: Project, method: str) -> MethodSpec:
    """The description of a method: that of the project, or one of a class or of a CSV of scores.

    An argument of the class that `FILLED` names is filled in for each repeat; others keep their defaults.
    """
    if method.endswith(".csv"):
        if not Path(method).is_file():
            raise ConfigError(f"{method} is not there")
        name = _plain(Path(method).stem) or "scores"
        return MethodSpec(name=name, label=Path(method).stem, family="compared", estimator="given:Scores")
    if method in {*project.methods, *(name for kind, name in project.faults if kind == "method")}:
        return project.method(method)
    if not registry.TARGET.fullmatch(method):
        raise ConfigError(f"no method is named {method!r}", hint=_meant(method, project.methods))
    target = registry.find(method).load()
    if not inspect.isclass(target):
        raise ConfigError(f"{method} is no class", hint="name a scikit-learn classifier as module:Class")
    arguments = inspect.signature(target).parameters
    lacking = [
        name
        for name, one in arguments.items()
        if one.default is one.empty and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY) and name not in FILLED
    ]
    if lacking:
        hint = "describe it in config/methods.yaml, and compare it by the name that it has there"
        raise ConfigError(f"{method} needs {listed(lacking)}", hint=hint)
    label = method.partition(":")[2]
    params = {name: value for name, value in FILLED.items() if name in arguments}
    return MethodSpec(name=_plain(label) or "method", label=label, family="compared", estimator=method, params=params)


def _meant(name: str, methods: Iterable[str]) -> str:
    """What a name may stand for: a class of scikit-learn, a method that is named alike, or any class."""
    from sklearn.utils import all_estimators

    classes = {cls: found.__module__ for cls, found in all_estimators("classifier")}
    alike = closest(name, classes)
    if name not in classes and (method := closest(name, methods)):
        return f"did you mean {method}?"
    if alike is None:
        return "a class is given as module:Class, such as sklearn.ensemble:RandomForestClassifier"
    public = itertools.takewhile(lambda part: not part.startswith("_"), classes[alike].split("."))
    return f"a class is given as module:Class; did you mean {'.'.join(public)}:{alike}?"


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()).strip("_")


def derived(project: Project, about: Mapping[str, Any], spec: MethodSpec, control: str | None) -> Study:
    """The study of a pack with one method more, under a name of its own, on the data sets that the project describes.

    Raises ConfigError where the project describes none, or the control is no method of it.
    """
    datasets = [name for name in about["study"]["datasets"] if name in project.datasets]
    if not datasets:
        raise ConfigError(f"this project describes no data set of the pack {about['name']!r}")
    fitted = [*about["methods"], spec.name]
    if control not in (None, "best", *fitted):
        raise ConfigError(f"the pack has no method {control!r}", hint=did_you_mean(control, fitted))
    analysis = about["study"]["analysis"] | ({"control": control} if control else {})
    title = f"{about['study']['title']}, with {spec.label}"
    name = f"{about['name']}_with_{spec.name}"
    settings = {"name": name, "title": title, "datasets": datasets, "methods": fitted, "analysis": analysis}
    return Study.model_validate(about["study"] | settings)


def with_method(project: Project, about: Mapping[str, Any], study: Study, spec: MethodSpec) -> Project:
    """The project with the derived study, the method, and those of the pack that it does not know."""
    unknown = {
        name: MethodSpec(name=name, label=one["label"], family=one["family"], estimator=one["estimator"])
        for name, one in about["methods"].items()
        if name not in project.methods
    }
    return replace(
        project,
        methods=project.methods | unknown | {spec.name: spec},
        studies=project.studies | {study.name: study},
    )


def _lacking(project: Project, dataset: str, about: Mapping[str, Any]) -> str:
    """Why a data set of a pack cannot be fitted here, or ""; fetches and prepares it where it is not there."""
    from scarce.stages.fetch import fetch
    from scarce.stages.prepare import prepare

    described = paths.prepared_json(dataset)
    if not described.is_file() or missing(dataset):
        list(fetch(project, [dataset], missing=False, allow_missing=True))
        prepare(project, dataset, allow_unusable=True)
    if why := missing(dataset):
        return why
    if read_json(described)["content_sha256"] != about["descriptions"][dataset]["content_sha256"]:
        return "its table here is not that of the pack"
    return ""


def _mark(study: Study, about: Mapping[str, Any], left_out: Mapping[str, str]) -> None:
    """Start the folder of the results, with what the pack says but for the data sets that are left out."""
    folder, mark = paths.results(study.name), paths.pack_mark(study.name)
    if folder.exists():
        if not (mark.is_file() and "compared" in read_json(mark)):
            raise ConfigError(f"{folder} is there and is no comparison", hint="move it away")
        shutil.rmtree(folder)
    gone = {name: {**about["datasets"][name], "status": "unavailable", "reason": why} for name, why in left_out.items()}
    write_json(mark, {**about, "datasets": about["datasets"] | gone})


def _collect(project: Project, study: Study, usable: Study, method: str, pack: Path, again: str) -> None:
    """Write the tables of runs: the rows of a pack as they are, and those of the method, scored here."""
    parts: dict[str, dict] = {}
    fitted: dict[str, Counter] = {}
    rows = scored(usable, cells(project, usable, parts, fitted, [method]))
    rows["failures"] = [(*row[:-1], again) for row in rows["failures"]]
    merged = {table: ordered(table, [*_packed(pack, table, usable.datasets), *new]) for table, new in rows.items()}
    write_tables(study, merged)
    for library, counts in read_json(paths.pack_mark(study.name))["fitted_with"].items():
        fitted.setdefault(library, Counter()).update(counts)
    described = manifest(project, study, statuses(merged), parts, counts_by_version(fitted))
    write_json(paths.result("manifest", study.name), described)
    write_json(paths.result("datapackage", study.name), datapackage(study))


def _packed(pack: Path, table: str, datasets: Sequence[str]) -> list[tuple]:
    """Rows of a pack's table of runs on some data sets, as text but for the repeat."""
    rows = csv.reader(io.StringIO(files.read_result(pack, f"{table}.csv").decode()))
    next(rows)
    return [(dataset, scenario, int(repeat), *more) for dataset, scenario, repeat, *more in rows if dataset in datasets]


def _answer(study: Study, spec: MethodSpec, counted: str, left_out: Mapping[str, str], rope: float) -> Said:
    """Write comparison.csv, and say in short what it holds."""
    lower = [metric.name for metric in ALL_METRICS.values() if metric.direction == "min"]
    stats = {part: read(paths.result(part, study.name), study) for part in ("block_ranks", "ranks", "posthoc")}
    table = head_to_head(**stats, method=spec.name, lower_is_better=lower, rope=rope)
    file = paths.results(study.name) / "comparison.csv"
    write_csv(file, table)
    rows = []
    for (metric, scenario), panel in table.groupby(["metric", "scenario"], sort=False):
        first, totals = panel.iloc[0], panel[["wins", "losses", "ties"]].sum()
        better = panel.other[panel.p_better > 0.95].tolist()
        rows.append(
            (metric, scenario, f"{first.average_rank:.2f}", len(panel) + 1, first.n_blocks, *totals, ", ".join(better))
        )
    header = ("metric", "scenario", "average rank", "of", "N", "wins", "losses", "ties", "better (P > 0.95) than")
    failed = _failed(study, spec)
    lines = [
        f"{spec.label} against the {len(study.methods) - 1} methods of the pack, on {counted}",
        *(f"left out: {name}: {why}" for name, why in left_out.items()),
        *failed,
        "",
        grid(rows, header) if rows else "no metric could be compared",
        *few_words(table["n_blocks"].min()),
        "",
        f"{file}: each opponent: {', '.join(COLUMNS[4:])}",
        f"{paths.result('report', study.name)}: the report with {spec.label}",
    ]
    return Said("\n".join(lines), IncompleteError.exit_code if failed else 0)


def _failed(study: Study, spec: MethodSpec) -> list[str]:
    """How many runs of the method have no scores, by what became of them: the commonest reason first."""
    with paths.result("failures", study.name).open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["method"] == spec.name and row["status"] != "degenerate"]
    reasons = Counter(row["message"] for row in rows)
    return [f"without scores: {number(count, 'run')}: {why}" for why, count in reasons.most_common()]


def few_words(n_blocks: int) -> list[str]:
    """A warning where so few data sets are compared that no signed-rank test can call two methods different.

    >>> len(few_words(5)), few_words(6)
    (2, [])
    """
    if not n_blocks < FEW:
        return []
    advice = f"with fewer than {FEW} data sets no signed-rank test can reject at 0.05, and P leans on its prior"
    return ["", f"N = {n_blocks}: {advice}"]


def _reasons(left_out: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {why}" for name, why in left_out.items())
