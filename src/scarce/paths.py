"""Every file name of the project, relative to its root. Braces stay as they are, for Snakemake to fill in.

>>> str(fit("demo", "yeast6", "flip-50", "pu_hrf"))
'results/demo/fits/yeast6/flip-50/pu_hrf.npz'
>>> str(labels("{study}", "{dataset}", "{scenario}"))
'results/{study}/labels/{dataset}/{scenario}.npz'
"""

from __future__ import annotations

from pathlib import Path

from scarce.result_files import RESULT_FILES

CONFIG = Path("config")
DATA = Path("data")
RESULTS = Path("results")
FIGURES = Path("figures")
LOGS = Path("logs")
PACKS = Path("packs")
PAPERS = Path("papers")
SHIPPED_PAPERS = Path(__file__).parent / "papers"

DATASETS_YAML = CONFIG / "datasets.yaml"
METHODS_YAML = CONFIG / "methods.yaml"
CONFIG_YAML = CONFIG / "config.yaml"
STUDIES = CONFIG / "studies"
KERNELS = DATA / "kernels.json"


def paper_folders() -> list[Path]:
    """The folders of all papers: those of scarce, then those of the project."""
    return [folder for place in (SHIPPED_PAPERS, PAPERS) for folder in sorted(place.glob("[a-z]*/"))]


def shared_dataset_files() -> list[Path]:
    """The files that describe data sets of no single paper; only the first must be there."""
    return [DATASETS_YAML, *sorted(CONFIG.glob("datasets_*.yaml"))]


def study_files(suffix: str = ".yaml") -> list[Path]:
    """The files of all studies; hidden files, such as those of editors, are left out.

    Those of `own_study_yaml` come last.
    """
    folders = [STUDIES, *(folder / "studies" for folder in paper_folders())]
    files = [file for folder in folders for file in sorted(folder.glob(f"*{suffix}"))]
    files += sorted(file for file in RESULTS.glob(f"*/*{suffix}") if file.stem == file.parent.name)
    return [file for file in files if not file.name.startswith(".")]


def study_yaml(study: str) -> Path:
    """The file of a study; where there is none yet, the one that it would have in ``config/studies``."""
    return next((file for file in study_files() if file.stem == study), STUDIES / f"{study}.yaml")


def own_study_yaml(study: str) -> Path:
    """The file of a study that stands with its results, where `scarce run` has written it."""
    return results(study) / f"{study}.yaml"


def raw(dataset: str) -> Path:
    """Folder of the unchanged files of the source."""
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
    """Features encoded on all rows; only where the study encodes so."""
    return results(study) / "features" / f"{dataset}.npz"


def labels(study: str, dataset: str, scenario: str) -> Path:
    return results(study) / "labels" / dataset / f"{scenario}.npz"


def labels_index(study: str, dataset: str) -> Path:
    """Lists the files of the job that labels a data set: its features, if encoded on all rows, and all labels."""
    return results(study) / "labels" / dataset / "files.json"


def prior(study: str, dataset: str, scenario: str) -> Path:
    """Estimated class priors; only where the study estimates them."""
    return results(study) / "priors" / dataset / f"{scenario}.npz"


def priors_index(study: str, dataset: str) -> Path:
    """Lists the files of the job that estimates the class priors of a data set."""
    return results(study) / "priors" / dataset / "files.json"


def fit(study: str, dataset: str, scenario: str, method: str) -> Path:
    return results(study) / "fits" / dataset / scenario / f"{method}.npz"


def fits_index(study: str, dataset: str, group: str) -> Path:
    """Lists the files of the job that fits a group of methods on a data set, e.g. the group ``cells``."""
    return results(study) / "fits" / dataset / f"{group}.json"


def checkpoint(study: str, dataset: str, scenario: str, method: str) -> Path:
    """File of the finished repeats of a cell that has not finished."""
    return results(study) / "checkpoints" / dataset / scenario / f"{method}.jsonl"


def lock(study: str, dataset: str, scenario: str, method: str) -> Path:
    """File that a process holds while it fits a cell."""
    return results(study) / "checkpoints" / dataset / scenario / f".{method}.lock"


def pack_mark(study: str) -> Path:
    """The pack.json of the pack that the results come from; only where they were unpacked."""
    return results(study) / "pack.json"


def truth(study: str) -> Path:
    """True labels by data set, from the pack; only where the results were unpacked."""
    return results(study) / "truth.npz"


def result(name: str, study: str) -> Path:
    """A result file by its name in `scarce.result_files`.

    >>> str(result("ranks", "demo"))
    'results/demo/stats/ranks.csv'
    """
    return results(study) / RESULT_FILES[name].path


def outputs_of(rule: str, study: str) -> dict[str, Path]:
    """The result files that a rule writes, by name.

    >>> {name: str(file) for name, file in outputs_of("verdicts", "{study}").items()}
    {'verdicts': 'results/{study}/verdicts.csv', 'evidence': 'results/{study}/evidence.csv'}
    """
    return {name: result(name, study) for name, file in RESULT_FILES.items() if file.rule == rule}


def tables(study: str) -> Path:
    """Folder of the tables (CSV, LaTeX, HTML)."""
    return results(study) / "tables"


def figures(study: str) -> Path:
    """Folder of the figures."""
    return FIGURES / study


def captions(study: str) -> Path:
    """Titles and captions of the figures, for the page."""
    return figures(study) / "captions.json"


def reference(paper: str) -> Path:
    """Folder of a paper's published numbers."""
    folder = next((folder for folder in paper_folders() if folder.name == paper), PAPERS / paper)
    return folder / "reference"


def log(*parts: str) -> Path:
    """Log of a job, e.g. ``log("demo", "yeast6", "flip-50", "pu_hrf")``."""
    return LOGS.joinpath(*parts[:-1], f"{parts[-1]}.log")
