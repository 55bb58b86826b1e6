"""What is lost by choosing methods: against a run-by-run oracle, by hand, and the judge on known regrets."""

import math
from dataclasses import replace
from statistics import fmean

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from scarce.analysis.selection import BEST, COLUMNS, REFERENCE, choices, interval, selection
from scarce.analysis.statistics import AnalysisSettings
from scarce.config.selection import AT_RANDOM, BEST_ELSEWHERE, Selection
from scarce.scoring.true_validation import twin_of
from tests.unit.analysis.cases import LABELS, case, decide, value_of

AP, RISK, TRUE = "pu_ap_validation", "pu_risk_upu_validation", twin_of("auc_pr")
ASKED = Selection(candidates={"all": ["a", "b", "c"]}, by=[AP, RISK], judged_in=["auc_pr"])
RARE = {"d0": 0.02, "d1": 0.05, "d2": 0.10, "d3": 0.4}


def settings(**changes):
    lower = frozenset([RISK])
    chosen = {"metrics": ["auc_pr"], "selection": ASKED, "prevalence": RARE, "lower_is_better": lower}
    return AnalysisSettings(**chosen | changes)


def frame(cells):
    """Scores from (scenario, data set, repeat) to metric to values of the methods a, b and c."""
    rows = [
        (dataset, scenario, repeat, method, metric, value)
        for (scenario, dataset, repeat), metrics in cells.items()
        for metric, values in metrics.items()
        for method, value in zip("abc", values, strict=True)
    ]
    return pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "method", "metric", "value"])


def random_cells(seed=0, repeats=3):
    """Values on a coarse grid, so that many tie, some of them undefined."""
    random = np.random.RandomState(seed)

    def values(undefined):
        drawn = random.randint(0, 4, 3) / 4
        return [math.nan if random.uniform() < undefined else value for value in drawn]

    return {
        (scenario, dataset, repeat): {"auc_pr": values(0.1), TRUE: values(0.1), AP: values(0.4), RISK: values(0.2)}
        for scenario in ("flip-25", "flip-75")
        for dataset in RARE
        for repeat in range(repeats)
    }


def naive(cells, key):
    """What each way attains in one run, said in plain loops; None where fewer than two candidates are left."""
    own, left = cells[key], naive_candidates(cells, key)
    if not left:
        return None

    def take(values, sign=1):
        defined = [i for i in left if not math.isnan(values[i])]
        if not defined:
            return math.nan
        best = max(sign * values[i] for i in defined)
        return fmean(own["auc_pr"][i] for i in defined if sign * values[i] == best)

    means = {}
    for dataset in {other for scenario, other, _ in cells if scenario == key[0]} - {key[1]}:
        used = [(s, d, r) for s, d, r in cells if (s, d) == (key[0], dataset) and naive_candidates(cells, (s, d, r))]
        columns = [[x for run in used if not math.isnan(x := cells[run]["auc_pr"][i])] for i in range(3)]
        if all(columns):
            means[dataset] = [fmean(column) for column in columns]
    elsewhere = [fmean(one[i] for one in means.values()) if means else math.nan for i in range(3)]
    return {
        REFERENCE: take(own[TRUE]), BEST: take(own["auc_pr"]), AP: take(own[AP]), RISK: take(own[RISK], -1),
        AT_RANDOM: fmean(own["auc_pr"][i] for i in left), BEST_ELSEWHERE: take([round(x, 12) for x in elsewhere]),
    }  # fmt: skip


def naive_candidates(cells, key):
    own = cells[key]
    left = [i for i in range(3) if not (math.isnan(own["auc_pr"][i]) or math.isnan(own[TRUE][i]))]
    return left if len(left) > 1 else []


@pytest.mark.parametrize("seed", range(8))
def test_every_way_chooses_as_plain_loops_do(seed):
    cells = random_cells(seed)
    made = choices(frame(cells), settings(), "all", "auc_pr")
    expected = {key: found for key in cells if (found := naive(cells, key)) is not None}
    assert list(made.values.index) == sorted(expected)
    for key, ways in expected.items():
        np.testing.assert_allclose(made.values.loc[key, list(ways)].to_numpy(float), list(ways.values()), atol=1e-12)
    assert made.left_out.sum() == len(cells) - len(expected)


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_rows_changes_nothing(seed):
    scores = frame(random_cells(seed))
    pd.testing.assert_frame_equal(
        selection(scores, settings()), selection(scores.sample(frac=1, random_state=1), settings())
    )


def one_run(**values):
    """A run where a is best by true labels of validation rows, and c on the test rows."""
    return {"auc_pr": [0.7, 0.5, 0.8], TRUE: [0.9, 0.5, 0.6], AP: [0.1, 0.2, 0.3], RISK: [0.1, 0.2, 0.3]} | values


def regrets(metrics, way=AP):
    made = choices(frame({("s", "d0", 0): metrics}), settings(), "all", "auc_pr")
    return made.regret(REFERENCE)[way].iloc[0]


def test_a_regret_is_what_true_labels_would_have_given_on_the_test_rows():
    assert regrets(one_run(), RISK) == 0, "a small risk is good"
    assert regrets(one_run()) == pytest.approx(-0.1), "validation rows say only so much of test rows"
    assert regrets(one_run(**{AP: [0.1, 0.9, 0.3]})) == pytest.approx(0.2)


def test_methods_that_tie_but_for_rounding_share_the_choice():
    assert regrets(one_run(**{AP: [0.1, 0.1 + 0.2, 0.3]})) == pytest.approx(0.7 - (0.5 + 0.8) / 2)
    assert regrets(one_run(**{AP: [0.3, 0.3, 0.3], TRUE: [0.3, 0.1 + 0.2, 0.3]})) == 0


def test_an_undefined_value_is_never_chosen_and_all_undefined_choose_nothing():
    nan = math.nan
    assert regrets(one_run(**{AP: [nan, 0.1, nan]})) == pytest.approx(0.2)
    assert math.isnan(regrets(one_run(**{AP: [nan, nan, nan]})))
    scores = frame({("s", "d0", 0): one_run(), ("s", "d0", 1): one_run(**{AP: [nan] * 3})})
    row = selection(scores, settings()).query("dataset == '' and by == @AP and rarity == 'all' and scenario == 's'")
    assert row[["n_runs", "n_no_choice", "n_left_out", "n_short"]].to_numpy().tolist() == [[1, 1, 0, 0]]


def test_a_method_without_true_values_is_no_candidate_and_counts_say_so():
    nan = math.nan
    scores = frame({
        ("s", "d0", 0): one_run(**{"auc_pr": [0.7, 0.5, nan]}),
        ("s", "d0", 1): one_run(**{TRUE: [nan, 0.5, nan]}),
    })  # fmt: skip
    rows = selection(scores, settings()).query("dataset == 'd0' and scenario == 's'").set_index("by")
    assert rows.loc[AP, "regret"] == pytest.approx(0.2), "c is left out, so b has the best value"
    assert set(rows.n_left_out) == {1} and set(rows.n_short) == {1} and set(rows.n_runs + rows.n_no_choice) == {1}


def test_where_a_small_score_is_good_the_sign_turns():
    asked = Selection(candidates={"all": ["a", "b", "c"]}, by=[AP], judged_in=["accuracy"])
    turned = settings(selection=asked, lower_is_better=frozenset(["accuracy", twin_of("accuracy")]))
    scores = frame({("s", "d0", 0): {"accuracy": [0.2, 0.5, 0.1], twin_of("accuracy"): [0.1, 0.3, 0.2], AP: [0, 1, 0]}})
    made = choices(scores, turned, "all", "accuracy")
    assert made.regret(REFERENCE)[AP].iloc[0] == pytest.approx(0.3)
    assert made.regret(BEST)[AP].iloc[0] == pytest.approx(0.4)


def test_data_sets_are_the_blocks_however_many_repeats_they_have():
    scores = frame(random_cells(3, repeats=2))
    again = scores.assign(repeat=scores.repeat + 2)
    few, many = (selection(one, settings()) for one in (scores, pd.concat([scores, again])))
    assert (many.n_runs == 2 * few.n_runs).all()
    pd.testing.assert_frame_equal(
        few[["mean", "regret", "low", "high", "n_datasets"]], many[["mean", "regret", "low", "high", "n_datasets"]]
    )


def test_the_interval_is_students_over_data_sets():
    rows = selection(frame(random_cells(5)), settings())
    assert list(rows.columns) == COLUMNS
    for scenario in ("flip-25", ""):
        panel = rows[(rows.scenario == scenario) & (rows.by == AT_RANDOM)]
        single, average = panel[panel.dataset != ""], panel[(panel.dataset == "") & (panel.rarity == "all")].iloc[0]
        expected = stats.ttest_1samp(single.regret, 0).confidence_interval()
        assert (average.low, average.high) == pytest.approx(tuple(expected)) and average.n_datasets == len(single)
        assert single[["low", "high"]].isna().all(axis=None)
    assert np.isnan(interval(np.array([0.1]), 0.05)).all()


def test_no_scenario_is_the_mean_over_scenarios_within_data_sets():
    rows = selection(frame(random_cells(6)), settings()).query("dataset == 'd3' and by == 'at_random'")
    by_scenario = rows.set_index("scenario").regret
    assert by_scenario[""] == pytest.approx((by_scenario["flip-25"] + by_scenario["flip-75"]) / 2)


def test_rare_is_below_the_limit():
    rows = selection(frame(random_cells(1)), settings())
    assert set(rows[rows.rarity == "rare"].dataset) == {"", "d0", "d1"}
    assert set(rows[rows.rarity == "common"].dataset) == {"", "d2", "d3"}


def test_data_sets_that_do_not_count_are_in_nothing():
    assert "d1" not in set(selection(frame(random_cells(1)), settings(datasets=["d0", "d2", "d3"])).dataset)


def test_a_study_that_chooses_nothing_has_no_rows():
    rows = selection(frame(random_cells(1)), settings(selection=None))
    assert rows.empty and list(rows.columns) == COLUMNS


# the judge


def known(gain, datasets=8):
    """A case where AP chooses the best method, and the risk one that scores less by `gain` of the data set."""
    cells = {
        ("flip-25", f"d{i}", repeat): one_run(
            **{"auc_pr": [0.5, 0.5 - gain(i), 0.2], AP: [3, 2, 1], RISK: [2, 1, 3]},
        )
        for i in range(datasets)
        for repeat in range(2)
    }
    scores = frame(cells)
    prevalence = {f"d{i}": 0.05 if i < datasets // 2 else 0.3 for i in range(datasets)}
    own = settings(prevalence=prevalence, methods=["a", "b", "c"])
    labels = LABELS | {"scenario": {"flip-25": "25 %"}}
    return replace(case(scores, labels=labels), settings=own)


def judged(a_case, **arguments):
    return decide("selection", a_case, **{"candidates": "all", "by": [AP], "over": [RISK]} | arguments)


def test_it_holds_where_the_interval_lies_above_zero():
    found = judged(known(lambda i: 0.1 + 0.01 * i))
    assert found.verdict == "held"
    assert value_of(found, "difference") == pytest.approx(0.135) and value_of(found, "won") == 8
    assert value_of(found, "low") > 0


def test_a_better_mean_alone_is_partly():
    assert judged(known(lambda i: 0.3 if i == 0 else 0.0)).verdict == "partly"


def test_it_does_not_hold_the_other_way_round():
    assert judged(known(lambda i: 0.1 + 0.01 * i), by=[RISK], over=[AP]).verdict == "not held"


def test_data_sets_with_rare_positives_alone():
    found = judged(known(lambda i: 0.1 + 0.01 * i if i < 4 else -0.4), rarity="rare")
    assert found.verdict == "held" and value_of(found, "n") == 4
    assert judged(known(lambda i: 0.1 + 0.01 * i if i < 4 else -0.4)).verdict == "not held"


def test_one_data_set_or_no_choices_leave_the_claim_untested():
    assert judged(known(lambda i: 0.1, datasets=1)).verdict == "untested"
    bare = known(lambda i: 0.1)
    assert judged(replace(bare, settings=settings(selection=None))).verdict == "untested"


def test_a_way_is_not_compared_with_itself():
    with pytest.raises(ValueError, match="compared"):
        judged(known(lambda i: 0.1), over=[AP])
