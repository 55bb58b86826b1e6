"""RO-Crate 1.1 metadata of the artefact: every file with its size and SHA-256, and the workflow that makes results."""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping
from typing import Any

from scarce.report.croissant import FileFacts, Release

METADATA = "ro-crate-metadata.json"
VERSION = "https://w3id.org/ro/crate/1.1"
WORKFLOW = "Snakefile"
SNAKEMAKE = "https://snakemake.github.io"


def crate(description: str, files: Mapping[str, FileFacts], release: Release) -> dict[str, Any]:
    """The graph of a crate whose files are given by path relative to its root; `WORKFLOW` is its main entity."""
    authors = [{"@id": f"#author-{place}", "@type": "Organization", "name": name}
               for place, name in enumerate(release.authors, 1)]  # fmt: skip
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": f"scarce {release.version}",
        "description": description,
        "datePublished": release.date,
        "version": release.version,
        "license": {"@id": release.licence},
        "author": [{"@id": author["@id"]} for author in authors],
        "hasPart": [{"@id": path} for path in files],
        "mainEntity": {"@id": WORKFLOW},
    }
    described = {"@id": METADATA, "@type": "CreativeWork", "about": {"@id": "./"}, "conformsTo": {"@id": VERSION}}
    licence = {"@id": release.licence, "@type": "CreativeWork", "name": "BSD 3-clause licence"}
    language = {"@id": "#snakemake", "@type": "ComputerLanguage", "name": "Snakemake", "url": {"@id": SNAKEMAKE}}
    entities = [_file(path, facts) for path, facts in files.items()]
    return {"@context": f"{VERSION}/context", "@graph": [described, root, *authors, licence, language, *entities]}


def _file(path: str, facts: FileFacts) -> dict[str, Any]:
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    entity = {
        "@id": path,
        "@type": "File",
        "name": path,
        "contentSize": str(facts.size),
        "encodingFormat": kind,
        "sha256": facts.sha256,
    }
    if path == WORKFLOW:
        entity["@type"] = ["File", "SoftwareSourceCode", "ComputationalWorkflow"]
        entity["programmingLanguage"] = {"@id": "#snakemake"}
    return entity
