"""`scarce explain`: everything that decides one run."""

from __future__ import annotations

from scarce import paths
from scarce.config.project import Project
from scarce.labels.file import RepeatLabels
from scarce.stages import unpacked
from scarce.stages.cell import StudyCell
from scarce.stages.inputs import labels_of


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
        return "\n".join([*lines, f"no repeats:  {unpacked.missing(study_name, dataset) or 'the data set is empty'}"])
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
