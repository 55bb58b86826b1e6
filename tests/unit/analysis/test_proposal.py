"""What decides for a method: settled differences on the user's rows first, then ranks on similar sets."""

import numpy as np
import pandas as pd
import pytest

from scarce.analysis.proposal import propose
from scarce.analysis.similar_sets import FACTS, FILE, NEAREST, Facts, similar

MEANS = {"a": 0.9, "b": 0.8, "c": 0.5}
RANKS = {"a": 3.0, "b": 2.0, "c": 1.0}


def pairs(**significant):
    rows = [{"method": x, "other": y, "significant": significant.get(x + y)} for x, y in ("ab", "ac", "bc")]
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("settled", "method", "level"),
    [
        ({"ab": True, "ac": True}, "a", ("a",)),
        ({"ab": False, "ac": True}, "b", ("a", "b")),
        ({"ab": False, "ac": None}, "c", ("a", "b", "c")),
    ],
)
def test_similar_sets_decide_among_those_that_are_level(settled, method, level):
    proposal = propose(MEANS, pairs(**settled), RANKS)
    assert (proposal.method, proposal.best, proposal.level) == (method, "a", level)
    assert proposal.settled == (len(level) == 1)


def test_methods_without_a_value_are_left_out():
    assert propose(MEANS | {"a": np.nan}, pairs(bc=True).iloc[2:], RANKS).method == "b"
    with pytest.raises(ValueError, match="no method has a value"):
        propose({"a": np.nan}, pairs(), RANKS)


def results(rows):
    columns = ["dataset", "scenario", *FACTS, "class_prior", "method", "auc_pr"]
    return pd.DataFrame(rows, columns=columns)


def test_the_nearest_sets_come_first_and_ranks_are_among_the_methods_asked_for():
    sets = [(f"d{i}", "flip-50", 100 * 2**i, 10, 0.0, 0.1, 0.2) for i in range(8)]
    table = results([(*one, m, v) for one in sets for m, v in (("a", 0.5), ("b", 0.6), ("c", 0.9))])
    near = similar(Facts(400, 10, 0.0, 0.1), ["a", "b"], table)
    assert near["dataset"].iloc[0] == "d2"
    assert set(near["dataset"].iloc[1:3]) == {"d1", "d3"}
    assert len(near) == NEAREST
    assert (near["a"] == 2).all()
    assert (near["b"] == 1).all()


def test_the_shipped_results_rank_every_method_on_every_set():
    from scarce.commands.advised_project import METHODS

    near = similar(Facts(1000, 10, 0.0, 0.05), list(METHODS))
    assert len(pd.read_csv(FILE)) > 10 * len(METHODS)
    assert near[list(METHODS)].notna().all(axis=None)
    assert (near[list(METHODS)].sum(axis=1) == sum(range(1, len(METHODS) + 1))).all()
