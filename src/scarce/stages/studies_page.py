"""``results/index.html``: all finished studies, from the files of each; the project need not describe them any more."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd

from scarce import paths
from scarce.config.project import ON_TRUE_LABELS
from scarce.files import read_csv, read_json, write_text
from scarce.report import takeaways
from scarce.report.results import marked
from scarce.report.studies_page import Finished, studies_page
from scarce.result_files import COLUMNS
from scarce.scoring.observed_metrics import ALL_METRICS
from scarce.words import number

INDEX = paths.RESULTS / "index.html"


def write_studies_page() -> Path:
    """Write the page of the studies that have a page."""
    studies = [file.parent.name for file in sorted(paths.RESULTS.glob("*/report.html"))]
    having = [study for study in studies if paths.result("manifest", study).is_file()]
    write_text(INDEX, studies_page([finished(study) for study in having]))
    return INDEX


def finished(study: str) -> Finished:
    """A finished study in words, from its manifest and tables."""
    about = read_json(paths.result("manifest", study))
    oracles = oracles_of(about)
    methods = {name: marked(one["label"], name in oracles) for name, one in about["methods"].items()}

    def label(kind: str, name: str) -> str:
        if kind == "metric" and name in ALL_METRICS:
            return ALL_METRICS[name].label
        return methods.get(name, name) if kind == "method" else name

    metrics = about["study"]["analysis"]["metrics"]
    ranks, pairs, agreement, verdicts = (_read(study, name) for name in ("ranks", "pairs", "agreement", "verdicts"))
    ranks = ranks[ranks["blocks"] == "datasets"]
    sizes = sorted(set(ranks["n_blocks"]))
    blocks = f"{sizes[0]} to {sizes[-1]} data sets" if len(sizes) > 1 else number(sizes[0], "data set") if sizes else ""
    own = ", and single runs in the study's own procedure" if about["study"]["options"]["blocks"] == "runs" else ""
    means = _read(study, "means")
    having = set(means.loc[(means["n_runs"] > 0) & means["dataset"].notna(), "dataset"])
    there = [name for name in about["datasets"] if name in having]
    alone = len(there) == 1
    leads = (takeaways.leads_on_one if alone else takeaways.leads)(pairs if alone else ranks, metrics, label, oracles)
    return Finished(
        name=study,
        title=about["study"]["title"],
        page=f"{quote(study)}/report.html",
        blocks=f"{blocks or 'none'}{own}",
        leads=leads or takeaways.NOTHING_LEADS,
        reproduction=takeaways.reproduction(agreement, verdicts),
        missing=takeaways.missing(
            {name: one["title"] for name, one in about["datasets"].items() if name not in there},
            len(about["datasets"]),
            about["statuses"],
        ),
    )


def oracles_of(about: Mapping[str, Any]) -> list[str]:
    """Names of the methods of a manifest that are fitted on true labels.

    Manifests of earlier versions do not say so of a method; they have its label among what uses hidden labels.
    """
    on_truth = {label for label, use in about["hidden_labels"].items() if use == ON_TRUE_LABELS}
    return [name for name, one in about["methods"].items() if one.get("hidden_labels") or one["label"] in on_truth]


def _read(study: str, name: str) -> pd.DataFrame:
    return read_csv(
        paths.result(name, study), dtype={name: str for name, one in COLUMNS.items() if one.type == "string"}
    )
