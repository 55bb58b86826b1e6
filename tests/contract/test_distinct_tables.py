"""Which data sets share rows, and which of them the study `wider` may count as blocks of their own."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest

from scarce.config.yamlfile import read_yaml
from scarce.data.store import Prepared
from tests.conftest import ROOT
from tests.contract.test_datasets import PRIVATE, SPECS

pytestmark = [pytest.mark.mirror, pytest.mark.slow]

#: Of 78 sets four stand in datasets.yaml.
KEEL = [
    *read_yaml(ROOT / "config/datasets_keel.yaml").value,
    *("car_good", "kddcup_land_vs_portsweep", "poker_8_vs_6", "yeast6"),
]
ADBENCH = list(read_yaml(ROOT / "config/datasets_adbench.yaml").value)
#: Of ortega2023: public, and reported in the paper.
REPORTED = [
    *("car_good", "forest_cover", "fraud_car_insurance", "fraud_card_credit", "kddcup_land_vs_portsweep"),
    *("mammography", "pendigits", "pizza_cutter_1", "poker_8_vs_6", "satellite", "shuttle", "thyroid", "yeast6"),
]
#: Of other studies, with rare positives.
OTHERS = [
    *("covtype_4_vs_3", "letter_vowels", "oil", "page_blocks", "pendigits_5", "satimage_4", "segment_1"),
    *("piechart2", "seismic", "vowels", "musk"),
]
#: ADBench scales or names columns otherwise than the table that it took these rows from.
COPIES = {"adbench_annthyroid": "thyroid", "adbench_pageblocks": "page_blocks"}
WIDER = read_yaml(ROOT / "config/studies/wider.yaml").value


@dataclass(frozen=True)
class Rows:
    """Names of columns, the cells as they are (levels of nominal columns by name), and which rows are positive."""

    names: list[str]
    cells: list[list]
    positive: np.ndarray

    def of(self, names: list[str], positive: bool) -> Counter:
        columns = [self.cells[self.names.index(name)] for name in names]
        rows = zip(*columns, strict=True)
        return Counter(row for row, one in zip(rows, self.positive, strict=True) if one == positive)

    @property
    def distinct(self) -> float:
        """Share of the rows that are distinct in their features."""
        return len({*zip(*self.cells, strict=True)}) / len(self.positive)


def rows_of(data: Prepared) -> Rows:
    cells = []
    for name, column in zip(data.names, data.X.T, strict=True):
        levels = data.categories.get(name)
        values = column.tolist()
        cells.append([levels[int(one)] if one == one else "" for one in values] if levels else values)
    return Rows(list(data.names), cells, data.y == 1)


@pytest.fixture(scope="module")
def tables(mirrored) -> dict[str, Rows]:
    names = [*KEEL, *ADBENCH, *OTHERS, *REPORTED]
    return {name: rows_of(mirrored(SPECS[name])) for name in dict.fromkeys(names) if name not in PRIVATE}


def overlap(one: Rows, other: Rows) -> float:
    """Share of the rows of either that both have, of the class where it is smaller; on the columns that both have."""
    names = [name for name in one.names if name in other.names]
    if 2 * len(names) < max(len(one.names), len(other.names)):
        return 0.0
    shares = []
    for positive in (True, False):
        a, b = one.of(names, positive), other.of(names, positive)
        shares.append((a & b).total() / (a | b).total())
        if shares[-1] < 0.5:
            break
    return min(shares)


def distinct(names: list[str], tables: dict[str, Rows], kept: tuple[str, ...] = ()) -> tuple[list[str], dict[str, str]]:
    """The data sets of which no kept one has most of both classes, the largest first; and of the others, which has."""
    left, twins = list(kept), {}
    for name in sorted(names, key=lambda name: (-len(tables[name].positive), name)):
        twin = COPIES.get(name) or next((one for one in left if overlap(tables[name], tables[one]) >= 0.5), None)
        if twin is None:
            left.append(name)
        else:
            twins[name] = twin
    return left[len(kept) :], twins


#: Sets of KEEL's suite with the very rows of another, and other positives.
SAME_ROWS = [
    {"car_good", "car_vgood"},
    {"glass4", "glass5"},
    {"yeast4", "yeast5", "yeast6"},
    {"yeast_0_2_5_6_vs_3_7_8_9", "yeast_0_2_5_7_9_vs_3_6_8"},
]
#: Those that share most of both classes with a larger one.
TWINS = {
    "poker_8_vs_6": "poker_8_9_vs_6",
    "winequality_red_8_vs_6": "winequality_red_8_vs_6_7",
    "yeast_1_vs_7": "yeast_1_4_5_8_vs_7",
    "glass_0_1_6_vs_2": "glass_0_1_4_6_vs_2",
    "glass_0_1_5_vs_2": "glass_0_1_4_6_vs_2",
    "glass_0_1_6_vs_5": "glass5",
    "glass_0_4_vs_5": "glass_0_6_vs_5",
    **dict.fromkeys(
        (
            *("ecoli_0_1_4_7_vs_5_6", "ecoli_0_1_4_6_vs_5", "ecoli_0_3_4_7_vs_5_6", "ecoli_0_1_vs_2_3_5"),
            *("ecoli_0_1_vs_5", "ecoli_0_2_6_7_vs_3_5", "ecoli_0_6_7_vs_3_5", "ecoli_0_6_7_vs_5"),
            *("ecoli_0_3_4_6_vs_5", "ecoli_0_4_6_vs_5", "ecoli_0_2_3_4_vs_5", "ecoli_0_3_4_vs_5"),
        ),
        "ecoli_0_1_4_7_vs_2_3_5_6",
    ),
}
#: Most of whose rows are copies of others of the same set.
REPETITIVE = [
    *("flare_f", "kddcup_buffer_overflow_vs_back", "kddcup_land_vs_portsweep", "kddcup_rootkit_imap_vs_back"),
    "led7digit_0_2_4_5_6_7_8_9_vs_1",
]


def test_keel_has_78_tables_of_which_59_differ_by_more_than_half(tables):
    assert len(set(KEEL)) == 78
    rows = {name: [tables[name].of(tables[name].names, positive) for positive in (True, False)] for name in KEEL}
    assert [pair for pair in combinations(KEEL, 2) if rows[pair[0]] == rows[pair[1]]] == []
    groups: dict[frozenset, set[str]] = {}
    for name, (positives, negatives) in rows.items():
        groups.setdefault(frozenset((positives + negatives).items()), set()).add(name)
    assert sorted(map(sorted, (one for one in groups.values() if len(one) > 1))) == sorted(map(sorted, SAME_ROWS))
    left, twins = distinct(KEEL, tables)
    assert (len(left), twins) == (59, TWINS)
    assert sorted(name for name in KEEL if tables[name].distinct < 0.5) == REPETITIVE


def test_wider_has_the_data_sets_that_its_rule_admits(tables):
    most = WIDER["split"]["subsample"]

    def admitted(rows: Rows) -> bool:
        n, positives = len(rows.positive), int(rows.positive.sum())
        enough = positives * min(1, most / n) >= 15 and positives <= 0.25 * n
        return enough and len(rows.names) <= 200 and rows.distinct >= 0.5

    candidates = [name for name in tables if name not in REPORTED and admitted(tables[name])]
    left, _ = distinct(candidates, tables, tuple(REPORTED))
    assert sorted(left) == sorted(WIDER["datasets"])
    assert len(left) >= 60
