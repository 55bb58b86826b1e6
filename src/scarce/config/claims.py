"""The claims of a study: whether their arguments are right, and which other studies they rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scarce import paths
from scarce.analysis.judges import JUDGES
from scarce.config.advice import did_you_mean
from scarce.config.mentions import mentions, unknown
from scarce.config.study import Claim, Study
from scarce.config.yamlfile import Key, YamlFile, validate
from scarce.errors import ConfigError


def arguments(claim: Claim) -> Any:
    """The arguments of a checked claim, as its judge takes them."""
    return JUDGES[claim.judge].arguments.model_validate(claim.arguments)


def studies_of(study: Study) -> list[str]:
    """The other studies that the claims of a checked study rest on."""
    found = [mention for claim in study.claims for mention in mentions(JUDGES[claim.judge].arguments, claim.arguments)]
    return list(dict.fromkeys(name for _, kind, name in found if kind == "study"))


def problems(
    file: YamlFile,
    study: Study | None,
    known: Mapping[str, Iterable[str] | None],
    other: Callable[[str], Study | None],
) -> list[ConfigError]:
    """What is wrong with the arguments of a study's claims.

    Parameters
    ----------
    file : YamlFile
        The study's.
    study : Study or None
        None where other parts of the file are wrong; then the studies that claims rest on are not held against it.
    known : mapping
        As in `scarce.config.mentions.unknown`.
    other : callable
        From a name to another study, None where there is none.
    """
    found: list[ConfigError] = []
    claims = file.value.get("claims")
    for place, claim in enumerate(claims if isinstance(claims, list) else ()):
        said = claim if isinstance(claim, Mapping) else {}
        judge, given, at = said.get("judge"), said.get("arguments", {}), ("claims", place, "arguments")
        if not isinstance(judge, str) or judge not in JUDGES or not isinstance(given, Mapping):
            continue  # that is said elsewhere
        model, ill = JUDGES[judge].arguments, []
        try:
            validate(model, file, given, at)
        except ConfigError as error:
            ill = error.problems or [error]
        wrong = {one.place for one in ill}
        found += ill + unknown(model, given, file, known, wrong, at)
        for key, kind, name in mentions(model, given, at):
            if kind == "study" and file.place(key) not in wrong:
                found += _study_problems(name, given, None if ill else study, file, key, other)
    return found


def _study_problems(
    name: str, claimed: Mapping, study: Study | None, file: YamlFile, at: Key, other: Callable[[str], Study | None]
) -> list[ConfigError]:
    """What is wrong with another study that a claim rests on."""
    if name == file.value.get("name"):
        return [file.error(at, f"{name!r} is this study itself")]
    if not paths.study_yaml(name).is_file():
        known = [path.stem for path in paths.study_files() if path != file.path]
        return [file.error(at, f"no study is named {name!r}", did_you_mean(name, known))]
    found = other(name)
    if study is None or found is None:  # then their own problems are said
        return []
    problems = []
    named = claimed.get("methods") or []
    if lacking := [method for method in named if method in study.methods and method not in found.methods]:
        problems.append(file.error(at, f"study {name} has no method {', '.join(lacking)}"))
    wanted = claimed.get("scenarios") or [scenario.name for scenario in study.scenarios]
    if not {scenario.name for scenario in found.scenarios} & set(wanted):
        problems.append(file.error(at, f"study {name} has none of the scenarios {', '.join(wanted)}"))
    for what in ("datasets", "methods"):
        if not set(getattr(study, what)) & set(getattr(found, what)):
            words = {"datasets": "data sets", "methods": "methods"}[what]
            problems.append(file.error(at, f"study {name} has none of this study's {words}"))
    return problems
