"""Labels that are selected: what each form of e(x) is, that labels follow it, and what is refused."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from scarce import paths
from scarce.config.study import Study
from scarce.labels.file import Labels
from scarce.labels.labelings.sar import FORMS
from scarce.labels.labelings.scar import scar_flip
from scarce.labels.make import make_labels
from scarce.labels.propensity import drawn, positions, posterior, power, product, scaled, shifted, standardised
from scarce.labels.records import Impossible, read_labeling, read_split
from scarce.labels.sample import Columns, Population
from scarce.stages.label import label

RANDOM = np.random.RandomState(0)
N = 240
Y = (RANDOM.random_sample(N) < 0.3).astype(np.int8)
X = RANDOM.normal(size=(N, 5))
X[:, 0] += 1.5 * Y
X[3, 1] = np.nan
X[:, 3] = 7.0
X[:, 4] = RANDOM.randint(0, 3, N)
X[5, 4] = np.nan
COLUMNS = Columns(["size", "age", "price", "same", "branch"], np.arange(5) == 4, {"branch": ["A", "B", "C"]})
OPTIONS = {"seeds": "axes", "flip_count": "ceil", "class_prior": "train_true"}
#: Settings of each form.
EXAMPLES = {
    "constant": {},
    "product": {"attributes": 2, "low": 0.1, "high": 0.9},
    "logistic": {"attributes": ["size"], "slope": 2.0},
    "posterior": {"variant": "hard"},
    "nominal": {"attribute": "branch", "levels": ["A", "C"], "other": 0.2},
}


def make(form, ratio=0.5, labeling="sar", X=X, y=Y, columns=COLUMNS, repeats=3, split=None, **options):
    """Labels of the one scenario of a form."""
    block = {"flip_ratios": [ratio]} | ({"propensities": [form]} if form else {})
    (scenario,) = read_labeling({labeling: block})[labeling].scenarios()
    return make_labels(
        y, scenario=scenario, split=read_split(split or {}), repeats=repeats, study_seed=0, dataset="d", X=X,
        options=SimpleNamespace(**OPTIONS | options), columns=columns,
    )  # fmt: skip


def whole(form, **changes):
    """Labels with all rows but one fold of two training; the labeling saw the training rows alone."""
    return make(form, split={"plan": "k_fold", "folds": 2, "validation_size": 0.0}, repeats=2, **changes)


def reason(form, **changes):
    (text,) = {one.skipped for one in make(form, **changes)}
    return text


def test_every_form_is_here():
    assert set(EXAMPLES) == set(FORMS)


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("ratio", [0.3, 0.75])
def test_the_mean_propensity_of_the_positives_is_the_label_frequency_of_scar(name, ratio):
    for one in whole({name: EXAMPLES[name]}, ratio=ratio):
        y = Y[one.train]
        assert one.propensity.shape == one.train.shape
        assert np.isfinite(one.propensity).all()
        expected = scar_flip(y, ratio, seed=0).sum() / y.sum()
        assert one.propensity[y == 1].mean() == pytest.approx(expected, abs=1e-12)
        assert (one.propensity[one.s == 1] > 0).all()
        assert name == "constant" or np.ptp(one.propensity) > 0.01


@pytest.mark.parametrize("rule", ["ceil", "round", "floor"])
@pytest.mark.parametrize("seeds", ["axes", "paper"])
@pytest.mark.parametrize("ratio", [0.25, 0.5, 0.75, 0.9])
def test_a_constant_propensity_is_scar(tmp_path, ratio, seeds, rule):
    files = []
    for form, labeling in (({"constant": {}}, "sar"), (None, "scar")):
        labels = make(form, ratio, labeling, flip_count=rule, seeds=seeds, repeats=5)
        files.append(tmp_path / f"{labeling}.npz")
        labels.save(files[-1])
    with np.load(files[0]) as sar, np.load(files[1]) as scar:
        assert set(sar) == set(scar)
        for name in set(sar) - {"propensity"}:
            assert sar[name].tobytes() == scar[name].tobytes(), name
        assert sar["propensity"].shape == sar["train"].shape


@given(n=st.integers(1, 400), labeled=st.integers(0, 400), seed=st.integers(0, 2**31))
@settings(max_examples=60, deadline=None)
def test_equal_propensities_label_what_scar_leaves(n, labeled, seed):
    labeled = min(labeled, n)
    ratio = (n - labeled) / n
    chosen = drawn(np.full(n, labeled / n), seed)
    assert chosen.sum() == labeled
    if labeled:
        hidden = np.random.RandomState(seed).choice(n, n - labeled, replace=False)
        assert not chosen[hidden].any()
        assert 0 <= ratio < 1


def test_the_scenarios_of_a_constant_propensity_are_those_of_scar():
    of = {name: read_labeling({name: block})[name].scenarios() for name, block in {
        "scar": {"flip_ratios": [0.25, 0.5]}, "sar": {"flip_ratios": [0.25, 0.5], "propensities": [{"constant": {}}]},
    }.items()}  # fmt: skip
    for scar, sar in zip(of["scar"], of["sar"], strict=True):
        assert (scar.name, scar.label, scar.axes) == (sar.name, sar.label, sar.axes)


def test_labels_follow_the_propensities():
    """Over many draws, each positive is labeled as often as its propensity says, and the number varies little."""
    e = np.array([0.0, 0.05, 0.2, 0.5, 0.5, 0.8, 0.95, 1.0])
    draws = np.array([drawn(e, seed) for seed in range(8_000)])
    error = np.sqrt(e * (1 - e) / len(draws))
    assert (np.abs(draws.mean(0) - e) <= 4.5 * error).all()
    counts = draws.sum(1)
    assert counts.mean() == pytest.approx(e.sum(), abs=0.05)
    assert counts.var() < 0.8 * (e * (1 - e)).sum(), "independent draws would vary more"


@pytest.mark.parametrize("name", ["product", "logistic", "nominal"])
def test_labels_of_a_form_follow_its_propensities(name):
    """Of small and of large propensities, over repeats: the share of labels is the mean propensity."""
    labels = make({name: EXAMPLES[name]}, repeats=100, split={"plan": "holdout", "validation_size": 0.0})
    expected, labeled, error = np.zeros(2), np.zeros(2), np.zeros(2)
    for one in labels:
        positive = Y[one.train] == 1
        e, s = one.propensity[positive], one.s[positive]
        for half, rows in enumerate((e <= e.mean(), e > e.mean())):
            expected[half] += e[rows].sum()
            labeled[half] += s[rows].sum()
            error[half] += (e[rows] * (1 - e[rows])).sum()
    assert (np.abs(expected - labeled) <= 4 * np.sqrt(error) + 1e-9).all()
    assert labeled[1] > 1.2 * labeled[0]


def test_draws_are_nested_over_frequencies():
    for form in ("product", "logistic", "posterior"):
        few, many = (make({form: EXAMPLES[form]}, ratio, split={"plan": "k_fold"}, repeats=5) for ratio in (0.8, 0.4))
        for a, b in zip(few, many, strict=True):
            assert {*a.train[a.s == 1]} <= {*b.train[b.s == 1]}


def test_the_product_is_that_of_bekker_et_al():
    columns = np.array([[0.0, 10.0], [5.0, 20.0], [10.0, 10.0]])
    expected = [0.2, np.sqrt(0.5 * 0.8), np.sqrt(0.8 * 0.2)]
    np.testing.assert_allclose(product(columns, 0.2, 0.8), expected)


def test_values_of_all_sizes_have_places():
    extreme = np.array([[1.7e308, 1e-300], [-1.7e308, 2e-300], [0.0, 1e-300]])
    np.testing.assert_allclose(positions(extreme), [[1, 0], [0, 1], [0.5, 0]])
    assert np.isfinite(standardised(extreme)).all()
    assert positions(np.full((4, 1), np.nan)).tolist() == [[0.5]] * 4


@given(
    shape=st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=40), mean=st.floats(0.01, 0.99), more=st.integers(0, 5)
)
@settings(max_examples=100, deadline=None)
def test_scaling_and_shifting_give_the_mean_and_keep_the_order(shape, mean, more):
    shape = np.array(shape + [3.0] * more)
    positive = np.arange(len(shape)) < len(shape) - more
    for e in (scaled(shape, positive, mean), shifted(np.log(shape), positive, mean)):
        assert ((e >= 0) & (e <= 1)).all()
        assert e[positive].mean() == pytest.approx(mean, rel=1e-9)
        order = np.argsort(shape)
        assert (np.diff(e[order]) >= 0).all()


@given(
    values=st.lists(st.floats(1e-9, 1), min_size=2, max_size=40),
    exponent=st.floats(1e-3, 1000),
    share=st.floats(0.01, 0.99),
)
@settings(max_examples=100, deadline=None)
def test_powers_of_any_size_are_scaled_to_the_mean(values, exponent, share):
    values, positive = np.array(values), np.ones(len(values), bool)
    mean = max(1, int(share * len(values))) / len(values)
    e = scaled(power(values, exponent, positive, mean), positive, mean)
    assert e.mean() == pytest.approx(mean, rel=1e-9)
    assert (np.diff(e[np.argsort(values)]) >= 0).all()


def test_a_level_with_just_enough_positives_reports():
    """7/25 * 25 is a little more than 7 in doubles."""
    y, branch = np.ones(25, np.int8), np.repeat([0.0, 1, 2, 3], [7, 6, 6, 6])
    columns = Columns(["branch"], np.array([True]), {"branch": list("ABCD")})
    e = FORMS["nominal"]().propensity(Population(y, branch[:, None], columns=columns), np.mean(np.arange(25) < 7), None)
    assert e.tolist() == (branch == 0).tolist()


def test_the_variants_of_the_posterior_prefer_clear_and_unclear_positives():
    p = posterior(np.where(np.isnan(X), 0, X), Y, COLUMNS.categorical)
    for variant, sign in (("easy", 1), ("hard", -1)):
        for one in whole({"posterior": {"variant": variant, "power": 3}}):
            rows = one.train[Y[one.train] == 1]
            e = one.propensity[Y[one.train] == 1]
            assert sign * np.corrcoef(p[rows], e)[0, 1] > 0.5


def test_only_named_levels_report():
    for one in whole({"nominal": {"attribute": "branch", "levels": ["B"]}}, ratio=0.8):
        assert {*X[one.train[one.s == 1], 4]} == {1.0}
        assert (one.propensity[X[one.train, 4] != 1] == 0).all()
    for one in whole({"nominal": {"attribute": "branch", "levels": ["B"], "other": 0.5}}, ratio=0.8):
        values = sorted({*one.propensity.round(12)})
        assert values[0] == pytest.approx(values[1] / 2)
    for one in whole({"nominal": {}}, ratio=0.8):
        assert len({*X[one.train[one.s == 1], 4]}) == 1


def test_attributes_are_drawn_once_for_a_data_set_among_those_that_vary():
    drawn = [make({"product": {"attributes": 4, "seed": seed}}, repeats=2) for seed in range(3)]
    assert not any(one.skipped for labels in drawn for one in labels), "4 of 5 columns vary"
    assert "5 attributes, and 4 vary" in reason({"product": {"attributes": 5}})
    first, second = ({tuple(one.propensity) for one in make({"product": {"seed": seed}})} for seed in (0, 1))
    assert first != second


@pytest.mark.parametrize("name", ["product", "logistic"])
def test_a_constant_attribute_hides_at_random_and_says_so(name):
    constant, scar = make({name: {"attributes": ["same"]}}), make(None, labeling="scar")
    for one, other in zip(constant, scar, strict=True):
        assert "the same for all positives" in one.note
        assert one.s.tolist() == other.s.tolist()
    for one in make({name: {"attributes": ["same", "size"]}}):
        assert np.isfinite(one.propensity).all()
        assert np.ptp(one.propensity) > 0


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"product": {"attributes": ["weight"]}}, "no attribute is named weight"),
        ({"nominal": {"attribute": "weight"}}, "no attribute is named weight"),
        ({"nominal": {"attribute": "branch", "levels": ["D"]}}, "no level D"),
        ({"nominal": {"attribute": "size"}}, "size is not nominal"),
        ({"nominal": {"attribute": "size", "levels": ["D"]}}, "size is not nominal"),
        ({"nominal": {"attribute": "branch"}}, "attribute branch has no level with"),
        ({"nominal": {"attribute": "branch", "levels": ["A"]}}, "positives can have one"),
    ],
)
def test_what_the_data_do_not_allow_skips_the_repeats(form, message):
    assert message in reason(form, repeats=1)


def test_data_without_nominal_columns_have_none_that_reports():
    assert "no nominal attribute" in reason({"nominal": {}}, columns=None)


@pytest.mark.parametrize(
    ("forms", "message"),
    [
        ([], "must not be empty"),
        ([{}], "needs one of the blocks"),
        ([{"produkt": {}}], "no propensity is named"),
        ([{"product": {}}, {"product": {"low": 0.1}}], "a `name` of its own"),
        ([{"product": {"low": 0.0, "high": 0.0}}], "no row can be labeled"),
        ([{"product": {"attributes": []}}], "attributes"),
        ([{"nominal": {"levels": ["A"]}}], "which attribute"),
        ([{"constant": {"name": "x"}}], "name"),
        ([{"posterior": {"variant": "medium"}}], "variant"),
    ],
)
def test_wrong_settings_are_errors(forms, message):
    with pytest.raises((ValidationError, ValueError), match=message):
        read_labeling({"sar": {"flip_ratios": [0.5], "propensities": forms}})


@pytest.mark.parametrize(
    ("value", "wanted"), [(0, "greater"), ("size", "a list"), (["a", "a"], "twice"), (True, "whole")]
)
def test_a_wrong_attribute_has_one_message(value, wanted):
    with pytest.raises(ValidationError, match=wanted) as caught:
        read_labeling({"sar": {"flip_ratios": [0.5], "propensities": [{"product": {"attributes": value}}]}})
    assert caught.value.error_count() == 1


def test_equal_flip_ratios_are_noted_as_under_scar():
    (settings,) = read_labeling({"sar": {"flip_ratios": [0.5, 0.5], "propensities": [{"product": {}}]}}).values()
    (note,) = settings.notes()
    assert "2 flip ratios, but some are one number: 1 scenarios (flip-50-product)" in note


def test_too_few_positives_skip_the_repeat_as_scar_does():
    few = (np.arange(N) < 2).astype(np.int8)
    assert "no labeled positive is left" in reason({"constant": {}}, y=few, ratio=0.9)


def test_scaling_is_impossible_where_too_few_can_be_labeled():
    with pytest.raises(Impossible, match="1 of 4"):
        scaled(np.array([1.0, 0, 0, 0]), np.ones(4, bool), 0.5)
    assert scaled(np.array([1.0, 0, 0, 0]), np.ones(4, bool), 0.25).tolist() == [1, 0, 0, 0]


def test_a_labels_job_hands_names_and_levels_of_columns_to_the_labeling(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    forms = [{"nominal": {"attribute": "branch", "levels": ["B"]}}]
    study = Study(
        name="mine", title="Mine", datasets=["d"], methods=["pu_hdt"], repeats=2,
        labeling={"sar": {"flip_ratios": [0.8], "propensities": forms}},
    )  # fmt: skip
    prepared = SimpleNamespace(
        y=Y, X=X, names=COLUMNS.names, categorical=COLUMNS.categorical, categories=COLUMNS.levels,
        test_part=None, group=None, time=None,
    )  # fmt: skip
    monkeypatch.setattr("scarce.data.store.load_prepared", lambda name: prepared)
    label(SimpleNamespace(study=lambda name: study), "mine", "d")
    for one in Labels.load(paths.labels("mine", "d", "flip-80-nominal")):
        assert {*X[one.train[one.s == 1], 4]} == {1.0}
        assert len(one.propensity) == len(one.train)
