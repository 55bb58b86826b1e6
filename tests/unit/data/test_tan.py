"""Samples of tree-augmented naive Bayes models."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from scarce.data.generators import generate
from scarce.data.prepare import prepare_dataset
from scarce.data.sources import fetch_dataset
from scarce.data.tan import Tan, draw_model, parents_of
from tests.unit.data.toy import described

TOPOLOGIES = ["chain", "star", "binary_tree", "two_hubs"]


@pytest.mark.parametrize(
    ("topology", "parents"),
    [
        ("chain", [-1, 0, 1, 2, 3, 4, 5]),
        ("star", [-1, 0, 0, 0, 0, 0, 0]),
        ("binary_tree", [-1, 0, 0, 1, 1, 2, 2]),
        ("two_hubs", [-1, 0, 0, 1, 0, 1, 0]),
    ],
)
def test_shapes(topology, parents):
    assert parents_of(topology, 7) == parents
    for variables in range(1, 8):
        assert parents_of(topology, variables) == parents[:variables]


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_counts_of_a_large_sample_recover_the_tables_of_the_model(topology):
    """P(level | class, parent's level), each within five standard errors, and no level outside the tables."""
    n, seed, variables = 60_000, 3, 6
    sample = generate("tan", n=n, prior=0.4, seed=seed, topology=topology, variables=variables)
    tables = draw_model(np.random.RandomState(seed), Tan(topology=topology, variables=variables))
    codes = [np.array([int(text[1:]) - 1 for text in column]) for column in sample.columns[:-1]]
    y = (sample.column("label") == "positive").astype(int)
    assert y.sum() == 24_000
    for child, parent in enumerate(parents_of(topology, variables)):
        cumulative = tables[child]
        edges = np.concatenate(
            [np.zeros((*cumulative.shape[:2], 1)), cumulative, np.ones((*cumulative.shape[:2], 1))], 2
        )
        probability = np.diff(edges)
        assert (probability > 0).all()
        assert set(codes[child]) == set(range(probability.shape[2]))
        above = np.zeros(n, dtype=int) if parent < 0 else codes[parent]
        for c in (0, 1):
            for level in range(probability.shape[1]):
                rows = codes[child][(y == c) & (above == level)]
                if len(rows) < 50:
                    continue
                p = probability[c, level]
                share = np.bincount(rows, minlength=len(p)) / len(rows)
                assert (abs(share - p) <= 5 * np.sqrt(p * (1 - p) / len(rows)) + 1e-3).all()


def test_tables_are_uniform_on_the_simplex():
    """Mean and variance of Dirichlet(1, 1, 1, 1): 1/4 and 3/80."""
    tables = draw_model(np.random.RandomState(0), Tan(topology="chain", variables=1000, levels=[4]))
    rows = np.diff(np.pad(np.concatenate([t.reshape(-1, 3) for t in tables]), ((0, 0), (1, 1)), constant_values=(0, 1)))
    assert rows.shape == (2 * (1 + 999 * 4), 4)
    assert rows.mean(axis=0) == pytest.approx([1 / 4] * 4, abs=0.01)
    assert rows.var(axis=0) == pytest.approx([3 / 80] * 4, abs=0.003)


def test_classes_have_tables_of_their_own_and_one_tree():
    for table in draw_model(np.random.RandomState(0), Tan(topology="star")):
        assert not np.any(table[0] == table[1])


def test_the_seed_decides_the_model_and_n_does_not():
    """Numbers of levels are drawn from the options, and shares of a level agree between two sizes of sample."""
    small, large = (generate("tan", n=n, prior=0.5, seed=9, topology="chain", levels=[2, 5]) for n in (20_000, 40_000))
    assert {len(set(column)) for column in large.columns[:-1]} == {2, 5}
    for name in small.names[:-1]:
        assert (small.column(name) == "v1").mean() == pytest.approx((large.column(name) == "v1").mean(), abs=0.02)


def test_the_same_seed_gives_the_same_table_on_any_machine():
    source = {"kind": "generated", "generator": "tan", "n": 300, "prior": 0.38, "seed": 1}
    spec = described(source | {"options": {"topology": "two_hubs"}}, target="label", positive="positive")
    fetch_dataset(spec)
    assert prepare_dataset(spec)["content_sha256"] == "5256653a56af2c6479df06d2a85c939ba5e7035b5f8419d78bc7c1f2d401c4c2"


def test_a_column_of_one_level_is_constant():
    sample = generate("tan", n=50, prior=0.5, seed=0, topology="chain", variables=3, levels=[1])
    assert {value for column in sample.columns[:-1] for value in column} == {"v1"}


@pytest.mark.parametrize("wrong", [{}, {"topology": "ring"}, {"topology": "star", "levels": []}])
def test_options_are_checked(wrong):
    with pytest.raises(ValidationError):
        Tan(**wrong)
