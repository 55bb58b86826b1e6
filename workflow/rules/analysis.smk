# From the fits to scores, statistics, tables, figures and the page. Nothing here fits a model again.


rule collect:
    input:
        fits=all_fits,
        labels=all_labels,
        priors=all_priors,
        descriptions=all_descriptions,
    output:
        **paths.outputs_of("collect", "{study}"),
    log:
        paths.log("{study}", "collect"),
    localrule: COLLECTS_HERE
    params:
        fingerprint=stage_fingerprint("collect"),
    message:
        "Collect the scores of {wildcards.study}"
    shell:
        "scarce collect {wildcards.study} --log {log:q}"


rule analyse:
    input:
        rules.collect.output.scores,
        rules.collect.output.facts,
        reference_of,
    output:
        **paths.outputs_of("analyse", "{study}"),
    log:
        paths.log("{study}", "analyse"),
    localrule: True
    params:
        fingerprint=stage_fingerprint("analyse"),
    message:
        "Ranks, tests and agreement of {wildcards.study}"
    shell:
        "scarce analyse {wildcards.study} --log {log:q}"


rule verdicts:
    input:
        rules.collect.output.scores,
        rules.collect.output.importances,
        scores_of_others,
        reference_of,
    output:
        **paths.outputs_of("verdicts", "{study}"),
    log:
        paths.log("{study}", "verdicts"),
    localrule: True
    params:
        fingerprint=stage_fingerprint("verdicts"),
    message:
        "Verdicts on the claims of {wildcards.study}"
    shell:
        "scarce verdicts {wildcards.study} --log {log:q}"


rule tables:
    input:
        rules.collect.output,
        rules.analyse.output,
    output:
        directory(paths.tables("{study}")),
    log:
        paths.log("{study}", "tables"),
    localrule: True
    params:
        fingerprint=stage_fingerprint("tables"),
    message:
        "Tables of {wildcards.study}"
    shell:
        "scarce tables {wildcards.study} --log {log:q}"


rule figures:
    input:
        rules.collect.output,
        rules.analyse.output,
    output:
        directory(paths.figures("{study}")),
    log:
        paths.log("{study}", "figures"),
    localrule: True
    params:
        fingerprint=stage_fingerprint("figures"),
    message:
        "Figures of {wildcards.study}"
    shell:
        "scarce figures {wildcards.study} --log {log:q}"


rule page:
    input:
        rules.collect.output,
        rules.analyse.output,
        rules.verdicts.output,
        rules.tables.output,
        rules.figures.output,
    output:
        report(
            paths.result("report", "{study}"),
            caption="../report/page.rst",
            category="{study}",
        ),
    log:
        paths.log("{study}", "page"),
    localrule: True
    params:
        fingerprint=page_fingerprint,
    message:
        "Report of {wildcards.study}: results/{wildcards.study}/report.html"
    shell:
        "scarce page {wildcards.study} --log {log:q}"
