"""The page's statistics equal those of scarce.analysis, for whatever data sets a reader keeps."""

import functools
import itertools
import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from scarce.analysis import exact, tests
from scarce.analysis.means import intervals, mean_of_blocks
from scarce.analysis.ranks import block_matrix, by_rank, dataset_means, rank_blocks
from scarce.analysis.signed_rank import regions, signed_rank
from scarce.errors import IncompleteError
from tests.unit.report.web import call

SCENARIO, METRIC, ALPHA = "flip-50", "auc_pr", 0.05
CLOSE = functools.partial(pytest.approx, rel=1e-9, abs=1e-9, nan_ok=True)


@dataclass(frozen=True)
class Case:
    """Scores, and what a reader asks of them."""

    scores: pd.DataFrame
    methods: list[str]
    datasets: list[str]
    kept: list[str]
    missing: str = "drop_dataset"
    higher: bool = True
    control: str = "best"
    alternative: str = "two-sided"
    step_down: bool = True

    @functools.cached_property
    def call(self) -> tuple:
        """The page's `compare` over the data sets that are kept."""
        means, gaps = dataset_means(
            self.scores,
            METRIC,
            SCENARIO,
            self.missing,
            methods=self.methods,
            datasets=self.datasets,
            higher_is_better=self.higher,
        )
        panel = {
            "means": means.to_numpy(),
            "gaps": gaps.to_numpy(),
            "datasets": [self.datasets.index(name) for name in self.kept],
            "missing": self.missing,
            "higherIsBetter": self.higher,
        }
        settings = {
            "names": self.methods,
            "alpha": ALPHA,
            "control": self.control,
            "alternative": self.alternative,
            "stepDown": self.step_down,
            "q": [None, None, *(tests.nemenyi_q(k, ALPHA) for k in range(2, len(self.methods) + 1))],
        }
        return "stats/statistics", "compare", [panel, settings]

    def blocks(self):
        return block_matrix(
            self.scores,
            METRIC,
            SCENARIO,
            missing=self.missing,
            methods=self.methods,
            datasets=self.kept,
            higher_is_better=self.higher,
        )


def made_scores(rng: np.random.Generator, k: int, n: int, digits: int, gaps: float, repeats: int = 3) -> pd.DataFrame:
    """Scores of k methods on n data sets; few digits make ties, of values and of means."""
    values = rng.random((n, repeats, k)).round(digits) * 0.4 + 0.1
    skill = np.linspace(0, 0.2, k)
    values = (values + skill * (rng.random() < 0.7)).round(digits)
    values[rng.random(values.shape) < gaps] = np.nan
    if gaps:
        values[rng.random((n, 1, k)).repeat(repeats, 1) < gaps] = np.nan  # a method fails on a data set
        values[rng.random((n, repeats)) < gaps] = np.nan  # a metric without a value in a repeat
        values[rng.integers(n)] = np.nan
    if gaps and rng.random() < 0.5:
        values[:, :, rng.integers(k)] = np.nan
    places = pd.MultiIndex.from_product(
        [[f"d{i:02}" for i in range(n)], range(repeats), [f"m{j:02}" for j in range(k)]],
        names=["dataset", "repeat", "method"],
    )
    scores = pd.DataFrame({"value": values.ravel()}, index=places).reset_index()
    return scores.assign(scenario=SCENARIO, metric=METRIC).sample(frac=1, random_state=int(rng.integers(2**31)))


def random_case(seed: int) -> Case:
    rng = np.random.default_rng(seed)
    k, n = int(rng.integers(3, 27)) if seed % 3 else int(rng.integers(3, 6)), int(rng.integers(2, 61))
    gaps = float(rng.choice([0, 0.01, 0.1]))
    scores = made_scores(rng, k, n, digits=int(rng.choice([1, 2, 3, 12])), gaps=gaps)
    methods, datasets = ([f"{letter}{i:02}" for i in range(size)] for letter, size in (("m", k), ("d", n)))
    kept = [name for name in datasets if rng.random() < rng.choice([0.15, 0.5, 1.0])]
    return Case(
        scores,
        list(rng.permutation(methods)),
        datasets,
        kept,
        missing=str(rng.choice(["drop_dataset", "worst", "refuse"], p=[0.4, 0.4, 0.2])),
        higher=bool(rng.random() < 0.7),
        control="best" if rng.random() < 0.6 else str(rng.choice(methods)),
        alternative=str(rng.choice(tests.ALTERNATIVES)),
        step_down=bool(rng.random() < 0.7),
    )


def special_cases() -> list[Case]:
    """One block, all tied, blocks that all agree, two methods, nothing kept."""
    rng = np.random.default_rng(7)
    scores = made_scores(rng, 5, 12, 12, 0)
    methods, datasets = [f"m{i:02}" for i in range(5)], [f"d{i:02}" for i in range(12)]
    agreeing = scores.assign(value=scores["method"].str[1:].astype(int) / 10)
    return [
        Case(scores, methods, datasets, datasets[:1]),
        Case(scores, methods, datasets, []),
        Case(scores, methods, datasets, [], missing="refuse"),
        Case(scores.assign(value=0.5), methods, datasets, datasets),  # one arrangement a block
        Case(scores.assign(value=0.1 + 0.2 * (scores["repeat"] > 0)), methods, datasets, datasets[:6]),
        Case(agreeing, methods, datasets, datasets),
        Case(agreeing, methods, datasets, datasets, higher=False, alternative="one-sided"),
        Case(scores, methods[:2], datasets, datasets),
        Case(scores, methods, datasets, datasets, control="absent"),
    ]


def check(case: Case, own: dict) -> str:
    """Compares all that the page computes for a case; what was tested, in a word."""
    assert own["refused"] is (case.missing == "refuse" and refuses(case))
    if own["refused"]:
        assert own["datasets"] == [] and own["notTested"]
        return "refused"
    blocks = case.blocks()
    name = dict(enumerate(case.methods)).get
    assert [case.datasets[d] for d in own["datasets"]] == list(blocks.values.index)
    assert [name(m) for m in own["methods"]] == list(blocks.values.columns)
    assert own["values"] == blocks.values.to_numpy().tolist()
    n, k = blocks.values.shape
    if not n:
        assert own["notTested"] and own["rows"] == []
        return "empty"
    ranks = rank_blocks(blocks.values, case.higher)
    average = ranks.mean(axis=0)
    rows = {name(row["method"]): row for row in own["rows"]}
    assert list(rows) == by_rank(average)
    expected = intervals(blocks, ALPHA).assign(
        averageRank=average, mean=mean_of_blocks(blocks), wins=ranks.eq(ranks.min(axis=1), axis=0).sum(axis=0)
    )
    for column in expected:
        assert [row[column] for row in rows.values()] == CLOSE(list(expected.loc[list(rows), column])), column
    if tests.untestable(k, n) or (case.control != "best" and case.control not in average.index):
        assert own["notTested"] == (tests.untestable(k, n) or f"the control method {case.control} has no ranks")
        return "not tested"
    omnibus = check_omnibus(own, ranks)
    check_pairs(case, own, average, n, omnibus)
    return omnibus.kind


def refuses(case: Case) -> bool:
    try:
        case.blocks()
    except IncompleteError:
        return True
    return False


def check_omnibus(own: dict, ranks: pd.DataFrame) -> tests.Omnibus:
    for test, key in (
        (tests.friedman, "friedman"),
        (tests.friedman_tie_corrected, "friedmanTieCorrected"),
        (tests.iman_davenport, "imanDavenport"),
    ):
        python, page = test(ranks), own["omnibus"][key]
        assert (page["test"], page["df1"], page["df2"], page["kind"]) == (
            python.test,
            python.df1,
            python.df2,
            python.kind,
        )
        assert page["statistic"] == CLOSE(python.statistic)
        assert (page["p"], page["decisive"]) == (relative(python.p), relative(python.decisive))
        assert page["pExact"] == (None if python.p_exact is None else relative(python.p_exact))
    assert own["exploratory"] is python.keeps(ALPHA)
    return python


def relative(p: float):
    """Small p-values agree in their digits, not only in being small."""
    return pytest.approx(p, rel=1e-9, abs=1e-300)


def check_pairs(case: Case, own: dict, average: pd.Series, n: int, omnibus: tests.Omnibus) -> None:
    name = dict(enumerate(case.methods)).get
    how = {"control": case.control, "alternative": case.alternative, "alpha": ALPHA, "step_down": case.step_down}
    holm = tests.after_omnibus(tests.holm(average, n, **how), omnibus, ALPHA)
    assert name(own["control"]) == holm["control"].iloc[0]
    assert [name(row["method"]) for row in own["holm"]] == list(holm["method"])
    assert [row["significant"] for row in own["holm"]] == list(holm["significant"])
    for key, column in (("statistic", "statistic"), ("p", "p"), ("pAdjusted", "p_adjusted")):
        assert [row[key] for row in own["holm"]] == CLOSE(list(holm[column]))
    limit = tests.critical_difference(len(average), n, ALPHA)
    assert own["criticalDifference"] == CLOSE(limit)
    assert [[name(m) for m in group] for group in own["cliques"]] == tests.cliques(average, limit)
    nemenyi = tests.after_omnibus(tests.nemenyi(average, n, alpha=ALPHA), omnibus, ALPHA)
    pairs = [(name(row["better"]), name(row["worse"]), row["significant"]) for row in own["nemenyi"]]
    assert pairs == list(nemenyi[["control", "method", "significant"]].itertuples(index=False, name=None))
    assert [row["statistic"] for row in own["nemenyi"]] == CLOSE(list(nemenyi["statistic"]))


@pytest.mark.slow
def test_whatever_is_kept_the_page_computes_what_python_computes():
    cases = [random_case(seed) for seed in range(60)]
    seen = [check(case, own) for case, own in zip(cases, call(*(case.call for case in cases)), strict=True)]
    assert set(seen) >= {"exact", "approximate", "not tested", "refused"}


def test_ends_of_the_range():
    cases = special_cases()
    seen = [check(case, own) for case, own in zip(cases, call(*(case.call for case in cases)), strict=True)]
    assert seen == ["not tested", "empty", "empty", "exact", "exact", *["approximate"] * 2, "not tested", "not tested"]


@pytest.mark.parametrize("limit", [0.5, 1.0, 1.5, 9.0])
def test_ranks_that_are_as_far_apart_as_the_limit_differ(limit):
    average = pd.Series({"a": 2.0, "b": 1.0, "c": 3.0, "d": 3.5})
    names = list(average.index)
    groups, pairs = call(
        ("stats/tests", "cliques", [average.to_numpy(), names, limit]),
        ("stats/tests", "nemenyi", [average.to_numpy(), 5, names, limit]),
    )
    assert [[names[i] for i in group] for group in groups] == tests.cliques(average, limit)
    apart = [abs(average.iloc[pair["better"]] - average.iloc[pair["worse"]]) >= limit for pair in pairs]
    assert [pair["significant"] for pair in pairs] == apart


def test_order_of_data_sets_and_methods_changes_no_number():
    rng = np.random.default_rng(3)
    case = Case(
        made_scores(rng, 7, 20, digits=1, gaps=0.01),
        [f"m{i:02}" for i in range(7)],
        [f"d{i:02}" for i in range(20)],
        [f"d{i:02}" for i in range(2, 20)],
        missing="worst",
    )
    (plain,) = call(case.call)
    for _ in range(3):
        methods, datasets, kept = (list(rng.permutation(names)) for names in (case.methods, case.datasets, case.kept))
        moved = Case(case.scores, methods, datasets, kept, case.missing)
        (other,) = call(moved.call)
        named = [
            [
                (names[row["method"]], *(row[key] for key in ("averageRank", "mean", "low", "high", "wins")))
                for row in rows
            ]
            for names, rows in ((case.methods, plain["rows"]), (methods, other["rows"]))
        ]
        assert named[0] == named[1]
        assert other["omnibus"] == plain["omnibus"]
        assert [row["pAdjusted"] for row in other["holm"]] == [row["pAdjusted"] for row in plain["holm"]]


def test_exact_p_values_have_the_same_limits():
    """Whether a p-value is exact depends on how many arrangements there are, in Python and in the page."""
    rng = np.random.default_rng(5)
    shapes = [
        (2, 8),
        (3, 7),
        (2, 9),
        (5, 6),
        (6, 6),
        (8, 5),
        (9, 5),
        (24, 4),
        (25, 4),
        (28, 4),
        (60, 3),
        (12, 8),
        (5, 8),
    ]
    tables = [rank_blocks(pd.DataFrame(rng.random(shape).round(8))) for shape in shapes]
    ties = [rank_blocks(pd.DataFrame((rng.random(shape) < 0.1).astype(float))) for shape in shapes]
    python = [exact.exact_p(table) for table in tables + ties]
    page = call(*(("stats/exact", "exactP", [table.to_numpy()]) for table in tables + ties))
    assert [one is None for one in page] == [one is None for one in python]
    assert [one for one in page if one is not None] == relative([one for one in python if one is not None])
    assert {one is None for one in python} == {True, False}


def differences() -> list[tuple[np.ndarray, np.ndarray]]:
    """Paired differences with their scales: without ties, with ties and zeros, all zero, one alone, very many."""
    rng = np.random.default_rng(11)
    found = []
    for n, digits in itertools.product((1, 2, 7, 20, 60, 500, 501), (1, 2, 12)):
        a, b = rng.random((2, n)).round(digits)
        found.append((a - b + 0.1 * (n > 20), np.maximum(a, b)))
    return [*found, (np.zeros(4), np.ones(4)), (np.array([0.3 - 0.2, 0.1 - 0.2, 0.2, 0.0]), np.ones(4))]


@pytest.mark.parametrize("zeros", ["split", "drop"])
def test_wilcoxon(zeros):
    cases = differences()
    for (values, scale), own in zip(
        cases, call(*(("stats/exact", "signedRank", [values, scale, zeros]) for values, scale in cases)), strict=True
    ):
        python = exact.signed_rank(values, scale, zeros)
        assert (own["side"], own["kind"], own["p"]) == (python.side, python.kind, relative(python.p))


def test_regions_of_the_bayesian_test():
    rng = np.random.default_rng(13)
    cases = [
        (rng.normal(0, 0.02, n).round(digits), rope) for n in (1, 5, 30) for digits in (2, 9) for rope in (0, 0.01)
    ]
    found = call(*(("stats/signed_rank", "regions", list(case)) for case in cases))
    for case, own in zip(cases, found, strict=True):
        assert own == regions(*case).tolist()


def test_bayesian_test_agrees_but_for_the_error_of_sampling():
    rng = np.random.default_rng(17)
    draws = 20_000
    cases = [(rng.normal(mean, 0.03, n).round(2), 0.01) for mean in (-0.01, 0, 0.02) for n in (1, 4, 25)]
    found = call(*(("stats/signed_rank", "signedRank", [*case, {"seed": 1, "draws": draws}]) for case in cases))
    for (values, rope), own in zip(cases, found, strict=True):
        python = signed_rank(values, rope=rope, draws=draws)
        assert sum(own.values()) == pytest.approx(1)
        for p, q in zip(own.values(), python, strict=True):
            assert abs(p - q) <= 5 * math.sqrt(2 * max(q * (1 - q), 1 / draws) / draws)


def test_bayesian_test_depends_on_its_seed_alone():
    values = [0.02, -0.01, 0.03, 0.0]
    one, same, other = call(*(("stats/signed_rank", "signedRank", [values, 0.01, {"seed": s}]) for s in (0, 0, 1)))
    assert one == same != other
    assert call(
        ("stats/signed_rank", "signedRank", [[], 0.01]), ("stats/signed_rank", "signedRank", [[math.inf], 0.01])
    ) == [
        None,
        None,
    ]


@pytest.mark.parametrize("higher", [True, False])
def test_pareto_front_has_what_nothing_dominates(higher):
    rng = np.random.default_rng(19)
    clouds = [rng.integers(0, 6, (2, n)).astype(float) for n in (0, 1, 5, 20, 40)]
    clouds[-1][0, 3], clouds[-1][1, 5] = math.nan, math.inf
    found = call(*(("stats/pareto", "paretoFront", [*cloud, higher]) for cloud in clouds))
    for (costs, scores), own in zip(clouds, found, strict=True):
        gains = scores if higher else -scores
        points = [i for i in range(len(costs)) if np.isfinite(costs[i]) and np.isfinite(gains[i])]
        front = {
            i
            for i in points
            if not any(
                costs[j] <= costs[i] and gains[j] >= gains[i] and (costs[j], gains[j]) != (costs[i], gains[i])
                for j in points
            )
        }
        assert set(own) == front
        assert [costs[i] for i in own] == sorted(costs[i] for i in own)
