"""Rule `page`: the report of a study, one HTML file that needs nothing beside it."""

from __future__ import annotations

from typing import Any

from scarce import paths
from scarce.analysis.separated import in_words, separated
from scarce.config.options import Options, hidden_labels
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.errors import ConfigError
from scarce.files import csv_text, read_json, read_markup, write_text
from scarce.report.layouts import build_table
from scarce.report.leaderboard import leaderboard
from scarce.report.one_dataset import READING, differences, estimates, headline
from scarce.report.page import THRESHOLDS, FigureBlock, Missing, Option, PageContext, TableBlock, build_page
from scarce.report.payload import payload
from scarce.report.render import to_latex
from scarce.report.results import StudyResults
from scarce.report.run_tables import costs, messages, thresholds
from scarce.report.summary import agreement_notes, sizes_of, winners
from scarce.report.takeaways import takeaways
from scarce.result_files import RESULT_FILES
from scarce.stages import unpacked
from scarce.stages.describe import fitted_with, mixed_versions
from scarce.stages.inputs import existing
from scarce.stages.results import changed, load_results, table_specs
from scarce.stages.studies_page import write_studies_page
from scarce.words import number

NOTES = 40  # sentences that are folded beneath the summary
RULES = {metric: rule for metric, rule, _ in THRESHOLDS}
BANNER = (
    "The class column is the observed label: nobody knows the true labels of these rows. Every number here is "
    "estimated from labeled and unlabeled rows and means what it says only under the assumptions that stand beside it. "
    "No number here is a score against the truth."
)


def page(project: Project, name: str | None = None, *, all: bool = False) -> list[str]:
    """Write the report of a study; or, with `all`, the page of all finished studies, whose path is returned.

    Raises ConfigError where neither or both are asked for.
    """
    if (name is None) != all:
        raise ConfigError("name one study, or give --all for the page of all finished studies")
    if all:
        return [str(write_studies_page())]
    study = project.study(name)
    results = load_results(project, name)
    manifest = read_json(existing(paths.result("manifest", name), name))
    captions = read_json(existing(paths.captions(name), f"{name} --forcerun figures"))
    write_text(paths.result("report", name), build_page(context(project, study, results, manifest, captions)))
    return []


def context(project: Project, study: Study, results: StudyResults, manifest: dict, captions: list[dict]) -> PageContext:
    """Everything that the page of a study shows."""
    names, frames = results.names, results.frames
    from_pack, doubt, mixed = unpacked.note(study.name), changed(study), mixed_versions(manifest)
    warnings = _warnings(results, manifest)
    doubtful = list(dict.fromkeys(warning.name for warning in warnings))
    return PageContext(
        title=study.title,
        subtitle=study.description,
        banner="" if study.truth_known else BANNER,
        facts=facts(study, results),
        summary=takeaways(
            results,
            hidden=project.hidden_labels(study),
            doubtful=doubtful,
        ),
        notes=[f"{one}." for one in (from_pack, doubt, mixed) if one] + _cautions(project, study, results),
        details=_panels(results) + _notes(project, study, results),
        data=payload(results, name=study.name, title=study.title, repeats=study.repeats, rules=RULES),
        leaderboard=leaderboard(results),
        tables=[_table(spec, results) for spec in table_specs(study)],
        figures=[_figure(study, caption) for caption in captions],
        figures_folder=f"{paths.figures(study.name).as_posix()}/",
        differences=differences(results),
        differences_reading=READING,
        estimates=estimates(results),
        agreement=frames["agreement"],
        agreement_runs=frames["agreement_runs"],
        agreement_notes=agreement_notes(results),
        agreement_reasons=study.reasons,
        verdicts=frames["verdicts"],
        evidence=frames["evidence"],
        statuses=manifest["statuses"],
        failures=frames["failures"].astype(object).fillna("").to_dict("records"),
        missing=[Missing(names.of("dataset", name), reason) for name, reason in results.absent.items()],
        warnings=warnings,
        messages=messages(results),
        costs=costs(results),
        rules=THRESHOLDS if any(metric.startswith("f1") for metric in study.analysis.metrics) else (),
        thresholds=thresholds(results, RULES),
        options=_options(study),
        provenance=_provenance(study, manifest),
        sources=[_source(name, about, study) for name, about in manifest["datasets"].items()],
        citations=_citations(study, manifest),
        folder=f"{paths.results(study.name).as_posix()}/",
        files_beside=[(file.path, file.title) for file in RESULT_FILES.values() if file.rule != "page"],
        label=names.of,
    )


def _panels(results: StudyResults) -> list[str]:
    """The best methods by rank, on one data set by mean, panel by panel; and what their metrics assume."""
    names = results.names.of
    if results.of_one_dataset:
        sentences = headline(results)
    else:
        sentences = winners(*map(results.stats, ("ranks", "posthoc", "omnibus")), label=names, metrics=results.metrics)
    return sentences + [words for metric in results.metrics if (words := results.assumed_words(metric))]


def facts(study: Study, results: StudyResults) -> list[tuple[str, str]]:
    """What stands on top of the page: the size of the study, and how it was run."""
    return [*sizes_of(results, study.repeats), ("Preset", study.preset)]


def _warnings(results: StudyResults, manifest: dict) -> list[Missing]:
    """What is doubtful of the data sets, as prepared and by their scores."""
    names = results.names
    texts = [(name, text) for name, about in manifest["datasets"].items() for text in about.get("warnings", ())]
    for name, scenarios in separated(results.scores).items():
        texts.append((name, in_words([names.of("scenario", scenario) for scenario in scenarios])))
    return [Missing(names.of("dataset", name), text) for name, text in texts]


def _cautions(project: Project, study: Study, results: StudyResults) -> list[str]:
    """What a reader must know before the numbers."""
    notes = [f"{words}." for words in project.mismatches(study)]
    if results.of_one_dataset and study.options.blocks == "runs":
        notes.append(
            "Tests over runs take the repeats of one data set as independent, which they are not: rely on the "
            "differences on one data set below."
        )
    return notes


def _notes(project: Project, study: Study, results: StudyResults) -> list[str]:
    notes = []
    if words := results.counted_words():
        notes.append(words)
    if results.unavailable:
        notes.append(f"{number(len(results.unavailable), 'data set')} could not be had or used; the reasons are below.")
    notes += [f"Uses hidden labels: {what} {use}." for what, use in project.hidden_labels(study).items()]
    missing = results.stats("notes")
    missing = missing[missing["blocks"] == "datasets"]
    if results.of_one_dataset:  # the differences stand in place of tests of ranks
        missing = missing[~missing["note"].str.startswith("not tested")]
    for note in dict.fromkeys(f"{row.dataset} {row.method} {row.note}".strip() for row in missing.itertuples()):
        if len(notes) < NOTES and not any(note.startswith(name) for name in results.unavailable):
            notes.append(note)
    return notes


def _table(spec: Any, results: StudyResults) -> TableBlock:
    table = build_table(spec, results)
    files = {f"{table.name}.csv": csv_text(table.frame), f"{table.name}.tex": to_latex(table)}
    return TableBlock(f"{_numbered(spec.name)}{spec.title}", table, files)


def _numbered(name: str) -> str:
    """``table_A1`` is the paper's Table A1; other names are not numbers."""
    kind, _, rest = name.partition("_")
    return f"Table {rest}. " if kind == "table" and rest else ""


def _figure(study: Study, caption: dict) -> FigureBlock:
    stem, view = caption["stem"], caption["view"]
    svg = existing(paths.figures(study.name) / f"{stem}.svg", f"{study.name} --forcerun figures")
    return FigureBlock(stem, caption["title"], "" if view else read_markup(svg, "</svg>"), caption["caption"], view)


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
        **({"Fits from": manifest["pack"]} if "pack" in manifest else {}),
        "Platform": manifest["platform"],
        "sha256 of scores.csv": manifest["scores_sha256"],
        "Versions": manifest["versions"],
        "Fitted with": fitted_with(manifest),
        "Methods": {
            about["label"]: f"{about['estimator']} {about['arguments']}" for about in manifest["methods"].values()
        },
    }


def _source(name: str, about: dict, study: Study) -> dict:
    available = about["status"] == "ok"
    source = about["provenance"]["source"] if available else {}
    return {
        "Data set": about["title"],
        "Name": name,
        "n": about.get("n", ""),
        "d": about.get("d", ""),
        ("Positives" if study.truth_known else "Labeled"): about.get("positives", ""),
        "Classes": about.get("classes", ""),
        "Source": f"{source.get('kind', '')}: {source.get('where', '')}" if available else "unavailable",
        "Content sha256": about.get("content_sha256", ""),
        "Licence": about["licence"],
    }


def _citations(study: Study, manifest: dict) -> list[str]:
    data = [about["citation"] for about in manifest["datasets"].values() if about["citation"]]
    return list(dict.fromkeys([*([study.citation] if study.citation else []), *data]))
