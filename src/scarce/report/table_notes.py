"""What a table says about itself: marks and the procedure behind them, number of data sets, what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from scarce.analysis.rows import matching
from scarce.analysis.statistics import HOLM
from scarce.report.tables import BOLD, UNDERLINED, sentence
from scarce.words import number

if TYPE_CHECKING:
    import pandas as pd

    from scarce.report.results import StudyResults

BEST, NOT_OUTPERFORMED = "best", "not_outperformed"
LISTED = 6
POLICIES = {
    "drop_dataset": "A data set on which a method lacks a run is left out for all methods",
    "worst": "A missing run counts as the worst of its repeat; a method without runs on a data set is last there",
    "refuse": "No run is missing",
}


def marks(results: StudyResults, metric: str, scenario: str) -> dict[str, str]:
    """The methods that a column marks.

    "best" has the best average rank (all of them where ranks are equal); "not_outperformed" does not differ from the
    control by Holm's procedure as the study's own settings have it. No method does where Friedman's test keeps the
    hypothesis that all methods perform alike.
    """
    settings = results.settings
    ranks = results.panel("ranks", metric, scenario, settings.blocks)
    compared = results.panel("posthoc", metric, scenario, settings.blocks)
    compared = matching(compared, test=HOLM[settings.holm], alternative=settings.alternative)
    marked = dict.fromkeys(compared.loc[~compared["significant"].astype(bool), "method"], NOT_OUTPERFORMED)
    marked |= dict.fromkeys(compared["control"], NOT_OUTPERFORMED)
    best = ranks.loc[ranks["average_rank"] == ranks["average_rank"].min(), "method"]
    return marked | dict.fromkeys(best, BEST)


def marks_of_averages(metric: str, results: StudyResults) -> tuple[tuple[str, str], ...]:
    """What the marks of a table of averages mean, with the procedure behind them."""
    settings, labels = results.settings, results.names.methods
    panels = [results.panel("ranks", metric, scenario, settings.blocks) for scenario in results.names.scenarios]
    sizes = sorted({int(ranks["n_blocks"].iloc[0]) for ranks in panels if len(ranks)})
    meanings = {UNDERLINED: "best average rank"}
    if any(len(results.panel("posthoc", metric, s, settings.blocks)) for s in results.names.scenarios):
        best = settings.control == "best"
        compared = "not outperformed by it" if best else f"not different from {labels.get(settings.control)}"
        stop = "" if settings.holm == "step_down" else " without its stopping rule"
        level = f"at the {settings.alpha * 100:g} % level"
        meanings[BOLD] = f"{compared} {level}, Holm's procedure{stop}, {settings.alternative}"
    if sizes:
        size = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        what = f"{size} data sets" if settings.blocks == "datasets" else f"{size} single runs, taken as if independent"
        last = list(meanings)[-1]
        meanings[last] += f"; blocks: {what}"
    return tuple(meanings.items())


def notes_of_averages(metric: str, results: StudyResults) -> list[str]:
    """Who is not in the tests, and what is missing."""
    labels = results.names.methods
    left_out = [
        labels.get(method, method)
        for method in (*results.settings.own.exclude.get(metric, ()), *results.settings.oracles)
    ]
    notes = [f"Not in the tests: {', '.join(left_out)}."] if left_out else []
    tests = {
        label: results.omnibus(metric, scenario, results.settings.blocks)
        for scenario, label in results.names.scenarios.items()
    }
    for label, test in tests.items():
        if test and test.keeps(results.settings.alpha):
            where = f"{label}: " if len(tests) > 1 else ""
            notes.append(f"{where}{test.words(results.settings.alpha)}, so no method counts as outperformed.")
    notes += of_missing(results, metric, list(results.names.scenarios))
    if any(tests.values()):
        notes.append("The p-values of Iman-Davenport's test and of Holm's procedure are approximate.")
    return notes


def caption_of_averages(title: str, results: StudyResults, metric: str) -> str:
    """Title, number of data sets, number of repeats."""
    panels = [results.panel("ranks", metric, scenario, "datasets") for scenario in results.names.scenarios]
    sizes = [int(ranks["n_blocks"].iloc[0]) if len(ranks) else 0 for ranks in panels]
    asked = [len(results.settings.among(results.counted_names, scenario)) for scenario in results.names.scenarios]
    return caption(title, sizes, asked, _repeats(results, metric))


def caption(title: str, sizes: Sequence[int], asked: Sequence[int], repeats: int | None) -> str:
    """Title, number of data sets (from the least to the most of some panels) and, where there are any, of repeats.

    `asked` are the numbers of data sets that the panels could have.
    """
    low, high = min(sizes), max(sizes)
    size = str(low) if low == high else f"{low} to {high}"
    size += "" if list(sizes) == list(asked) else f" of {max(asked)}"
    count = "" if repeats is None else f", {number(repeats, 'repeat')}"
    return f"{sentence(title)} N = {size} data sets{count}."


def _repeats(results: StudyResults, metric: str) -> int:
    means = results.stats("means")
    runs = means.loc[(means["metric"] == metric) & (means["dataset"] != ""), "n_runs"]
    return int(runs.max()) if len(runs) else 0


def why_no_average(results: StudyResults, metric: str, scenario: str, method: str) -> str:
    """Why a method has no average in a panel."""
    notes = results.panel("notes", metric, scenario, "datasets")
    own = notes.loc[notes["method"] == method, "note"]
    return own.iloc[0] if len(own) else "no data set has all results"


def of_missing(
    results: StudyResults, metric: str, scenarios: Sequence[str], datasets: Iterable[str] | None = None
) -> list[str]:
    """What the panels lack and what was made of it, in one sentence; none where they lack nothing.

    Parameters
    ----------
    results : StudyResults
    metric : str
    scenarios : sequence of str
    datasets : iterable of str, optional
        Data sets whose lack of any result is said; by default all that the study counts.
    """
    names, asked = results.names, list(results.counted_names if datasets is None else datasets)
    parts: list[str] = []
    for scenario in scenarios:
        where = "" if len(scenarios) == 1 else f" at {names.scenarios[scenario]}"
        means = results.means(metric, scenario)
        present = set(means.loc[means["n_runs"] > 0, "dataset"])
        having = results.settings.among(asked, scenario)
        parts += [_with_reason(results, dataset) for dataset in having if dataset not in present]
        notes = results.panel("notes", metric, scenario, "datasets")
        for note in notes[notes["method"] != ""].itertuples():
            method = names.methods.get(note.method, note.method)
            code = names.datasets.get(note.dataset, note.dataset)
            short = f" on {code}{where} ({note.note.split(';')[0]})" if note.dataset else f"{where} (no results)"
            parts.append(method + short)
    missing = _listed(list(dict.fromkeys(parts)))
    return [f"{POLICIES[results.settings.missing]}. Missing: {missing}."] if missing else []


def notes_of_datasets(results: StudyResults, means: pd.DataFrame, repeats: int, datasets: Iterable[str]) -> list[str]:
    """Those of the data sets without results, and cells with fewer runs than others."""
    names, present = results.names, set(means["dataset"])
    absent = [_with_reason(results, dataset) for dataset in datasets if dataset not in present]
    short = means[means["n_runs"] < repeats].sort_values(["dataset", "method"])
    few = [f"{names.methods[row.method]} on {names.datasets[row.dataset]} ({row.n_runs})" for row in short.itertuples()]
    notes = [f"No results for {_listed(absent)}."] if absent else []
    return notes + ([f"Fewer than {repeats} runs: {_listed(few)}."] if few else [])


def notes_of_ranks(
    results: StudyResults, datasets: Sequence[str], present: set[str], ranked: set[str], counted: Sequence[str]
) -> list[str]:
    """Those of the data sets without results, those that are not ranked, and those that are in no average rank."""
    apart = [d for d in datasets if d in ranked and d not in counted]
    groups = {
        "No results for": [d for d in datasets if d not in present],
        "Not ranked, since a method lacks results:": [d for d in datasets if d in present and d not in ranked],
        "Stand-ins, in no average rank and no test:": [d for d in apart if d not in results.copies],
        "The same tables as others, in no average rank and no test:": [d for d in apart if d in results.copies],
    }
    titles = results.names.titles
    return [f"{text} {', '.join(titles.get(d, d) for d in group)}." for text, group in groups.items() if group]


def _with_reason(results: StudyResults, dataset: str) -> str:
    code = results.names.datasets.get(dataset, dataset)
    reason = results.unavailable.get(dataset)
    return f"{code} ({reason})" if reason else code


def _listed(parts: Sequence[str]) -> str:
    rest = len(parts) - LISTED
    return "; ".join(parts) if rest <= 0 else f"{'; '.join(parts[:LISTED])}; and {rest} more"
