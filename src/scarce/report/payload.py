"""The numbers of a study for the script of its page: what its views show, rank and test.

Arrays are packed: gzip of their little-endian bytes, in base64. Everything is a function of the files that `collect`
and `analyse` wrote; times, memory and messages are those of runs.csv, wherever the page is made.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from scarce.analysis.ranks import dataset_means
from scarce.analysis.rope import ROPE
from scarce.analysis.statistics import HOLM
from scarce.analysis.tests import nemenyi_q
from scarce.config.options import HIDDEN_LABELS
from scarce.report.results import USES_HIDDEN_LABELS
from scarce.scoring.metrics import CHOSEN_BY, METRICS
from scarce.scoring.observed_metrics import ALL_METRICS

if TYPE_CHECKING:
    from scarce.report.results import DisplayMethod, StudyResults

VERSION = 1
#: Bytes of single scores, before they are compressed; a page has to stay below 6 MB.
SINGLE_SCORES = 2_500_000
EXPLAIN = "scarce explain {study} {dataset} {scenario} {method} --repeat {repeat}"
RUN = ("dataset", "scenario", "repeat", "method")
#: What the page knows of a run, beside where it is, with the type of its numbers.
OF_RUN = {"fit_seconds": "<f4", "peak_memory_mb": "<f4", "threshold": "<f4", "class_prior": "<f4"}


def payload(results: StudyResults, *, name: str, title: str, repeats: int, rules: Mapping[str, str]) -> dict[str, Any]:
    """The numbers as a tree for JSON.

    Parameters
    ----------
    results : StudyResults
    name, title : str
        Of the study.
    repeats : int
        As the study asks for.
    rules : mapping from F1 metric to name
        The threshold rules.

    Returns
    -------
    dict
        ``version``, ``study``; ``metrics``, ``scenarios``, ``datasets``, ``methods``: what the axes of the arrays
        stand for; ``means`` and ``gaps`` (metric x scenario x data set x method, see `dataset_means`); ``runs``, a
        column each; ``scores`` (metric x run): of the first metrics alone where those of all are more than
        `SINGLE_SCORES` bytes.
    """
    settings, names = results.settings, results.names
    axes = {"dataset": list(names.datasets), "scenario": list(names.scenarios)}
    axes["method"] = [method.name for method in results.methods]
    metrics = metrics_of(results)
    runs = _known(results.runs, axes)
    scores = {metric: rows for metric, rows in _known(results.scores, axes).groupby("metric")}
    means, gaps = _cells(results, scores, metrics, axes)
    shown = SINGLE_SCORES // (4 * max(len(runs), 1))
    return {
        "version": VERSION,
        "study": {
            "name": name,
            "title": title,
            "alpha": settings.alpha,
            "missing": settings.missing,
            "control": settings.control,
            "alternative": settings.alternative,
            "holm": HOLM[settings.holm],
            "own_blocks": settings.blocks,
            "truth_known": results.truth_known,
            "repeats": repeats,
            "rope": ROPE,
        },
        "metrics": [_metric(metric, results, rules) for metric in metrics],
        "scenarios": [
            {
                "name": scenario,
                "label": label,
                "ratio": results.ratios.get(scenario),
                "datasets": _places(settings.limited.get(scenario), axes["dataset"]),
            }
            for scenario, label in names.scenarios.items()
        ],
        "datasets": [_dataset(dataset, results) for dataset in axes["dataset"]],
        "methods": [_method(method, method.name in results.settings.oracles) for method in results.methods],
        "nemenyi_q": [None, None, *(nemenyi_q(k, settings.alpha) for k in range(2, len(axes["method"]) + 1))],
        "commands": {"explain": EXPLAIN},
        "means": packed(means, "<f8"),
        "gaps": packed(gaps, "<u2"),
        **_runs(runs, axes),
        "scores": packed(_single(scores, metrics[:shown], runs), "<f4"),
    }


def as_json(tree: Any) -> str:
    """A tree as JSON that may stand inside a script element: no letter of it is markup."""
    text = json.dumps(tree, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def packed(values: np.ndarray, dtype: str) -> dict[str, Any]:
    """An array as JSON: its type, its shape, and its bytes; the same on each machine with the same zlib."""
    values = np.asarray(values, dtype)
    return {"dtype": dtype, "shape": list(values.shape), "gzip": _gzip(values.tobytes())}


def packed_text(text: str) -> dict[str, str]:
    """The text of a file, packed like an array."""
    return {"gzip": _gzip(text.encode())}


def _gzip(content: bytes) -> str:
    file = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, file, mtime=0) as stream:  # gzip.compress writes the system into its head
        stream.write(content)
    return base64.b64encode(file.getvalue()).decode()


def metrics_of(results: StudyResults) -> list[str]:
    """Metrics with a better end that have values: those compared, those tabulated, threshold rules, and the others."""
    present = set(results.scores.loc[results.scores["value"].notna(), "metric"])
    settings = results.settings
    order = dict.fromkeys([*settings.metrics, *settings.tabulated, *CHOSEN_BY, *METRICS])
    return [name for name in order if name in present and ALL_METRICS[name].direction]


def _method(method: DisplayMethod, oracle: bool) -> dict[str, Any]:
    """What is known of a method; the script marks oracles itself, and neither ranks nor tests them."""
    return {
        "name": method.name,
        "label": method.label.removesuffix(USES_HIDDEN_LABELS) if oracle else method.label,
        "family": method.family,
        "hidden_labels": oracle,
    }


def _metric(name: str, results: StudyResults, rules: Mapping[str, str]) -> dict[str, Any]:
    metric = ALL_METRICS[name]
    return {
        "name": name,
        "label": metric.label,
        "higher": metric.direction == "max",
        "rule": name if name in rules else "",
        "rule_label": rules.get(name, ""),
        "compared": name in results.metrics,
        "hidden_labels": metric.hidden_labels or ("decision", name) in HIDDEN_LABELS,
        "assumes": results.assumptions.get(name, ""),
        "baseline": metric.baseline if results.truth_known else "",
        "low": metric.low,
        "high": metric.high,
    }


def _dataset(name: str, results: StudyResults) -> dict[str, Any]:
    """What is known of a data set; without true labels ``positives`` counts the labeled rows, and no share is known."""
    n, d, positives = results.sizes.get(name, (None, None, None))
    known = bool(results.truth_known and positives)
    return {
        "name": name,
        "title": results.names.of("dataset", name),
        "code": results.names.short("dataset", name),
        "n": n,
        "d": d,
        "positives": positives,
        "prevalence": positives / n if known else None,
        "imbalance": (n - positives) / positives if known else None,
        "nominal": results.nominal.get(name),
        "counted": name in results.counted_names,
        "note": results.dataset_note(name),
    }


def _places(names: Iterable[str] | None, order: Sequence[str]) -> list[int] | None:
    return None if names is None else [order.index(name) for name in names if name in order]


def _known(rows: pd.DataFrame, axes: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Those rows that are of the data sets, scenarios and methods of the axes."""
    known = np.logical_and.reduce([rows[axis].isin(names) for axis, names in axes.items()])
    return rows[known].reset_index(drop=True)


def _cells(
    results: StudyResults,
    scores: Mapping[str, pd.DataFrame],
    metrics: Sequence[str],
    axes: Mapping[str, Sequence[str]],
) -> tuple[np.ndarray, np.ndarray]:
    """Means and gaps of every cell; what oracles lack or have counts for no other method."""
    shape = (len(metrics), *(len(axes[axis]) for axis in ("scenario", "dataset", "method")))
    means, gaps = np.full(shape, np.nan), np.zeros(shape, int)
    settings = results.settings
    oracles = [name for name in axes["method"] if name in settings.oracles]
    compared = [name for name in axes["method"] if name not in oracles]
    groups = [(compared, settings.missing), *([(oracles, "drop_dataset")] if oracles else [])]
    for i, metric in enumerate(metrics):
        for scenario, rows in scores[metric].groupby("scenario"):
            place = i, axes["scenario"].index(scenario)
            for methods, missing in groups:
                columns = _codes(methods, axes["method"])
                means[place][:, columns], gaps[place][:, columns] = dataset_means(
                    rows,
                    metric,
                    scenario,
                    missing,
                    methods=methods,
                    datasets=axes["dataset"],
                    higher_is_better=metric not in settings.lower_is_better,
                )
    return means, gaps


def _runs(runs: pd.DataFrame, axes: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The runs as columns, in the order of runs.csv, and the words that their statuses and messages stand for."""
    text = {name: runs[name].fillna("").astype(str) for name in ("status", "message")}
    words = {name: sorted(set(column) - {""}) for name, column in text.items()}
    numbers = {name: runs[name] if name in runs else np.full(len(runs), np.nan) for name in OF_RUN}
    return {
        "statuses": words["status"],
        "messages": words["message"],
        "runs": {
            "count": len(runs),
            "dataset": packed(_codes(runs["dataset"], axes["dataset"]), "<u2"),
            "scenario": packed(_codes(runs["scenario"], axes["scenario"]), _smallest(axes["scenario"])),
            "repeat": packed(runs["repeat"], "<u2"),
            "method": packed(_codes(runs["method"], axes["method"]), _smallest(axes["method"])),
            "status": packed(_codes(text["status"], words["status"]), "<u1"),
            "message": packed(_codes(text["message"], words["message"]), "<i4"),
            **{name: packed(column, OF_RUN[name]) for name, column in numbers.items()},
        },
    }


def _codes(column: Sequence[str] | pd.Series, names: Sequence[str]) -> np.ndarray:
    """Places of names in a list; -1 of those that are not in it."""
    return pd.Index(list(names)).get_indexer(column)


def _smallest(names: Sequence[str]) -> str:
    return "<u1" if len(names) < 256 else "<u2"


def _single(scores: Mapping[str, pd.DataFrame], metrics: Sequence[str], runs: pd.DataFrame) -> np.ndarray:
    """Scores of single runs, metric x run; NaN where there is none."""
    index = pd.MultiIndex.from_frame(runs[list(RUN)])
    rows = [scores[metric].set_index(list(RUN))["value"].reindex(index).to_numpy(float) for metric in metrics]
    return np.stack(rows) if rows else np.empty((0, len(runs)))
