"""What a study is expected to take: from which runs, and how the rest of a run is told from its beginning."""

import pytest

from scarce import paths
from scarce.commands.costs import RECORDED, SOURCES, Cost, Costs, Record, cells_of, recorded, summed, weights
from scarce.commands.estimate import Estimate, estimated, left
from scarce.config.loading import load_project
from scarce.files import write_text


@pytest.fixture
def smoke(configured):
    project = load_project([paths.study_yaml("smoke")])
    return project, project.study("smoke")


def record(study="other", dataset="moons", method="pu_hdt", rows=420.0, fit=2.0, score=0.0):
    return Record(study, dataset, method, rows, fit, score)


def test_the_nearest_record_decides(smoke):
    project, study = smoke
    records = [
        (record(method="pu_wlr"), "guess"),
        (record(dataset="blobs", fit=3.0), "elsewhere"),
        (record(fit=4.0), "data_set"),
        (record(study="smoke-part-0", fit=5.0), "study"),
    ]
    for known in range(1, len(records) + 1):
        one, source = records[known - 1]
        found = Costs([one for one, _ in records[:known]]).cost(project, study, "moons", "pu_hdt")
        assert found.source == source
        assert found.seconds == pytest.approx(one.fit * 1.5), "validation rows cost a fit on half of the training rows"


def test_of_other_data_sets_that_of_like_size_counts_in_proportion_to_rows(smoke):
    project, study = smoke
    costs = Costs([record(dataset="a", rows=210, fit=1.0), record(dataset="b", rows=42_000, fit=50.0)])
    assert costs.cost(project, study, "moons", "pu_hdt").seconds == pytest.approx(2 * 1.5)


def test_nothing_known_is_a_guess_too(smoke):
    assert Costs([]).cost(*smoke, "moons", "pu_hdt").source == "guess"


def test_records_are_means_of_runs_with_a_time():
    runs = [
        {"dataset": "moons", "method": "a", "n_train": "10", "fit_seconds": str(x), "predict_seconds": "1"}
        for x in (1, 3)
    ]
    runs.append(runs[0] | {"fit_seconds": ""})
    assert summed("s", runs) == [Record("s", "moons", "a", 10.0, 2.0, 1.0)]


def test_recorded_costs_are_of_methods_that_exist(configured):
    methods = load_project(strict=False).methods
    assert {one.method for one in recorded()} <= set(methods)
    assert all(one.fit > 0 and one.rows > 0 for one in recorded())
    assert len(recorded()) > 60, RECORDED


def test_a_cell_costs_as_much_as_its_repeats(smoke):
    project, study = smoke
    costs = weights(Costs([record()]), cells_of(project, study))
    assert len(costs) == 20
    assert costs["smoke", "moons", "flip-50", "pu_hdt"] == Cost(pytest.approx(2.0 * 1.5 * 3), "data_set")


def test_an_estimate_states_an_interval_and_where_it_is_from(smoke):
    two, four = (estimated(*smoke, cores) for cores in (2, 4))
    for one in (two, four):
        assert one.low_seconds < one.seconds < one.high_seconds
        assert sum(one.cells_by_source.values()) == 20
        assert set(one.cells_by_source) <= set(SOURCES)
    assert four.seconds < two.seconds
    assert two.fit_seconds == four.fit_seconds
    text = "\n".join(two.lines())
    assert "on 2 free cores (between " in text
    assert "20 cells: the same methods on other data sets, or costs that come with scarce" in text


def test_runs_of_the_study_are_used(smoke):
    rows = [f"moons,flip-50,0,{method},420,7,0" for method in smoke[1].methods]
    head = "dataset,scenario,repeat,method,n_train,fit_seconds,predict_seconds"
    write_text(paths.result("runs", "smoke"), "\n".join([head, *rows, ""]))
    assert estimated(*smoke, 1).cells_by_source == {"study": 10, "elsewhere": 10}


def test_disk_grows_with_repeats(smoke):
    project, study = smoke
    more = study.model_copy(update={"repeats": 300})
    assert estimated(project, more, 1).bytes > 2 * estimated(project, study, 1).bytes


COSTS = {("s", "d", "c", str(i)): Cost(10.0, "study") for i in range(10)}


@pytest.mark.parametrize("cores", [1, 4])
def test_the_time_left_is_the_expected_one_where_fits_take_as_long_as_expected(cores):
    for done in (0.0, 10.0, 50.0, 100.0):
        assert left(COSTS, done, done / cores, cores, 8.0) == pytest.approx((100 - done + 8) / cores)


def test_slower_fits_leave_more_time_and_the_more_are_done_the_more_it_counts():
    early, late = (left(COSTS, done, 2 * done, 1, 0.0) / (100 - done) for done in (5.0, 80.0))
    assert 1 < early < late < 2
    assert left({}, 0.0, 5.0, 2, 8.0) == 4.0


def test_an_estimate_is_written_as_declared(smoke):
    one = estimated(*smoke, 2)
    assert Estimate.model_validate_json(one.model_dump_json()) == one
