"""Pages of made-up studies, as a reader gets them: a small one with hostile names, and one as large as they come."""

from __future__ import annotations

import numpy as np
import pandas as pd

from scarce.analysis.statistics import AnalysisSettings
from scarce.report.page import THRESHOLDS, PageContext, build_page
from scarce.report.payload import payload
from scarce.report.results import DisplayMethod, DisplayNames, StudyResults, marked

EVIL = "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">&amp;\u2028"
RULES = {name: short for name, short, _ in THRESHOLDS}
RATIOS = {"flip-25": 0.25, "flip-50": 0.5, "flip-75": 0.75}


def study(
    n_methods: int,
    n_datasets: int,
    n_repeats: int,
    *,
    metrics: tuple[str, ...] = ("auc_pr", "auc_roc", *RULES),
    hostile: str = "",
    gaps: float = 0.0,
    seed: int = 0,
    oracles: tuple[str, ...] = (),
    **settings,
) -> StudyResults:
    """Results of made-up runs.

    Parameters
    ----------
    n_methods, n_datasets, n_repeats : int
    metrics : tuple of str
        All are compared.
    hostile : str
        Stands in every label, title and message.
    gaps : float
        Share of the runs that failed; their values are missing.
    seed : int
    oracles : tuple of str
        Methods that are marked as fitted on true labels.
    **settings
        Of `AnalysisSettings`.
    """
    rng = np.random.default_rng(seed)
    methods = [f"m{i:02}" for i in range(n_methods)]
    datasets = [f"d{i:02}" for i in range(n_datasets)]
    places = pd.MultiIndex.from_product(
        [datasets, RATIOS, range(n_repeats), methods], names=["dataset", "scenario", "repeat", "method"]
    ).to_frame(index=False)
    failed = rng.random(len(places)) < gaps
    runs = places.assign(
        status=np.where(failed, "failed", "ok"),
        message=np.where(failed, f"it failed {hostile}", ""),
        fit_seconds=rng.gamma(2, 1 + places["method"].str[1:].astype(int)),
        peak_memory_mb=rng.uniform(100, 500, len(places)),
        threshold=rng.random(len(places)),
        class_prior=0.2,
    )
    skill = (
        places["method"].str[1:].astype(int) / (2 * n_methods)
        + 0.2 * rng.random(n_datasets)[places["dataset"].str[1:].astype(int)]
    )
    scores = pd.concat(
        places.assign(metric=metric, value=(skill + 0.2 * rng.random(len(places))).round(3).mask(failed))
        for metric in metrics
    )
    n_runs = scores.dropna().groupby(["metric", "scenario", "dataset"]).size().rename("n_runs").reset_index()
    return StudyResults(
        frames={"scores": scores, "runs": runs, "stats/means": n_runs},
        settings=AnalysisSettings(metrics, methods=methods, datasets=datasets, oracles=oracles, **settings),
        names=DisplayNames(
            {name: f"Method {name} {hostile}" for name in methods},
            {name: name.upper() for name in datasets},
            {name: f"{name} {hostile}" for name in RATIOS},
            {name: f"Data set {name} {hostile}" for name in datasets},
        ),
        methods=[
            DisplayMethod(name, marked(f"Method {name} {hostile}", name in oracles), "family") for name in methods
        ],
        ratios=RATIOS,
        sizes={name: (100 * (i + 1), 4 + i, 10 + 2 * i) for i, name in enumerate(datasets)},
        nominal={name: i % 3 for i, name in enumerate(datasets)},
    )


def page_of(results: StudyResults, title: str = "A study") -> str:
    """The page with the views of a study, and little else."""
    repeats = int(results.runs["repeat"].max()) + 1
    data = payload(results, name="made", title=title, repeats=repeats, rules=RULES)
    return build_page(PageContext(title=title, summary=[("What leads", "Made-up numbers.")], data=data))
