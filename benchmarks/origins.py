"""The verdicts of a finished study with one block for all data sets of an origin, which share rows.

snakemake --cores 2 wider
python benchmarks/origins.py wider
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace

from scarce import paths
from scarce.analysis.evidence import Case
from scarce.analysis.ranks import SCORE_KEYS
from scarce.analysis.verdicts import judge_all
from scarce.config.loading import load_project
from scarce.stages.verdicts import case_of


def by_origin(case: Case, origins: Mapping[str, str]) -> Case:
    """The same case with the mean over the data sets of an origin, repeat by repeat, in place of these.

    A data set without a value of some method is left out first, as it is where data sets are the blocks.
    """
    scores = case.scores[case.scores["dataset"].isin(case.datasets)]
    lacking = scores[scores["value"].isna() & scores["metric"].isin(case.settings.metrics)]["dataset"].unique()
    scores = scores[~scores["dataset"].isin(lacking)]
    means = scores.assign(dataset=scores["dataset"].map(origins)).groupby(SCORE_KEYS)["value"].mean().reset_index()
    settings = replace(case.settings, datasets=sorted(means["dataset"].unique()))
    return replace(case, scores=means, settings=settings)


def main(name: str) -> None:
    project = load_project([paths.study_yaml(name)], thorough=False)
    study = project.study(name)
    origins = {one: project.dataset(one).origin or one for one in study.datasets}
    case = by_origin(case_of(project, study), origins)
    print(f"{len(study.datasets)} data sets of {len(case.datasets)} origins")
    verdicts, _ = judge_all(case, [(claim, claim.arguments) for claim in study.claims])
    for row in verdicts.itertuples():
        print(f"{row.claim}: {row.verdict}\n  {row.reading}")


if __name__ == "__main__":
    main(sys.argv[1])
