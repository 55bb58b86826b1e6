"""What a busy reader takes away from a study: five lines, and one for a list of studies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from scarce.analysis.rows import is_true, matching
from scarce.analysis.statistics import HOLM
from scarce.config.selection import AT_RANDOM
from scarce.report import one_dataset
from scarce.report.agreement_view import OUTSIDE, WITHIN, LabelOf, with_status
from scarce.report.summary import best_of
from scarce.report.verdict_view import ORDER
from scarce.words import listed, number, percent

if TYPE_CHECKING:
    from scarce.report.results import StudyResults

NOTHING_LEADS = "Nothing: no methods could be compared."
METRICS, NAMES = 4, 3  # metrics whose leaders are named, and leaders of each


def takeaways(
    results: StudyResults, *, hidden: Mapping[str, str], doubtful: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """Five heads with a sentence or two each, and one more where the study judges choices among methods.

    `hidden` maps choices of the study that use hidden labels to what they do, `doubtful` names the data sets that there
    are warnings about.
    """
    oracles = results.settings.oracles
    if results.of_one_dataset:
        leader = leads_on_one(results.stats("pairs"), results.metrics, results.names.of, oracles)
        sure = one_dataset.certainty(results)
    else:
        leader = leads(results.stats("ranks"), results.metrics, results.names.of, oracles)
        sure = certainty(results)
    absent = {name: results.names.of("dataset", name) for name in results.counted_names if name in results.absent}
    statuses = results.runs["status"].value_counts().to_dict()
    return [
        *([("What choosing loses", choosing(results))] if results.settings.selection else []),
        ("What leads", leader or NOTHING_LEADS),
        ("How sure that is", sure),
        ("What does not reproduce", reproduction(results.frames["agreement"], results.frames["verdicts"])),
        ("What is missing", missing(absent, len(results.counted_names), statuses, doubtful)),
        ("What it rests on", premises(results, hidden)),
    ]


def leads(ranks: pd.DataFrame, metrics: Sequence[str], label: LabelOf, oracles: Collection[str] = ()) -> str:
    """Who has the best average rank over data sets, metric by metric; "" without ranks.

    `ranks` holds rows of stats/ranks.csv. ``label(kind, name)`` has kind method, metric or scenario. `oracles`
    are fitted on true labels: they are named, and lead nothing.
    """
    ranks = ranks[ranks["blocks"] == "datasets"].dropna(subset=["average_rank"])
    ranks, passed_over = _without(ranks, oracles, label)
    panels = {metric: matching(ranks, metric=metric) for metric in metrics}
    counts = {metric: (best_of(rows), rows["scenario"].nunique()) for metric, rows in panels.items() if len(rows)}
    return _ahead("Best average rank", counts, label) + passed_over


def leads_on_one(pairs: pd.DataFrame, metrics: Sequence[str], label: LabelOf, oracles: Collection[str] = ()) -> str:
    """Who has the best mean on one data set, metric by metric; "" where nothing is compared.

    `pairs` holds the rows of stats/pairs.csv, the method with the best mean first; `oracles` as in `leads`.
    """
    pairs, passed_over = _without(pairs, oracles, label)
    best = pairs.groupby(["metric", "scenario"], sort=False)["method"].first()
    panels = {metric: best[best.index.get_level_values("metric") == metric] for metric in metrics}
    counts = {metric: (Counter(own).most_common(), len(own)) for metric, own in panels.items() if len(own)}
    return _ahead("Best mean", counts, label) + passed_over


def choosing(results: StudyResults) -> str:
    """By which way of choosing least is lost, metric by metric, over all data sets and scenarios, and at random."""
    asked, parts = results.settings.selection, []
    group = next(iter(asked.candidates))
    for metric in asked.judged_in:
        rows = matching(results.panel("selection", metric, ""), dataset="", rarity="all", candidates=group)
        regrets = rows.dropna(subset=["regret"]).set_index("by")["regret"]
        if len(regrets):
            ways = listed([results.way_label(way) for way in regrets.index[regrets == regrets.min()]])
            random = f", {percent(regrets[AT_RANDOM])} at random" if AT_RANDOM in regrets.index else ""
            parts.append(f"{results.metric_label(metric)} by {ways} ({percent(regrets.min())} points{random})")
    what = f"Against choosing among {group} by the true labels of validation rows, least is lost of"
    return f"{what} {'; of '.join(parts)}." if parts else "Nothing was chosen."


def _without(rows: pd.DataFrame, oracles: Collection[str], label: LabelOf) -> tuple[pd.DataFrame, str]:
    """The rows of methods that are no oracles, and a sentence on those that are; "" without any.

    Results of earlier versions rank oracles too.
    """
    others = rows[~rows["method"].isin(list(oracles))]
    names = [label("method", name) for name in oracles]
    return others, f" Passed over: {listed(names)}." if names and len(others) else ""


def _ahead(what: str, counts: Mapping[str, tuple[list[tuple[str, int]], int]], label: LabelOf) -> str:
    """A sentence from, by metric, the methods that are best in how many scenarios, and the number of scenarios."""
    parts = []
    for metric, (methods, n) in counts.items():
        names = [label("method", name) + (f" in {count}" if n > 1 else "") for name, count in methods]
        names = names[:NAMES] + ([f"{len(names) - NAMES} more"] if len(names) > NAMES else [])
        parts.append(f"{label('metric', metric)}: {listed(names)}" + (f" of {n} scenarios" if n > 1 else ""))
    more = f"; and {number(len(parts) - METRICS, 'more metric')}" if len(parts) > METRICS else ""
    return f"{what} by {'; by '.join(parts[:METRICS])}{more}." if parts else ""


def certainty(results: StudyResults) -> str:
    """How many comparisons with the control are significant, by data sets and, where the study has them, by runs."""
    settings = results.settings
    own = settings.blocks == "datasets"
    text = _compared(results, "datasets", settings.holm if own else "step_down")
    text = f"{text[0].upper()}{text[1:]}."
    if own:
        return text
    side = "" if settings.alternative == "two-sided" else f"{settings.alternative}, "
    how = "Holm without its stopping rule" if settings.holm == "no_stop" else "Holm"
    return (
        f"{text} The marks of the tables count otherwise, by the study's own procedure ({side}{how}): "
        f"{_compared(results, 'runs', settings.holm)}. Runs of one data set share its rows and are not independent: "
        "rely on the first count."
    )


def _compared(results: StudyResults, blocks: str, holm: str) -> str:
    """With blocks of one kind, the number of comparisons that are significant, as a clause."""
    settings = results.settings
    rows, ranks = (
        frame[(frame["blocks"] == blocks) & frame["metric"].isin(results.metrics)]
        for frame in map(results.stats, ("posthoc", "ranks"))
    )
    sizes = sorted(set(ranks["n_blocks"].astype(int))) or [0]
    size = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    what = f"with {'data sets' if blocks == 'datasets' else 'single runs'} as blocks (N = {size})"
    rows = rows[rows["test"] == HOLM[holm]]
    if rows.empty:
        return f"nothing can be tested {what}"
    against = "the best-ranked method" if settings.control == "best" else results.names.of("method", settings.control)
    significant, withheld = is_true(rows["significant"]), is_true(rows["exploratory"])
    panels = withheld.groupby([rows["metric"], rows["scenario"]]).any()
    text = (
        f"{int(significant.sum())} of {number(len(rows), 'comparison')} with {against} are significant {what}, "
        f"α = {settings.alpha:g}"
    )
    if panels.any():
        many = f"{int(panels.sum())} of {number(len(panels), 'panel')}"
        text += f"; Friedman's test tells no methods apart in {many} (one a metric and scenario)"
    return text


def reproduction(agreement: pd.DataFrame, verdicts: pd.DataFrame) -> str:
    """How many published numbers agree, and what became of the claims; from agreement.csv and verdicts.csv."""
    rows, parts = with_status(agreement), []
    status = rows.loc[~rows["average"], "status"].value_counts()
    within, outside = int(status.get(WITHIN, 0)), int(status.get(OUTSIDE, 0))
    if within + outside:
        parts.append(f"{outside} of {number(within + outside, 'published number')} lie outside the tolerance.")
    if len(verdicts):
        counts = verdicts["verdict"].value_counts()
        words = [f"{counts[verdict]} {verdict}" for verdict in ORDER if verdict in counts]
        parts.append(f"Of {number(len(verdicts), 'claim')}: {listed(words)}.")
    return " ".join(parts) or "No published numbers or claims belong to this study."


def missing(
    absent: Mapping[str, str], n_datasets: int, statuses: Mapping[str, int], doubtful: Sequence[str] = ()
) -> str:
    """Data sets and runs that are not there or not well.

    `absent` maps data sets to titles, of `n_datasets` that the study asks for; `statuses` has the number of runs by
    status; there are warnings about the data sets `doubtful`.
    """
    total, bad = sum(statuses.values()), {name: n for name, n in sorted(statuses.items()) if name != "ok"}
    parts = []
    if absent:
        parts.append(
            f"{len(absent)} of {number(n_datasets, 'data set')} without results ({listed(list(absent.values()))})"
        )
    if bad:
        kinds = ", ".join(f"{count:,} {name}" for name, count in bad.items())
        parts.append(f"{sum(bad.values()):,} of {total:,} runs did not end well ({kinds})")
    runs = "1 run" if total == 1 else f"{total:,} runs"
    text = "; ".join(parts) or f"Nothing: {number(n_datasets, 'data set')} and {runs} are complete"
    return f"{text}." + (f" There are warnings about {listed(list(doubtful))}." if doubtful else "")


def premises(results: StudyResults, hidden: Mapping[str, str]) -> str:
    """Which choices use hidden labels, and what metrics of observed labels assume."""
    groups: dict[str, list[str]] = {}
    for metric in results.metrics:
        if assumed := results.assumptions.get(metric):
            groups.setdefault(assumed, []).append(results.metric_label(metric))
    parts = [f"{listed(metrics)} assume{'s' * (len(metrics) == 1)} {assumed}." for assumed, metrics in groups.items()]
    if hidden:
        parts.append(f"Hidden labels, which a user of PU data lacks, are used by {listed(list(hidden))}.")
    elif results.truth_known:
        parts.append("No choice of the study uses hidden labels; true labels only score.")
    return " ".join(parts) or "Observed labels alone."
