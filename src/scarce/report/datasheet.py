"""The datasheet of a data set: what the catalogue says of it, under the headings of Gebru et al. (2021)."""

from __future__ import annotations

from collections.abc import Sequence

from scarce.config.datasets import DatasetSpec
from scarce.report.croissant import PERSONS_UNKNOWN, composition
from scarce.report.render import markdown_text
from scarce.words import listed


def datasheet(spec: DatasetSpec, studies: Sequence[str], paper: str = "") -> str:
    """A page of Markdown; `studies` name the data set, and `paper` is the one whose folder describes it."""
    sections = {
        "Motivation": [
            f"Used by {listed(list(studies))}." if studies else "No study of this version names it.",
            f"Described for the paper {paper}." if paper else "",
            f"Stands in for {spec.substitute_for}." if spec.substitute_for else "",
        ],
        "Composition": [
            f"{composition(spec)}.",
            f"Positive: {listed(spec.positive)}. Negative: {listed(spec.negative) or 'all other classes'}.",
            spec.note,
        ],
        "Collection": [f"Citation: {spec.citation or 'not stated'}.", f"Personal data: {PERSONS_UNKNOWN}"],
        "Sources": [
            f"{source.kind}: {source.where}" + "".join(f"; sha256 {digest}" for digest in _digests(source))
            for source in spec.sources
        ],
        "Preprocessing": [
            *(f"{one.step}: {one.model_dump(exclude={'step'}, exclude_defaults=True)}" for one in spec.steps),
            "The file holds standardised numbers, which stay as they are." if spec.scaled else "",
            f"SHA-256 of names, values and labels of the prepared table: {spec.content_sha256 or 'not stated'}.",
        ],
        "Known leaks, altered copies and errors": list(spec.issues) or ["None known to this project."],
        "Distribution": [
            f"Licence: {spec.licence or 'not stated'}.",
            f"Not available to everyone: {spec.reason}." if spec.reason else "",
            "scarce does not distribute the data.",
        ],
        "Maintenance": ["By its source. scarce refuses a file or a table with another digest."],
    }
    parts = [f"# {markdown_text(spec.title or spec.name)}", f"Name in scarce: `{spec.name}`."]
    for title, lines in sections.items():
        parts += [f"## {title}", "\n".join(f"- {markdown_text(line)}" for line in lines if line)]
    return "\n\n".join(parts) + "\n"


def _digests(source: object) -> list[str]:
    return [file.sha256 for file in getattr(source, "files", ()) if file.sha256]
