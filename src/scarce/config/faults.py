"""What each problem of the configuration stops: a study, a data set, a method, a paper, or the whole project."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from scarce import paths, registry
from scarce.config.kinds import texts_in
from scarce.config.methods import MethodSpec
from scarce.config.study import Study
from scarce.config.yamlfile import shown
from scarce.errors import ConfigError
from scarce.papers import Paper

Owner = tuple[str, str]
Owned = dict[Owner, list[ConfigError]]
#: Kind and name of what the problems with config.yaml, and with its plugins, are about.
PROJECT, PLUGINS = ("project", ""), ("plugins", "")


class StudyRead(NamedTuple):
    """A study as its file says it; `study` is None where something is wrong."""

    path: Path
    value: Mapping[str, Any]
    study: Study | None

    @property
    def needs(self) -> set[str]:
        """Names of studies that this one extends or that its claims rest on, among other words."""
        others = self.study.other_studies if self.study else texts_in(self.value.get("claims"))
        return {*texts_in(self.value.get("extends")), *others}


def by_owner(
    problems: Iterable[ConfigError], kinds: Mapping[str, str], discovered: Iterable[Paper], drafts: Iterable[Path]
) -> Owned:
    """Problems by what they are about: the block, study or paper in whose file they are.

    `kinds` has the kinds of blocks by file, `drafts` the files that are read as studies wherever they stand.
    """
    folders = [shown(paper.folder) for paper in discovered]
    studies = {shown(path) for path in drafts}

    def owner(problem: ConfigError) -> Owner:
        file = shown(Path(problem.place[0] if problem.place else re.sub(r":[0-9]+\Z", "", problem.where or "")))
        key = problem.place[1:]
        if file in kinds and key:
            return kinds[file], str(key[0])
        if file == shown(paths.CONFIG_YAML):
            return PLUGINS if key[:1] == ("plugins",) else PROJECT
        path = Path(file)
        if file in studies or path.parent.name == paths.STUDIES.name:
            return "study", path.stem
        paper = next((folder for folder in folders if path.is_relative_to(folder)), None)
        return ("paper", paper) if paper else PROJECT

    owned: Owned = {}
    for problem in problems:
        owned.setdefault(owner(problem), []).append(problem)
    return owned


def blame_plugins(owned: Owned, specs: Mapping[str, MethodSpec]) -> None:
    """Add the problems of plugins to the methods whose estimators nothing has registered."""
    for name, spec in specs.items():
        if spec.estimator and registry.find(spec.estimator) is None:
            owned.setdefault(("method", spec.variant_of or name), []).extend(owned.get(PLUGINS, []))


def collected(owned: Owned, read: Mapping[str, StudyRead]) -> dict[Owner, ConfigError]:
    """One error for each thing that is wrong.

    A study has the problems of the data sets and methods that it names, of its paper, and of the studies that it needs;
    beside these, those of plugins, which may be their cause.
    """
    direct = {name: _direct(name, one, owned) for name, one in read.items()}
    faults = {owner: problems for owner, problems in owned.items() if owner[0] != "study" or owner[1] not in read}
    for name in read:
        todo, problems = [name], {}
        for other in todo:
            own = direct[other] if other in read else owned.get(("study", other), [])
            problems |= {str(problem): problem for problem in own}
            needs = read[other].needs if other in read else ()
            todo += [one for one in needs if one not in todo and (one in read or ("study", one) in owned)]
        if problems:
            faults["study", name] = [*problems.values(), *owned.get(PLUGINS, [])]
    distinct = {owner: {str(problem): problem for problem in problems} for owner, problems in faults.items()}
    return {owner: ConfigError.collect(problems.values()) for owner, problems in distinct.items() if problems}


def _direct(name: str, one: StudyRead, owned: Owned) -> list[ConfigError]:
    """Problems of a study's own file, of its paper, and of what it names."""
    datasets, methods = (set(texts_in(one.value.get(key))) for key in ("datasets", "methods"))
    blocks = {block for kind, block in owned if kind == "method"}
    # a variant of a grid has a longer name than its block
    methods = {block for block in blocks for word in methods if word == block or word.startswith(f"{block}-")}
    owners = (
        [("study", name), ("paper", shown(one.path.parents[1]))] if len(one.path.parents) > 1 else [("study", name)]
    )
    owners += [*(("data set", word) for word in datasets), *(("method", block) for block in methods)]
    return [problem for owner in owners for problem in owned.get(owner, [])]


def imported(load: Callable[[], Any], error_of: Callable[[str], ConfigError]) -> None:
    """Import a paper or a plugin."""
    try:
        load()
    except ConfigError:
        raise
    except (Exception, SystemExit) as error:  # a script that ends itself must not end this process as a success
        raise error_of(f"cannot be imported: {type(error).__name__}: {error}") from error
