"""Versions of the libraries that numbers depend on, under whatever name they were installed."""

from __future__ import annotations

import functools
import importlib.metadata
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from scarce.extras import EXTRAS

#: Importable package -> names of its distributions, where they are not the package's own: pip's first, then conda's.
DISTRIBUTIONS = {
    "imblearn": ("imbalanced-learn",),
    "sklearn": ("scikit-learn",),
    "torch": ("torch", "pytorch", "pytorch-cpu", "pytorch-gpu"),
    "xgboost": ("xgboost-cpu", "xgboost", "py-xgboost", "py-xgboost-cpu", "py-xgboost-gpu"),
}
#: Importable package -> what conda-forge is asked for.
CONDA = {
    "imblearn": "imbalanced-learn",
    "sklearn": "scikit-learn",
    "torch": "pytorch-cpu",
    "xgboost": '"py-xgboost=*=cpu*"',
}
#: Importable package -> name in records of fits, the same for all of its distributions.
NAMES = {"imblearn": "imbalanced-learn", "sklearn": "scikit-learn"}
#: Importable packages that run and show computations, and change no number.
NO_NUMBERS = {"joblib", "matplotlib", "psutil", "threadpoolctl", "tqdm", "typing_extensions"}


@functools.cache
def installed(package: str) -> tuple[str, str] | None:
    """Name and version of the distribution that an importable package belongs to; None where there is none."""
    for names in ((*DISTRIBUTIONS.get(package, ()), package), _distributions_of(package)):
        for name in names:
            try:
                return name, importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                continue
    return None


def _distributions_of(package: str) -> Iterable[str]:
    """Names of distributions by what they install; a search of all of them, so only where it is needed."""
    yield from importlib.metadata.packages_distributions().get(package, ())


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Versions of importable packages that can change numbers, by their names in records, where they are installed."""
    known = {package: installed(package) for package in sorted({*packages} - NO_NUMBERS)}
    return {NAMES.get(package, package): found[1] for package, found in known.items() if found}


def differing(recorded: Mapping[str, str]) -> dict[str, str | None]:
    """The libraries of a record by `versions` that have another version here, each with it; None: not installed."""
    packages = {name: package for package, name in NAMES.items()}
    here = {name: (installed(packages.get(name, name)) or (name, None))[1] for name in recorded}
    return {name: version for name, version in here.items() if version != recorded[name]}


def command(package: str) -> str:
    """The command that installs an importable package: by conda in an environment of conda, else by pip."""
    if (Path(sys.prefix) / "conda-meta").is_dir():
        return f"conda install -c conda-forge {CONDA.get(package, package)}"
    return f'pip install "scarce[{EXTRAS.get(package, "bench")}]"'
