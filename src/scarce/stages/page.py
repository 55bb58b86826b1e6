"""Rule `page`: the report of a study, one HTML file that needs nothing beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scarce import paths
from scarce.config.options import Options, hidden_labels
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.files import read_json, read_markup, write_text
from scarce.report.page import THRESHOLDS, FigureBlock, Link, Missing, Option, PageContext, TableBlock, build_page
from scarce.report.results import StudyResults
from scarce.report.summary import listed, number, winners
from scarce.result_files import RESULT_FILES
from scarce.stages.inputs import there
from scarce.stages.results import changed, load_results, read, table_specs


def page(project: Project, name: str) -> None:
    """The report: one file that needs nothing beside it."""

    study = project.study(name)
    results = load_results(project, name)
    manifest = read_json(there(paths.manifest(name), name))
    captions = read_json(there(paths.captions(name), f"{name} --forcerun figures"))
    said = context(project, study, results, manifest, captions, table_specs(study))
    if doubt := changed(study):
        said = replace(said, notes=[f"{doubt}.", *said.notes])
    judged = {"verdicts": read(paths.verdicts(name), study), "evidence": read(paths.evidence(name), study)}
    write_text(paths.report(name), build_page(replace(said, **judged)))


def context(
    project: Project, study: Study, results: StudyResults, manifest: dict, captions: list[dict], specs: list
) -> PageContext:
    """Everything that the page of a study shows."""
    labels = results.labels
    names = results.names()
    return PageContext(
        title=study.title,
        subtitle=study.description,
        facts=facts(study, results),
        summary=winners(
            results.stats["ranks"],
            results.stats["posthoc"],
            method_labels=labels.methods,
            metric_labels=names["metric"],
            scenario_labels=labels.scenarios,
            metrics=results.metrics,
        ),
        notes=_notes(study, results),
        tables=[_table(study, spec) for spec in specs],
        figures=[_figure(study, caption) for caption in captions],
        agreement=results.agreement,
        agreement_runs=results.agreement_runs,
        agreement_notes=agreement_notes(results),
        agreement_reasons=study.reasons,
        statuses=manifest["statuses"],
        failures=_failures(results),
        missing=[Missing(labels.titles[name], reason) for name, reason in results.unavailable.items()],
        thresholds=THRESHOLDS if any(metric.startswith("f1") for metric in study.analysis.metrics) else (),
        options=_options(study),
        provenance=_provenance(study, manifest),
        sources=[_source(name, about) for name, about in manifest["datasets"].items()],
        citations=_citations(study, manifest),
        downloads=[Link(file.path, file.path) for file in RESULT_FILES.values() if file.rule != "page"],
        labels=names,
    )


def facts(study: Study, results: StudyResults) -> list[tuple[str, str]]:
    counted, asked = len(results.counted), len(results.settings.datasets)
    apart = len(results.present) - counted
    return [
        (
            "Data sets",
            (f"{counted}" if counted == asked else f"{counted} of {asked}")
            + (f" + {apart} stand-ins" if apart else ""),
        ),
        ("Scenarios", listed(list(results.labels.scenarios.values()))),
        ("Repeats", str(study.repeats)),
        ("Methods", str(len(study.methods))),
        ("Runs", f"{len(results.runs):,}"),
        ("Preset", study.preset),
    ]


def _notes(study: Study, results: StudyResults) -> list[str]:
    notes = []
    if words := results.counted_words():
        notes.append(words)
    if results.unavailable:
        notes.append(f"{number(len(results.unavailable), 'data set')} could not be had or used; the reasons are below.")
    for option, use in hidden_labels(study.options).items():
        notes.append(f"Uses hidden labels: {option} = {getattr(study.options, option)} {use}.")
    if len(results.failures):
        notes.append(f"{number(len(results.failures), 'run')} of {len(results.runs):,} did not end well; see Failures.")
    dropped = results.stats["notes"]
    dropped = dropped[dropped.blocks == "datasets"]
    for note in dict.fromkeys(f"{row.dataset} {row.method} {row.note}".strip() for row in dropped.itertuples()):
        if len(notes) < 12 and not any(note.startswith(name) for name in results.unavailable):
            notes.append(note)
    return notes


def _table(study: Study, spec: Any) -> TableBlock:
    folder = paths.tables(study.name)
    html = read_markup(there(folder / f"{spec.name}.html", f"{study.name} --forcerun tables"), "</figure>")
    links = [Link(kind, f"tables/{spec.name}.{suffix}") for kind, suffix in (("CSV", "csv"), ("LaTeX", "tex"))]
    return TableBlock(spec.name, f"{_numbered(spec.name)}{spec.title}", html, "", links)


def _numbered(name: str) -> str:
    """``table_A1`` is the paper's Table A1; other names are not numbers."""
    kind, _, rest = name.partition("_")
    return f"Table {rest}. " if kind == "table" and rest else ""


def _figure(study: Study, caption: dict) -> FigureBlock:
    stem = caption["stem"]
    svg = there(paths.figures(study.name) / f"{stem}.svg", f"{study.name} --forcerun figures")
    folder = f"../../{paths.figures(study.name).as_posix()}"
    links = [Link(kind, f"{folder}/{stem}.{kind.lower()}") for kind in ("SVG", "PDF", "PNG")]
    return FigureBlock(stem, caption["title"], read_markup(svg, "</svg>"), caption["caption"], links)


def agreement_notes(results: StudyResults) -> list[str]:
    notes = []
    runs = results.agreement_runs
    if len(runs):
        for metric, rows in runs.groupby("metric", sort=False):
            equal, n = int(rows.n_equal.sum()), int(rows.n_runs.sum())
            notes.append(
                f"{results.metric_label(metric)}: {equal:,} of {n:,} single runs equal the authors' stored runs "
                "to 1e-6."
            )
    for row in results.agreement_notes.itertuples():
        where = " ".join(part for part in (row.scenario, row.metric, row.dataset, row.method) if part)
        notes.append(f"{where}: {row.note}" if where else row.note)
    return notes


def _failures(results: StudyResults) -> list[dict]:
    rows = results.failures[["dataset", "scenario", "repeat", "method", "status", "message", "command"]]
    return rows.fillna("").to_dict("records")


def _options(study: Study) -> list[Option]:
    using = hidden_labels(study.options, refused=True)
    return [
        Option(name, str(getattr(study.options, name)), field.description, name in using)
        for name, field in Options.model_fields.items()
    ]


def _provenance(study: Study, manifest: dict) -> dict:
    seeds = "the repeat's number seeds everything" if study.options.seeds == "paper" else "derived from named axes"
    return {
        "Study": study.name,
        "Seeds": f"{seeds}; study seed {study.seed}",
        "Git commit": manifest["git_commit"] or "not a git checkout",
        "Platform": manifest["platform"],
        "sha256 of scores.csv": manifest["scores_sha256"],
        "Versions": manifest["versions"],
        "Methods": {
            about["label"]: f"{about['estimator']} {about['arguments']}" for about in manifest["methods"].values()
        },
    }


def _source(name: str, about: dict) -> dict:
    there = about["status"] == "ok"
    source = about["provenance"]["source"] if there else {}
    return {
        "Data set": about["title"],
        "Name": name,
        "n": about.get("n", ""),
        "d": about.get("d", ""),
        "Positives": about.get("positives", ""),
        "Source": f"{source.get('kind', '')}: {source.get('where', '')}" if there else "unavailable",
        "Content sha256": about.get("content_sha256", ""),
        "Licence": about["licence"],
    }


def _citations(study: Study, manifest: dict) -> list[str]:
    data = [about["citation"] for about in manifest["datasets"].values() if about["citation"]]
    return list(dict.fromkeys([*([study.citation] if study.citation else []), *data]))
