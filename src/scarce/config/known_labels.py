"""What a study may ask for, given which labels its labeling leaves: true ones, or observed ones alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from scarce.config.kinds import texts_in
from scarce.config.metric_settings import lacking, not_saved
from scarce.config.options import ESTIMATED, Options, hidden_labels
from scarce.config.selection import metrics_of, refused_selection
from scarce.labels.records import LABELINGS, PROTOCOLS, Scenario
from scarce.scoring.metrics import BY_TRUE_LABELS
from scarce.scoring.observed_metrics import ALL_METRICS, SCAR, without_negatives
from scarce.words import listed

if TYPE_CHECKING:
    from scarce.config.study import Study

WITHOUT_TRUE_LABELS = {
    "decision": "f1_observed, f1_prior or f1_default",
    "encoding": "woe_train_observed, onehot or none",
    "class_prior": f"a number, or {ESTIMATED}<method>",
}
"""By option that can use hidden labels: values that use none."""


def refused_options(labeling: str, options: Options, scenarios: Iterable[Scenario]) -> str | None:
    """Why options cannot stand with a labeling, in one line; None where they can."""
    if options.estimator and any(one.scheme == "two_sample" for one in scenarios):
        return (
            f"class_prior {options.class_prior}: its estimators assume one sample, and labeling {labeling} has two: "
            "give a number"
        )
    if LABELINGS[labeling].truth_known:
        return None
    uses = hidden_labels(options)
    parts = [
        f"{name} {use}: {WITHOUT_TRUE_LABELS.get(name, 'another value')} does without" for name, use in uses.items()
    ]
    return f"labeling {labeling} has no true labels, but {'; '.join(parts)}" if parts else None


def biased_by_selection(study: Study) -> Iterator[str]:
    """What rests on labels that are selected completely at random, in one line; nothing where they are."""
    (labels,), prior = study.labeling.values(), study.options.class_prior
    resting = [name for name in study.saved_metrics if SCAR in ALL_METRICS[name].assumes]
    resting += [f"class_prior {prior}"] if study.options.estimator else []
    if labels.selects and resting:
        labeling = f"labeling {study.labeling_name} selects them by features"
        yield f"{listed(resting)}: made for labels selected completely at random (SCAR), and {labeling}"


def refusals(study: Study) -> Iterator[tuple[str, str]]:
    """Key of a block of a study, and why the labels that its labeling leaves do not allow what the block asks for."""
    yield from refused_selection(study)
    analysis, claims = study.analysis, study.claims
    metrics = {
        "analysis": [*analysis.metrics, *analysis.exclude, *metrics_of(analysis.selection)],
        "claims": [text for claim in claims for text in texts_in(claim.arguments.model_dump())],
        "report": [table.metric for table in study.report.tables],
    }
    for key, names in metrics.items():
        if why := refused_metrics(study.labeling_name, study.options.decision, names) or lacking(analysis, names):
            yield key, why
    if why := not_saved(metrics["claims"], study.saved_metrics):
        yield "claims", why
    prior, interval = study.options.class_prior, analysis.class_prior_interval
    if interval and not isinstance(prior, str) and not interval[0] <= prior <= interval[1]:
        why = f"options.class_prior {prior:g} lies outside class_prior_interval [{interval[0]:g}, {interval[1]:g}]"
        yield "analysis", why


def refused_metrics(labeling: str, decision: str, names: Sequence[str | None]) -> str | None:
    """Why metrics cannot be computed from the labels that a labeling leaves, in one line; None where they can.

    The line names the metrics to use instead.
    """
    metrics = [ALL_METRICS[name] for name in dict.fromkeys(names) if name in ALL_METRICS]
    truth_known = LABELINGS[labeling].truth_known
    if not truth_known and (true := [one.name for one in metrics if one.labels == "true"]):
        instead = ", ".join(without_negatives(true) or ["pu_auc_test"])
        message = f"{', '.join(true)}: labeling {labeling} has no true labels to score with"
        return f"{message}; name {instead} instead (`scarce list metrics`)"
    observed = [one for one in metrics if one.labels == "observed"]
    if truth_known and (of_test := [one.name for one in observed if one.rows == "test"]):
        instead = ", ".join(f"{name.removesuffix('test')}validation" for name in of_test)
        message = f"{', '.join(of_test)}: labeling {labeling} has observed labels of training rows alone"
        return f"{message}; name {instead} instead"
    if decision in BY_TRUE_LABELS and (at := [one.name for one in observed if one.threshold]):
        message = f"{', '.join(at)}: true labels choose the threshold of options.decision {decision}"
        return f"{message}; {WITHOUT_TRUE_LABELS['decision']} does without"
    return None


def refused_oracles(oracles: Sequence[str], labeling: str, plan: str) -> Iterator[tuple[str, str]]:
    """What is wrong with methods that are fitted on true labels, and what to do."""
    if not oracles:
        return
    fitted = f"{', '.join(oracles)}: fitted on true labels (`hidden_labels: true`)"
    if not LABELINGS[labeling].truth_known:
        hint = f"labeling {labeling} has observed labels alone: leave the method out"
        yield f"{fitted}, which nobody knows here", hint
    if PROTOCOLS[plan].transductive:
        hint = f"split.plan {plan} tests on training rows: leave the method out, or split otherwise"
        yield f"{fitted} of the rows that test", hint
