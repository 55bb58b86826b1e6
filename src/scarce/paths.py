"""Every file name of the project, relative to its root; braces pass through, so that Snakemake can fill them in.

>>> str(fit("demo", "yeast6", "flip-50", "pu_hrf"))
'results/demo/fits/yeast6/flip-50/pu_hrf.npz'
>>> str(labels("{study}", "{dataset}", "{scenario}"))
'results/{study}/labels/{dataset}/{scenario}.npz'
"""

from __future__ import annotations

from pathlib import Path

CONFIG = Path("config")
DATA = Path("data")
RESULTS = Path("results")
FIGURES = Path("figures")
REFERENCE = Path("reference")
LOGS = Path("logs")
PAPERS = Path("papers")

DATASETS_YAML = CONFIG / "datasets.yaml"
METHODS_YAML = CONFIG / "methods.yaml"
CONFIG_YAML = CONFIG / "config.yaml"
STUDIES = CONFIG / "studies"
KERNELS = DATA / "kernels.json"


def study_yaml(study: str) -> Path:
    return STUDIES / f"{study}.yaml"


def study_files(suffix: str = ".yaml") -> list[Path]:
    """The files of studies that there are, but for hidden ones: those that editors and macOS leave are no studies."""
    return sorted(file for file in STUDIES.glob(f"*{suffix}") if not file.name.startswith("."))


def raw(dataset: str) -> Path:
    """Folder of the bytes as the source has them."""
    return DATA / "raw" / dataset


def provenance(dataset: str) -> Path:
    return raw(dataset) / "PROVENANCE.json"


def prepared(dataset: str) -> Path:
    """``.npz`` with X and y; its description is beside it as ``.json``."""
    return DATA / "prepared" / f"{dataset}.npz"


def prepared_json(dataset: str) -> Path:
    return DATA / "prepared" / f"{dataset}.json"


def results(study: str) -> Path:
    return RESULTS / study


def features(study: str, dataset: str) -> Path:
    """Features encoded on all rows; only where the study's encoding does that."""
    return results(study) / "features" / f"{dataset}.npz"


def labels(study: str, dataset: str, scenario: str) -> Path:
    return results(study) / "labels" / dataset / f"{scenario}.npz"


def labels_index(study: str, dataset: str) -> Path:
    """Lists the files of the job that labels a data set: its features, if encoded on all rows, and all labels."""
    return results(study) / "labels" / dataset / "files.json"


def prior(study: str, dataset: str, scenario: str) -> Path:
    """Class priors that were estimated; only where a study estimates them."""
    return results(study) / "priors" / dataset / f"{scenario}.npz"


def priors_index(study: str, dataset: str) -> Path:
    """Lists the files of the job that estimates the class priors of a data set."""
    return results(study) / "priors" / dataset / "files.json"


def fit(study: str, dataset: str, scenario: str, method: str) -> Path:
    return results(study) / "fits" / dataset / scenario / f"{method}.npz"


def fits_index(study: str, dataset: str, group: str) -> Path:
    """Lists the files of the job that fits a group of methods on a data set, e.g. the group ``cells``."""
    return results(study) / "fits" / dataset / f"{group}.json"


def checkpoints(study: str, dataset: str, scenario: str, method: str) -> Path:
    """Folder of the finished repeats of a cell that has not finished."""
    return results(study) / "checkpoints" / dataset / scenario / method


def lock(study: str, dataset: str, scenario: str, method: str) -> Path:
    """File that a process holds while it fits a cell."""
    return results(study) / "checkpoints" / dataset / scenario / f".{method}.lock"


def scores(study: str) -> Path:
    return results(study) / "scores.csv"


def runs(study: str) -> Path:
    return results(study) / "runs.csv"


def failures(study: str) -> Path:
    return results(study) / "failures.csv"


def facts(study: str) -> Path:
    return results(study) / "facts.csv"


def manifest(study: str) -> Path:
    return results(study) / "manifest.json"


def datapackage(study: str) -> Path:
    return results(study) / "datapackage.json"


def stats(study: str, name: str) -> Path:
    return results(study) / "stats" / f"{name}.csv"


def agreement(study: str) -> Path:
    return results(study) / "agreement.csv"


def agreement_runs(study: str) -> Path:
    return results(study) / "agreement_runs.csv"


def agreement_notes(study: str) -> Path:
    return results(study) / "agreement_notes.csv"


def verdicts(study: str) -> Path:
    return results(study) / "verdicts.csv"


def evidence(study: str) -> Path:
    """The numbers behind the verdicts."""
    return results(study) / "evidence.csv"


def tables(study: str) -> Path:
    """Folder of the tables (CSV, LaTeX, HTML)."""
    return results(study) / "tables"


def figures(study: str) -> Path:
    """Folder of the figures."""
    return FIGURES / study


def captions(study: str) -> Path:
    """Titles and captions of the figures, for the page."""
    return figures(study) / "captions.json"


def report(study: str) -> Path:
    return results(study) / "report.html"


def reference(study: str) -> Path:
    """Folder of a paper's published numbers."""
    return REFERENCE / study


def log(*parts: str) -> Path:
    """Log of a job, e.g. ``log("demo", "yeast6", "flip-50", "pu_hrf")``."""
    return LOGS.joinpath(*parts[:-1], f"{parts[-1]}.log")
