# The configuration, read once and checked before any job, and the helpers that the rules share. No rules here.

import os
import sys

from scarce import paths
from scarce.config.claims import studies_of
from scarce.commands import records
from scarce.stages.inputs import features
from scarce.data.availability import forget_stale_failures, own_files
from scarce.errors import ConfigError, ScarceError
from scarce.files import closed
from scarce.config.names import PATTERN
from scarce.config.loading import load_project
from scarce.source_code import code_digest, digest

# jobs find the `scarce` that belongs to this Snakemake, whether or not its environment is activated
os.environ["PATH"] = os.pathsep.join(
    [os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)]
)

try:
    if config:
        raise ConfigError(
            f"--config and --configfile are not read (got {', '.join(map(str, config))})",
            hint="settings stand in config/: copy a study file and change it there",
        )
    if shut := closed(records.FOLDER):
        raise ScarceError(
            f"nothing can be written to {shut[0].absolute()}",
            hint="give yourself the right to write there, then run the same command again",
        )
    PROJECT = load_project()
except ScarceError as error:
    for line in error.lines():
        print(f"scarce: error: {line}", file=sys.stderr)
    sys.exit(error.exit_code)

for name, study in PROJECT.studies.items():
    for note in study.notes:
        print(f"scarce: note: {PROJECT.sources[name]}: {note}", file=sys.stderr)
if lost := records.lost():
    print(f"scarce: note: {lost}", file=sys.stderr)

# a data set that could not be had is tried again once the mirror or the user's own file has it
forget_stale_failures(PROJECT.datasets, PROJECT.mirror)


wildcard_constraints:
    study=PATTERN,
    dataset=PATTERN,
    scenario=PATTERN,
    method=PATTERN,


#: The files of stats/.
STATISTICS = [
    *("ranks", "omnibus", "posthoc", "critical_difference", "notes", "block_ranks"),
    *("means", "curves", "table_ranks", "table_tests"),
]


def study_targets(study):
    """What is there when a study is finished, down to its fits: what was deleted is made again."""
    results = [
        paths.scores,
        paths.runs,
        paths.failures,
        paths.facts,
        paths.manifest,
        paths.datapackage,
        paths.agreement,
        paths.agreement_runs,
        paths.agreement_notes,
        paths.verdicts,
        paths.evidence,
        paths.tables,
        paths.figures,
        paths.report,
    ]
    fits = [paths.fit(study, *cell) for cell in cells(PROJECT.study(study))]
    return (
        [where(study) for where in results]
        + [paths.stats(study, part) for part in STATISTICS]
        + fits
    )


def used_datasets():
    """The data sets of the studies that are built by default, each once."""
    return list(
        dict.fromkeys(
            name
            for study in PROJECT.config.studies
            for name in PROJECT.study(study).datasets
        )
    )


def cells(study):
    """All (data set, scenario, method) of a study."""
    return [
        (dataset, scenario.name, method)
        for dataset in study.datasets
        for scenario in study.scenarios
        for method in study.methods
    ]


def features_of(wildcards):
    return features(PROJECT.study(wildcards.study), wildcards.dataset)


def all_fits(wildcards):
    return [
        paths.fit(wildcards.study, *cell)
        for cell in cells(PROJECT.study(wildcards.study))
    ]


def all_labels(wildcards):
    study = PROJECT.study(wildcards.study)
    return [
        paths.labels(study.name, dataset, scenario.name)
        for dataset in study.datasets
        for scenario in study.scenarios
    ]


def prior_of(wildcards):
    """The estimated class priors of a cell; none where the study estimates none."""
    estimates = PROJECT.study(wildcards.study).options.estimator
    cell = (wildcards.study, wildcards.dataset, wildcards.scenario)
    return [paths.prior(*cell)] if estimates else []


def all_priors(wildcards):
    study = PROJECT.study(wildcards.study)
    return [
        paths.prior(study.name, dataset, scenario.name)
        for dataset in study.datasets
        for scenario in study.scenarios
        if study.options.estimator
    ]


def all_descriptions(wildcards):
    return [
        paths.prepared_json(dataset)
        for dataset in PROJECT.study(wildcards.study).datasets
    ]


def own_files_of(wildcards):
    return own_files(PROJECT.dataset(wildcards.dataset))


def reference_of(wildcards):
    """The published numbers that a study is held against."""
    reference = PROJECT.study(wildcards.study).analysis.reference
    if not reference:
        return []
    runs = PROJECT.author_runs(reference)
    return sorted(
        {*paths.reference(reference).glob("*.csv"), *([runs] if runs else [])}
    )


def scores_of_others(wildcards):
    """Scores of the other studies that a study's claims rest on."""
    return [paths.scores(name) for name in studies_of(PROJECT.study(wildcards.study))]


def source_fingerprint(wildcards):
    return PROJECT.source_fingerprint(wildcards.dataset)


def prepare_fingerprint(wildcards):
    return PROJECT.prepare_fingerprint(wildcards.dataset)


def encode_fingerprint(wildcards):
    return PROJECT.encode_fingerprint(PROJECT.study(wildcards.study))


def label_fingerprint(wildcards):
    return PROJECT.label_fingerprint(PROJECT.study(wildcards.study), wildcards.scenario)


def prior_fingerprint(wildcards):
    return PROJECT.prior_fingerprint(PROJECT.study(wildcards.study))


def fit_fingerprint(wildcards):
    return PROJECT.fingerprint(PROJECT.study(wildcards.study), wildcards.method)


def stage_fingerprint(stage):
    """For the stages after the fits: the study's settings and the code of the stage."""

    def fingerprint(wildcards):
        return PROJECT.stage_fingerprint(PROJECT.study(wildcards.study), stage)

    return fingerprint
