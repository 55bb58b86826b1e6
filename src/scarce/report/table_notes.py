"""What a table says about itself: marks and the procedure behind them, number of data sets, what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from scarce.analysis.ranks import Blocks
from scarce.analysis.statistics import HOLM

if TYPE_CHECKING:
    from scarce.report.tables import Results

BEST, NOT_OUTPERFORMED = "best", "not_outperformed"
LISTED = 6
POLICIES = {
    "drop_dataset": "A data set on which a method lacks a run is left out for all methods",
    "worst": "A missing run counts as the worst of its repeat; a method without runs on a data set is last there",
    "refuse": "No run is missing",
}


def _own(frame: pd.DataFrame, results: Results, metric: str, scenario: str) -> pd.DataFrame:
    """Rows of a panel under the study's own kind of blocks."""
    blocks = results.settings.blocks
    return frame[(frame["metric"] == metric) & (frame["scenario"] == scenario) & (frame["blocks"] == blocks)]


def marks(results: Results, metric: str, scenario: str) -> dict[str, str]:
    """The methods that a column marks.

    "best" has the best average rank (all of them where ranks are equal); "not_outperformed" does not differ from the
    control by Holm's procedure as the study's own settings have it.
    """
    settings = results.settings
    ranks = _own(results.stats["ranks"], results, metric, scenario)
    compared = _own(results.stats["posthoc"], results, metric, scenario)
    compared = compared[(compared["test"] == HOLM[settings.holm]) & (compared["alternative"] == settings.alternative)]
    found = {method: NOT_OUTPERFORMED for method in compared.loc[~compared["significant"].astype(bool), "method"]}
    found |= dict.fromkeys(compared["control"], NOT_OUTPERFORMED)
    best = ranks.loc[ranks["average_rank"] == ranks["average_rank"].min(), "method"]
    return found | dict.fromkeys(best, BEST)


def caption(title: str, results: Results, metric: str, panels: Mapping[str, Blocks]) -> str:
    """Title, number of data sets, number of repeats."""
    scores = results.scores
    there = scores[(scores["metric"] == metric) & scores["scenario"].isin(panels)].dropna(subset=["value"])
    repeats = there.groupby(["scenario", "dataset", "method"]).size().max() if len(there) else 0
    asked = max(blocks.n_datasets_asked for blocks in panels.values())
    return f"{_sentence(title)} {_count(panels, asked)}{_repeats(repeats)}."


def caption_of_datasets(title: str, n_found: int, n_asked: int, repeats: int) -> str:
    """The same for a table with a column for each data set."""
    return f"{_sentence(title)} N = {_of(n_found, n_asked)} data sets{_repeats(repeats)}."


def _sentence(title: str) -> str:
    title = title.strip()
    return title if title.endswith((".", "?", "!")) else f"{title}."


def _of(n: int, asked: int) -> str:
    return str(n) if n == asked else f"{n} of {asked}"


def _repeats(repeats: int) -> str:
    return f", {repeats} repeat{'' if repeats == 1 else 's'}"


def _count(panels: Mapping[str, Blocks], asked: int) -> str:
    sizes = [blocks.n_datasets for blocks in panels.values()]
    low, high = min(sizes), max(sizes)
    return f"N = {_of(low, asked) if low == high else f'{low} to {high} of {asked}'} data sets"


def of_averages(procedure: str, results: Results, panels: Mapping[str, Blocks]) -> list[str]:
    """Notes of the layout "scenarios"; `procedure` as the function of this name says it."""
    notes = ["Mean ± standard deviation over repeats, both in percent and averaged over data sets."]
    notes.append(f"Underlined: {procedure}")
    return notes + of_missing(results, panels)


def of_missing(results: Results, panels: Mapping[str, Blocks]) -> list[str]:
    """What the blocks lack and what was made of it, in one sentence; none where they lack nothing."""
    missing = _missing(results, panels)
    return [f"{POLICIES[results.settings.missing]}. Missing: {missing}."] if missing else []


def of_datasets(results: Results, short: Mapping[tuple[str, str], int], repeats: int, there: pd.DataFrame) -> list[str]:
    """Notes of the layout "datasets"; `short` counts the runs of cells that lack some."""
    labels = results.labels
    end = "lowest" if there["metric"].isin(results.settings.lower_is_better).any() else "highest"
    notes = [f"Mean over repeats in percent. Bold: {end} of the column, before rounding."]
    found = set(there["dataset"])
    gone = [_with_reason(results, dataset) for dataset in labels.datasets if dataset not in found]
    if gone:
        notes.append(f"No results for {_listed(gone)}.")
    few = [
        f"{labels.methods[method]} on {labels.datasets[dataset]} ({n})"
        for (dataset, method), n in sorted(short.items())
        if dataset in labels.datasets
    ]
    if few:
        notes.append(f"Fewer than {repeats} runs: {_listed(few)}.")
    return notes


def procedure(metric: str, results: Results, panels: Mapping[str, Blocks]) -> str:
    """How the marks came about: what the strongest one means, then the others."""
    settings = results.settings
    tested = {
        scenario: rows["n_blocks"].iloc[0]
        for scenario in panels
        if len(rows := _own(results.stats["ranks"], results, metric, scenario))
    }
    compared = any(len(_own(results.stats["posthoc"], results, metric, scenario)) for scenario in panels)
    text = "best average rank"
    if compared:
        control = "it" if settings.control == "best" else results.labels.methods.get(settings.control, settings.control)
        verb = "not outperformed by" if settings.control == "best" else "not different from"
        stop = "" if settings.holm == "step_down" else " without its stopping rule"
        text += f". Bold: {verb} {control} at the {settings.alpha * 100:g} % level, Holm's procedure{stop}"
        text += f", {settings.alternative}"
    sizes = sorted(set(tested.values()))
    if sizes:
        size = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        what = f"{size} data sets" if settings.blocks == "datasets" else f"{size} single runs, taken as if independent"
        text += f"; blocks: {what}"
    left_out = [results.labels.methods.get(method, method) for method in settings.own.exclude.get(metric, ())]
    return text + (f". Not in the tests: {', '.join(left_out)}." if left_out else ".")


def _missing(results: Results, panels: Mapping[str, Blocks]) -> str:
    """What the blocks lack, a data set or a method at a time."""
    labels = results.labels
    parts: list[str] = []
    for scenario, blocks in panels.items():
        where = "" if len(panels) == 1 else f" at {labels.scenarios[scenario]}"
        for note in blocks.notes:
            method = labels.methods.get(note.method, note.method)
            if not note.method:
                parts.append(_with_reason(results, note.dataset))
            elif not note.dataset:
                parts.append(f"{method}{where} (no results)")
            else:
                code = labels.datasets.get(note.dataset, note.dataset)
                parts.append(f"{method} on {code}{where} ({note.note.split(';')[0]})")
    return _listed(list(dict.fromkeys(parts)))


def _with_reason(results: Results, dataset: str) -> str:
    code = results.labels.datasets.get(dataset, dataset)
    reason = results.unavailable.get(dataset)
    return f"{code} ({reason})" if reason else code


def _listed(parts: Sequence[str] | Iterable[str]) -> str:
    parts = list(parts)
    rest = len(parts) - LISTED
    return "; ".join(parts) if rest <= 0 else f"{'; '.join(parts[:LISTED])}; and {rest} more"
