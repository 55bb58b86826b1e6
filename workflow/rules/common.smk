# The configuration, read once and checked before any job, and the helpers that the rules share. No rules here.

import os
import sys

from scarce import paths
from scarce.commands import outcome, records
from scarce.commands.processes import lock
from scarce.stages import index, unpacked, warm
from scarce.stages.cell import resource_groups
from scarce.data.availability import forget_stale_failures, own_files
from scarce.errors import ConfigError, ScarceError
from scarce.files import closed
from scarce.config.names import PATTERN
from scarce.config.loading import load_project
from scarce.source_code import digest

# jobs run the `scarce` beside this Snakemake, whether or not its environment is activated
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
    PROJECT = load_project(strict=False)
    outcome.refuse_faulty(PROJECT, sys.argv[1:])
except ScarceError as error:
    for line in error.lines():
        print(f"scarce: error: {line}", file=sys.stderr)
    sys.exit(error.exit_code)

for name, study in PROJECT.studies.items():
    for note in study.notes:
        print(f"scarce: note: {PROJECT.sources[name]}: {note}", file=sys.stderr)
for name in outcome.requested(PROJECT, sys.argv[1:]):
    if fits := unpacked.note(name):
        print(f"scarce: note: {fits}", file=sys.stderr)
if lost := records.lost():
    print(f"scarce: note: {lost}", file=sys.stderr)

# not in a job on another node, which may not see yet what was written here
if workflow.is_main_process:
    # retry a data set that could not be had, if the mirror or the user's own file has it now
    forget_stale_failures(PROJECT.datasets.values(), PROJECT.mirror)
    # run a job again if one of the files that it lists in its index was deleted
    index.forget_incomplete()
    # An input that is `ancient` and there keeps Snakemake from running a job if the job that makes the input has to run
    # (snakemake/snakemake#4166): kernels are compiled again where their file is not there, and for no other reason.
    if not lock() and (records.unfinished(paths.KERNELS) or not warm.current()):
        paths.KERNELS.unlink(missing_ok=True)


# On a cluster: jobs for warm, prior and fit; all else runs where Snakemake runs. Collecting so many runs takes minutes.
MANY_RUNS = 20_000
COLLECTS_HERE = all(
    PROJECT.studies[name].runs <= MANY_RUNS
    for name in outcome.requested(PROJECT, sys.argv[1:])
    if name in PROJECT.studies
)


wildcard_constraints:
    study=PATTERN,
    dataset=PATTERN,
    scenario=PATTERN,
    group="cells[a-z0-9-]*",


def study_targets(study):
    """The files of a finished study; the indexes of its fits are among them, so that deleted fits are made again."""
    rules = ("collect", "analyse", "verdicts", "page")
    files = [file for rule in rules for file in paths.outputs_of(rule, study).values()]
    return [*files, paths.tables(study), paths.figures(study), *fit_indexes(study)]


def absent_targets():
    """Files that a run was asked for and that are not there at its end."""
    files = [file for job in workflow.dag.targetjobs for file in job.output or job.input]
    return [file for file in files if not os.path.exists(file)]


def default_studies():
    """The studies that are built by default; wrong ones are refused where they are asked for."""
    return [study for study in PROJECT.config.studies if study in PROJECT.studies]


def used_datasets():
    """The data sets of the studies that are built by default, each once."""
    return list(
        dict.fromkeys(
            name
            for study in default_studies()
            for name in PROJECT.study(study).datasets
        )
    )


def fit_indexes(study):
    """The outputs of all fit jobs of a study: one for each data set and group of methods."""
    groups = resource_groups(PROJECT, PROJECT.study(study))
    return [
        paths.fits_index(study, dataset, group)
        for dataset in PROJECT.study(study).datasets
        for group in groups
    ]


def methods_of(wildcards):
    """The methods that a fit job fits."""
    study = PROJECT.study(wildcards.study)
    return resource_groups(PROJECT, study).get(wildcards.group, [])


def resources_of(wildcards):
    return [PROJECT.method(method).resources for method in methods_of(wildcards)]


def lanes(jobs, most):
    """Threads of a job, so that `jobs` alike keep all cores busy: each job uses 4 or more, but at most `most`.

    Few jobs at a time, with many lanes each, leave fewer cores idle at the end than many jobs of unequal length.
    """
    cores = workflow.cores or 1
    at_a_time = max(1, min(jobs, cores // 4))
    return max(1, min(most, cores // at_a_time))


def fit_threads(wildcards):
    study = PROJECT.study(wildcards.study)
    jobs = len(fit_indexes(study.name))
    return lanes(
        jobs, len(methods_of(wildcards)) * len(study.scenarios_of(wildcards.dataset))
    )


def prior_memory(wildcards, threads, attempt):
    """Memory in MB: a gigabyte for each lane, and as much again for each retry of a job that failed."""
    return 1000 * threads * attempt


def prior_threads(wildcards):
    study = PROJECT.study(wildcards.study)
    return lanes(len(study.datasets), len(study.scenarios_of(wildcards.dataset)))


def fit_memory(wildcards, threads, attempt):
    """Memory in MB of all lanes of a job: what its methods state, by default a gigabyte for each lane.

    Each retry of a job that failed asks for as much again.
    """
    memory = [resources.memory_mb or 0 for resources in resources_of(wildcards)]
    return int((max(memory, default=0) or 1000) * threads * attempt)


def fit_gpus(wildcards):
    return max((resources.gpu for resources in resources_of(wildcards)), default=0)


def prepared_of(wildcards):
    """The prepared table of a data set; none for a study whose labels and fits come from a pack."""
    packed = unpacked.pack_of(wildcards.study)
    return [] if packed else paths.prepared(wildcards.dataset)


def kernels_of(wildcards):
    """The compiled tree kernels, which fits from a pack do not need."""
    return [] if unpacked.pack_of(wildcards.study) else ancient(paths.KERNELS)


def features_of(wildcards):
    """The prepared features, where a fit encodes them itself; else the index of the labels lists the encoded ones."""
    study = PROJECT.study(wildcards.study)
    return [] if study.encodes_all_rows else prepared_of(wildcards)


def all_fits(wildcards):
    return fit_indexes(wildcards.study)


def all_labels(wildcards):
    study = PROJECT.study(wildcards.study)
    return [paths.labels_index(study.name, dataset) for dataset in study.datasets]


def prior_of(wildcards):
    """The estimated class priors of a data set; none where the study estimates none."""
    estimates = PROJECT.study(wildcards.study).options.estimator
    return [paths.priors_index(wildcards.study, wildcards.dataset)] if estimates else []


def all_priors(wildcards):
    study = PROJECT.study(wildcards.study)
    return [
        paths.priors_index(study.name, dataset)
        for dataset in study.datasets
        if study.options.estimator
    ]


def all_descriptions(wildcards):
    if unpacked.pack_of(wildcards.study):
        return []
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
    """Scores of the other studies that a study's claims rest on; the verdicts of a pack stand without them."""
    if unpacked.pack_of(wildcards.study):
        return []
    return [
        paths.result("scores", name)
        for name in PROJECT.study(wildcards.study).other_studies
    ]


def page_fingerprint(wildcards):
    """That of the stage; each time another one where the study lacks data, so that no run of it ends in silence."""
    study = PROJECT.study(wildcards.study)
    mark = outcome.mark_of_incomplete(PROJECT, study)
    return PROJECT.stage_fingerprint(study, "page") + mark


def source_fingerprint(wildcards):
    return PROJECT.source_fingerprint(wildcards.dataset)


def prepare_fingerprint(wildcards):
    return PROJECT.prepare_fingerprint(wildcards.dataset)


def label_fingerprint(wildcards):
    study = PROJECT.study(wildcards.study)
    scenarios = study.scenarios_of(wildcards.dataset)
    labels = {s.name: PROJECT.label_fingerprint(study, s.name) for s in scenarios}
    encoding = PROJECT.encode_fingerprint(study) if study.encodes_all_rows else ""
    return digest([labels, encoding])


def prior_fingerprint(wildcards):
    return PROJECT.prior_fingerprint(PROJECT.study(wildcards.study))


def fit_fingerprint(wildcards):
    study = PROJECT.study(wildcards.study)
    methods = {
        m: PROJECT.fingerprint(study, wildcards.dataset, m)
        for m in methods_of(wildcards)
    }
    return digest([methods, [s.name for s in study.scenarios_of(wildcards.dataset)]])


def stage_fingerprint(stage):
    """For the stages after the fits: the study's settings and the code of the stage."""

    def fingerprint(wildcards):
        return PROJECT.stage_fingerprint(PROJECT.study(wildcards.study), stage)

    return fingerprint
