"""scarce: from raw data to the tables and figures of the studies.

    snakemake --cores 2                 the studies that config/config.yaml names
    snakemake --cores 2 demo            one study by name
    snakemake --cores 2 fetch           only download

A study is a YAML file; each rule below is one `scarce` command, so that any step can be run alone:

    fetch -> prepare -> label -> prior -> fit -> collect -> analyse, verdicts -> tables, figures, page
"""

from snakemake.utils import min_version

min_version("9.5")


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/experiment.smk"
include: "workflow/rules/analysis.smk"


rule all:
    default_target: True
    input:
        [study_targets(study) for study in default_studies()],


rule fetch:
    input:
        [paths.provenance(dataset) for dataset in used_datasets()],


for study in PROJECT.studies:

    rule:
        name:
            study
        input:
            study_targets(study),


onsuccess:
    # ends with 1 if files are absent, with 5 if results lack data
    outcome.finish(PROJECT, sys.argv[1:], absent_targets())
