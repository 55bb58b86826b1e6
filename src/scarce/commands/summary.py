"""What became of a run of a study, in a few lines."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from scarce import paths
from scarce.commands.processes import Lock
from scarce.commands.progress import Cells
from scarce.commands.terminal import Said, duration
from scarce.fitting.fits import FAILED, SCORED
from scarce.words import number, one_line

#: Failures that are listed, those of one method with one message together; and lines of warnings and errors.
MOST = 5
#: What a run is whose status is neither a result nor a failure.
WORDS = {"skipped": "skipped", "not_installed": "not installed"}


def summary(
    cells: Cells,
    *,
    code: int,
    seconds: float,
    errors: Iterable[str],
    warnings: Iterable[str],
    log: Path,
    locked: Lock | None = None,
) -> Said:
    """What became of a run: its state and time, runs by status, failures and what to do, and where everything is."""
    study = cells.study.name
    report = paths.result("report", study)
    finished = code in (0, 5)
    lines = [
        f"{study}: {_state(code).format(duration(seconds))}",
        *_aligned("cells", [] if finished else [_kept(cells)]),
        *_aligned("runs", [_counts(cells)]),
        *_aligned("failures", _failures(cells)),
        *_aligned("errors", [] if finished or code == 130 else _first(errors)),
        *_aligned("warnings", _first(warnings)),
        *_aligned("page", [str(report)] if finished and report.is_file() else []),
        *_aligned("log", [str(log)]),
        *_aligned("next", _next(cells, finished, locked)),
    ]
    return Said("\n".join(lines), code)


def _state(code: int) -> str:
    states = {0: "complete after {}", 5: "finished after {}; its results are incomplete", 130: "interrupted after {}"}
    return states.get(code, "stopped after {}")


def _aligned(label: str, texts: Iterable[str]) -> Iterator[str]:
    for place, text in enumerate(texts):
        yield f"  {label if place == 0 else '':<10}{text}"


def _kept(cells: Cells) -> str:
    kept = f", and {number(cells.kept, 'repeat')} of others" if cells.kept else ""
    return f"{cells.done} of {cells.total} done{kept}"


def _counts(cells: Cells) -> str:
    """Runs by what became of them: a result, a failure, or none with the reason."""
    statuses = cells.statuses()
    failed = sum(statuses[status] for status in FAILED)
    scored = sum(statuses[status] for status in SCORED)
    others = {words: statuses[status] for status, words in WORDS.items()}
    others["without data or not run"] = cells.runs - failed - scored - sum(others.values())
    gone = sum(others.values())
    reasons = ", ".join(f"{count} {words}" for words, count in others.items() if count)
    degenerate = f" ({statuses['degenerate']} with one score for all rows)" if statuses["degenerate"] else ""
    timeouts = f" ({statuses['timeout']} took too long)" if statuses["timeout"] else ""
    return f"{scored} ok{degenerate}, {failed} failed{timeouts}, {gone} not available{f' ({reasons})' if gone else ''}"


def _failures(cells: Cells) -> Iterator[str]:
    """Failed runs by method and message, the most frequent first, each with the commands that look into one."""
    found: dict[tuple[str, str], list[tuple]] = {}
    for (study, dataset, scenario, method), ends in cells.ends.items():
        for end in ends:
            if end.status in FAILED:
                found.setdefault((method, end.message), []).append((study, dataset, scenario, method, end.repeat))
    ordered = sorted(found.items(), key=lambda one: -len(one[1]))
    for (method, message), runs in ordered[:MOST]:
        *cell, repeat = runs[0]
        words = shlex.join([*cell, "--repeat", str(repeat)])
        yield f"{method}: {number(len(runs), 'run')}: {one_line(message)}"
        yield f"    scarce explain {words}    # what went in"
        yield f"    scarce fit {words}    # repeats it, with its traceback"
    if found:
        more = sum(len(runs) for _, runs in ordered[MOST:])
        file = paths.result("failures", cells.study.name)
        yield f"{f'and {more} more; ' if more else ''}those of {cells.study.name} are in {file}"


def _first(lines: Iterable[str]) -> list[str]:
    lines = list(lines)
    more = [f"and {len(lines) - MOST} more in the log"] if len(lines) > MOST else []
    return [*lines[:MOST], *more]


def _next(cells: Cells, finished: bool, locked: Lock | None) -> list[str]:
    """What to do where something is left to do."""
    if not finished:
        again = f"`scarce run {cells.study.name}` goes on: what is finished is kept"
        return [*([locked.text] if locked else []), again]
    if cells.statuses()["not_installed"]:
        return ["install the packages that the messages in failures.csv name, then run the same command again"]
    return []
