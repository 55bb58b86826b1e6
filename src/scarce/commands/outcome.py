"""How a run of Snakemake ends: which studies it was asked for, and whether their results are complete."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterable, Sequence

from scarce import paths
from scarce.config.loading import RULES
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.data.availability import unusable
from scarce.errors import ConfigError, IncompleteError, ScarceError
from scarce.stages.unpacked import missing
from scarce.words import number

#: When this process began.
STARTED = time.time()
#: Parts of a command line that name a study: a file of its results, or a job of it.
OF_A_STUDY = re.compile(rf"(?:^|/)(?:{paths.RESULTS}|{paths.FIGURES})/([^/]+)|study=([^,\s]+)")


def requested(project: Project, words: Iterable[str]) -> set[str]:
    """The studies that words of a command line name, by name or by a file; without a target, those of config.yaml."""
    words = list(words)
    names = {name for kind, name in project.faults if kind == "study"} | {*project.studies}
    parts = {part for word in words for match in OF_A_STUDY.finditer(word) for part in match.groups()}
    others = any(word in RULES - {"all", "fetch"} or word.startswith(f"{paths.DATA}/") for word in words)
    return names & {*words, *parts} or (set() if others else set(project.config.studies))


def refuse_faulty(project: Project, words: Iterable[str]) -> None:
    """Warn of what is described wrongly; where a requested study names it, raise ConfigError instead."""
    chosen = requested(project, words)
    faulty = [error for (kind, name), error in project.faults.items() if kind == "study" and name in chosen]
    if faulty:
        raise ConfigError.collect({str(one): one for error in faulty for one in error.problems}.values())
    for line in project.fault_lines():
        print(f"scarce: warning: left out: {line}", file=sys.stderr)


def left_out(project: Project, study: Study) -> dict[str, str]:
    """The data sets whose lack makes results incomplete, each with the reason: not optional ones that cannot be had."""
    found = {name: reason for name in study.datasets if (reason := missing(study.name, name))}
    return {name: why for name, why in found.items() if not project.dataset(name).optional or why == unusable(name)}


def mark_of_incomplete(project: Project, study: Study) -> str:
    """A text that differs each time where a finished study lacks data, so that its page is made, and said, again."""
    return f"incomplete {time.time_ns()}" if left_out(project, study) else ""


def incomplete(project: Project, names: Iterable[str]) -> list[str]:
    """What keeps the results of studies from being complete, a line for each thing; of studies that have results."""
    from scarce.commands.status import outdated_cells

    lines = []
    for study in (project.study(name) for name in sorted(set(names)) if paths.result("scores", name).is_file()):
        lost = left_out(project, study)
        # what was collected in this run was compared there
        collected = paths.result("scores", study.name).stat().st_mtime >= STARTED
        outdated = 0 if collected else outdated_cells(project, study)
        lines += [f"{study.name} lacks {name}: {reason}" for name, reason in lost.items()]
        if lost:
            counts = f"N = {len(study.datasets) - len(lost)} of {number(len(study.datasets), 'data set')}"
            lines.append(f"the results of {study.name} are incomplete: {counts}")
        if outdated:
            again = f"run it again with --forceall, or delete {paths.results(study.name)}/fits"
            lines.append(f"the results of {study.name} are outdated: {number(outdated, 'cell')} ({again})")
    return lines


def finish(project: Project, words: Iterable[str], absent: Sequence[str] = ()) -> None:
    """End the process with the exit code of incomplete results, and say what they lack, where they lack something.

    Files that are absent although Snakemake calls its run a success are an error.
    """
    if absent:
        counts = f"{number(len(absent), 'file')} that it was asked for, such as {absent[0]}"
        print(f"scarce: error: Snakemake ended without {counts}: run the same command again", file=sys.stderr)
        sys.exit(ScarceError.exit_code)
    words = list(words)
    lines = incomplete(project, requested(project, words)) if "fetch" not in words else []
    for line in lines:
        print(f"scarce: warning: {line}", file=sys.stderr)
    if lines:
        sys.exit(IncompleteError.exit_code)
