import numpy as np
import pytest

from scarce.files import write_csv
from scarce.fitting.fits import FittedRun
from scarce.labels.file import Labels, RepeatLabels
from scarce.scoring.collect import FAILURE_COLUMNS, RUN_COLUMNS, SCORE_COLUMNS, CellResult, collect
from scarce.scoring.metrics import METRICS

Y = np.array([1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0], np.int8)
ROWS = np.arange(12)


def labels(n=1, **changes):
    one = {
        "train": ROWS[:6],
        "test": ROWS[6:],
        "fit": ROWS[:3],
        "validation": ROWS[3:6],
        "s": np.array([1, 0, 0, 0, 1, 0], np.int8),
        "class_prior": 5 / 12,
        "label_share": 2 / 12,
        "seed": 11,
    } | changes
    return Labels([RepeatLabels(repeat=r, **one) for r in range(n)])


def cell(*runs, **changes):
    about = {
        "dataset": "d",
        "scenario": "flip-50",
        "method": "m",
        "fingerprint": "f",
        "labels": labels(4),
        "y": Y,
        "strict": False,
    }
    return CellResult(runs=list(runs), **(about | changes))


def scored(repeat=0, **changes):
    run = {
        "status": "ok",
        "test_scores": np.array([0.1, 0.9, 0.2, 0.3, 0.8, 0.4]),
        "validation_scores": np.array([0.7, 0.6, 0.5]),
    }
    return FittedRun(repeat, **(run | changes))


def run(*cells, decision="f1_validation", search="sweep"):
    return collect(cells, study="mine", decision=decision, search=search)[:3]


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
    none = labels(1, fit=np.empty(0, int), validation=np.empty(0, int), note="no validation rows: too few positives")
    scores, runs, _ = run(cell(no_validation, labels=none))
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
    scores, runs, failures = run(cell(labels=labels(0)))
    assert [len(frame) for frame in (scores, runs, failures)] == [0, 0, 0]
    assert list(scores.columns) == SCORE_COLUMNS


def test_facts_are_tidy_and_sorted():
    runs = [scored(1, facts={"b": 2.0, "a": 1.5}), scored(0, facts={"a": 0.5}), FittedRun(2, "failed", "no")]
    facts = collect([cell(*runs)], study="mine", decision="f1_default", search="sweep")[3]
    assert facts.to_numpy().tolist() == [
        ["d", "flip-50", 0, "m", "a", 0.5],
        ["d", "flip-50", 1, "m", "a", 1.5],
        ["d", "flip-50", 1, "m", "b", 2.0],
    ]


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1"])
def test_a_methods_own_words_are_no_formula_in_a_spreadsheet(text):
    _, runs, failures = run(cell(FittedRun(0, "failed", text)))
    assert runs.message[0] == failures.message[0] == f"'{text}"


def test_what_a_method_says_can_be_written_and_steers_no_terminal(tmp_path):
    _, runs, failures = run(cell(FittedRun(0, "failed", "é \x1b[31m \u202e \udcff")))
    assert runs.message[0] == failures.message[0] == r"é \x1b[31m \u202e \udcff"
    write_csv(tmp_path / "runs.csv", runs)
