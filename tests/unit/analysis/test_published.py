from pathlib import Path

import pytest

from pubench.analysis import reference

ROOT = Path(__file__).parents[3] / "reference"
CELL = ["scenario", "metric", "dataset", "method"]


@pytest.fixture(scope="module")
def published():
    return reference.published("ortega2023", ROOT)


def test_all_printed_numbers_are_there_once(published):
    assert list(published.columns) == reference.PUBLISHED
    assert len(published) == 3 * 39 + 6 * 195
    assert not published.duplicated(CELL).any()
    assert set(published["metric"]) == {"f1_oracle", "auc_pr", "auc_roc"}
    assert set(published["scenario"]) == {"flip-25", "flip-50", "flip-75"}
    assert published["published"].between(0, 1).all()


@pytest.mark.parametrize(
    ("cell", "value", "sd"),
    [
        (("flip-25", "f1_oracle", "", "pu_hdt"), 0.622, 0.070),
        (("flip-75", "auc_pr", "", "pu_shrf"), 0.611, 0.084),
        (("flip-50", "auc_roc", "", "elkan_noto"), 0.783, 0.123),
        (("flip-25", "f1_oracle", "poker_8_vs_6", "adasyn_rf"), 0.623, None),
        (("flip-50", "auc_pr", "kddcup_land_vs_portsweep", "pu_bagging"), 1.0, None),
        (("flip-75", "auc_pr", "yeast6", "hdt"), None, None),
    ],
)
def test_numbers_as_the_paper_prints_them(published, cell, value, sd):
    row = published.set_index(CELL).loc[cell]
    if value is not None:
        assert row["published"] == value
    assert (row["published_sd"] == sd) if sd is not None else row.isna()["published_sd"]


def test_misprints_are_flagged(published):
    flagged = published[published["note"] != ""].set_index(CELL)
    assert flagged[["published", "corrected"]].to_dict("index") == {
        ("flip-75", "f1_oracle", "mammography", "pu_bagging"): {"published": 0.926, "corrected": 0.518},
        ("flip-75", "auc_pr", "shuttle", "spy_em"): {"published": 0.968, "corrected": 0.958},
    }


def test_author_runs_have_the_shape_of_scores(authors_runs):
    assert list(authors_runs.columns) == ["dataset", "scenario", "repeat", "method", "metric", "value"]
    assert len(authors_runs) == 15 * 3 * 20 * 13 * 5
    assert set(authors_runs["repeat"]) == set(range(20))
    assert authors_runs["value"].between(0, 1).all()
    key = (
        authors_runs["dataset"].eq("churn_chile")
        & authors_runs["scenario"].eq("flip-25")
        & authors_runs["repeat"].eq(0)
        & authors_runs["method"].eq("upu")
    )
    assert authors_runs[key].set_index("metric")["value"].to_dict() == {
        "auc_roc": 0.954421941,
        "auc_pr": 0.639316777,
        "f1_default": 0.585365854,
        "f1_prior": 0.474074074,
        "f1_oracle": 0.642424242,
    }


def test_tables_follow_from_the_runs_but_for_the_misprints(published, authors_runs):
    means = authors_runs.groupby(CELL)["value"].mean().rename("mean").reset_index()
    both = published[published["dataset"] != ""].merge(means, on=CELL)
    wrong = both[(both["published"] - both["mean"]).abs() > 0.0006]
    assert len(both) == 1170
    assert set(wrong["method"]) == {"pu_bagging", "spy_em"}
    assert len(wrong) == 2


def test_every_file_is_small_enough_to_read():
    assert all(file.stat().st_size < 1_000_000 for file in ROOT.rglob("*") if file.is_file())


def test_no_reference_gives_none(tmp_path):
    assert reference.published("nothing", tmp_path) is None
    assert reference.author_runs("nothing", None, tmp_path) is None


def test_another_study_brings_one_file_in_our_names(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "published.csv").write_text(
        "scenario,metric,dataset,method,published,printed_digits\nflip-50,auc_pr,,a,0.5,2\nflip-50,auc_pr,x,a,0.25,2\n"
    )
    found = reference.published("mine", tmp_path)
    assert list(found.columns) == reference.PUBLISHED
    assert found[["dataset", "published", "note"]].to_numpy().tolist() == [["", 0.5, ""], ["x", 0.25, ""]]
