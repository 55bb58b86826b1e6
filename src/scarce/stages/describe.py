"""What results were made from (manifest.json) and what their columns mean (datapackage.json)."""

from __future__ import annotations

import importlib.metadata
import platform
import subprocess
from typing import Any

from scarce import __version__, paths, registry
from scarce.config.options import leaks, oracles
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.data.availability import missing
from scarce.files import read_json, sha256

VERSIONS = ("numpy", "scipy", "pandas", "scikit-learn", "imbalanced-learn", "xgboost-cpu", "numba", "snakemake")


def manifest(project: Project, study: Study, runs: Any) -> dict:
    """What the results of a study were made from, and the environment that collected them."""
    return {
        "study": study.model_dump(mode="json", exclude={"claims"}),
        "fidelity": study.fidelity,
        "leaks": leaks(study.options),
        "oracles": oracles(study.options),
        "datasets": {name: _dataset(project, study, name) for name in study.datasets},
        "missing": {name: reason for name in study.datasets if (reason := missing(name))},
        "methods": {name: _method(project, study, name) for name in study.methods},
        "statuses": {status: int(count) for status, count in runs.status.value_counts().sort_index().items()},
        "scores_sha256": sha256(paths.scores(study.name)),
        "versions": {"scarce": __version__, "python": platform.python_version(), **_versions()},
        "platform": f"{platform.system()} {platform.machine()}",
        "git_commit": _commit(),
    }


def _dataset(project: Project, study: Study, name: str) -> dict:
    spec = project.dataset(name)
    about = {"title": spec.title, "code": spec.code, "licence": spec.licence, "citation": spec.citation}
    if spec.substitute_for:
        about["substitute_for"] = spec.substitute_for
    if reason := missing(name):
        return about | {"status": "unavailable", "reason": reason}
    prepared, provenance = read_json(paths.prepared_json(name)), read_json(paths.provenance(name))
    kept = ("n", "d", "positives", "content_sha256")
    return about | {"status": "ok", "provenance": provenance} | {key: prepared[key] for key in kept}


def _method(project: Project, study: Study, name: str) -> dict:
    spec = project.method(name)
    entry = registry.find(spec.estimator)
    return {
        "label": spec.label,
        "family": spec.family,
        "estimator": entry.target,
        "assumption": entry.assumption,
        "source": entry.source,
        "arguments": spec.arguments(study),
        "fingerprint": project.fingerprint(study, name),
    }


def _versions() -> dict[str, str]:
    found = {}
    for name in VERSIONS:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _commit() -> str | None:
    """The commit of the working directory, with ``+changes`` where tracked files differ from it."""
    try:
        commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
        changed = subprocess.run(
            ["git", "status", "--porcelain", "-uno"], capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{commit}+changes" if changed.strip() else commit


_CELL = {
    "dataset": ("string", "name of the data set; empty: the average over data sets"),
    "scenario": ("string", "how labels are hidden, e.g. flip-50: half of the positives"),
    "repeat": ("integer", "repeat of the split, counted from 0"),
    "method": ("string", "name of the method in config/methods.yaml"),
    "metric": ("string", "name of the metric, see `scarce list metrics`"),
}
_RUN = {
    "status": ("string", "ok, degenerate (one score for every test row), failed, timeout or skipped"),
    "message": ("string", "warnings, fallbacks, and the reason of a value that is undefined"),
    "fit_seconds": ("number", "wall seconds of the fit on all training rows"),
    "predict_seconds": ("number", "wall seconds of scoring the test rows"),
    "peak_memory_mb": ("number", "peak resident memory of the process that ran the repeat, in MiB"),
    "n_train": ("integer", "training rows"),
    "n_labeled": ("integer", "labeled positives among the training rows"),
    "n_hidden": ("integer", "positives among the training rows whose label is hidden"),
    "class_prior": ("number", "class prior that the method was given, in (0, 1)"),
    "threshold": ("number", "threshold of the study's decision"),
    "seed": ("integer", "the repeat's seed for splits and flips"),
    "fingerprint": ("string", "digest of what the fit depends on beside its input files"),
}
_TEST = {
    "blocks": ("string", "what counts as an independent block: datasets (repeats averaged first) or runs"),
    "alternative": ("string", "two-sided or one-sided"),
    "test": ("string", "name of the test"),
    "statistic": ("number", "value of the test statistic"),
    "df1": ("number", "degrees of freedom"),
    "df2": ("number", "degrees of freedom of the denominator"),
    "p": ("number", "unadjusted p-value"),
    "p_adjusted": ("number", "p-value adjusted for the family of comparisons"),
    "significant": ("boolean", "whether the hypothesis of equal performance is rejected at alpha"),
    "alpha": ("number", "level of the test"),
    "control": ("string", "the method compared with; of a Nemenyi pair, the first"),
    "average_rank": ("number", "average rank over blocks; 1 is best, ties share their mean rank"),
    "mean": ("number", "mean over blocks"),
    "sd": ("number", "mean over data sets of the standard deviation over repeats (ddof 1)"),
    "wins": ("integer", "blocks in which no method is better"),
    "n_blocks": ("integer", "number of blocks"),
    "k": ("integer", "number of methods"),
    "n": ("integer", "number of blocks; in agreement.csv, of runs"),
    "q": ("number", "studentized range quantile over the square root of 2"),
    "critical_difference": ("number", "smallest difference of average ranks that Nemenyi's test calls significant"),
    "published": ("number", "as printed in the paper, as a fraction"),
    "reproduced": ("number", "mean over the runs here"),
    "difference": ("number", "reproduced - published"),
    "standard_error": ("number", "of the difference: sqrt((sd_reproduced^2 + sd_published^2) / n)"),
    "within": ("boolean", "|difference| <= 2 standard errors + half the last printed digit"),
    "n_runs": ("integer", "runs that both sides have"),
    "n_equal": ("integer", "runs equal to 1e-6"),
    "correlation": ("number", "Pearson correlation over the runs"),
    "largest_difference": ("number", "largest absolute difference of a run"),
    "n_datasets": ("integer", "data sets that are averaged"),
    "authors": (
        "number",
        "mean of the authors' own runs, over the same data sets; empty where no run here has its twin",
    ),
    "rank": ("number", "rank within the data set; 1 is best, ties share their mean rank; of an average: average rank"),
    "table": ("string", "name of the table of the report"),
    "published_sd": ("number", "standard deviation as printed in the paper"),
    "published_rank": ("number", "rank as printed in the paper"),
    "published_rank_here": ("number", "the paper's own ranks, averaged over the same data sets"),
    "published_significant": ("boolean", "whether the paper marks the method as different from its control"),
    "fact": ("string", "name of a number that the fitted method says of itself, e.g. a setting that it chose"),
    "note": ("string", "what was missing, left out or could not be tested, and why; of a verdict, our reading of why"),
    "command": ("string", "the command that repeats the run alone"),
}
_CLAIM = {
    "claim": ("string", "name of the claim in the study's file"),
    "text": ("string", "what the paper says, in other words"),
    "where": ("string", "where it stands in the paper"),
    "judge": ("string", "kind of judge, see `scarce list judges`"),
    "verdict": ("string", "held, partly, not held, or untested"),
    "reading": ("string", "what the numbers say, a line for each sentence"),
    "other": ("string", "the method compared with"),
    "quantity": ("string", "what the value is, e.g. average_rank, p_adjusted, difference"),
}
GLOSSARY = _CELL | _RUN | _TEST | _CLAIM


def columns() -> dict[str, list[str]]:
    """The columns of every CSV of a study, by its path in the folder of results."""
    from scarce.analysis.agreement import AGREEMENT, AGREEMENT_RUNS, NOTES
    from scarce.analysis.statistics import COLUMNS
    from scarce.analysis.table_ranks import TABLE_RANKS, TABLE_TESTS
    from scarce.analysis.verdicts import CLAIM_EVIDENCE, VERDICTS
    from scarce.scoring.collect import FACT_COLUMNS, FAILURE_COLUMNS, RUN_COLUMNS, SCORE_COLUMNS

    found = {"scores.csv": SCORE_COLUMNS, "runs.csv": RUN_COLUMNS, "failures.csv": FAILURE_COLUMNS}
    found["facts.csv"] = FACT_COLUMNS
    found |= {f"stats/{name}.csv": names for name, names in COLUMNS.items()}
    found |= {"stats/table_ranks.csv": TABLE_RANKS, "stats/table_tests.csv": TABLE_TESTS}
    found |= {"agreement.csv": AGREEMENT, "agreement_runs.csv": AGREEMENT_RUNS, "agreement_notes.csv": NOTES}
    return found | {"verdicts.csv": VERDICTS, "evidence.csv": CLAIM_EVIDENCE}


def datapackage(study: Study) -> dict:
    """A Frictionless-style description of every CSV of the study."""
    return {
        "name": study.name,
        "title": study.title,
        "profile": "tabular-data-package",
        "resources": [
            {
                "name": path.removesuffix(".csv").replace("/", "-"),
                "path": path,
                "profile": "tabular-data-resource",
                "encoding": "utf-8",
                "schema": {"fields": [field(name) for name in names], "missingValues": [""]},
            }
            for path, names in columns().items()
        ],
    }


def field(name: str) -> dict[str, str]:
    """Name, type and meaning of a column."""
    kind, description = ("number", "the value; empty where it is undefined") if name == "value" else GLOSSARY[name]
    return {"name": name, "type": kind, "description": description}
