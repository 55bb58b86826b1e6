"""The claims of a study: whether their arguments are right, and which other studies they rest on.

What an argument's names must be names of stands in its type, see `pubench.analysis.judges.base`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from pubench import paths
from pubench.analysis.judges import JUDGES
from pubench.errors import ConfigError
from pubench.study import Claim, Study
from pubench.yamlfile import Key, YamlFile, did_you_mean, validate


def arguments(claim: Claim) -> Any:
    """The arguments of a checked claim, as its judge takes them."""
    return JUDGES[claim.judge].arguments.model_validate(claim.arguments)


def studies_of(study: Study) -> list[str]:
    """The other studies that the claims of a checked study rest on."""
    named = [found for claim in study.claims for _, kind, found in _names(arguments(claim)) if kind == "study"]
    return list(dict.fromkeys(named))


def problems(
    study: Study, file: YamlFile, metrics: Sequence[str], scenarios: list[str], other: Callable[[str], Study | None]
) -> list[ConfigError]:
    """What is wrong with the claims of a study.

    Parameters
    ----------
    metrics : sequence of str
        Those that can be ranked by.
    scenarios : list of str
        Of the study.
    other : callable
        From a name to another study, None where there is none.
    """
    found: list[ConfigError] = []
    for place, claim in enumerate(study.claims):
        at = ("claims", place)
        if claim.judge not in JUDGES:
            hint = did_you_mean(claim.judge, JUDGES)
            found.append(file.error((*at, "judge"), f"no judge is named {claim.judge!r}", hint))
            continue
        at = (*at, "arguments")
        try:
            given = validate(JUDGES[claim.judge].arguments, file, claim.arguments, at)
        except ConfigError as error:
            found += error.problems or [error]
            continue
        known = {"metric": metrics, "scenario": scenarios, "method": study.methods}
        for key, kind, name in _names(given):
            where = (*at, *key)
            if kind == "study":
                found += _study_problems(name, claim, study, file, where, other)
            elif name not in known[kind]:
                what = {"metric": "metric to rank by", "method": "method of this study"}.get(
                    kind, f"{kind} of this study"
                )
                found.append(file.error(where, f"no {what} is named {name!r}", did_you_mean(name, known[kind])))
    return found


def _study_problems(
    name: str, claim: Claim, study: Study, file: YamlFile, at: Key, other: Callable[[str], Study | None]
) -> list[ConfigError]:
    """What is wrong with another study that a claim rests on."""
    if name == study.name:
        return [file.error(at, f"{name!r} is this study itself")]
    if not paths.study_yaml(name).is_file():
        known = [path.stem for path in sorted(paths.STUDIES.glob("*.yaml")) if path.stem != study.name]
        return [file.error(at, f"no study is named {name!r}", did_you_mean(name, known))]
    found = other(name)
    if found is None:  # then its own problems are said
        return []
    problems = []
    named = claim.arguments.get("methods") or []
    if lacking := [method for method in named if method in study.methods and method not in found.methods]:
        problems.append(file.error(at, f"study {name} has no method {', '.join(lacking)}"))
    wanted = claim.arguments.get("scenarios") or [scenario.name for scenario in study.scenarios]
    if not {scenario.name for scenario in found.scenarios} & set(wanted):
        problems.append(file.error(at, f"study {name} has none of the scenarios {', '.join(wanted)}"))
    for what in ("datasets", "methods"):
        if not set(getattr(study, what)) & set(getattr(found, what)):
            words = {"datasets": "data sets", "methods": "methods"}[what]
            problems.append(file.error(at, f"study {name} has none of this study's {words}"))
    return problems


def _names(given: BaseModel) -> Iterator[tuple[Key, str, str]]:
    """Every name in arguments: its key, what it must be a name of, and the name."""
    for field, hint in get_type_hints(type(given), include_extras=True).items():
        value = getattr(given, field)
        if isinstance(value, BaseModel):
            yield from (((field, *key), kind, name) for key, kind, name in _names(value))
        elif (kind := _kind(hint)) and value is not None:
            if isinstance(value, str):
                yield (field,), kind, value
            else:
                yield from (((field, place), kind, name) for place, name in enumerate(value))


def _kind(hint: Any) -> str | None:
    if get_origin(hint) is Annotated and (words := [word for word in hint.__metadata__ if isinstance(word, str)]):
        return words[0]
    return next((kind for part in get_args(hint) if (kind := _kind(part))), None)
