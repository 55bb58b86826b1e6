"""Summarise the study `advise_evidence` into the file that `scarce advise` compares a user's data with.

snakemake --cores 2 advise_evidence
python benchmarks/advise_evidence.py
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from scarce import paths
from scarce.analysis.similar_sets import COLUMNS, FACTS, FILE, summarised
from scarce.config.loading import load_project
from scarce.config.study import Study
from scarce.data.store import load_features_only
from scarce.files import read_csv, write_csv
from scarce.stages.inputs import labels_of

STUDY = "advise_evidence"


def about(study: Study, dataset: str, scenario: str) -> dict:
    """What a data set looks like with the labels of a scenario: means over the repeats' training rows."""
    features, labels = load_features_only(dataset), labels_of(study, dataset, scenario)
    repeats = [one for one in labels if not one.skipped]
    return {
        "dataset": dataset,
        "scenario": scenario,
        "rows": round(np.mean([len(one.train) for one in repeats])),
        "columns": features.X.shape[1],
        "nominal_share": round(float(features.categorical.mean()), 4),
        "labeled_share": round(float(np.mean([one.label_share for one in repeats])), 6),
        "class_prior": round(float(np.mean([one.class_prior for one in repeats])), 6),
    }


def main() -> None:
    study = load_project([paths.study_yaml(STUDY)], thorough=False).study(STUDY)
    cells = [about(study, dataset, one.name) for dataset in study.datasets for one in study.scenarios_of(dataset)]
    table = summarised(read_csv(paths.result("scores", STUDY)), pd.DataFrame(cells))
    write_csv(FILE, table.round({"auc_pr": 5}))
    print(f"{FILE}: {table.groupby(['dataset', 'scenario']).ngroups} sets, {table['method'].nunique()} methods")
    print(f"columns: {', '.join(COLUMNS)}; sets are compared by {', '.join(FACTS)}")


if __name__ == "__main__":
    main()
