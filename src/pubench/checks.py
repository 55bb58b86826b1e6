"""What can be told of data sets, methods and studies before any job: each against what else is configured."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pubench import paths, registry
from pubench.claims import problems as claim_problems
from pubench.errors import ConfigError
from pubench.study import PLACEHOLDERS, MethodSpec, Study
from pubench.yamlfile import YamlFile, did_you_mean, doubtful

#: Values of a generated table: more do not fit into the memory of an ordinary machine.
LARGEST_DRAW = 100_000_000


def dataset_problems(name: str, spec: Any, file: YamlFile, datasets: Iterable[str]) -> list[ConfigError]:
    from pubench.data.availability import own_problem

    problems = []
    if wrong := own_problem(spec):
        at, message, hint = wrong
        problems.append(file.error((name, *at), message, hint))
    if spec.substitute_for not in (None, *datasets):
        hint = did_you_mean(spec.substitute_for, datasets)
        problems.append(file.error((name, "substitute_for"), f"no data set is named {spec.substitute_for!r}", hint))
    if spec.expected and spec.expected.positives and spec.expected.positives >= spec.expected.n:
        said = f"{spec.expected.positives} of {spec.expected.n} rows: no row is negative"
        problems.append(file.error((name, "expected", "positives"), said))
    for place, source in enumerate(spec.sources):
        if source.kind == "generated":
            drawn = {"n": source.n, "d": source.d, "levels": source.levels}
            key = ("sources", place)
            if source.n * (source.d + source.levels) > LARGEST_DRAW:
                said = f"n x (d + levels) is more than {LARGEST_DRAW:,} values"
                problems.append(file.error((name, *key, max(drawn, key=drawn.get)), said))
            if source.seed >= 2**32:
                problems.append(file.error((name, *key, "seed"), f"must be less than 2^32, got {source.seed}"))
    return problems


def method_problems(name: str, spec: MethodSpec, file: YamlFile) -> list[ConfigError]:
    problems: list[ConfigError] = []
    entry, at = registry.find(spec.estimator), (name, "estimator")
    if entry is None:
        hint = did_you_mean(spec.estimator, registry.METHODS) or "a key of the registry, or module:Class"
        problems.append(file.error(at, f"no method is registered as {spec.estimator!r}", hint))
    elif missing := registry.missing_module(entry.target):
        problems.append(file.error(at, f"there is no module {missing!r}", "put its file here or install it"))
    elif (known := registry.lacking(entry.target)) is not None:
        module, _, wanted = entry.target.partition(":")
        problems.append(file.error(at, f"module {module} has no {wanted!r}", did_you_mean(wanted, known)))
    for part in ("params", "paper", "corrected"):
        problems += _argument_problems(spec, getattr(spec, part), file, (name, part))
    return problems


def _argument_problems(spec: MethodSpec, arguments: dict[str, Any], file: YamlFile, at: tuple) -> list[ConfigError]:
    """What is wrong with arguments of an estimator, as far as its signature and the values themselves tell."""
    entry = registry.find(spec.estimator)
    known = registry.parameters(entry.target) if entry else None
    problems = []
    for key, value in arguments.items():
        where = (*at, key)
        if known is not None and key not in known:
            problems.append(file.error(where, f"{entry.target} takes no argument {key!r}", did_you_mean(key, known)))
        elif why := doubtful(value):
            problems.append(file.error(where, why))
        elif isinstance(value, str) and value.startswith("$"):
            if value not in PLACEHOLDERS:
                hint = did_you_mean(value, PLACEHOLDERS)
                problems.append(file.error(where, f"unknown placeholder {value}", hint))
        elif inner := _placeholder_inside(value):
            problems.append(file.error(where, f"{inner} is filled in only as an argument, not inside one"))
        elif known and isinstance(known[key], int) and isinstance(value, str | list | dict):
            shown = "a block" if isinstance(value, dict) else "a list" if isinstance(value, list) else repr(value)
            problems.append(file.error(where, f"must be a number, got {shown}", f"by default {known[key]}"))
        if key == "class_prior" and isinstance(value, int | float) and not 0 < value < 1:
            problems.append(file.error(where, f"must lie between 0 and 1, got {value}"))
    return problems


def _placeholder_inside(value: Any) -> str | None:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for one in inner:
        found = one if one in PLACEHOLDERS else _placeholder_inside(one)
        if found:
            return found
    return None


def study_problems(
    study: Study, file: YamlFile, datasets: dict, methods: dict, other: Callable[[str], Study | None]
) -> list[ConfigError]:
    from pubench.evaluate.metrics import METRICS
    from pubench.report.catalogue import FIGURES

    problems: list[ConfigError] = []
    ranked = [metric.name for metric in METRICS.values() if metric.direction]

    def known(key: tuple, name: str, among: Iterable[str], what: str) -> None:
        if name not in among:
            problems.append(file.error(key, f"no {what} is named {name!r}", did_you_mean(name, among)))

    if file.path.stem != study.name:
        problems.append(
            file.error(("name",), f"is {study.name!r}, but the file is {file.path.name}; the two must agree")
        )
    for place, name in enumerate(study.datasets):
        known(("datasets", place), name, datasets, "data set")
    for place, name in enumerate(study.methods):
        known(("methods", place), name, methods, "method")
    for name, options in study.method_options.items():
        known(("method_options", name), name, study.methods, "method of this study")
        if methods.get(name):
            problems += _argument_problems(methods[name], options, file, ("method_options", name))
    for place, name in enumerate(study.analysis.metrics):
        known(("analysis", "metrics", place), name, ranked, "metric to rank by")
    for metric, names in study.analysis.exclude.items():
        known(("analysis", "exclude", metric), metric, METRICS, "metric")
        for place, name in enumerate(names):
            known(("analysis", "exclude", metric, place), name, methods, "method")
    for name in study.analysis.reasons:
        known(("analysis", "reasons", name), name, study.methods, "method of this study")
    if study.analysis.control != "best":
        known(("analysis", "control"), study.analysis.control, study.methods, "method of this study")
    if study.analysis.reference and not paths.reference(study.analysis.reference).is_dir():
        folders = [folder.name for folder in sorted(paths.REFERENCE.glob("*/"))]
        hint = did_you_mean(study.analysis.reference, folders)
        said = f"no folder {paths.reference(study.analysis.reference)}"
        problems.append(file.error(("analysis", "reference"), said, hint))
    scenarios = [scenario.name for scenario in study.scenarios]
    for place, table in enumerate(study.report.tables):
        if table.metric:
            known(("report", "tables", place, "metric"), table.metric, ranked, "metric to rank by")
        for key, names in (("methods", table.methods), ("control", [table.control] if table.control else [])):
            for name in names:
                known(("report", "tables", place, key), name, study.methods, "method of this study")
        if table.scenario:
            known(("report", "tables", place, "scenario"), table.scenario, scenarios, "scenario of this study")
    for place, name in enumerate(study.report.figures):
        known(("report", "figures", place), name, FIGURES, "figure")
    return problems + claim_problems(study, file, ranked, scenarios, other)
