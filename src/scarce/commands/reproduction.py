"""One page of Markdown on what studies found, for a repository to keep while their results stay out of it."""

from __future__ import annotations

from datetime import UTC, datetime

from scarce import paths
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.errors import IncompleteError
from scarce.files import read_json
from scarce.report.agreement_view import agreement_view
from scarce.report.layouts.by_method import scenarios
from scarce.report.reproduction import Section, about_authors, markdown_page
from scarce.report.summary import agreement_notes
from scarce.stages.describe import versions_used
from scarce.stages.page import facts
from scarce.stages.results import load_results, table_specs
from scarce.words import listed


def reproduction(project: Project, names: list[str]) -> str:
    """The page of finished studies, the first one's title on top.

    Raises
    ------
    IncompleteError
        If a study has no report yet.
    """
    for name in names:
        if not paths.result("report", name).is_file():
            raise IncompleteError(f"study {name} has no report yet", hint=f"snakemake --cores 2 {name}")
    return markdown_page(
        title=f"What {listed(names)} found",
        command=f"snakemake --cores 2 {' '.join(names)} && scarce reproduction {' '.join(names)}",
        date=datetime.fromtimestamp(paths.result("scores", names[0]).stat().st_mtime, UTC).date().isoformat(),
        versions=_versions([read_json(paths.result("manifest", name)) for name in names]),
        sections=[_section(project, project.study(name)) for name in names],
    )


def _versions(manifests: list[dict]) -> dict[str, str]:
    """Versions by library; where the studies have several, all of them."""
    found: dict[str, list[str]] = {}
    for library, version in [one for manifest in manifests for one in versions_used(manifest).items()]:
        if version not in found.setdefault(library, []):
            found[library].append(version)
    return {library: listed(versions) for library, versions in sorted(found.items())}


def _section(project: Project, study: Study) -> Section:
    results = load_results(project, study.name)
    manifest = read_json(paths.result("manifest", study.name))
    means = results.stats("means")
    averages = means[means["dataset"] == ""]
    tables = []
    for spec in table_specs(study):
        if spec.layout == "scenarios":
            about = about_authors(averages[averages["metric"] == spec.metric], results.names.methods)
            tables.append((scenarios(spec, results, authors=bool(about)), about))
    agreement = results.frames["agreement"]
    return Section(
        title=f"{study.name}: {study.title}",
        description=study.description,
        facts=dict(facts(study, results))
        | {"Commit": str(manifest["git_commit"]), "sha256 of scores.csv": manifest["scores_sha256"]},
        tables=tables,
        agreement=agreement_view(agreement, results.frames["agreement_runs"], study.reasons, results.names.of),
        verdicts=results.frames["verdicts"],
        notes=[*filter(None, [results.counted_words()]), *agreement_notes(results)] if len(agreement) else [],
    )
