"""A study whose labels are selected: metrics without negatives, choices among methods, doubts of the class prior."""

import numpy as np
import pytest
import yaml

from scarce.cli import main
from scarce.files import read_csv

STUDY = {
    "name": "picked", "title": "Picked", "datasets": ["blobs"],
    "labeling": {"sar": {"flip_ratios": [0.5], "propensities": [{"constant": {}}, {"product": {"attributes": 2}}]}},
    "split": {"validation_size": 0.5}, "repeats": 2, "methods": ["hdt", "propensity_weighted"],
    "options": {"class_prior": "estimated:bbe", "decision": "f1_observed"},
    "analysis": {
        "metrics": ["auc_pr", "pu_auc_validation"],
        "selection": {"candidates": {"both": ["hdt", "propensity_weighted"]}, "by": ["pu_auc_validation"]},
    },
    "report": {"figures": ["selection"]},
}  # fmt: skip


@pytest.fixture
def made(configured):
    def make(**changes):
        (configured / "config/studies/picked.yaml").write_text(yaml.safe_dump(STUDY | changes))
        for command in ("fetch blobs", "prepare blobs", "label picked blobs", "prior picked blobs", "fit picked blobs"):
            assert main(command.split()) == 0, command
        for stage in ("collect", "analyse", "verdicts", "tables", "figures", "page"):
            assert main([stage, "picked"]) == 0, stage
        return configured / "results/picked"

    return make


@pytest.mark.slow
def test_a_method_that_is_told_propensities_is_no_oracle(made):
    folder = made()
    runs = read_csv(folder / "runs.csv").set_index(["scenario", "method", "repeat"])
    assert set(runs.status) == {"ok"}
    assert not runs.message.fillna("").str.contains("saw true labels").any()
    assert runs.message.str.contains("the class prior by bbe is not to be relied on").any()
    assert "selects them by features" in (folder / "report.html").read_text("utf-8")
    scores = read_csv(folder / "scores.csv")
    values = scores.pivot_table(index=["scenario", "repeat", "method"], columns="metric", values="value")
    assert values.pu_auc_validation.notna().all() and len(values) == 8

    auc, by = values.auc_pr.unstack(), values.pu_auc_validation.unstack()
    best = values.true_auc_pr_validation.unstack().idxmax(axis=1)
    regret = [auc.loc[run, best[run]] - auc.loc[run, by.loc[run].idxmax()] for run in auc.index]
    table = read_csv(folder / "stats/selection.csv")
    total = table[(table.by == "pu_auc_validation") & table.scenario.isna() & table.dataset.isna()]
    assert total[total.rarity == "all"].regret.item() == pytest.approx(np.mean(regret))
    assert total.n_no_choice.max() == 0


def test_what_rests_on_labels_selected_at_random_is_named(configured, capsys):
    for propensities, named in (([{"constant": {}}], False), ([{"constant": {}}, {"product": {}}], True)):
        labeling = {"sar": {"flip_ratios": [0.5], "propensities": propensities}}
        (configured / "config/studies/picked.yaml").write_text(yaml.safe_dump(STUDY | {"labeling": labeling}))
        assert main(["check", "config/studies/picked.yaml"]) == 0
        said = capsys.readouterr().out
        assert ("note: pu_auc_validation and class_prior estimated:bbe: made for labels selected" in said) == named


def test_without_propensities_it_is_skipped_and_never_chosen(made, capsys):
    folder = made(labeling={"observed": {}}, analysis={"metrics": ["pu_auc_test"]}, report={"figures": []})
    runs = read_csv(folder / "runs.csv").set_index("method")
    assert set(runs.loc["propensity_weighted"].status) == {"skipped"} and set(runs.loc["hdt"].status) == {"ok"}
    assert runs.n_hidden.isna().all(), "nobody knows it"
    capsys.readouterr()
    assert main(["check", "config/studies/picked.yaml"]) == 0
    assert "told the true propensity of each training row, where the labeling has one" in capsys.readouterr().out
