"""What results were made from (manifest.json) and what their columns mean (datapackage.json)."""

from __future__ import annotations

import platform
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from scarce import __version__, paths, registry
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.data.availability import classes_in_words, repeated
from scarce.files import read_json, sha256
from scarce.libraries import DISTRIBUTIONS, NAMES, installed
from scarce.result_files import COLUMNS, RESULT_FILES, ResultFile
from scarce.stages.unpacked import missing, pack_of, words
from scarce.words import number

#: Importable packages whose versions manifest.json gives.
VERSIONS = ("numpy", "scipy", "pandas", "sklearn", "imblearn", "xgboost", "lightgbm", "numba", "torch", "snakemake")


def manifest(
    project: Project,
    study: Study,
    statuses: Iterable[str],
    parts: dict,
    fitted_with: Mapping[str, Mapping[str, int]],
) -> dict:
    """What the results of a study were made from, and the environment that collected them.

    What a pack brought is described as in the pack, and ``pack`` names it.

    `statuses` has the status of every run, `parts` sizes and sample scheme by data set and scenario, see `parts_of`,
    `fitted_with` the number of cells by library and version.
    """
    pack = pack_of(study.name) or {"datasets": {}, "methods": {}, "repeated": None}
    described = {
        "study": settings_of(study),
        "preset": study.preset,
        "hidden_labels": project.hidden_labels(study),
        "datasets": {name: pack["datasets"].get(name) or _dataset(project, study, name) for name in study.datasets},
        "missing": {name: reason for name in study.datasets if (reason := missing(study.name, name))},
        "repeated": repeated(study.datasets) if pack["repeated"] is None else pack["repeated"],
        "methods": {name: pack["methods"].get(name) or _method(project, study, name) for name in study.fitted_methods},
        "parts": parts,
        "statuses": dict(sorted(Counter(statuses).items())),
        "scores_sha256": sha256(paths.result("scores", study.name)),
        "versions": {"scarce": __version__, "python": platform.python_version(), **installed_versions(VERSIONS)},
        "fitted_with": fitted_with,
        "platform": f"{platform.system()} {platform.machine()}",
        "git_commit": _commit(),
    }
    return described | ({"pack": words(pack)} if "name" in pack else {})


def settings_of(study: Study) -> dict:
    """The study as manifest.json and packs record it."""
    return study.model_dump(mode="json", exclude={"claims"})


def parts_of(labels: Iterable, *, transductive: bool) -> dict:
    """Mean sizes of the parts of a (data set, scenario) over repeats, its sample scheme, and whether parts are shared.

    ``same_test``: all repeats test the same rows; ``test_trains``: rows that test also train.
    """
    used = [one for one in labels if not one.skipped]
    sizes = {name: [len(getattr(one, name)) for one in used] for name in ("train", "test", "fit", "validation")}
    tested = {one.test.tobytes() for one in used}
    return {name: sum(counts) / len(used) if used else 0 for name, counts in sizes.items()} | {
        "scheme": used[0].scheme if used else "",
        "same_test": len(used) > 1 and len(tested) == 1,
        "test_trains": transductive,
    }


def _dataset(project: Project, study: Study, name: str) -> dict:
    spec = project.dataset(name)
    entry = {"title": spec.title, "code": spec.code, "licence": spec.licence, "citation": spec.citation}
    if spec.substitute_for:
        entry["substitute_for"] = spec.substitute_for
    if reason := missing(study.name, name):
        return entry | {"status": "unavailable", "reason": reason}
    prepared, provenance = read_json(paths.prepared_json(name)), read_json(paths.provenance(name))
    kept = ("n", "d", "positives", "content_sha256", "warnings")
    described = {key: prepared[key] for key in kept if key in prepared} | {"classes": classes_in_words(prepared)}
    return entry | {"status": "ok", "provenance": provenance} | described


def _method(project: Project, study: Study, name: str) -> dict:
    spec = project.method(name)
    entry = registry.find(spec.estimator)
    return {
        "label": spec.label,
        "family": spec.family,
        "estimator": entry.target,
        "assumption": entry.assumption,
        "source": entry.source,
        "arguments": project.arguments(study, "", name),
        "by_dataset": spec.by_dataset,
        "fingerprint": project.fingerprint(study, "", name),
        **({"hidden_labels": True} if spec.hidden_labels else {}),
    }


def installed_versions(packages: Iterable[str]) -> dict[str, str]:
    """Versions of importable packages, by the names of their distributions; without those that are not installed."""
    return dict(one for package in packages if (one := installed(package)))


def fitted_with(manifest: Mapping) -> dict[str, str]:
    """By library, the versions that fits were made with; of several, with their numbers of cells."""
    return {
        library: next(iter(counts)) if len(counts) == 1 else _counted(counts)
        for library, counts in sorted(manifest.get("fitted_with", {}).items())
    }


def versions_used(manifest: Mapping) -> dict[str, str]:
    """Versions of the environment that collected the results, and of libraries that only the fits had."""
    versions = manifest["versions"]
    names = {NAMES.get(package, package): {*DISTRIBUTIONS.get(package, ()), package} for package in VERSIONS}
    fitted = fitted_with(manifest).items()
    return versions | {name: version for name, version in fitted if name in names and names[name].isdisjoint(versions)}


def mixed_versions(manifest: Mapping) -> str:
    """A warning where fits were made with several versions of a library, or ""."""
    mixed = {library: counts for library, counts in manifest.get("fitted_with", {}).items() if len(counts) > 1}
    if not mixed:
        return ""
    words = "; ".join(f"{library} {_counted(counts)}" for library, counts in sorted(mixed.items()))
    folder = paths.results(manifest["study"]["name"]) / "fits"
    return f"fits were made with several versions of a library: {words}; delete {folder} to make all with one"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{version} ({number(cells, 'cell')})" for version, cells in sorted(counts.items()))


def _commit() -> str | None:
    """The commit of the project, with ``+changes`` where tracked files differ from it; None in another's repository."""

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout.strip()

    try:
        if Path(git("rev-parse", "--show-toplevel")).resolve() != Path.cwd().resolve():
            return None
        commit = git("rev-parse", "HEAD")
        return f"{commit}+changes" if git("status", "--porcelain", "-uno") else commit
    except (OSError, subprocess.CalledProcessError):
        return None


def datapackage(study: Study) -> dict:
    """A Frictionless-style description of every CSV of the study."""
    return {
        "name": study.name,
        "title": study.title,
        "profile": "tabular-data-package",
        "resources": [_resource(file) for file in RESULT_FILES.values() if file.columns],
    }


def _resource(file: ResultFile) -> dict:
    columns = [COLUMNS[name] for name in file.columns]
    fields = [{"name": column.name, "type": column.type, "description": column.description} for column in columns]
    return {
        "name": file.path.removesuffix(".csv").replace("/", "-"),
        "path": file.path,
        "profile": "tabular-data-resource",
        "encoding": "utf-8",
        "schema": {"fields": fields, "missingValues": [""]},
    }
