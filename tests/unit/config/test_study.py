import pytest
from pydantic import ValidationError

from scarce.config.options import HIDDEN_LABELS, Options, hidden_labels
from scarce.config.study import Study
from scarce.labels.labelings.scar import Scar

LEAST = {
    "name": "a",
    "title": "A",
    "datasets": ["moons"],
    "methods": ["pu_hdt"],
    "labeling": {"scar": {"flip_ratios": [0.5]}},
}


def study(**changes):
    return Study.model_validate(LEAST | changes)


def test_ratios_that_are_one_number_are_one_scenario():
    scenarios = Scar(flip_ratios=[0.25, 0.250, 0.5, 0.3, 0.30000000000000004, 0.125]).scenarios()
    assert [s.name for s in scenarios] == ["flip-25", "flip-50", "flip-30", "flip-12.5"]


@pytest.mark.parametrize(
    ("ratios", "noted"),
    [([0.5, 0.50], True), ([0.3, 0.30000000000000004], True), ([0.5, 0.5000001], True), ([0.5, 0.75], False)],
)
def test_ratios_that_fell_together_are_noted(ratios, noted):
    assert bool(study(labeling={"scar": {"flip_ratios": ratios}}).notes) is noted


@pytest.mark.parametrize("ratio", [0, 1, 1.2, -0.5, "0.5", True])
def test_a_ratio_outside_its_range_is_refused(ratio):
    with pytest.raises(ValidationError):
        study(labeling={"scar": {"flip_ratios": [ratio]}})


@pytest.mark.parametrize("name", ["Yeast", "a/b", "", ".hidden", "aux", "con.1", "a b", "ä", "dots."])
def test_a_name_is_a_folder_name_everywhere(name):
    with pytest.raises(ValidationError):
        study(datasets=[name])


@pytest.mark.parametrize("name", ["abalone-17_vs_7-8-9-10", "yeast1.7", "yeast_1", "0a"])
def test_names_that_share_a_prefix_are_allowed(name):
    assert study(datasets=[name, "yeast1"]).datasets == [name, "yeast1"]


def test_a_name_given_twice_is_refused():
    with pytest.raises(ValidationError, match="names moons twice"):
        study(datasets=["moons", "moons"])


def test_each_option_can_be_set_alone():
    assert study().options == Options()
    assert study(options={"seeds": "paper"}).options == Options(seeds="paper")


@pytest.mark.parametrize(("option", "value"), list(HIDDEN_LABELS))
def test_sound_refuses_what_must_not_use_hidden_labels(option, value):
    how = HIDDEN_LABELS[option, value]
    if how.sound:
        assert hidden_labels(study(options={option: value}).options)[option] == how.use
    else:
        with pytest.raises(ValidationError, match="preset sound refuses"):
            study(options={option: value})
    of_a_paper = study(preset="some_paper", options={option: value}).options
    assert hidden_labels(of_a_paper)[option] == how.use
    assert (option in hidden_labels(of_a_paper, refused=True)) is not how.sound


def test_defaults_name_their_hidden_labels():
    assert set(hidden_labels(study().options)) == {"decision", "class_prior"}
    assert hidden_labels(study().options, refused=True) == {}


@pytest.mark.parametrize("datasets", [["shuttle", "moons"], ["moons"]])
def test_a_reason_is_shown_where_it_concerns_a_data_set(datasets):
    reasons = {"pu_hdt": {"text": "rounding", "datasets": ["shuttle"]}}
    assert study(datasets=datasets, analysis={"reasons": reasons}).reasons == (
        {"pu_hdt": "rounding"} if "shuttle" in datasets else {}
    )
    assert study(datasets=datasets, analysis={"reasons": {"pu_hdt": "rounding"}}).reasons == {"pu_hdt": "rounding"}


def test_a_table_of_data_sets_needs_a_scenario():
    table = {"name": "t", "title": "T", "metric": "auc_pr", "layout": "datasets"}
    with pytest.raises(ValidationError, match="needs scenario"):
        study(report={"tables": [table]})


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"layout": "ranks", "scenario": "flip-50"}, "layout ranks needs metric"),
        ({"layout": "sizes", "metric": "auc_pr"}, "layout sizes has no metric"),
        ({"layout": "facts", "scenario": "flip-50"}, "layout facts needs facts"),
        ({"layout": "ranks", "metric": "auc_pr", "scenario": "flip-50", "methods": ["a"], "control": "b"}, "control b"),
    ],
)
def test_a_table_has_what_its_layout_needs(table, said):
    with pytest.raises(ValidationError, match=said):
        study(report={"tables": [{"name": "t", "title": "T"} | table]})


@pytest.mark.parametrize(
    "labeling", [{}, {"scar": {"flip_ratios": [0.5]}, "none": {}}, {"none": None}, {"none": {"a": 1}}]
)
def test_labeling_is_one_block(labeling):
    with pytest.raises(ValidationError, match=r"one of the blocks|unknown key|is empty"):
        study(labeling=labeling)


def test_a_supervised_study_hides_nothing():
    supervised = study(labeling={"none": {}}, split={"plan": "five_by_two", "validation_size": 0}, repeats=10)
    (scenario,) = supervised.scenarios
    assert (scenario.name, scenario.labeling, scenario.axes) == ("all-labeled", "none", {})
    assert Study.model_validate(supervised.model_dump()) == supervised


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"repeats": 9}, "multiple of 2 repeats, got 9"),
        ({"split": {"plan": "five_by_two", "test_size": 0.4}}, r"split.test_size\n.*unknown key"),
        ({"split": {"plan": "five_by_two", "subsample": 100}}, r"split.subsample\n.*unknown key"),
    ],
)
def test_five_by_two_pairs_repeats_and_halves_rows(changes, said):
    with pytest.raises(ValidationError, match=said):
        study(**{"split": {"plan": "five_by_two"}, "repeats": 10} | changes)


def test_factors_of_the_prior_make_scenarios_and_leave_the_plain_ones_as_they_are():
    scenarios = Scar(flip_ratios=[0.5, 0.75], prior_factors=[0.5, 0.71, 1, 1.0, 2]).scenarios()
    assert [s.name for s in scenarios][:4] == ["flip-50-prior-0.5", "flip-50-prior-0.71", "flip-50", "flip-50-prior-2"]
    assert len(scenarios) == 8
    assert [s.prior_factor for s in scenarios[:4]] == [0.5, 0.71, 1, 2]
    assert {s.plain for s in scenarios} == {"flip-50", "flip-75"}
    assert scenarios[2] == Scar(flip_ratios=[0.5]).scenarios()[0]
    assert scenarios[3].label == "50 % flip ratio, class prior x 2"


@pytest.mark.parametrize("factors", [[], [0], [-1], ["2"], [1000]])
def test_a_factor_outside_its_range_is_refused(factors):
    with pytest.raises(ValidationError):
        study(labeling={"scar": {"flip_ratios": [0.5], "prior_factors": factors}})


def test_an_estimated_prior_uses_no_hidden_labels():
    made = study(options={"class_prior": "estimated:tice"})
    assert made.options.estimator == "tice"
    assert study().options.estimator is None
    assert study(options={"class_prior": 0.1}).options.estimator is None
    assert "class_prior" not in hidden_labels(made.options)


@pytest.mark.parametrize(
    ("prior", "said"),
    [("estimated:tise", "did you mean tice"), ("estimated:", "known: tice, km2, elkan_noto"), ("estimate", "must be")],
)
def test_an_unknown_estimator_is_refused_with_a_suggestion(prior, said):
    with pytest.raises(ValidationError, match=said):
        study(options={"class_prior": prior})


def test_an_estimate_is_not_multiplied():
    labeling = {"scar": {"flip_ratios": [0.5], "prior_factors": [1, 2]}}
    with pytest.raises(ValidationError, match="leave them out"):
        study(labeling=labeling, options={"class_prior": "estimated:km2"})
    assert study(labeling=labeling, options={"class_prior": 0.2}).scenarios


def test_an_estimate_needs_nominal_columns_as_numbers():
    with pytest.raises(ValidationError, match="another encoding than none"):
        study(options={"class_prior": "estimated:tice", "encoding": "none"})
