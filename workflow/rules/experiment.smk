# Features, labels and splits, and one job for each (data set, scenario, method) with all repeats inside.


rule encode:
    input:
        paths.prepared("{dataset}"),
    output:
        paths.features("{study}", "{dataset}"),
    log:
        paths.log("{study}", "encode", "{dataset}"),
    params:
        fingerprint=encode_fingerprint,
    message:
        "Encode {wildcards.dataset} for {wildcards.study}"
    shell:
        "scarce encode {wildcards.study} {wildcards.dataset} --log {log:q}"


rule label:
    input:
        paths.prepared("{dataset}"),
    output:
        paths.labels("{study}", "{dataset}", "{scenario}"),
    log:
        paths.log("{study}", "label", "{dataset}", "{scenario}"),
    params:
        fingerprint=label_fingerprint,
    message:
        "Label {wildcards.dataset} {wildcards.scenario} for {wildcards.study}"
    shell:
        "scarce label {wildcards.study} {wildcards.dataset} {wildcards.scenario} --log {log:q}"


rule prior:
    input:
        features=features_of,
        labels=paths.labels("{study}", "{dataset}", "{scenario}"),
    output:
        paths.prior("{study}", "{dataset}", "{scenario}"),
    log:
        paths.log("{study}", "prior", "{dataset}", "{scenario}"),
    threads: 1
    params:
        fingerprint=prior_fingerprint,
    message:
        "Estimate the class prior of {wildcards.dataset} {wildcards.scenario} for {wildcards.study}"
    shell:
        "scarce prior {wildcards.study} {wildcards.dataset} {wildcards.scenario} --log {log:q}"


rule warm:
    output:
        paths.KERNELS,
    log:
        paths.log("warm"),
    params:
        fingerprint=digest(["warm", code_digest("scarce.trees")]),
    message:
        "Compile the tree kernels"
    shell:
        "scarce warm --log {log:q}"


rule fit:
    input:
        features=features_of,
        labels=paths.labels("{study}", "{dataset}", "{scenario}"),
        prior=prior_of,
        kernels=ancient(paths.KERNELS),
    output:
        paths.fit("{study}", "{dataset}", "{scenario}", "{method}"),
    log:
        paths.log("{study}", "fit", "{dataset}", "{scenario}", "{method}"),
    threads: 1
    params:
        fingerprint=fit_fingerprint,
    message:
        "Fit {wildcards.method} on {wildcards.dataset} {wildcards.scenario}"
    shell:
        "scarce fit {wildcards.study} {wildcards.dataset} {wildcards.scenario} {wildcards.method} --log {log:q}"
