"""The findings of `scarce advise` in words: what each section of its page says, and the rows by score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from scarce.analysis.findings import ONE_SAMPLE, SCAR, Findings, MethodFacts, auc_bounds
from scarce.analysis.scar import LEVEL, SEPARATED, verdict
from scarce.assumed import COUNTED, Assumed, Sentence, say
from scarce.prior import ESTIMATORS
from scarce.report.advice import Advice, AssumedTable, Section
from scarce.scoring.observed_rows import ObservedRows
from scarce.words import MISSING, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

RIGHT = "that class prior is right"
FIXED = "a convention"
BAND = "95 % band of the recall, of labeled rows alone (DKW)"
FOLDS = "the models of the folds are taken as one"
SIMILAR = "public data whose labels were hidden at random (SCAR), methods told the true class prior"


def counted(n: int, how: str = COUNTED) -> Assumed:
    return Assumed(n, [how], form="count")


def share(value: float, assumes: Sequence[str], low: float = np.nan, high: float = np.nan) -> Assumed:
    return Assumed(value, assumes, low, high, form="percent")


def advice(found: Findings, folder: str) -> Advice:
    """Everything that the page says."""
    return Advice(
        f"Advice on {found.table.file}",
        _lines(found),
        [
            Section("read", "What was read", *_read(found)),
            Section("scar", "Were labels selected at random?", *_scar(found)),
            Section("prior", "How many positives are there?", *_prior(found)),
            Section("methods", "Methods on your data", *_methods(found)),
            Section("proposal", "What is proposed, and why", *_proposal(found)),
            Section("unknown", "What cannot be known from these rows", _unknown(found)),
            Section("next", "Next steps", _next(found, folder)),
        ],
    )


def ranked(found: Findings) -> pd.DataFrame:
    """Rows of the file, the highest score first: row (from 1, the header not counted), score, rank, labeled or not."""
    scores = found.proposed.scores
    rows = pd.DataFrame({
        "row": np.arange(1, len(scores) + 1),
        "score": scores,
        "rank": pd.Series(scores).rank(ascending=False, method="min").astype("Int64"),
        "observed": np.where(found.s == 1, "labeled", "unlabeled"),
        "method": found.proposal.method,
    })  # fmt: skip
    return rows.sort_values(["rank", "row"], kind="stable")


def _lines(found: Findings) -> list[Sentence]:
    """What a busy reader takes away, one line a question."""
    table, bounds = found.table, found.bounds
    read = say(
        "{file} has {rows} rows and {columns} columns; {labeled} rows are labeled positive ({part}).",
        file=table.file, rows=counted(table.rows), columns=counted(table.columns), labeled=counted(table.labeled),
        part=share(table.labeled_share, [COUNTED]),
    )  # fmt: skip
    words = "The class prior lies between {low} and {high}."
    if bounds.told is None:
        words = (
            "The class prior is not identifiable: every estimator abstains, and the labels admit all from {low} to "
            "{high}. State what you know of it by --class-prior, or have a random sample of rows labeled."
        )
    where = say(words, low=share(bounds.low, bounds.assumes), high=share(bounds.high, bounds.assumes))
    return [read, _scar_words(found), where, _chosen(found), _flagged(found)]


def _read(found: Findings) -> tuple[list[Sentence], list[AssumedTable]]:
    table = found.table
    sentences = [
        say(
            "The column {label} means labeled where it is {positive}, and unlabeled elsewhere: an unlabeled row may be "
            "positive or negative.",
            label=repr(table.label), positive=repr(table.positive),
        ),
        say(
            "Columns beside it: {columns}; nominal (text) among them: {nominal}; missing cells: {missing}. Methods see "
            "a nominal column as the weight of evidence of the observed labels, fitted inside each fold.",
            columns=counted(table.columns), nominal=counted(table.nominal), missing=counted(table.missing),
        ),
        say("No column numbers the rows or alone tells labeled from unlabeled ones, but for those that you keep."),
    ]  # fmt: skip
    if table.dropped:
        sentences.append(say("Left out, as you ask: {columns}.", columns=listed(list(map(repr, table.dropped)))))
    sentences += [say("Doubtful: {doubt}.", doubt=doubt) for doubt in table.doubts]
    return sentences, []


def _scar_words(found: Findings) -> Sentence:
    assumes = ["the class prior is one of those in the test", "classes hardly overlap"]
    words = {
        "not tested": "Whether labels were selected at random (SCAR) cannot be tested: the test needs a class prior.",
        "overlap": "Whether labels were selected at random (SCAR) cannot be tested: the classes overlap.",
        "rejected": "Labels were not selected at random (SCAR rejected at the level {level}): the numbers below lean "
        "towards the kind of rows that get labels.",
        "not rejected": "The SCAR test finds nothing against labels selected at random (level {level}); it cannot "
        "prove that they are.",
    }[verdict(found.scar)]
    return say(words, level=Assumed(LEVEL, assumes)) if "{level}" in words else say(words)


def _scar(found: Findings) -> tuple[list[Sentence], list[AssumedTable]]:
    simulated = "simulations in docs/advise.md"
    sentences = [
        _scar_words(found),
        say(
            "The test (Teisseyre, Furmańczyk and Mielniczuk, ECAI) compares labeled rows with the rows that are "
            "presumed positive: the labeled ones, and the unlabeled ones with the highest scores, as many as the class "
            "prior says. Given a class prior that is off it rejects random labels, so it is made given several, and "
            "rejects where it does given all of them. It says something only where the AUC is at least {auc}.",
            auc=Assumed(SEPARATED, [simulated]),
        ),
        say(
            "It cannot find labels that depend on what tells the classes apart: if only the clearest positives are "
            "labeled, the others look like negatives. Nor can any other test without true labels."
        ),
    ]
    rows = [
        ("smaller" if test.prior < found.bounds.told else "larger" if test.prior > found.bounds.told else "as told",
         [share(test.prior, ["a class prior around that above"]), share(test.auc, [SCAR, ONE_SAMPLE, RIGHT]),
          Assumed(test.p_value, [RIGHT, "classes hardly overlap"])])
        for test in found.scar
    ]  # fmt: skip
    return sentences, [AssumedTable("scar", ["Given", "Class prior", "AUC", "p"], rows)] if rows else []


def _prior(found: Findings) -> tuple[list[Sentence], list[AssumedTable]]:
    bounds = found.bounds
    ends = {"low": share(bounds.low, bounds.assumes), "high": share(bounds.high, bounds.assumes)}
    if bounds.told is not None:
        words = "All that follows allows a class prior from {low} to {high}; methods that need one are told {told}."
        sentences = [say(words, **ends, told=share(bounds.told, bounds.assumes))]
    else:
        words = (
            "No estimate is worth telling to a method. The labels admit a class prior from {low} to {high}; bounds "
            "below allow all of it. Not fitted, since they must be told a class prior: {left_out}."
        )
        sentences = [say(words, **ends, left_out=listed(list(found.left_out)))]
    sentences.append(
        say(
            "Estimators err upwards where classes overlap, and more rows do not help (docs/class_prior.md). Knowledge "
            "from outside, given by --class-prior, is worth more than all of them."
        )
    )
    rows = []
    for one in found.priors:
        assumes = [SCAR, ONE_SAMPLE, f"{one.method}: {ESTIMATORS[one.method].assumption}"]
        level = f"interval of level {one.level:g}"
        number = MISSING if one.abstains else share(one.estimate, [*assumes, level], one.low, one.high)
        rows.append((one.method, [number, one.abstains or "used", ESTIMATORS[one.method].source]))
    return sentences, [AssumedTable("priors", ["Estimator", "Class prior", "State", "Source"], rows)]


def _observed(found: Findings, one: MethodFacts) -> ObservedRows | None:
    return None if np.isnan(one.thresholds).any() else one.rows(found.s, found.bounds)


def _given(found: Findings) -> list[str]:
    bounds = found.bounds
    return [SCAR, ONE_SAMPLE, f"a class prior from {bounds.low:.3g} to {bounds.high:.3g}", BAND, FOLDS]


def _value(found: Findings, rows: ObservedRows, metric: str) -> Assumed:
    """A metric of out-of-fold predictions with its bounds; the value itself needs a class prior that is stated."""
    low, high = (float(end[0]) for end in rows.bounds(metric))
    given = _given(found)
    if metric != "recall" and not found.bounds.stated:
        return share(np.nan, given, low, high)
    if metric == "recall":
        return share(float(rows.recall[0]), [SCAR, BAND, FOLDS], low, high)
    return share(
        float(rows.given_prior(metric)[0]), [*given, f"the value: a class prior of {found.bounds.told:.3g}"], low, high
    )


def _methods(found: Findings) -> tuple[list[Sentence], list[AssumedTable]]:
    told = found.bounds.told
    prior = "the class prior methods are told" if told else "hardly any unlabeled row is positive: a lower bound"
    ap_assumes = [SCAR, ONE_SAMPLE, prior]
    rows, why, failed = [], [], []
    for one in sorted(found.methods, key=lambda one: -one.means.get(found.metric, -np.inf)):
        if one.failed:
            failed.append(say("{method} failed: {why}.", method=one.label, why=one.failed))
            continue
        pu_auc = one.means["pu_auc_test"]
        low, high = auc_bounds(pu_auc, found.s, found.bounds)
        observed = _observed(found, one)
        cells = (
            [MISSING] * 3 if observed is None else [_value(found, observed, m) for m in ("recall", "precision", "f1")]
        )
        auc = share(np.nan, _given(found), low, high)
        rows.append((one.label, [share(one.means[found.metric], ap_assumes), share(pu_auc, [SCAR]), auc, *cells]))
        why.append(say("{method}: {why}.", method=one.label, why=one.why))
    heads = ["Method", "AP", "PU AUC", "AUC", "Recall", "Precision", "F1"]
    sentences = [
        say(
            "Each row is scored by a model that did not see it: {folds} folds, in each of which a part of the training "
            "rows chooses the threshold by F1 of the observed labels. PU AUC counts positives among the unlabeled rows "
            "as negatives, so it is too low, alike for all methods.",
            folds=counted(len(found.methods[0].thresholds), FIXED),
        ),
        say(
            "Estimates are not cut off: one beyond the possible says that the class prior is off, or that chance among "
            "few labeled rows is large. Read the bounds."
        ),
        *_settled(found),
        *failed,
        *why,
    ]
    return sentences, [AssumedTable("methods", heads, rows), *_pairs(found)]


def _label(found: Findings, method: str) -> str:
    return next((one.label for one in found.methods if one.method == method), method)


def _settled(found: Findings) -> list[Sentence]:
    best, level = found.proposal.best, [_label(found, name) for name in found.proposal.level[1:]]
    if not level:
        words = "{best} has the best AP, and its lead over every other method is settled on these rows."
        return [say(words, best=_label(found, best))]
    words = "{best} has the best AP, but its lead is not settled over {level}: the difference may be chance."
    return [say(words, best=_label(found, best), level=listed(level))]


def _pairs(found: Findings) -> list[AssumedTable]:
    """Differences from the best method."""
    best, rows = found.proposal.best, []
    repeats = ["folds share training rows (Nadeau and Bengio correction)", "this data set alone", SCAR]
    for pair in found.pairs[found.pairs["method"] == best].itertuples():
        difference = share(pair.mean_difference, repeats, pair.low, pair.high)
        p = Assumed(pair.p_adjusted, [*repeats, "Holm over all pairs"])
        settled = "settled" if pair.p_adjusted <= pair.alpha else "not settled"
        rows.append((_label(found, pair.other), [difference, p, settled]))
    heads = [f"{_label(found, best)} against", "Difference in AP", "p adjusted", "Lead"]
    return [AssumedTable("pairs", heads, rows)] if rows else []


def _chosen(found: Findings) -> Sentence:
    proposal = found.proposal
    method = found.proposed.label
    if proposal.settled:
        return say("Take {method}: its lead is settled on your own rows.", method=method)
    words = (
        "Take {method}: on your rows no difference is settled among {level}, and on the public sets most like yours "
        "its mean rank is {rank}, the best of these."
    )
    others = listed([_label(found, name) for name in proposal.level])
    rank = Assumed(proposal.ranks[proposal.method], [SIMILAR, "AUC-PR"])
    return say(words, method=method, level=others, rank=rank)


def _cut(found: Findings) -> tuple[float, ObservedRows]:
    """The proposed threshold for all rows: the one that a stated class prior gives, or the median over folds."""
    one = found.proposed
    cut = one.threshold_at(found.bounds.told) if found.bounds.stated else one.spread[0]
    return cut, one.rows(found.s, found.bounds, cut)


def _flagged(found: Findings) -> Sentence:
    cut, rows = _cut(found)
    words = (
        "At the proposed threshold {cut}, {flagged} unlabeled rows are taken for positive; recall is {recall}, "
        "precision {precision}."
    )
    return say(
        words,
        cut=Assumed(cut, [_cut_by(found)]),
        flagged=counted(int((rows.predicted & ~rows.s).sum()), "out-of-fold scores"),
        recall=_value(found, rows, "recall"),
        precision=_value(found, rows, "precision"),
    )


def _cut_by(found: Findings) -> str:
    if not found.bounds.stated:
        return "threshold: median over folds of the best F1 of observed labels (hidden positives are negatives)"
    return f"threshold: as many rows are taken for positive as a class prior of {found.bounds.told:.3g} says"


def _proposal(found: Findings) -> tuple[list[Sentence], list[AssumedTable]]:
    one, bounds = found.proposed, found.bounds
    median, low, high = one.spread
    rule = (
        "The threshold takes as many rows for positive as the class prior says that you state."
        if found.bounds.stated
        else "The threshold is the best by F1 of the observed labels: estimated class priors lean high, and would take "
        "too many rows for positive. If missing a positive costs more than a false alarm, take a lower one."
    )
    by_f1 = [SCAR, "hidden positives count as negatives, so it leans high", "median and extremes over folds"]
    rows = [("best F1 of observed labels", [Assumed(median, by_f1, low, high)])]
    if bounds.told is not None:
        ends = sorted(one.threshold_at(end) for end in (bounds.low, bounds.high))
        told = Assumed(one.threshold_at(bounds.told), [*bounds.assumes, FOLDS], *ends)
        rows.append(("as many rows as the class prior says", [told]))
    near = found.similar
    ranks = [name for name in near.columns if name in found.proposal.ranks]
    similar_rows = [
        (f"{row['dataset']} {row['scenario']}",
         [counted(row["rows"], SIMILAR), counted(row["columns"], SIMILAR), share(row["labeled_share"], [SIMILAR]),
          *(Assumed(row[name], [SIMILAR, "rank by mean AUC-PR over repeats"]) for name in ranks)])
        for row in near.to_dict("records")
    ]  # fmt: skip
    heads = ["Most like yours", "Rows", "Columns", "Labeled", *(_label(found, name) for name in ranks)]
    tables = [AssumedTable("thresholds", ["Rule", "Threshold"], rows), AssumedTable("similar", heads, similar_rows)]
    return [_chosen(found), say(rule), _flagged(found)], tables


def _unknown(found: Findings) -> list[Sentence]:
    said = [
        say("How many of the unlabeled rows are positive, beyond the bounds above: none is known to be negative."),
        say("Whether labels depend on what tells the classes apart (see the test). Then recall is too high, and by how "
            "much cannot be seen."),
        say("Whether there are kinds of positives of which none is labeled: no method can learn them."),
        say("Whether a labeled row can be a negative: all of them are taken for positives."),
        say("Whether new rows come from the same population as these."),
    ]  # fmt: skip
    if found.bounds.told is None:
        said.append(say("Precision, F1 and accuracy, but for bounds so wide that they decide little."))
    return said


def _next(found: Findings, folder: str) -> list[Sentence]:
    steps = [
        say("Have somebody label rows drawn at random from all unlabeled rows: their share of positives is what the "
            "class prior lacks. State the result by --class-prior LOW HIGH and run the command again."),
        say("Look at the unlabeled rows at the top of {file}: they are the likeliest positives.", file="ranked.csv"),
        say("To score new rows, make a model: {command}.",
            command=f"`cd {folder} && scarce refit {found.dataset} {found.dataset} {found.proposal.method}`"),
        say("The folder is a project of scarce: {command} makes the whole report of the study, and its study file "
            "takes other methods, metrics and class priors.", command=f"`cd {folder} && snakemake --cores 2`"),
    ]  # fmt: skip
    return steps
