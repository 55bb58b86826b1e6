# Raw bytes from the first source that has them, then one checked table a data set.


rule fetch_dataset:
    input:
        own_files_of,
    output:
        paths.provenance("{dataset}"),
    log:
        paths.log("fetch", "{dataset}"),
    retries: 1
    localrule: True
    params:
        fingerprint=source_fingerprint,
    message:
        "Fetch {wildcards.dataset}"
    shell:
        "scarce fetch {wildcards.dataset} --allow-missing --log {log:q}"


rule prepare:
    input:
        rules.fetch_dataset.output,
    output:
        table=paths.prepared("{dataset}"),
        description=paths.prepared_json("{dataset}"),
    log:
        paths.log("prepare", "{dataset}"),
    localrule: True
    params:
        fingerprint=prepare_fingerprint,
    message:
        "Prepare {wildcards.dataset}"
    shell:
        "scarce prepare {wildcards.dataset} --allow-unusable --log {log:q}"
