"""Verdicts on the page: what is shown of each claim, and that nothing of it is markup."""

import pandas as pd

from scarce.analysis.judges.base import HELD, NOT_HELD, PARTLY, UNTESTED
from scarce.analysis.verdicts import CLAIM_EVIDENCE, VERDICTS, judge_all
from scarce.config.study import Claim
from scarce.report.page import PageContext, build_page
from scarce.report.verdict_view import ORDER, QUANTITIES, verdict_view
from tests.unit.analysis.cases import case, decide, scores
from tests.unit.report.test_page import EVIL, Reader

VALUES = {"a": 0.9, "b": 0.6, "c": 0.5}
LEADS = {
    "claim": "A is best",
    "where": "section 5",
    "judge": "leads",
    "arguments": {"methods": ["a"]},
    "note": "So it is.",
}


def judged(*claims):
    checked = [Claim.model_validate({"name": f"claim_{i}", **claim}) for i, claim in enumerate(claims)]
    return judge_all(case(scores(VALUES)), [(claim, claim.arguments) for claim in checked])


def test_frames_have_their_columns_with_and_without_claims():
    verdicts, evidence = judged(LEADS, LEADS | {"arguments": {"methods": ["b"]}})
    assert list(verdicts.columns) == VERDICTS
    assert verdicts.verdict.tolist() == ["held", "not held"]
    assert list(evidence.columns) == CLAIM_EVIDENCE
    assert evidence.claim.unique().tolist() == ["claim_0", "claim_1"]
    assert [list(frame.columns) for frame in judged()] == [VERDICTS, CLAIM_EVIDENCE]


def test_words_of_a_claim_are_no_formula_in_a_spreadsheet():
    verdicts, _ = judged(LEADS | {"claim": "=1+1", "where": "@SUM(A1)", "note": "+1"})
    assert verdicts[["text", "where", "note"]].to_numpy().tolist() == [["'=1+1", "'@SUM(A1)", "'+1"]]


def test_a_claim_with_its_sentences_and_numbers():
    view = verdict_view(*judged(LEADS), lambda kind, name: f"<{kind} {name}>")
    (claim,) = view["claims"]
    assert view["counts"] == [("held", 1)]
    assert (claim["text"], claim["where"], claim["note"]) == ("A is best", "section 5", "So it is.")
    heads = [column.label for column in claim["table"].columns]
    assert heads == ["Metric", "Scenario", "Blocks", "Method", "Average rank"]
    row = claim["table"].rows[0]
    assert [row.label, *(cell.text for cell in row.cells)] == [
        "<metric auc_pr>", "<scenario flip-25>", "<blocks datasets>", "<method a>", "1.00"
    ]  # fmt: skip
    assert row.cells[-1].sort == 1.0


def test_nothing_claimed_is_no_section():
    assert verdict_view(None, None) is None
    assert verdict_view(*judged()) is None
    assert "Verdicts" not in build_page(PageContext(title="T"))


def test_an_untested_claim_has_no_table():
    view = verdict_view(*judged(LEADS | {"judge": "reproduces", "arguments": {}}))
    assert view["claims"][0]["verdict"] == "untested"
    assert view["claims"][0]["table"] is None


def test_the_section_escapes_what_a_study_says():
    verdicts, evidence = judged(LEADS)
    verdicts = verdicts.assign(**dict.fromkeys(("claim", "text", "where", "reading", "note"), EVIL))
    evidence = evidence.assign(claim=EVIL, method=EVIL, quantity=EVIL)
    read = Reader(build_page(PageContext(title="T", verdicts=verdicts, evidence=evidence)))
    assert not read.tags("img")
    assert len(read.tags("script")) == 1
    assert read.words.count("<script>alert") >= 6


def test_badges_say_their_verdict_in_words():
    verdicts, evidence = judged(LEADS)
    for verdict in (HELD, PARTLY, NOT_HELD, UNTESTED):
        page = build_page(PageContext(title="T", verdicts=verdicts.assign(verdict=verdict), evidence=evidence))
        assert f'badge {verdict.replace(" ", "-")}">{verdict}</span>' in page
    assert set(ORDER) == {HELD, PARTLY, NOT_HELD, UNTESTED}


def test_every_quantity_of_a_judge_has_a_name():
    frame = scores(VALUES)
    other = {"other": case(scores({"a": 0.5}))}
    found = [
        decide("omnibus", case(frame)),
        decide("outperforms", case(frame), methods=["a"]),
        decide("better", case(frame), methods=["a"], over=["b"]),
        decide("contrast", case(frame, others=other), against={"study": "other"}),
    ]
    assert set(pd.concat([each.evidence for each in found])["quantity"]) <= set(QUANTITIES)
