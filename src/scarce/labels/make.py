"""Build the labels of one data set under one scenario: what all labelings and protocols share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scarce.labels.file import Labels, RepeatLabels
from scarce.labels.records import LABELINGS, PROTOCOLS, Impossible, Scenario, SplitSettings
from scarce.labels.sample import Columns, Draw, Parts, Population, no_rows
from scarce.seeds import derive


def make_labels(
    y,
    *,
    scenario: Scenario,
    split: SplitSettings | None,
    repeats: int,
    options,
    study_seed: int,
    dataset: str,
    X: np.ndarray | None = None,
    test_part: np.ndarray | None = None,
    group: np.ndarray | None = None,
    time: np.ndarray | None = None,
    columns: Columns | None = None,
) -> Labels:
    """Rows, observed labels and priors of all repeats.

    Parameters
    ----------
    y : array-like of shape (n,)
        True labels, 1 positive and 0 negative; n = 0 (data that cannot be had) gives no repeats.
    scenario : Scenario
        Names the labeling, and the factor by which the class prior that methods are given is multiplied.
    split : SplitSettings or None
        Names the protocol, with its settings. None: all rows train, and none tests.
    repeats : int
    options : object
        With ``seeds`` ("paper": the repeat index seeds everything; "axes": derived from study seed, data set and
        repeat, but not from the scenario, so that hidden sets can be nested over scenarios), ``class_prior``
        ("all_true": share of positives of all rows of the repeat; "train_true": of its training rows;
        "estimated:..." leaves it to a later stage, NaN here; or a number in (0, 1)), and what the labeling reads.
    study_seed : int
    dataset : str
    X : ndarray of shape (n, d), optional
        Prepared features, for labelings that need them.
    test_part, group, time, columns : optional
        See `Population`.

    Returns
    -------
    Labels
        A repeat for which labeling or protocol find the rows impossible has no rows and the reason as ``skipped``.
    """
    y = np.asarray(y)
    if y.size and not np.isin(y, (0, 1)).all():
        raise ValueError("true labels must be 0 or 1")
    population = Population(y, X, test_part, group, time, columns)
    seed_of = _seeds(options.seeds, study_seed, dataset)
    needs = PROTOCOLS[split.plan].needs if split else None
    if y.size and needs and getattr(population, needs) is None:
        raise ValueError(f"split.plan {split.plan} needs the {needs} of each row")
    draws = [Draw(repeat, seed_of, options) for repeat in range(repeats if len(y) else 0)]
    return Labels([_repeat(population, scenario, split, draw) for draw in draws])


def _seeds(kind: str, study_seed: int, dataset: str) -> Callable[[str, int], int]:
    if kind == "paper":
        return lambda purpose, repeat: repeat
    return lambda purpose, repeat: derive(study_seed, purpose, dataset=dataset, repeat=repeat)


def _repeat(population: Population, scenario: Scenario, split: SplitSettings | None, draw: Draw) -> RepeatLabels:
    labeling = LABELINGS[scenario.labeling]
    seed = draw.seed("repeat")
    try:
        if not population.y.any():
            raise Impossible("the data set has no positive row")
        if split is None:
            parts = Parts(labeling.observe(population, scenario, draw), no_rows())
        else:
            protocol = PROTOCOLS[split.plan]
            parts = protocol.split(population, split, lambda part: labeling.observe(part, scenario, draw), draw)
    except Impossible as error:
        return RepeatLabels(draw.repeat, np.nan, np.nan, seed, skipped=str(error))
    prior, share = _priors(parts, population.y, draw.options.class_prior, scenario)
    train = parts.train
    return RepeatLabels(
        draw.repeat, prior, share, seed, train.rows, train.s, parts.fit, parts.validation, parts.test,
        propensity=np.empty(0) if train.propensity is None else train.propensity,
        note="; ".join(filter(None, (train.note, parts.note))), scheme=scenario.scheme,
    )  # fmt: skip


def _priors(parts: Parts, y: np.ndarray, option: str | float, scenario: Scenario) -> tuple[float, float]:
    """Class prior and label share, both over the same rows, so that with one sample their ratio is the label frequency.

    With two samples, the prior is that of the unlabeled one.
    """
    sample = parts.whole if option == "all_true" and parts.whole is not None else parts.train
    share = float(sample.s.mean())
    if isinstance(option, str) and option.startswith("estimated:"):
        return np.nan, share
    rows = sample.rows[sample.s == 0] if scenario.scheme == "two_sample" else sample.rows
    prior = float(y[rows].mean() if isinstance(option, str) else option)
    factor = scenario.prior_factor
    if factor != 1:  # at least one row is negative by the prior: a class prior of 1 leaves nothing to learn
        prior = min(prior * factor, 1 - 1 / len(rows))
    return prior, share
