"""Every judge on scores with known answers; held, partly, not held and untested are each reached."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from scarce.analysis.evidence import EVIDENCE
from scarce.analysis.judges import JUDGES
from tests.unit.analysis.cases import case, decide, scores, value_of

SHARED = [name for name, record in JUDGES.items() if record.decide.__module__.startswith("scarce.analysis.")]
RUNS = {"blocks": "runs", "alternative": "one-sided", "holm": "no_stop"}
ORDERED = {"a": 0.9, "b": 0.6, "c": 0.5, "d": 0.4}
SWAPPED = {"a": lambda s, i, r: 0.9 if s == "flip-25" else 0.1, "b": 0.6, "c": 0.5, "d": 0.4}


def alternating(low, high):
    """Better on the even data sets: no method is better over all of them."""
    return lambda scenario, i, repeat: high if i % 2 else low


SAME = {"a": alternating(0.5, 0.7), "b": alternating(0.7, 0.5), "c": alternating(0.5, 0.7), "d": alternating(0.7, 0.5)}


def test_every_judge_says_what_it_asks():
    shared = {"omnibus", "leads", "outperforms", "better", "reproduces", "contrast", "keeps_order", "selection"}
    assert set(SHARED) == shared | {"tells_apart"}
    for record in JUDGES.values():
        assert record.question.endswith((".", "?"))


def test_judges_are_there_where_python_keeps_no_docstrings():
    listed = "from scarce.analysis.judges import JUDGES; print(*JUDGES)"
    done = subprocess.run([sys.executable, "-OO", "-c", listed], capture_output=True, text=True)
    assert done.stdout.split() == SHARED, done.stderr


def test_evidence_has_the_columns_of_the_contract():
    for judge, arguments in {
        "omnibus": {},
        "leads": {"methods": ["a"]},
        "outperforms": {"methods": ["a"]},
        "better": {"methods": ["a"], "over": ["b"]},
    }.items():
        assert list(decide(judge, case(scores(ORDERED)), **arguments).evidence.columns) == EVIDENCE


# omnibus


def test_omnibus_holds_where_all_panels_reject():
    found = decide("omnibus", case(scores(ORDERED)))
    assert found.verdict == "held"
    assert found.reading == (
        "AUC-PR, over 12 data sets: that all methods perform alike is rejected at the level 0.05 (largest p < 0.001).",
    )


def test_omnibus_holds_partly_and_not():
    mixed = pd.concat([scores(ORDERED, scenarios=["flip-25"]), scores(SAME, scenarios=["flip-75"])])
    found = decide("omnibus", case(mixed))
    assert found.verdict == "partly"
    assert "is not rejected at 75 % at the level 0.05 (largest p = 1.000)" in found.reading[0]
    assert value_of(found, "p", scenario="flip-75") == pytest.approx(1.0)
    assert decide("omnibus", case(scores(SAME))).verdict == "not held"


def test_omnibus_is_made_under_the_studys_own_procedure_too():
    found = decide("omnibus", case(scores(ORDERED, repeats=3), **RUNS))
    assert set(found.evidence["blocks"]) == {"datasets", "runs"}
    assert "over 36 runs on 12 data sets as if independent" in found.reading[1]


def test_two_methods_are_not_tested_and_it_is_said():
    found = decide("omnibus", case(scores({"a": 0.9, "b": 0.1})))
    assert found.verdict == "untested"
    assert found.reading[0].startswith("AUC-PR everywhere: not tested, only 2 methods")
    assert found.evidence.empty


# leads


def test_leads():
    assert decide("leads", case(scores(ORDERED)), methods=["a"]).verdict == "held"
    assert decide("leads", case(scores(ORDERED)), methods=["b"]).verdict == "not held"
    assert decide("leads", case(scores(ORDERED)), methods=["c", "a"]).verdict == "held", "the best speaks for all"
    assert decide("leads", case(scores(ORDERED)), methods=["b"], over=["c", "d"]).verdict == "held"
    found = decide("leads", case(scores(SWAPPED)), methods=["a"])
    assert found.verdict == "partly"
    assert found.reading == (
        "AUC-PR, over 12 data sets, average ranks: at 25 %: Method A leads (1.00); at 75 %: Method B leads (1.00), "
        "Method A has 4.00.",
    )


def test_a_shared_lead_is_no_lead():
    tied = {"a": 0.9, "b": 0.9, "c": 0.5}
    assert decide("leads", case(scores(tied)), methods=["a"]).verdict == "not held"
    assert decide("leads", case(scores(tied)), methods=["a", "b"]).verdict == "held"


def test_most_settings_are_more_than_half():
    three = ("flip-25", "flip-50", "flip-75")
    mostly = {"a": lambda s, i, r: 0.1 if s == "flip-75" else 0.9, "b": 0.6, "c": 0.5}
    labels = {"scenario": {name: name for name in three}}
    frame = case(scores(mostly, scenarios=three), labels=labels)
    assert decide("leads", frame, methods=["a"]).verdict == "partly"
    assert decide("leads", frame, methods=["a"], need="most").verdict == "held"
    assert decide("leads", case(scores(SWAPPED)), methods=["a"], need="most").verdict == "partly", "half is not most"


# outperforms


def test_outperforms_those_that_are_worse_beyond_doubt():
    found = decide("outperforms", case(scores(ORDERED, datasets=30)), methods=["a"])
    assert found.verdict == "held"
    assert found.reading == (
        "AUC-PR, over 30 data sets (two-sided): everywhere: Method A (average rank 1.00) is significantly better than "
        "all 3.",
    )
    assert value_of(found, "average_rank_other", other="d", scenario="flip-25") == 4.0


def test_repeats_as_blocks_make_a_difference_certain():
    """A rank of one on every data set is too little for four of them, and plenty for their 80 runs."""
    close = case(scores(ORDERED, datasets=4, repeats=20), **RUNS)
    found = decide("outperforms", close, methods=["a"], over=["b"])
    assert found.verdict == "partly"
    assert "Method A (average rank 1.00) is not significantly better than Method B" in found.reading[0]
    assert "over 80 runs on 4 data sets as if independent (one-sided)" in found.reading[1]
    assert "is significantly better than Method B" in found.reading[1]
    assert decide("outperforms", close, methods=["b"], over=["a"]).verdict == "not held"


def test_ahead_everywhere_without_significance_is_partly():
    found = decide("outperforms", case(scores(ORDERED, datasets=4)), methods=["a"])
    assert found.verdict == "partly"
    assert "better than 1 of 3, not than Method B and Method C" in found.reading[0]


def test_whoever_ranks_first_is_named():
    found = decide("outperforms", case(scores(ORDERED, datasets=30)), methods=["b"])
    assert found.verdict == "not held"
    assert "better than 2 of 3, not than Method A (Method A ranks no worse)" in found.reading[0]


def test_tied_methods_must_not_be_told_apart():
    near = case(scores(ORDERED, datasets=6))
    assert decide("outperforms", near, methods=["a"], over=["d"], tied=["b"]).verdict == "held"
    far = decide("outperforms", near, methods=["a"], tied=["d"])
    assert far.verdict == "not held"
    assert far.reading[0].endswith("is significantly better than 1 of 2, not than Method B; different from Method D.")


def test_methods_that_the_studys_own_test_leaves_out_are_named():
    found = decide("outperforms", case(scores(ORDERED), **RUNS, exclude={"auc_pr": ["d"]}), methods=["a"])
    assert "(one-sided; without Method D)" in found.reading[1]
    assert set(found.evidence.loc[found.evidence["blocks"] == "runs", "other"]) == {"b", "c"}


def test_only_those_named_are_ranked_together():
    """Beside d, b's rank is 1 whatever a and c do."""
    found = decide("outperforms", case(scores(ORDERED)), methods=["b"], over=["c", "d"], among=["b", "c", "d"])
    assert found.evidence.query("quantity == 'average_rank'").value.iloc[0] == pytest.approx(1.0)
    assert found.verdict == "held"
    alone = decide("leads", case(scores(ORDERED)), methods=["b"], among=["b", "c", "d"])
    assert alone.verdict == "held"
    assert decide("leads", case(scores(ORDERED)), methods=["b"]).verdict == "not held"


def test_a_method_without_results_leaves_its_claim_untested():
    found = decide("outperforms", case(scores(ORDERED), methods=["a", "b", "c", "d", "e"]), methods=["e"])
    assert found.verdict == "untested"
    assert found.reading == ("AUC-PR everywhere: not tested, no results of e.",)


def test_missing_data_sets_are_counted_in_the_reading():
    frame = scores(ORDERED)
    asked = [*sorted(frame["dataset"].unique()), "x", "y"]
    found = decide("leads", case(frame, datasets=asked), methods=["a"])
    assert found.reading[0].startswith("AUC-PR, over 12 of 14 data sets, average ranks")


def test_a_missing_cell_drops_its_data_set_or_is_refused():
    frame = scores(ORDERED)
    frame.loc[(frame["dataset"] == "d00") & (frame["method"] == "b"), "value"] = np.nan
    assert "over 11 of 12 data sets" in decide("leads", case(frame), methods=["a"]).reading[0]
    found = decide("leads", case(frame, missing="refuse"), methods=["a"])
    assert found.verdict == "untested"
    assert "d00, b: 2 of 2 runs missing" in found.reading[0]


# better


def test_better_holds_where_mean_and_test_agree():
    found = decide("better", case(scores(ORDERED)), methods=["a"], over=["b"])
    assert found.verdict == "held"
    assert found.reading == (
        "AUC-PR, Method A against Method B over 12 data sets: everywhere: +30.0 points, 12 won and 0 lost, p < 0.001.",
        "2 of 2 comparisons are as claimed at 0.05; in the means, 2 are.",
    )
    assert value_of(found, "p", scenario="flip-25") == pytest.approx(2 / 2**12), "the exact test of 12 of 12"


def test_a_higher_mean_without_significance_is_partly():
    slight = {"a": alternating(0.5, 0.8), "b": alternating(0.7, 0.5)}
    found = decide("better", case(scores(slight)), methods=["a"], over=["b"])
    assert found.verdict == "partly"
    assert "+5.0 points, 6 won and 6 lost" in found.reading[0]
    assert decide("better", case(scores(slight)), methods=["b"], over=["a"]).verdict == "not held"


def test_no_difference_is_a_claim_too():
    assert decide("better", case(scores(SAME)), methods=["a"], tied=["b"]).verdict == "held"
    assert decide("better", case(scores(ORDERED)), methods=["a"], tied=["b"]).verdict == "not held"
    assert decide("better", case(scores({"a": 0.5, "b": 0.5})), methods=["a"], tied=["b"]).verdict == "held"


@pytest.mark.slow
def test_most_comparisons():
    frame = case(scores({**ORDERED, "c": 0.95}))
    assert decide("better", frame, methods=["a"], over=["b", "c", "d"]).verdict == "partly"
    assert decide("better", frame, methods=["a"], over=["b", "c", "d"], need="most").verdict == "held"


def test_methods_that_never_meet_are_untested():
    frame = scores({"a": 0.9, "b": 0.6})
    apart = frame[(frame["method"] == "a") == (frame["dataset"] < "d06")]
    found = decide("better", case(apart), methods=["a"], over=["b"])
    assert found.verdict == "untested"
    assert found.reading == ("AUC-PR everywhere: not tested, no data set has Method A beside Method B.",)


@pytest.mark.parametrize(
    ("judge", "arguments", "said"),
    [
        ("better", {"methods": ["a"]}, "needs `over` or `tied`"),
        ("better", {"methods": ["a"], "over": ["a"]}, "a cannot be compared with itself"),
        ("outperforms", {"methods": ["a"], "tied": ["a"]}, "a cannot be compared with itself"),
        ("leads", {"methods": ["a"], "among": ["b", "c"]}, "a must be among those that are ranked"),
        ("contrast", {"against": {}}, "needs `study`, `metric` or both"),
    ],
)
def test_arguments_without_sense_are_refused(judge, arguments, said):
    with pytest.raises(ValidationError, match=said):
        JUDGES[judge].arguments(**arguments)


# reproduces


def published(values, metric="auc_pr", datasets=("",)):
    rows = [
        (scenario, metric, dataset, method, value)
        for scenario in ("flip-25", "flip-75")
        for dataset in datasets
        for method, value in values.items()
    ]
    frame = pd.DataFrame(rows, columns=["scenario", "metric", "dataset", "method", "published"])
    return frame.assign(printed_digits=3, published_sd=np.nan, corrected=np.nan, note="")


def reproduced(values, printed, **more):
    frame = scores(values)
    numbers = published(printed, datasets=["", *frame["dataset"].unique()])
    return decide("reproduces", replace(case(frame), published=numbers), **more)


def test_numbers_that_agree():
    found = reproduced(ORDERED, ORDERED)
    assert found.verdict == "held"
    assert found.reading == ("AUC-PR: 8 of 8 averages agree; the median difference is 0.0 points, the largest 0.0.",)
    assert reproduced(ORDERED, ORDERED, layout="datasets").reading[0].startswith("AUC-PR: 96 of 96 numbers of single")


def test_numbers_that_agree_in_part_or_not():
    found = reproduced(ORDERED, {**ORDERED, "a": 0.8})
    assert found.verdict == "partly"
    assert "6 of 8 averages agree; the median difference is 0.0 points, the largest 10.0" in found.reading[0]
    assert reproduced(ORDERED, dict.fromkeys(ORDERED, 0.2)).verdict == "not held"
    assert decide("reproduces", case(scores(ORDERED))).verdict == "untested"


def test_one_metric_may_be_held_against_the_published_numbers_of_another():
    lower = scores(dict.fromkeys(ORDERED, 0.2), metric="f1_validation")
    frame = pd.concat([scores(ORDERED, metric="f1_oracle"), lower])
    numbers = published(ORDERED, "f1_oracle", ["", *frame["dataset"].unique()])
    made = replace(case(frame), published=numbers)
    assert decide("reproduces", made, metrics=["f1_oracle"]).verdict == "held"
    found = decide("reproduces", made, metrics=["f1_validation"], published="f1_oracle")
    assert found.verdict == "not held"
    assert found.reading[0].startswith("F1, validation against the published F1, oracle: 0 of 8 averages agree")


# contrast


def test_the_same_numbers_read_twice():
    frame = pd.concat([scores(ORDERED, metric="f1_oracle"), scores(ORDERED, metric="f1_validation")])
    found = decide("contrast", case(frame), metrics=["f1_oracle"], against={"metric": "f1_validation"})
    assert found.verdict == "held"
    assert found.reading == (
        "F1, oracle, read again as F1, validation, over 12 data sets: everywhere: means move by 0.0 points in the "
        "median (Method A 0.0 to Method D 0.0).",
        "The best average rank: everywhere: Method A in both readings.",
    )


def test_means_that_move_and_leaders_that_change():
    lower = scores({"a": 0.85, "b": 0.6, "c": 0.5, "d": 0.4}, metric="f1_validation")
    frame = pd.concat([scores(ORDERED, metric="f1_oracle"), lower])
    against = {"metrics": ["f1_oracle"], "against": {"metric": "f1_validation"}}
    assert decide("contrast", case(frame), **against).verdict == "partly"
    assert decide("contrast", case(frame), **against, tolerance=0.06).verdict == "held"
    assert decide("contrast", case(frame), **against, methods=["b"]).verdict == "held"
    frame = pd.concat([scores(ORDERED, metric="f1_oracle"), scores(SWAPPED, metric="f1_validation")])
    found = decide("contrast", case(frame), **against)
    assert found.verdict == "not held"
    assert "at 75 %: first Method A, then Method B" in found.reading[1]
    assert value_of(found, "mean_second", scenario="flip-75", method="a") == pytest.approx(0.1)


def test_methods_read_in_another_study_stand_beside_the_unchanged_others():
    other = case(scores({"b": 0.95, "c": 0.5}, datasets=5))
    made = case(scores(ORDERED), others={"variants": other})
    found = decide("contrast", made, methods=["b"], against={"study": "variants"})
    assert found.verdict == "not held"
    assert found.reading == (
        "AUC-PR, read again in variants, over 5 of 12 data sets: everywhere: Method B +35.0 points.",
        "The best average rank: everywhere: first Method A, then Method B.",
    )
    assert value_of(found, "mean_second", scenario="flip-25", method="d") == pytest.approx(0.4), "as it was"
    everything = decide("contrast", made, against={"study": "variants"})
    assert "Method C 0.0 and Method B +35.0 points" in everything.reading[0], "without methods, all that are there"


def test_what_the_other_study_lacks_is_untested():
    made = case(scores(ORDERED), others={"variants": case(scores({"b": 0.95}))})
    found = decide("contrast", made, methods=["a"], against={"study": "variants"})
    assert found.verdict == "untested"
    assert found.reading == ("AUC-PR everywhere: not tested, without Method A in both readings.",)


def test_only_runs_of_both_readings_are_compared():
    other = scores({"a": 0.9}, repeats=1)
    frame = scores({"a": lambda s, i, r: 0.9 if r == 0 else 0.1, "b": 0.6, "c": 0.5})
    found = decide("contrast", case(frame, others={"few": case(other)}), against={"study": "few"})
    assert value_of(found, "mean_first", scenario="flip-25", method="a") == pytest.approx(0.9)
    assert found.verdict == "held"


# the authors' own runs: known answers


@pytest.fixture(scope="module")
def authors(authors_runs):
    labels = {"scenario": {name: name for name in ("flip-25", "flip-50", "flip-75")}}
    left_out = {"f1_oracle": ["rank_pruning", "pu_wlr"]}
    metrics = ["f1_oracle", "auc_pr", "auc_roc"]
    return case(authors_runs, labels=labels, metrics=metrics, exclude=left_out, **RUNS)


PANELS = {
    ("f1_oracle", "flip-25"): ("pu_hrf", "pu_shrf", "pu_shrf imb_nnpu adasyn_rf nnpu"),
    ("f1_oracle", "flip-50"): ("pu_hrf", "pu_shrf", "pu_shrf adasyn_rf imb_nnpu nnpu"),
    ("f1_oracle", "flip-75"): (
        "pu_shrf", "pu_bagging pu_hrf", "pu_bagging pu_hrf adasyn_rf rank_pruning imb_nnpu pu_wlr"
    ),
    ("auc_pr", "flip-25"): ("pu_shrf", "pu_hrf", "pu_hrf imb_nnpu adasyn_rf nnpu"),
    ("auc_pr", "flip-50"): ("pu_hrf", "pu_shrf", "pu_shrf adasyn_rf imb_nnpu nnpu"),
    ("auc_pr", "flip-75"): ("pu_shrf", "imb_nnpu nnpu pu_hrf", "imb_nnpu nnpu pu_hrf adasyn_rf pu_bagging"),
}  # fmt: skip


@pytest.mark.parametrize("panel", PANELS)
def test_who_is_not_outperformed_on_the_authors_runs(authors, panel):
    """As derived from them before, with runs and with data sets as blocks."""
    (metric, scenario), (best, by_runs, by_datasets) = panel, PANELS[panel]
    found = decide("outperforms", authors, methods=[best], metrics=[metric], scenarios=[scenario])
    rows = found.evidence[(found.evidence["quantity"] == "significant") & (found.evidence["value"] == 0)]
    kept = {blocks: set(part["other"]) for blocks, part in rows.groupby("blocks")}
    assert kept == {"runs": set(by_runs.split()), "datasets": set(by_datasets.split())}


def test_the_headline_on_the_authors_runs(authors):
    over = ["upu", "nnpu", "imb_nnpu"]
    metrics = ["f1_oracle", "auc_pr"]
    found = decide("outperforms", authors, methods=["pu_shrf"], over=over, metrics=metrics, need="most")
    assert found.verdict == "partly", "by runs in 5 of 6 settings, by data sets in none"
    assert decide("omnibus", authors, alpha=0.01).verdict == "held"
    assert decide("better", authors, methods=["pu_shrf"], over=["pu_hrf"], metrics=["auc_pr"]).verdict == "not held"
    assert decide("better", authors, methods=["imb_nnpu"], over=["nnpu"], metrics=["f1_oracle"]).verdict == "partly"
