import os
from pathlib import Path

import pandas as pd
import pytest

from scarce import paths
from scarce.analysis import reference
from scarce.errors import ConfigError
from scarce.files import read_csv

ROOT = Path(__file__).parents[3]
ORTEGA, CIESLAK = (ROOT / paths.reference(paper) for paper in ("ortega2023", "cieslak2008"))
CELL = ["scenario", "metric", "dataset", "method"]


@pytest.fixture(scope="module")
def published():
    return reference.published("ortega2023", ORTEGA)


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


UNREPORTED = read_csv(ORTEGA / "unreported.csv")["dataset"].tolist()


def test_studies_of_unreported_sets_alone_are_held_against_runs_on_these(authors_file, authors_runs, monkeypatch):
    numbers, runs = reference.held_against("ortega2023", authors_file, UNREPORTED[:3])
    assert numbers is None
    assert set(runs["dataset"]) == set(UNREPORTED)
    assert not set(runs["dataset"]) & set(authors_runs["dataset"])
    assert len(runs) == 11 * 3 * 20 * len(runs.groupby(["method", "metric"]))
    for datasets in (["yeast6"], ["yeast6", UNREPORTED[0]]):
        numbers, runs = reference.held_against("ortega2023", authors_file, datasets)
        assert len(numbers)
        assert runs.equals(authors_runs)


def test_without_the_authors_file_a_study_is_held_against_published_numbers(published):
    numbers, runs = reference.held_against("ortega2023", None, UNREPORTED)
    assert runs is None
    assert numbers.equals(published)


def test_every_file_is_small_enough_to_read():
    assert all(file.stat().st_size < 1_000_000 for folder in (ORTEGA, CIESLAK) for file in folder.rglob("*"))


def test_no_reference_gives_none(tmp_path):
    assert reference.published("nothing", tmp_path) is None
    assert reference.author_runs("nothing", None, tmp_path) is None
    assert reference.author_runs("nothing", tmp_path / "author_runs.csv", tmp_path) is None


def test_another_study_brings_one_file_in_our_names(tmp_path):
    (tmp_path / "published.csv").write_text(
        "scenario,metric,dataset,method,published,printed_digits\nflip-50,auc_pr,,a,0.5,2\nflip-50,auc_pr,x,a,0.25,2\n"
    )
    found = reference.published("mine", tmp_path)
    assert list(found.columns) == reference.PUBLISHED
    assert found[["dataset", "published", "note"]].to_numpy().tolist() == [["", 0.5, ""], ["x", 0.25, ""]]


NAMES = {
    "Breast-w": "breast_w", "Breast-W": "breast_w", "Calmodoulin": "calmodulin", "Cam": "calmodulin",
    "E-State": "e_state", "Estate": "e_state", "Forest Cover": "covtype_4_vs_3", "Covtype": "covtype_4_vs_3",
    "German.number": "german_numer", "German.numer": "german_numer", "German.Numer": "german_numer",
    "Letter": "letter_vowels", "ism": "mammography", "Page": "page_blocks", "Pendigits": "pendigits_5", "PhoS": "phos",
    "PhosS": "phos", "Satimage": "satimage_4", "Segment": "segment_1", "Splice": "splice_libsvm",
}  # fmt: skip
TREES = {"C4.5": "c45", "DKM": "dkm", "CART": "cart", "HDDT": "hddt"}


@pytest.fixture
def raw():
    """The paper's tables as they were typed off, beside the mirror."""
    folder = Path(os.environ.get("SCARCE_MIRROR", ".")).absolute().parent / "reference" / "cieslak2008"
    if not folder.is_dir():
        pytest.skip("no tables of cieslak2008 beside the mirror")

    def read(name):
        rows = reference.read_csv(folder / f"{name}.csv")
        method = rows.get("method", pd.Series(dtype=str)).str.removeprefix("wrapper+").map(TREES)
        wrapped = rows.get("method", pd.Series(dtype=str)).str.startswith("wrapper+")
        wrapped |= rows.get("setting", pd.Series("", rows.index)) == "wrapper"
        names = rows["dataset"].map(lambda name: NAMES.get(name, name.lower()))
        return rows.assign(dataset=names, method=method + wrapped.map({True: "_sampled", False: ""}))

    return read


def test_cieslak_is_the_paper_cell_by_cell(raw):
    theirs = raw("tables2_3_auroc").set_index(["dataset", "method"]).sort_index()
    ours = reference.published("cieslak2008", CIESLAK).set_index(["dataset", "method"]).sort_index()
    assert ours.index.equals(theirs.index)
    assert len(ours) == 19 * 8
    assert (ours[["published", "published_sd"]].to_numpy() == theirs[["auroc_mean", "auroc_sd"]].to_numpy()).all()
    ranks = reference.printed("cieslak2008", "ranks", CIESLAK)
    for name, printed in (("table_2", theirs[theirs.table == 2]), ("table_3", theirs[theirs.table == 3])):
        mine = ranks[(ranks.table == name) & (ranks.dataset != "")].set_index(["dataset", "method"])["rank"]
        pd.testing.assert_series_equal(mine.sort_index(), printed["rank"], check_names=False)
    four = raw("table4_ranks8").set_index(["dataset", "method"])["rank"].sort_index()
    mine = ranks[(ranks.table == "table_4") & (ranks.dataset != "")].set_index(["dataset", "method"])["rank"]
    pd.testing.assert_series_equal(mine.sort_index(), four, check_names=False, check_dtype=False)


def test_cieslak_levels_and_sizes_are_the_papers(raw):
    theirs = raw("table5_sampling_levels")
    theirs = theirs.assign(method=theirs.method + "_sampled").set_index(["dataset", "method"]).sort_index()
    facts = reference.printed("cieslak2008", "facts", CIESLAK).set_index(["dataset", "method"]).sort_index()
    ranks = reference.printed("cieslak2008", "ranks", CIESLAK)
    ranks = ranks[(ranks.table == "table_5") & (ranks.dataset != "")].set_index(["dataset", "method"]).sort_index()
    for fact, column, rank in (
        ("undersample_percent", "undersample_pct_removed", "undersample_rank"),
        ("smote_percent", "smote_pct", "smote_rank"),
    ):
        assert (facts[facts.fact == fact].published == theirs[column]).all()
        assert (ranks[ranks.metric == fact]["rank"] == theirs[rank]).all()
    sizes = reference.printed("cieslak2008", "sizes", CIESLAK).set_index("dataset")
    printed = raw("table1_datasets").set_index("dataset").reindex(sizes.index)
    columns = ["examples", "features", "minority_percent"]
    assert (sizes[columns].to_numpy(float) == printed[["examples", "features", "minority_pct"]].to_numpy(float)).all()


def test_slips_of_cieslak_are_flagged():
    ranks = reference.printed("cieslak2008", "ranks", CIESLAK)
    flagged = ranks[ranks.corrected.notna()]
    assert (flagged.note != "").all()
    found = {(r.table, r.metric, r.dataset, r.method): (r.rank, r.corrected) for r in flagged.itertuples()}
    assert found["table_3", "auc_roc", "", "cart_sampled"] == (3.71, 3.632)
    assert found["table_4", "auc_roc", "letter_vowels", "hddt_sampled"] == (4, 5)
    assert found["table_4", "auc_roc", "german_numer", "dkm_sampled"] == (5, 6)
    assert found["table_5", "undersample_percent", "", "hddt_sampled"] == (2.76, 2.711)
    assert "check mark" in ranks[(ranks.table == "table_4") & (ranks.method == "dkm_sampled")].note.max()
    assert reference.printed("ortega2023", "ranks", ORTEGA).empty
    assert reference.printed(None, "facts").empty


def test_a_paper_has_one_reader(monkeypatch, tmp_path):
    monkeypatch.setattr(reference, "READERS", {})
    own = reference.Reader(lambda folder: folder.name, lambda folder, file: [folder, file])
    reference.register("mine", own)
    reference.register("mine", own)
    assert reference.published("mine", tmp_path) == tmp_path.name
    assert reference.author_runs("mine", tmp_path / "runs.csv", tmp_path) == [tmp_path, tmp_path / "runs.csv"]
    with pytest.raises(ConfigError, match="mine"):
        reference.register("mine", reference.Reader(lambda folder: None))
