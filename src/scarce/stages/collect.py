"""Rule `collect`: metrics of every run, as tidy CSV files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scarce import paths
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.errors import IncompleteError
from scarce.files import write_csv, write_json
from scarce.stages.inputs import digest_of_inputs, labels_of, there


def collect(project: Project, name: str) -> None:
    """Score every run and write scores, runs, failures and facts as CSV, manifest.json and datapackage.json."""
    from scarce.scoring.collect import collect as score
    from scarce.stages.describe import datapackage, manifest

    study = project.study(name)
    scores, runs, failures, facts = score(
        _cells(project, study), study=name, decision=study.options.decision, search=study.options.threshold_search
    )
    write_csv(paths.scores(name), scores)
    write_csv(paths.runs(name), runs)
    write_csv(paths.failures(name), failures)
    write_csv(paths.facts(name), facts)
    write_json(paths.manifest(name), manifest(project, study, runs))
    write_json(paths.datapackage(name), datapackage(study))


def _cells(project: Project, study: Study) -> Iterator:
    from scarce.data.store import load_prepared
    from scarce.fitting.fits import read_runs
    from scarce.scoring.collect import CellResult

    for dataset in study.datasets:
        y = load_prepared(dataset).y
        for scenario in study.scenarios:
            labels = labels_of(study, dataset, scenario.name)
            for method in study.fitted_methods:
                file = there(paths.fit(study.name, dataset, scenario.name, method), study.name)
                runs, fingerprint, inputs = read_runs(file)
                if inputs != digest_of_inputs(study, dataset, scenario.name, project.encoding(study, method)):
                    raise _outdated(file, "from other labels or features", study)
                if fingerprint != project.fingerprint(study, dataset, method):
                    raise _outdated(file, "with other arguments or other code", study)
                strict = project.method(method).comparison == ">"
                yield CellResult(dataset, scenario.name, method, runs, fingerprint, labels, y, strict)


def _outdated(file: Path, how: str, study: Study) -> IncompleteError:
    """What Snakemake mends by itself, unless its records (``.snakemake``) are lost."""
    again = f"snakemake --cores 2 {study.name}"
    return IncompleteError(f"{file} was made {how}", hint=f"{again}; should that not make it again: {again} --forceall")
