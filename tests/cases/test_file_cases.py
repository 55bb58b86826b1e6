"""D01 to D18, L01, L04, M10, M12, M16, M19, M21, E01: the files of the cases, through the code that a study runs."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from scarce.config.datasets import DatasetSpec
from scarce.config.yamlfile import read_yaml
from scarce.data.downloads import looks_like_html
from scarce.data.encode import FittedEncoder
from scarce.data.prepare import build
from scarce.data.sources import fetch_dataset
from scarce.labels.labelings.scar import Scar, flip_count
from scarce.labels.make import make_labels
from scarce.labels.protocols.holdout import Holdout
from scarce.scoring.metrics import evaluate
from scarce.scoring.runs import Runs
from tests.contract.test_degenerate import covering, results
from tests.contract.test_methods import METHODS
from tests.contract.test_methods import build as method


def described(file, read: dict, **more) -> DatasetSpec:
    source = {"kind": "local", "files": [{"path": str(file)}]}
    return DatasetSpec.model_validate({"name": "case", "read": read, "sources": [source]} | more)


def content(file, read: dict, **more):
    spec = described(file, read, **more)
    return build(spec, spec.sources[0], [file])


def test_d01_glued_header(cases):
    found = content(cases / "keel/glued_header.dat", {"format": "keel"}, positive="positive")
    assert found.X.shape == (8, 3)
    assert found.y.sum() == 2
    assert found.categories == {"Mode": ["auto", "manual", "off"]}
    assert found.X[0, 1] == 0.0005
    assert found.X[1, 0] == 14


def test_d03_blanks_and_crlf(cases):
    found = content(
        cases / "keel/label_space_crlf.dat", {"format": "keel"}, positive="positive",
        expected={"n": 12, "d": 2, "positives": 3, "classes": ["positive", "negative"]},
    )  # fmt: skip
    assert len(found.y) == 12
    assert found.y.sum() == 3


def test_d06_no_positive_class_and_no_target(cases):
    with pytest.raises(ValueError, match=r"add `positive: .*-2, .*3"):
        described(cases / "keel/multiclass_no_positive.dat", {"format": "keel"}, target="Class")
    with pytest.raises(ValueError, match="add `target:"):
        described(cases / "arff/brace_space_and_quotes.arff", {"format": "arff"}, positive="mammal")


def test_d07_arff_quotes(cases):
    found = content(cases / "arff/brace_space_and_quotes.arff", {"format": "arff"}, target="type", positive="mammal")
    assert len(found.y) == 5
    assert found.y.sum() == 2
    assert found.categories["skin type"] == ["  bare", "hard shell", "soft skin"]


def test_d09_sparse_arff(cases):
    file = cases / "arff/sparse_first_nominal_omitted.arff"
    found = content(file, {"format": "arff"}, target="class", positive="rare case")
    assert found.y.tolist() == [0, 0, 1, 0, 1, 0]
    assert found.X[0].tolist() == [1.5, 0, 0.5]
    assert found.X[3].tolist() == [0, 0, 0]
    assert np.isnan(found.X).sum() == 1


def test_d14_a_page_instead_of_data(cases, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = cases / "csv/uci_html_instead_of_data.data"
    assert looks_like_html(page)
    record = fetch_dataset(described(page, {"format": "csv"}, target="k", positive="1"))
    assert record["status"] == "unavailable"
    assert "gives an HTML page for case" in record["reason"]


def test_d16_classes_named_na_and_none(cases):
    found = content(cases / "csv/label_na_none.csv", {"format": "csv"}, target="ion", positive="NA",
                    expected={"n": 7, "d": 2, "positives": 2, "classes": ["K", "NA", "None"]})  # fmt: skip
    assert found.y.sum() == 2


def test_d18_scalars_stay_what_they_are(cases):
    value = read_yaml(cases / "yaml/scalars_that_change_type.yaml").value
    assert [one["name"] for one in value["datasets"][:2]] == ["2023_01", "007"]
    assert [one["positive_class"] for one in value["datasets"]] == ["yes", "off", "NO"]
    assert value["learning_rate"] == 0.001
    assert value["seeds"] == [0, 1, "010"]
    assert value["flip_rates"] == [0.25, 0.5, 0.75]


def test_l01_three_positives(cases):
    with open(cases / "csv/tiny_3_positives.csv") as handle:
        label = [row[-1] for row in csv.reader(handle)][1:]
    y = (np.array(label) == "1").astype(int)
    assert y.sum() == 3
    from scarce.config.options import Options

    options = Options()
    for flip in (0.25, 0.5, 0.75):
        (scenario,) = Scar(flip_ratios=[flip]).scenarios()
        labels = make_labels(
            y, scenario=scenario, split=Holdout(), repeats=20, options=options, study_seed=0, dataset="d"
        )
        for one in labels:
            if not one.skipped:
                assert one.s.any()
                assert y[one.test].any()
                assert y[one.train[one.validation]].any() or (not len(one.validation) and one.note)


def test_l04_flip_counts(refs):
    for row in refs["scar"]:
        for rule, key in (("round", "hidden_round_half_up"), ("floor", "hidden_floor"), ("ceil", "hidden_ceil")):
            assert flip_count(row["n_pos"], row["fraction"], rule) == row[key]


def _xy(file, target: str, positive: str, **more):
    found = content(file, {"format": "csv"}, target=target, positive=positive, **more)
    return found.X, found.y, found.categorical


SETS = {
    "M10": ("csv/adasyn_far_apart.csv", "label", "1"),
    "M12": ("csv/nominal_and_missing.csv", "label", "1"),
    "M16": ("csv/constant_columns.csv", "label", "1"),
    "M21": ("csv/spy_all_overlap.csv", "s_labeled", "1"),
    "L02": ("csv/upu_separable.csv", None, None),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "preset", "case"), covering(["M10", "M12", "M16", "M21"]))
def test_every_estimator_scores_every_file_and_every_method_one(cases, name, preset, case):
    file, target, positive = SETS[case]
    X, y, categorical = _xy(cases / file, target, positive)
    encoder = FittedEncoder("woe_train_observed", categorical).fit(X, y)
    for run in results(name, preset, encoder.transform(X), y, flip=0.5).runs:
        assert run.status in ("ok", "degenerate"), run.message
        assert np.isfinite(run.test_scores).all()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("encoding", ["woe_train_observed", "onehot"])
@pytest.mark.parametrize("name", METHODS)
def test_m19_an_unseen_category(cases, name, encoding):
    texts = [(cases / f"csv/unseen_category_{part}.csv").read_text() for part in ("train", "test")]
    rows = [list(csv.DictReader(text.splitlines())) for text in texts]
    codes = {"blue": 0.0, "red": 1.0, "green": 2.0}
    train, test = (np.array([[codes[row["colour"]], float(row["size"])] for row in part]) for part in rows)
    s = np.array([int(row["label"]) for row in rows[0]])
    encoder = FittedEncoder(encoding, np.array([True, False])).fit(train, s)
    scores = method(name, "sound").fit(encoder.transform(train), s).predict_proba(encoder.transform(test))
    assert np.isfinite(scores).all()
    assert scores.shape == (3, 2)


@pytest.mark.parametrize("what", ["tie_at_top", "constant_score_1pct", "no_ties"])
def test_e01_auc_pr(refs, what):
    given = refs["auc_pr"][what]
    y = np.array(
        given.get("y", [1] * given.get("positives", 0) + [0] * (given.get("n", 0) - given.get("positives", 0)))
    )
    score = np.array(given.get("score", [0.5] * len(y)))
    none = np.empty((1, 0))
    metrics = evaluate(Runs(y[None], score[None], none, none, none, np.array([0.1])))
    assert metrics["auc_pr"].value[0] == pytest.approx(given["average_precision"], abs=1e-9)
    assert metrics["auc_roc"].value[0] == pytest.approx(given["roc_auc"], abs=1e-9)


def test_openml_descriptions_are_refused_or_pinned(cases):
    """D06b, D12: the id alone is no description; a version and a proof are asked for."""
    about = json.loads((cases / "openml/desc_999003_deactivated.json").read_text())["data_set_description"]
    source = {"kind": "openml", "id": int(about["id"])}
    base = {"name": "case", "target": "defects", "positive": "yes", "sources": [source]}
    with pytest.raises(ValueError, match="version"):
        DatasetSpec.model_validate(base)
    with pytest.raises(ValueError, match="content_sha256"):
        DatasetSpec.model_validate(base | {"sources": [source | {"version": 2}]})
    with pytest.raises(ValueError, match="class column is not stated"):
        DatasetSpec.model_validate(base | {"target": None, "sources": [source | {"version": 2}]})
