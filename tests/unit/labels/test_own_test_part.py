"""A data set's own test part on its way from the raw files to the labels."""

import numpy as np

from scarce import paths
from scarce.config.loading import load_project
from scarce.data.prepare import prepare_dataset
from scarce.data.sources import fetch_dataset
from scarce.labels.file import Labels
from scarce.stages.label import label

DATASET = """
toy:
  sources: [{kind: local, files: [{path: late.csv}, {path: early.csv}]}]
  read: {format: csv}
  target: kind
  positive: "yes"
  test_files: [late.csv]
"""
STUDY = """\
name: mine
title: Mine
datasets: [toy]
labeling: {two_sample: {labeled: 5}}
split: {plan: given, validation_size: 0}
repeats: 2
methods: [pu_hdt]
"""


def test_the_test_part_of_a_data_set_is_what_tests(configured):
    for name, n in (("early", 40), ("late", 20)):
        rows = (f"{i},{'yes' if i % 4 == 0 else 'no'}\n" for i in range(n))
        (configured / f"{name}.csv").write_text("a,kind\n" + "".join(rows))
    with (configured / "config/datasets.yaml").open("a") as handle:
        handle.write(DATASET)
    study = configured / "config/studies/mine.yaml"
    study.write_text(STUDY)
    project = load_project([study])
    fetch_dataset(project.dataset("toy"))
    prepare_dataset(project.dataset("toy"))
    label(project, "mine", "toy")
    labels = Labels.load(paths.labels("mine", "toy", "labeled-5"))
    for one in labels:
        assert one.test.tolist() == list(range(40, 60))
        assert sorted(one.train[one.s == 0]) == list(range(40))
        assert one.class_prior == 0.25
    assert not np.array_equal(labels[0].train, labels[1].train)
