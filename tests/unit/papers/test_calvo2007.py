"""calvo2007: the signed-rank test, problems and who wins them, the judge, tables and figures, published numbers."""

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy import stats

from scarce.analysis.evidence import Case
from scarce.analysis.judges import JUDGES
from scarce.analysis.reference import published
from scarce.analysis.statistics import AnalysisSettings
from scarce.config.study import Table as Spec
from scarce.papers.calvo2007 import drawings
from scarce.papers.calvo2007.figures import ALPHA, BETA, PAIRS, TOPOLOGIES, VARIABLES
from scarce.papers.calvo2007.problems import counted, design_of, outcomes, signed_rank, source_of
from scarce.report.catalogue import FIGURES
from scarce.report.layouts import build_table
from scarce.report.results import DisplayNames
from scarce.report.tables import BOLD, UNDERLINED
from scarce.words import MISSING
from tests.unit.report.made import study_results

METHODS = ("pnb", "apnb", "ptan", "aptan")


def enumerated(differences):
    """Wilcoxon's two-sided p value by trying all signs."""
    moved = np.array([d for d in differences if d != 0])
    ranks = stats.rankdata(np.abs(moved))
    sums = [
        sum(r for r, up in zip(ranks, signs, strict=True) if up)
        for signs in itertools.product((0, 1), repeat=len(moved))
    ]
    own = ranks[moved > 0].sum()
    own = min(own, ranks.sum() - own)
    return min(1.0, 2 * np.mean([total <= own + 1e-9 for total in sums]))


def test_signed_rank_is_scipys_exact_test_without_ties():
    random = np.random.default_rng(0)
    for n in (1, 2, 5, 10, 30, 100):
        differences = random.normal(0.3, 1, n)
        p, side = signed_rank(differences)
        assert p == pytest.approx(stats.wilcoxon(differences, method="exact").pvalue, rel=1e-9)
        assert signed_rank(-differences) == (p, -side)
        assert signed_rank(random.permutation(differences))[0] == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_signed_rank_is_the_enumeration_with_ties_and_zeros(seed):
    differences = np.random.default_rng(seed).integers(-3, 5, 9) / 10
    assert signed_rank(differences)[0] == pytest.approx(enumerated(differences), rel=1e-12)


def test_signed_rank_drops_zeros_and_ties_what_is_equal_in_exact_arithmetic():
    assert signed_rank([0, 0, 0]) == (1.0, 0)
    assert signed_rank([]) == (1.0, 0)
    assert signed_rank([0.1, -0.1]) == (1.0, 0)
    assert signed_rank([0.3 - 0.2, -(0.2 - 0.1), 0.4]) == signed_rank([0.1, -0.1, 0.4])
    assert signed_rank([1, 2, 3, 0, 0]) == signed_rank([1, 2, 3])
    assert signed_rank(range(1, 8))[0] == 2 / 2**7, "seven draws cannot reach 1 %"
    assert signed_rank(range(1, 9))[0] == 2 / 2**8


def scores(values, datasets, scenarios=("l100-u1000-p0.1", "l100-u1000-p0.5"), repeats=10, metric="f1_default"):
    """`values` maps a method to a function of data set, scenario and repeat."""
    rows = [
        (dataset, scenario, repeat, method, metric, value(dataset, scenario, repeat))
        for dataset, scenario, repeat in itertools.product(datasets, scenarios, range(repeats))
        for method, value in values.items()
    ]
    return pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "method", "metric", "value"])


def by_prior(dataset, scenario, repeat):
    """Less than 0.5 at the small class prior and more at the large one, for APNB to win there."""
    return 0.5 + (0.01 + repeat / 1000) * (1 if scenario.endswith("0.5") else -1)


def level(dataset, scenario, repeat):
    return 0.5


TAN = ["tan_chain_1", "tan_chain_2", "tan_two_hubs_1", "tan_two_hubs_2"]
LETTER = ["letter_d", "letter_p"]


def test_models_of_a_topology_are_draws_of_one_problem():
    frame = outcomes(scores({"pnb": level, "apnb": by_prior}, [*TAN, *LETTER]), "f1_default", [("apnb", "pnb")])
    synthetic = frame[frame.database == "synthetic"]
    assert sorted(set(synthetic.source)) == ["chain", "two_hubs"]
    assert set(synthetic.n) == {20}
    assert set(frame[frame.database == "letter"].n) == {10}
    assert frame.groupby("class_prior").outcome.unique().map(list).to_dict() == {0.1: ["lost"], 0.5: ["won"]}
    numbers = counted(frame).to_dict("index")
    assert numbers[("apnb", "pnb", "synthetic")] == {"won": 2, "lost": 2, "undecided": 0}


def test_few_draws_decide_nothing_and_other_data_sets_are_no_problem():
    few = scores({"pnb": level, "apnb": by_prior}, ["letter_d", "moons"], repeats=7)
    frame = outcomes(few, "f1_default", [("apnb", "pnb"), ("apnb", "ptan")])
    assert set(frame.outcome) == {"undecided"}
    assert set(frame.source) == {"letter_d"}


def test_a_draw_that_one_method_lacks_is_left_out():
    frame = scores({"pnb": level, "apnb": by_prior}, ["letter_d"])
    frame.loc[(frame.method == "apnb") & (frame.repeat < 3), "value"] = np.nan
    assert set(outcomes(frame, "f1_default", [("apnb", "pnb")]).n) == {7}


def test_names_tell_sources_and_designs():
    assert [source_of(name) for name in (*TAN, "tan_binary_tree_12", "nursery_spec_prior")] == [
        "chain", "chain", "two_hubs", "two_hubs", "binary_tree", "nursery_spec_prior"
    ]  # fmt: skip
    assert design_of("l10000-u100000-p0.01") == (10000, 100000, 0.01)


def decide(frame, **arguments):
    record = JUDGES["problems"]
    case = Case(frame, AnalysisSettings(metrics=["f1_default"], alpha=0.01, methods=list(METHODS)))
    return record.decide(case, record.arguments(**arguments))


def test_the_judge_counts_problems():
    frame = scores({"pnb": level, "apnb": by_prior}, [*TAN, *LETTER])
    pair = {"methods": ["apnb"], "over": ["pnb"], "sources": ["synthetic", "letter"]}
    assert decide(frame, **pair, class_priors=[0.5]).verdict == "held"
    assert decide(frame, **pair, class_priors=[0.1]).verdict == "not held"
    assert decide(frame, **pair).verdict == "not held", "half is not most"
    assert decide(frame, **pair, more_than=0.4, at_most=0.6).verdict == "held"
    assert decide(frame, **pair, class_priors=[0.1], outcome="lost").verdict == "held"
    assert decide(frame, **pair, outcome="undecided").verdict == "not held"
    assert decide(frame, **pair | {"over": ["ptan"]}).verdict == "untested"


def test_the_judge_holds_partly_where_one_source_is_as_claimed():
    frame = scores({"pnb": level, "apnb": lambda d, s, r: by_prior(d, s if d in TAN else "p0.1", r)}, [*TAN, *LETTER])
    verdict = decide(
        frame, methods=["apnb"], over=["pnb"], sources=["chain", "letter_d"], class_priors=[0.5], metrics=["f1_default"]
    )
    assert verdict.verdict == "partly"
    won = verdict.evidence[verdict.evidence.quantity == "won"].set_index("dataset").value.to_dict()
    assert won == {"chain": 1, "letter_d": 0}
    together = {"sources": ["chain", "letter_d"], "together": True, "more_than": 0.4, "class_priors": [0.5]}
    verdict = decide(frame, methods=["apnb"], over=["pnb"], **together)
    assert verdict.verdict == "held"
    assert verdict.evidence[verdict.evidence.quantity == "problems"].value.tolist() == [2]


@pytest.mark.parametrize("wrong", [{"over": ["apnb"]}, {"more_than": 0.6, "at_most": 0.5}, {"outcome": "draw"}])
def test_the_judge_refuses_arguments_that_make_no_sense(wrong):
    with pytest.raises(ValueError):
        decide(scores({"pnb": level}, LETTER), **{"methods": ["apnb"], "over": ["pnb"], "sources": ["letter"]} | wrong)


def test_published_numbers_are_table_1():
    table = published("calvo2007")
    assert len(table) == 216
    assert set(table.method) == {"pnb", "apnb"}
    wide = table.pivot_table(index=["dataset", "scenario"], columns="method", values="published").reset_index()
    wide["prior"] = wide.scenario.map(lambda name: design_of(name)[2])
    share = (wide.apnb > wide.pnb).groupby(wide.prior).mean()
    # what the text says of the table
    assert share[[0.1, 0.2]].tolist() == [0, 0]
    assert share[[0.3, 0.4, 0.5]].tolist() == [1, 1, 1]
    assert share[0.01] == pytest.approx(1 / 3)
    one = wide[(wide.dataset == "don_int") & (wide.scenario == "l200-u10000-p0.3")].iloc[0]
    assert (one.pnb, one.apnb) == (0.8452, 0.8499)


def test_the_beta_distribution_has_the_moments_of_the_text():
    distribution = stats.beta(ALPHA, BETA)
    assert distribution.mean() == pytest.approx(0.25, abs=0.001)
    assert distribution.var() == pytest.approx(0.01, abs=0.0002)
    assert abs(ALPHA / (ALPHA + BETA - 1) - 0.266) < 0.0005
    figure = drawings.beta_density(ALPHA, BETA, {"mean": 0.25})
    x, y = figure.axes[0].lines[0].get_data()
    assert x[y.argmax()] == pytest.approx((ALPHA - 1) / (ALPHA + BETA - 2), abs=0.002)


def test_bars_show_the_shares_of_problems():
    frame = outcomes(scores({"pnb": level, "apnb": by_prior}, [*TAN, *LETTER]), "f1_default", [("pnb", "apnb")])
    figure = drawings.shares_won(frame, [("pnb", "apnb")], {"pnb": "PNB", "apnb": "APNB"})
    widths = {patch.get_gid(): patch.get_width() for patch in figure.axes[0].patches if patch.get_gid()}
    assert widths["won-synthetic"] == widths["lost-letter"] == 50
    assert widths["undecided-letter"] == 0
    assert {text.get_text() for text in figure.axes[0].texts} == {"2"}, "two problems of each source and class prior"
    assert [tick.get_text() for tick in figure.axes[0].get_yticklabels()] == ["Letter", "Synthetic"]


@pytest.mark.parametrize("parents", [[-1, 0, 1, 2], [-1, 0, 0, 0], [1, -1, 1, 2, 2], [-1]])
def test_parents_stand_above_their_children_and_no_two_nodes_share_a_place(parents):
    points = drawings.tree_places(parents)
    assert points.min() >= 0
    assert points.max() <= 1
    assert len(np.unique(points.round(9), axis=0)) == len(parents)
    for child, parent in enumerate(parents):
        assert parent < 0 or points[child, 1] < points[parent, 1]


def test_pairs_are_those_of_figure_5():
    assert len(PAIRS) == 6
    assert {frozenset(pair) for pair in PAIRS} == {frozenset(pair) for pair in itertools.combinations(METHODS, 2)}


def test_the_topologies_drawn_are_those_of_the_data_sets():
    blocks = yaml.safe_load((Path(drawings.__file__).with_name("datasets.yaml")).read_text())
    sources = {name: block["sources"][0]["options"] for name, block in blocks.items() if name.startswith("tan_")}
    assert {source_of(name): options["variables"] for name, options in sources.items()} == dict.fromkeys(
        TOPOLOGIES, VARIABLES
    )
    assert all(options["topology"] == source_of(name) for name, options in sources.items())
    assert len(sources) == 20


DESIGNS = ["l100-u10000-p0.2", "l100-u10000-p0.5"]


@pytest.fixture(scope="module")
def results():
    """A study in which APNB wins at a class prior of 0.5 and loses at 0.2, with one of ACCDON's sets without data."""
    two = {"pnb": level, "apnb": by_prior}
    frame = pd.concat([scores(two, ["splice_donor", *TAN], DESIGNS, metric=m) for m in ("f1_default", "accuracy")])
    settings = AnalysisSettings(metrics=["f1_default", "accuracy"], alpha=0.01, methods=["pnb", "apnb"])
    datasets = {name: name for name in ("don_int", "splice_donor", *TAN)}
    names = DisplayNames({"pnb": "PNB", "apnb": "APNB"}, datasets, {name: name for name in DESIGNS})
    return study_results(frame, settings, names, published=published("calvo2007"), unavailable={"don_int": "no copy"})


def table(results, **spec):
    return build_table(
        Spec.model_construct(**{"name": "t", "title": "T", "metric": None, "methods": []} | spec), results
    )


def test_table_1_has_published_numbers_where_there_are_no_data(results):
    made = table(results, layout="splice_sites", metric="f1_default", methods=["pnb", "apnb"])
    assert [column.label for column in made.columns[1:]] == ["don_int", "splice_donor"]
    rows = {row.label: row.cells for row in made.rows}
    assert rows["100, 0.2"][0].text == "80.98 / 80.85"
    assert rows["100, 0.5"][1].text == "50.00 (0.00) / 51.45 (0.30)"
    assert [rows[f"100, {prior}"][1].emphasis for prior in (0.2, 0.5)] == [UNDERLINED, BOLD]
    assert "don_int" in " ".join(made.notes)
    assert len(made.rows) == 2 * 3 * 3, "the scenarios of the published numbers"


def test_table_2_averages_over_problems(results):
    made = table(results, layout="databases", methods=["pnb", "apnb"])
    assert [row.label for row in made.rows] == [
        "Splice (stand-in), 0.2", "Splice (stand-in), 0.5", "Synthetic, 0.2", "Synthetic, 0.5"
    ]  # fmt: skip
    assert [cell.text for cell in made.rows[3].cells] == ["50.0", "51.4", "50.0", "51.4"]
    assert [cell.emphasis for cell in made.rows[3].cells] == ["", BOLD, "", BOLD]
    synthetic = made.frame[made.frame.database == "synthetic"]
    assert set(synthetic.n_problems) == {2}


def test_table_3_counts_problems(results):
    made = table(results, layout="problems_won")
    assert [column.label for column in made.columns[1:]] == ["Splice (stand-in)", "Synthetic"]
    first = made.rows[0]
    assert [cell.text for cell in first.cells] == ["1 / 1 / 0", "2 / 2 / 0"]
    assert made.rows[1].cells[0].text == MISSING, "PTAN was not run"
    assert len(made.rows) == 2 * len(PAIRS)


def test_every_figure_of_the_study_is_drawn(results):
    drawn = [
        drawing
        for name in ("beta_density", "tree_topologies", "problems_won")
        for drawing in FIGURES[name].draw(results)
    ]
    assert [drawing.stem for drawing in drawn] == [
        "beta_density", "tree_topologies", "problems_won_f1_default", "problems_won_accuracy"
    ]  # fmt: skip
    assert "10 or 20 draws" in drawn[2].caption
    assert len(drawn[1].figure.axes) == len(TOPOLOGIES)
