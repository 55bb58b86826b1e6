"""Lay out a project from the installed package: `scarce init`."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import scarce
from scarce.errors import ScarceError

PARTS = ("Snakefile", "workflow", "config", "profiles")
README = """\
# A project of scarce

Made by `scarce init`. The studies are in `config/studies/`, data sets and methods in `config/`.

    snakemake --cores 2 smoke       generated data, every stage; no network needed
    scarce list studies             also datasets, methods, metrics, options, judges
    scarce check                    what is wrong with the configuration
    scarce doctor                   environment, missing data, stale locks

To write a study, copy `config/studies/template.yaml`. Results are in `results/<study>/`; open `report.html` first.
Figures are in `figures/<study>/`. Put your own copies of private data into `data/own/`.
"""
IGNORED = "/.snakemake/\n__pycache__/\n/data/\n/results/\n/figures/\n/logs/\n"


def source() -> Path:
    """The folder that holds the files to lay out: part of the installed package, or the checkout itself."""
    package = Path(scarce.__file__).parent
    for folder in (package / "skeleton", package.parents[1]):
        if (folder / "Snakefile").is_file():
            return folder
    raise ScarceError(f"the files of a project are not in {package}", hint="install scarce again")


def init(folder: Path) -> str:
    """Lay out a project in a new or empty folder, and say what to do next; parents are made as well."""
    try:
        if folder.exists() and not folder.is_dir():
            raise ScarceError(f"{folder} is a file", hint="name a new folder")
        if folder.is_dir() and any(folder.iterdir()):
            raise ScarceError(f"{folder} is not empty", hint="name a new or empty folder")
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # a place that holds no folders, or a name that no file can have
        reason = getattr(error, "strerror", None) or error
        raise ScarceError(f"{folder} cannot be made: {reason}", hint="name another folder") from None
    origin = source()
    for part in filter(Path.exists, (origin / name for name in PARTS)):
        if part.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", ".*", "author_runs.csv")
            shutil.copytree(part, folder / part.name, ignore=ignored)
        else:
            shutil.copy(part, folder)
    for name in ("data/own", "results", "figures"):
        (folder / name).mkdir(parents=True)
    (folder / "README.md").write_text(README, encoding="utf-8")
    (folder / ".gitignore").write_text(IGNORED, encoding="utf-8")
    return f"A project is in {folder}. Next: cd {shlex.quote(str(folder))} && snakemake --cores 2 smoke"
