"""What a person asks before, during and after a run: list, check, status, explain."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from scarce import paths, registry
from scarce.commands.outcome import left_out
from scarce.commands.processes import host, running_cells, slurm_jobs
from scarce.config.options import Options
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.data.availability import about_classes, missing, repeated, same_table, unavailable, unusable
from scarce.errors import ConfigError, DataError, IncompleteError
from scarce.labels.file import RepeatLabels
from scarce.stages.cell import StudyCell
from scarce.stages.inputs import labels_of
from scarce.words import shown


def grid(rows: Iterable[Sequence[object]], header: Sequence[str]) -> str:
    """Columns of text, as wide as they need to be."""
    lines = [list(map(str, header)), *([("" if cell is None else shown(str(cell))) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


class Incomplete(str):
    """An answer about results that lack data: it ends with the exit code of incomplete results."""

    exit_code = IncompleteError.exit_code


def warn(project: Project) -> None:
    """Warn of what is described wrongly and therefore left out."""
    for line in project.fault_lines():
        print(f"scarce: warning: left out: {line}", file=sys.stderr)


def listing(project: Project, what: str) -> str:
    """What there is of a kind, with what one needs to know to choose."""
    warn(project)
    return {
        "datasets": _datasets,
        "methods": _methods,
        "studies": _studies,
        "metrics": _metrics,
        "options": _options,
        "judges": _judges,
    }[what](project)


def _datasets(project: Project) -> str:
    rows = []
    for name, spec in project.datasets.items():
        expected = spec.expected
        n, d, positives = (expected.n, expected.d, expected.positives) if expected else ("", "", None)
        share = f"{100 * positives / n:.2f} %" if positives else ""
        source = (_availability(project, name), "/".join(_kinds(spec)), spec.licence)
        rows.append((name, spec.code, n, d, share, *source, spec.title))
    return grid(rows, ("name", "code", "n", "d", "positive", "available", "sources", "licence", "title"))


def _kinds(spec) -> list[str]:
    return list(dict.fromkeys(source.kind for source in spec.sources))


def _availability(project: Project, name: str) -> str:
    """Whether a data set is here, can be had, or cannot; asks no network."""
    from scarce.data.availability import at_hand

    if unusable(name):
        return "no (scarce doctor)"
    if at_hand(project.dataset(name), project.mirror):
        return "here"
    if unavailable(name):
        return "no (scarce doctor)"
    remote = [kind for kind in _kinds(project.dataset(name)) if kind in ("url", "wheel", "openml")]
    return "download" if remote else "no"


def _methods(project: Project) -> str:
    rows = []
    for name, spec in project.methods.items():
        entry = registry.find(spec.estimator or "") or registry.Method("", "", "", "published numbers only")
        rows.append((name, spec.label, spec.family, entry.assumption, spec.scheme, entry.target, entry.source))
    return grid(rows, ("name", "label", "family", "assumption", "scheme", "estimator", "source"))


def _studies(project: Project) -> str:
    rows = [
        (name, len(s.datasets), len(s.scenarios), len(s.methods), s.repeats, s.preset, s.title)
        for name, s in project.studies.items()
    ]
    return grid(rows, ("name", "data sets", "scenarios", "methods", "repeats", "preset", "title"))


def _metrics(project: Project) -> str:
    from scarce.scoring.observed_metrics import ALL_METRICS

    hidden = {True: "uses hidden labels", False: ""}
    rows = [
        (m.name, m.label, m.direction, hidden[m.hidden_labels], ", ".join(m.assumes), m.description)
        for m in ALL_METRICS.values()
    ]
    return grid(rows, ("name", "label", "better", "", "assumes", "description"))


def _options(project: Project) -> str:
    presets = {name: Options.model_validate(preset.options) for name, preset in project.presets.items()}
    rows = [
        (name, *(getattr(options, name) for options in presets.values()), field.description)
        for name, field in Options.model_fields.items()
    ]
    return grid(rows, ("option", *presets, "what it decides"))


def _judges(project: Project) -> str:
    from scarce.analysis.judges import JUDGES

    rows = [(j.name, ", ".join(j.arguments.model_fields), j.question) for j in JUDGES.values()]
    return grid(rows, ("name", "arguments", "question"))


def check(project: Project, files: Sequence[Path] = ()) -> str:
    """What the checked studies come to; those of `files`, by default all.

    Raises
    ------
    ConfigError
        With all that is wrong with these studies and with what they name; without `files`, with anything at all. A file
        that is absent, of a data set that no study names, is a warning.
    """
    named = {dataset for study in project.studies.values() for dataset in study.datasets}
    checked = {file.stem for file in files}
    errors = [
        error
        for (kind, name), error in project.faults.items()
        if (name in named if kind == "own file" else not files or (kind == "study" and name in checked))
    ]
    if errors:
        lines = {str(problem): problem for error in errors for problem in error.problems}
        raise ConfigError.collect(lines.values())
    warn(project)
    lines, described = [], set()
    for name, study in project.studies.items():
        pairs = sum(len(study.scenarios_of(dataset)) for dataset in study.datasets)
        all_pairs = len(study.datasets) * len(study.scenarios)
        some = "" if pairs == all_pairs else f", {pairs} of {all_pairs} combinations,"
        lines.append(
            f"{project.sources[name]}: fine: {len(study.datasets)} data sets x {len(study.scenarios)} scenarios "
            f"({', '.join(s.name for s in study.scenarios)}){some} x {len(study.fitted_methods)} methods "
            f"x {study.repeats} repeats = {study.runs} runs"
        )
        lines += [f"  note: {note}" for note in [*study.notes, *project.mismatches(study)]]
        lines += [f"  uses hidden labels: {what} {use}" for what, use in project.hidden_labels(study).items()]
        lines += [f"  without {dataset}: {why}" for dataset in study.datasets if (why := missing(dataset))]
        for dataset in study.datasets:
            if dataset not in described:  # once, however many studies name it
                lines += [f"  {dataset}: {words}" for words in about_classes(project.dataset(dataset))]
                described.add(dataset)
        lines += [f"  warning: {text}" for text in same_table(repeated(study.datasets))]
    return "\n".join(lines)


def status(project: Project, name: str) -> str:
    """A grid of cells: which are done, running, failed or missing; `Incomplete` where a data set was left out."""
    study = project.study(name)
    counts = dict.fromkeys(
        ("done", "with failures", "without data", "running", "partly done", "outdated", "damaged", "missing"), 0
    )
    running = running_cells(name)
    rows = []
    for dataset in study.datasets:
        for scenario in study.scenarios_of(dataset):
            row = []
            for method in study.fitted_methods:
                kind, text = _cell_status(StudyCell(project, study, dataset, scenario.name, method), running)
                counts[kind] += 1
                row.append(text)
            rows.append((dataset, scenario.name, *row))
    summary = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    legend = (
        "ok runs of all; f failed, t timeout, s skipped, d degenerate, n not installed; k>N running, as seen on this "
        f"host ({host()}); k.../N partly done; ~ outdated; ! damaged; - missing; n/a without data"
    )
    lines = [
        f"{name}: {summary} of {sum(counts.values())} cells",
        "",
        grid(rows, ("data set", "scenario", *study.fitted_methods)),
        "",
        *(f"without {dataset}: {why}" for dataset in study.datasets if (why := missing(dataset))),
        *_deleted(study),
        legend,
        *filter(None, [slurm_jobs()]),
    ]
    complete = counts["without data"] == 0 or not left_out(project, study)
    return (str if complete else Incomplete)("\n".join(lines))


def _deleted(study: Study) -> list[str]:
    """A line where labels were deleted that fits were made with: they are made again by the next run."""
    lost = [
        str(file)
        for dataset in study.datasets
        for scenario in study.scenarios_of(dataset)
        if not (file := paths.labels(study.name, dataset, scenario.name)).is_file()
        and any(paths.fit(study.name, dataset, scenario.name, method).is_file() for method in study.fitted_methods)
    ]
    if not lost:
        return []
    shown_files = ", ".join(lost[:3]) + (f" and {len(lost) - 3} more" if len(lost) > 3 else "")
    return [f"deleted: {shown_files} (snakemake --cores 2 {study.name} makes them again)"]


def outdated_cells(project: Project, study: Study) -> int:
    """Cells whose fits were made with other arguments, code, labels or features than those of now."""
    from scarce.fitting.fits import read_identity

    outdated = 0
    for dataset in study.datasets:
        for scenario in study.scenarios_of(dataset):
            for method in study.fitted_methods:
                cell = StudyCell(project, study, dataset, scenario.name, method)
                with contextlib.suppress(OSError, DataError, IncompleteError):
                    outdated += read_identity(cell.file) != cell.identity
    return outdated


def _cell_status(cell: StudyCell, running: set[tuple[str, ...]]) -> tuple[str, str]:
    from scarce.fitting.fits import FAILED, STATUSES, read_checkpoint, read_runs

    repeats = cell.study.repeats
    finished = len(read_checkpoint(paths.checkpoint(*cell.names)))
    if cell.names[1:] in running:
        return "running", f"{finished}>{repeats}"
    if not cell.file.is_file():
        return ("partly done", f"{finished}.../{repeats}") if finished else ("missing", "-")
    try:
        runs, *identity = read_runs(cell.file)
    except DataError:
        return "damaged", "!"
    with contextlib.suppress(IncompleteError):  # inputs that were deleted since cannot be compared
        if tuple(identity) != cell.identity:
            return "outdated", "~"
    if not runs and missing(cell.dataset):
        return "without data", "n/a"
    counts = Counter(run.status for run in runs)
    others = "".join(f" {counts[status]}{status[0]}" for status in STATUSES[1:] if counts[status])
    failed = any(counts[status] for status in FAILED)
    return "with failures" if failed else "done", f"{counts['ok']}/{len(runs)}{others}"


def _arguments(cell: StudyCell, labels: RepeatLabels) -> list[str]:
    """A line for each argument of the estimator in a repeat, or the reason why one has no value."""
    try:
        return [f"  {name} = {value!r}" for name, value in sorted(cell.filled_arguments(labels).items())]
    except ValueError as error:
        return [f"  {error}"]


def explain(project: Project, study_name: str, dataset: str, scenario: str, method: str, repeat: int) -> str:
    """Everything that decides one run."""
    study = project.study(study_name)
    study.check_cell(dataset, scenario, method, repeat)
    cell = StudyCell(project, study, dataset, scenario, method)
    file = paths.labels(study_name, dataset, scenario)
    labels = cell.seen(labels_of(study, dataset, scenario))
    lines = [
        f"study        {study_name} (preset: {study.preset})",
        f"cell         {dataset} {scenario} {method}, repeat {repeat}",
    ]
    if not len(labels):
        return "\n".join([*lines, f"no repeats:  {missing(dataset) or 'the data set is empty'}"])
    one = labels.repeat(repeat)
    if one.skipped:
        return "\n".join([*lines, f"skipped      {one.skipped}"])
    paper = study.options.seeds == "paper"
    seeds = "the repeat's number" if paper else f"derived from named axes, study seed {study.seed}"
    lines += [
        f"seeds        {seeds}: splits {one.seed}, method {cell.seed(repeat)}",
        f"rows         {len(one.train)} train ({int(one.s.sum())} labeled), of which "
        f"{len(one.fit)} fit and {len(one.validation)} validate when a threshold is chosen; {len(one.test)} test",
        f"class prior  {one.class_prior!r} ({study.options.class_prior}); label share {one.label_share!r}",
        f"estimator    {cell.estimator.target}",
        *_arguments(cell, one),
        f"fingerprint  {project.fingerprint(study, dataset, method)}",
        f"rows are in  {file} (arrays train, s, fit, validation, test, row {repeat})",
        f"repeat it    scarce fit {study_name} {dataset} {scenario} {method} --repeat {repeat}",
    ]
    if one.note:
        lines.append(f"note         {one.note}")
    return "\n".join(lines)
