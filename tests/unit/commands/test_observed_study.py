"""A study of a user's own PU data, stage by stage: no truth metric in any file, and assumptions beside all numbers."""

import json
import re

import numpy as np
import pandas as pd
import pytest
import yaml

from scarce.cli import main
from scarce.files import read_csv, read_json
from scarce.scoring import without_negatives as formulas

PRIOR = 0.35
DATASET = {
    "mine": {
        "title": "Mine", "sources": [{"kind": "local", "files": [{"path": "mine.csv"}]}], "read": {"format": "csv"},
        "target": "reported", "positive": "yes",
    }
}  # fmt: skip
STUDY = {
    "name": "mine", "title": "Mine", "datasets": ["mine"], "labeling": {"observed": {}}, "repeats": 4,
    "methods": ["hdt", "pu_wlr"], "options": {"class_prior": PRIOR},
    "analysis": {
        "metrics": ["pu_auc_test", "pu_f1_test", "pu_auc_validation"], "class_prior_interval": [0.25, 0.45],
    },
    "report": {"figures": []},
}  # fmt: skip


@pytest.fixture
def finished(configured):
    random = np.random.RandomState(0)
    y = random.uniform(size=300) < PRIOR
    reported = y & (random.uniform(size=300) < 0.5)
    columns = pd.DataFrame(random.normal(size=(300, 3)) + 1.5 * y[:, None], columns=list("abc"))
    columns.assign(reported=np.where(reported, "yes", "no")).to_csv(configured / "mine.csv", index=False)
    datasets = configured / "config/datasets.yaml"
    datasets.write_text(datasets.read_text() + yaml.safe_dump(DATASET))
    (configured / "config/studies/mine.yaml").write_text(yaml.safe_dump(STUDY))
    for command in ("fetch mine", "prepare mine", "label mine mine", "fit mine mine"):
        assert main(command.split()) == 0, command
    for stage in ("collect", "analyse", "verdicts", "tables", "figures", "page"):
        assert main([stage, "mine"]) == 0, stage
    return configured / "results/mine", reported


@pytest.mark.slow
def test_a_study_of_observed_labels(finished):
    folder, reported = finished
    scores, runs = read_csv(folder / "scores.csv"), read_csv(folder / "runs.csv")
    metrics = set(scores.metric)
    assert all(name.startswith(("pu_", "threshold_")) for name in metrics), "no metric of true labels"
    assert not {"threshold_validation", "threshold_oracle"} & metrics
    assert {"pu_f1_low_test", "pu_f1_high_test", "pu_auc_validation"} <= metrics
    empty = scores[scores.value.isna()].merge(runs, on=["repeat", "method"])
    assert empty.message.str.contains("undefined: no row is predicted positive").all()
    assert runs.n_hidden.isna().all() and (runs.n_labeled > 0).all() and (runs.status == "ok").all()
    values = scores.pivot_table(index=["repeat", "method"], columns="metric", values="value")
    assert values.pu_accuracy_test.to_numpy() == pytest.approx(1 - values.pu_risk_upu_test.to_numpy())
    assert (values.pu_auc_low_test <= values.pu_auc_high_test).all()

    with np.load(folder / "labels/mine/observed.npz") as labels, np.load(folder / "fits/mine/observed/hdt.npz") as fit:
        test, scored = labels["test"], fit["test_scores"]
    s = reported[test]
    by_repeat = values.xs("hdt", level="method")
    np.testing.assert_allclose(by_repeat.pu_auc_test, formulas.pu_auc(s, scored))
    np.testing.assert_allclose(by_repeat.pu_aul_test, formulas.aul(s, scored, "one_sample"))

    pairs = read_csv(folder / "stats/pairs.csv")
    assert len(pairs) == 3 and set(pairs.n_runs) == {4}
    parts = read_json(folder / "manifest.json")["parts"]["mine"]["observed"]
    ratios = pairs.set_index("metric").test_to_train
    assert ratios["pu_auc_test"] == pytest.approx(parts["test"] / parts["train"])
    assert ratios["pu_auc_validation"] == pytest.approx(parts["validation"] / parts["fit"])

    page = (folder / "report.html").read_text(encoding="utf-8")
    static = re.sub(r"<(style|script).*?</\1>", "", page, flags=re.S)
    words = " ".join(re.sub(r"<[^>]+>", " ", static).split())
    assert "The class column is the observed label" in words
    assert "Differences on one data set" in words and "average rank, 1" not in words
    assert "the stated class prior 0.35" in words and "SCAR" in words
    assert "Labeled" in words
    assert "One data set: no ranks are tested" in words and "PU AUC, test and PU AUC, validation assume labels" in words
    data = json.loads(re.search(r'id="data">(.*?)</script>', page)[1])
    assert not data["study"]["truth_known"] and data["datasets"][0]["prevalence"] is None

    assert main(["page", "--all"]) == 0
    index = (folder.parent / "index.html").read_text(encoding="utf-8")
    assert 'href="mine/report.html"' in index and "Best mean by PU AUC, test" in index
    table = (folder / "tables/pu_f1_test.html").read_text(encoding="utf-8")
    assert "assumes labels selected completely at random" in table
