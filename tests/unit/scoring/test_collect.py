import numpy as np
import pandas as pd
import pytest

from scarce.files import write_rows
from scarce.fitting.fits import FittedRun
from scarce.labels import RepeatLabels
from scarce.result_files import columns_of
from scarce.scoring.collect import FAILURE_COLUMNS, RUN_COLUMNS, SCORE_COLUMNS, CellResult, Repeat, collect
from scarce.scoring.metrics import METRICS

Y = np.array([1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0], np.int8)
ROWS = np.arange(12)


def repeat(r=0, **changes):
    rows = {"train": ROWS[:6], "test": ROWS[6:], "fit": ROWS[:3], "validation": ROWS[3:6]} | changes
    s = np.array([1, 0, 0, 0, 1, 0], np.int8)
    return Repeat.of(RepeatLabels(repeat=r, s=s, class_prior=5 / 12, label_share=2 / 12, seed=11, **rows), Y)


def cell(*runs, **changes):
    about = {"dataset": "d", "scenario": "flip-50", "method": "m", "fingerprint": "f", "strict": False}
    return CellResult(runs=list(runs), **(about | {"repeats": [repeat(r) for r in range(4)]} | changes))


def scored(repeat=0, **changes):
    run = {
        "status": "ok",
        "test_scores": np.array([0.1, 0.9, 0.2, 0.3, 0.8, 0.4]),
        "validation_scores": np.array([0.7, 0.6, 0.5]),
    }
    return FittedRun(repeat, **(run | changes))


def tables(*cells, decision="f1_validation", search="sweep"):
    rows = collect(cells, study="mine", decision=decision, search=search)
    return {name: pd.DataFrame(rows[name], columns=columns_of(name)) for name in rows}


def run(*cells, **options):
    return [tables(*cells, **options)[name] for name in ("scores", "runs", "failures")]


def test_scores_of_a_run_by_hand():
    scores, runs, failures = run(cell(scored()))
    values = scores.set_index("metric").value
    assert list(scores.columns) == SCORE_COLUMNS
    assert len(scores) == len(METRICS)
    assert values.auc_pr == 1.0  # both positives (0.9, 0.8) come first
    # validation rows 3, 4, 5 have y = 1, 1, 0 and scores .7 .6 .5: the best threshold is .6, where both are found
    assert values.threshold_validation == 0.6
    assert values.f1_validation == 1.0
    # observed, only row 4 is positive: the best threshold takes .7 and .6 as well
    assert values.threshold_observed == 0.6
    assert values.precision == values.recall == values.accuracy == 1.0
    assert list(runs.columns) == RUN_COLUMNS
    row = runs.iloc[0]
    assert (row.n_train, row.n_labeled, row.n_hidden, row.seed, row.threshold) == (6, 2, 1, 11, 0.6)
    assert list(failures.columns) == FAILURE_COLUMNS
    assert not len(failures)


def test_the_decision_chooses_the_threshold_of_precision_and_recall():
    for decision in ("f1_default", "f1_prior", "f1_validation", "f1_observed", "f1_oracle"):
        scores, runs, _ = run(cell(scored()), decision=decision)
        values = scores.set_index("metric").value
        p, r = values.precision, values.recall
        assert values[decision] == pytest.approx(2 * p * r / (p + r))
        assert runs.threshold[0] == values.threshold_decision


@pytest.mark.parametrize("status", ["failed", "timeout", "skipped"])
def test_a_run_without_scores_is_a_failure_with_its_command(status):
    scores, runs, failures = run(cell(scored(0), FittedRun(1, status, "why")))
    assert set(scores.repeat) == {0}
    assert list(runs.status) == ["ok", status]
    assert failures.command.tolist() == ["scarce fit mine d flip-50 m --repeat 1"]
    assert failures.message.tolist() == ["why"]


def test_a_degenerate_run_keeps_its_metrics_and_is_listed():
    constant = scored(0, status="degenerate", test_scores=np.full(6, 0.5))
    scores, _, failures = run(cell(constant))
    assert scores.set_index("metric").value.auc_pr == pytest.approx(2 / 6)
    assert len(failures) == 1


def test_an_undefined_value_is_empty_and_its_reason_is_in_the_run():
    no_validation = scored(0, validation_scores=np.empty(0))
    none = repeat(fit=np.empty(0, int), validation=np.empty(0, int))
    scores, runs, _ = run(cell(no_validation, repeats=[none]))
    values = scores.set_index("metric").value
    assert np.isnan(values.f1_validation)
    assert np.isnan(values.precision)
    assert values.auc_pr == 1.0
    assert "f1_validation" in runs.message[0]
    assert "undefined" in runs.message[0]
    assert np.isnan(runs.threshold[0])


def test_the_order_of_cells_does_not_matter():
    cells = [cell(scored(r), dataset=d, method=m) for d in "ba" for m in "yx" for r in (1, 0)]
    one, *_ = run(*cells)
    other, *_ = run(*cells[::-1])
    assert one.equals(other)
    assert one.equals(one.sort_values(SCORE_COLUMNS[:-1], ignore_index=True))


def test_no_cells_give_empty_frames_with_all_columns():
    scores, runs, failures = run(cell(repeats=[]))
    assert [len(frame) for frame in (scores, runs, failures)] == [0, 0, 0]
    assert list(scores.columns) == SCORE_COLUMNS


def test_runs_of_other_lengths_and_with_unusable_scores_are_scored_by_themselves():
    short = repeat(1, test=ROWS[6:10], validation=ROWS[3:5])
    shorter = scored(1, test_scores=np.array([0.1, 0.9, 0.2, 0.3]), validation_scores=np.array([0.7, 0.6]))
    broken = scored(2, test_scores=np.array([np.nan] * 6))
    together, runs, _ = run(cell(scored(0), shorter, broken, scored(3), repeats=[repeat(), short, repeat(), repeat()]))
    assert set(together.repeat) == {0, 1, 3}
    assert "undefined: test scores that are not finite" in runs.message[2]
    for one in (scored(0), shorter, scored(3)):
        alone = run(cell(one, repeats=[repeat(), short, repeat(), repeat()]))[0]
        assert together[together.repeat == one.repeat].reset_index(drop=True).equals(alone)


def test_scores_of_other_rows_than_the_labels_are_an_error():
    with pytest.raises(ValueError, match="one shape"):
        run(cell(scored(test_scores=np.zeros(5))))


def test_facts_are_tidy_and_sorted():
    runs = [scored(1, facts={"b": 2.0, "a": 1.5}), scored(0, facts={"a": 0.5}), FittedRun(2, "failed", "no")]
    facts = tables(cell(*runs))["facts"]
    assert facts.to_numpy().tolist() == [
        ["d", "flip-50", 0, "m", "a", 0.5],
        ["d", "flip-50", 1, "m", "a", 1.5],
        ["d", "flip-50", 1, "m", "b", 2.0],
    ]


def test_importances_name_the_features_in_their_order():
    both = {"importances": np.array([0.5, 0.0]), "normalised_importances": np.array([2.0, 0.0])}
    named = cell(scored(1, arrays=both), scored(0, arrays={"importances": np.array([1.0, 3.0])}), features=("b", "a"))
    encoded = cell(scored(0, arrays={"importances": np.arange(3.0)}), method="n", features=("b", "a"))
    rows = tables(encoded, named, cell(FittedRun(2, "failed", "no"), scored(3)))["importances"]
    assert rows.feature.tolist() == ["b", "a", "x1", "x2", "x3", "b", "a"]
    assert rows.importance.tolist() == [1, 3, 0, 1, 2, 0.5, 0]
    assert rows.normalised_importance.isna().tolist() == [True] * 5 + [False] * 2
    assert rows[["repeat", "method"]].to_numpy().tolist() == [[0, "m"]] * 2 + [[0, "n"]] * 3 + [[1, "m"]] * 2


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1"])
def test_messages_of_methods_are_no_formula_in_a_spreadsheet(text):
    _, runs, failures = run(cell(FittedRun(0, "failed", text)))
    assert runs.message[0] == failures.message[0] == f"'{text}"


def test_messages_of_methods_can_be_written_and_hold_no_control_characters(tmp_path):
    _, runs, failures = run(cell(FittedRun(0, "failed", "é \x1b[31m \u202e \udcff")))
    assert runs.message[0] == failures.message[0] == r"é \x1b[31m \u202e \udcff"
    write_rows(tmp_path / "runs.csv", RUN_COLUMNS, runs.to_numpy().tolist())
