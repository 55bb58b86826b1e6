"""What can be told of data sets, methods and studies before any job: each against what else is configured.

Data sets are checked as far as their descriptions are right, methods and studies as they are read, so that a wrong name
is said together with whatever else is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from scarce import paths, registry, source_code
from scarce.analysis.judges import JUDGES
from scarce.config.advice import did_you_mean
from scarce.config.claims import problems as claim_problems
from scarce.config.mentions import unknown
from scarce.config.study import PLACEHOLDERS, Labeling, MethodSpec, Study
from scarce.config.yamlfile import YamlFile, doubtful
from scarce.errors import ConfigError

#: Values of a generated table: more do not fit into the memory of an ordinary machine.
LARGEST_DRAW = 100_000_000


@dataclass(frozen=True)
class Blocks:
    """The blocks of data sets and methods as they are read, right or wrong; None where a file cannot be read."""

    datasets: Mapping[str, Any] | None
    methods: Mapping[str, Any] | None


#: Keys of a data set's description without which nothing can be told of its own file.
_OF_THE_FILE = {"sources", "read", "target", "positive", "steps"}


def dataset_problems(name: str, file: YamlFile, known: Blocks, wrong: Collection) -> list[ConfigError]:
    """What is wrong with a data set's block beside its form; `wrong`: places of which something is said already."""
    from scarce.config.datasets import DatasetSpec
    from scarce.data.availability import own_problems

    said = _block(file.value[name])
    problems = unknown(DatasetSpec, said, file, {"data set": known.datasets}, wrong, (name,))
    ill = {key for key in said if any(place[:3] == file.place((name, key)) for place in wrong)}
    try:
        spec = DatasetSpec.model_validate({"name": name} | {key: said[key] for key in said if key not in ill})
    except ValidationError:
        return problems
    for at, message, hint in own_problems(spec) if not ill & _OF_THE_FILE else ():
        problems.append(file.error((name, *at), message, hint))
    for place, source in enumerate(spec.sources):
        if source.kind == "generated":
            drawn = {"n": source.n, "d": source.d, "levels": source.levels}
            key = ("sources", place)
            if source.n * (source.d + source.levels) > LARGEST_DRAW:
                told = f"n x (d + levels) is more than {LARGEST_DRAW:,} values"
                problems.append(file.error((name, *key, max(drawn, key=drawn.get)), told))
            if source.seed >= 2**32:
                problems.append(file.error((name, *key, "seed"), f"must be less than 2^32, got {source.seed}"))
    return problems


def method_problems(
    name: str, file: YamlFile, known: Blocks, wrong: Collection, *, plugged_in: bool
) -> list[ConfigError]:
    """What is wrong with a method's block beside its form; plugins that failed have registered nothing."""
    said, at = _block(file.value[name]), (name, "estimator")
    problems = unknown(MethodSpec, said, file, {"method": known.methods}, wrong, (name,))
    estimator = said.get("estimator")
    entry = registry.find(estimator) if isinstance(estimator, str) else None
    if isinstance(estimator, str) and entry is None and plugged_in:
        hint = did_you_mean(estimator, registry.METHODS) or "a key of the registry, or module:Class"
        problems.append(file.error(at, f"no method is registered as {estimator!r}", hint))
    elif entry and (missing := source_code.missing_module(entry.target)):
        problems.append(file.error(at, f"there is no module {missing!r}", "put its file here or install it"))
    elif entry and (why := source_code.unreadable(entry.target)):
        problems.append(file.error(at, why, "correct that file"))
    elif entry and (there := source_code.lacking(entry.target)) is not None:
        module, _, wanted = entry.target.partition(":")
        problems.append(file.error(at, f"module {module} has no {wanted!r}", did_you_mean(wanted, there)))
    for part in ("params", "paper", "corrected"):
        problems += _argument_problems(estimator, said.get(part), file, (name, part))
    return problems


def _argument_problems(estimator: Any, arguments: Any, file: YamlFile, at: tuple) -> list[ConfigError]:
    """What is wrong with arguments of an estimator, as far as its signature and the values themselves tell."""
    entry = registry.find(estimator) if isinstance(estimator, str) else None
    known = source_code.parameters(entry.target) if entry else None
    problems = []
    for key, value in arguments.items() if isinstance(arguments, Mapping) else ():
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
    file: YamlFile,
    study: Study | None,
    wrong: Collection,
    blocks: Blocks,
    rules: Collection[str],
    other: Callable[[str], Study | None],
) -> list[ConfigError]:
    """What is wrong with a study beside its form.

    Parameters
    ----------
    file : YamlFile
        The study's, which is held against the names that there are as it is read.
    study : Study or None
        None where its form is wrong.
    wrong : collection of tuples
        Places of the file of which something is said already.
    blocks : Blocks
    rules : collection of str
        Names of the workflow's own that no study can have.
    other : callable
        From a name to another study, None where there is none.
    """
    from scarce.report.catalogue import FIGURES
    from scarce.report.layouts import LAYOUTS
    from scarce.scoring.metrics import METRICS

    said = file.value
    known = {
        "data set": blocks.datasets,
        "method": blocks.methods,
        "method of this study": _own_methods(said.get("methods"), blocks.methods),
        "metric": METRICS,
        "metric to rank by": [metric.name for metric in METRICS.values() if metric.direction],
        "scenario of this study": _scenarios(said.get("labeling")),
        "figure": FIGURES,
        "layout of a table": LAYOUTS,
        "judge": JUDGES,
    }
    problems = unknown(Study, said, file, known, wrong)
    name, analysis = said.get("name"), _block(said.get("analysis"))
    if isinstance(name, str) and name in rules:
        problems.append(file.error(("name",), f"{name!r} is a rule of the workflow, choose another name"))
    if isinstance(name, str) and file.path.stem != name and file.place(("name",)) not in wrong:
        problems.append(file.error(("name",), f"is {name!r}, but the file is {file.path.name}; the two must agree"))
    for method, options in _block(said.get("method_options")).items():
        estimator = _block(_block(blocks.methods).get(method)).get("estimator")
        problems += _argument_problems(estimator, options, file, ("method_options", method))
    control, own = analysis.get("control", "best"), known["method of this study"]
    if isinstance(control, str) and control != "best" and own is not None and control not in own:
        hint = did_you_mean(control, ["best", *own])
        problems.append(file.error(("analysis", "control"), f"no method of this study is named {control!r}", hint))
    reference, at = analysis.get("reference"), ("analysis", "reference")
    if isinstance(reference, str) and file.place(at) not in wrong and not paths.reference(reference).is_dir():
        folders = [folder.name for folder in sorted(paths.REFERENCE.glob("*/"))]
        problems.append(file.error(at, f"no folder {paths.reference(reference)}", did_you_mean(reference, folders)))
    return problems + claim_problems(file, study, known, other)


def _block(value: Any) -> Mapping:
    return value if isinstance(value, Mapping) else {}


def _own_methods(listed: Any, methods: Mapping[str, Any] | None) -> Collection[str] | None:
    """The methods of a study; where its list is not right, any that there are may be meant."""
    if not isinstance(listed, list) or methods is None:
        return methods
    texts = [name for name in listed if isinstance(name, str)]
    right = len(texts) == len(listed) and all(name in methods for name in texts)
    return texts if right else [*methods, *(name for name in texts if name not in methods)]


def _scenarios(labeling: Any) -> list[str] | None:
    try:
        return [scenario.name for scenario in Labeling.model_validate(labeling).block.scenarios()]
    except ValidationError:
        return None
