# Features, labels and fits: for each data set one job that labels all scenarios, and one that fits all cells.
# The output of such a job is an index of its files; see scarce.stages.index.


rule label:
    input:
        prepared_of,
    output:
        paths.labels_index("{study}", "{dataset}"),
    log:
        paths.log("{study}", "label", "{dataset}"),
    localrule: True
    params:
        fingerprint=label_fingerprint,
    message:
        "Label {wildcards.dataset} for {wildcards.study}"
    shell:
        "scarce label {wildcards.study} {wildcards.dataset} --log {log:q}"


rule prior:
    input:
        features=features_of,
        labels=paths.labels_index("{study}", "{dataset}"),
    output:
        paths.priors_index("{study}", "{dataset}"),
    log:
        paths.log("{study}", "prior", "{dataset}"),
    threads: prior_threads
    resources:
        mem_mb=prior_memory,
    params:
        fingerprint=prior_fingerprint,
    message:
        "Estimate the class priors of {wildcards.dataset} for {wildcards.study}"
    shell:
        "scarce prior {wildcards.study} {wildcards.dataset} --lanes {threads} --log {log:q}"


rule warm:
    output:
        paths.KERNELS,
    log:
        paths.log("warm"),
    message:
        "Compile the tree kernels"
    shell:
        "scarce warm --log {log:q}"


rule fit:
    input:
        features=features_of,
        labels=paths.labels_index("{study}", "{dataset}"),
        prior=prior_of,
        kernels=kernels_of,
    output:
        paths.fits_index("{study}", "{dataset}", "{group}"),
    log:
        paths.log("{study}", "fit", "{dataset}", "{group}"),
    threads: fit_threads
    resources:
        mem_mb=fit_memory,
        gpu=fit_gpus,
    params:
        fingerprint=fit_fingerprint,
    message:
        "Fit the methods of {wildcards.study} on {wildcards.dataset}"
    shell:
        "scarce fit {wildcards.study} {wildcards.dataset} --group {wildcards.group} --lanes {threads} --log {log:q}"
