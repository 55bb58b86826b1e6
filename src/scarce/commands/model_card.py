"""The JSON beside a model: what it was made from, how it decides, what it assumes, and how to read new rows."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from typing import Any

import numpy as np

from scarce import __version__, libraries
from scarce.config.options import hidden_labels
from scarce.data.new_rows import as_described
from scarce.data.prepare import reading_of
from scarce.data.steps import OF_ALL_ROWS
from scarce.data.store import Prepared
from scarce.labels.file import RepeatLabels
from scarce.scoring.observed_metrics import OBSERVED_METRICS
from scarce.stages.cell import StudyCell

#: Value of ``kind``, by which the JSON of a model is known.
KIND = "scarce model 1"
TRUST = "loading a joblib file runs code that it holds: load only files whose origin you trust"


def card(
    cell: StudyCell, data: Prepared, labels: RepeatLabels, results: dict[str, Any], model: Any, notes: list[str]
) -> dict[str, Any]:
    """The description of a fitted pipeline; `results` are the rows of ``runs`` and ``scores`` of its cell."""
    project, study = cell.project, cell.study
    spec, dataset, scenario = project.method(cell.method), project.dataset(cell.dataset), study.scenario(cell.scenario)
    encoder, classifier = model[0], model[-1]
    return {
        "kind": KIND,
        "trust": TRUST,
        "study": {"name": study.name, "title": study.title, "preset": study.preset, "repeats": study.repeats},
        "dataset": {
            "name": cell.dataset,
            "title": dataset.title,
            "content_sha256": data.description["content_sha256"],
            "licence": dataset.licence,
        },
        "scenario": {"name": scenario.name, "label": scenario.label},
        "labels": _labels(cell),
        "rows": {"trained": len(labels.train), "labeled": int(labels.s.sum())},
        "method": {
            "name": cell.method,
            "label": spec.label,
            "estimator": cell.estimator.target,
            "arguments": cell.filled_arguments(labels),
            "encoding": encoder.encoding,
            "score": classifier.score_function,
        },
        "class_prior": {"value": labels.class_prior, "from": _prior(cell)},
        "threshold": _spread(results["runs"].threshold.to_numpy(float)) | {
            "value": classifier.threshold,
            "comparison": ">" if classifier.strict else ">=",
            "rule": study.options.decision,
        },
        "metrics_without_negatives": _metrics(results["scores"]),
        "assumptions": {"labels": cell.estimator.assumption or "not stated", "scheme": labels.scheme},
        "hidden_labels": hidden_labels(study.options),
        "seeds": {"labels": labels.seed, "method": cell.seed(labels.repeat), "repeat": labels.repeat},
        "columns": [{"name": name, "levels": levels} for name, levels in encoder.columns.items()],
        "table": as_described(dataset, *reading_of(dataset)),
        "notes": notes,
        "fingerprint": cell.identity[0],
        "python": platform.python_version(),
        "scarce": __version__,
        "versions": libraries.versions({*project.libraries(study, cell.method), "numpy", "pandas", "sklearn"}),
    }  # fmt: skip


def remarks(card: dict[str, Any]) -> Iterator[str]:
    """What a user of the model should know before its first use, a line each."""
    if card["labels"]["drawn"]:
        yield f"labels are {card['labels']['from']}; a study with `labeling: observed` fits to labels as they are"
    for what, use in card["hidden_labels"].items():
        yield f"uses hidden labels: the option {what} {use}"
    for step in card["table"]["steps"]:
        if step["step"] in OF_ALL_ROWS:
            yield f"scarce predict cannot be used: step {step['step']} of {card['dataset']['name']} reads all rows"
    yield from card["notes"]


def _labels(cell: StudyCell) -> dict[str, Any]:
    if not cell.study.truth_known:
        return {"drawn": False, "from": "the class column, which is the observed label"}
    words = f"drawn on all rows as scenario {cell.scenario} draws them from the class column"
    return {"drawn": True, "from": words}


def _prior(cell: StudyCell) -> str:
    """Where the class prior comes from, in words."""
    option, factor = cell.study.options.class_prior, cell.study.scenario(cell.scenario).prior_factor
    if not isinstance(option, str):
        words = "stated by the study"
    elif cell.study.options.estimator:
        words = f"estimated by {cell.study.options.estimator} from all rows"
    else:
        words = "the share of true positives, which a user does not know"
    return words if factor == 1 else f"{words}, times {factor:g}"


def _spread(values: np.ndarray) -> dict[str, float | int]:
    """Median, extremes and number of values, one for each repeat."""
    return {
        "median": float(np.median(values)),
        "min": float(values.min()),
        "max": float(values.max()),
        "repeats": len(values),
    }


def _metrics(scores: Any) -> dict[str, Any]:
    """The study's estimates from observed labels, by metric, and what each assumes."""
    found = {}
    for name, metric in OBSERVED_METRICS.items():
        values = scores.value[scores.metric == name].dropna().to_numpy(float)
        if len(values):
            found[name] = _spread(values) | {"assumes": list(metric.assumes)}
    return found
