"""Build the labels of one data set under one scenario.

The order of operations is ortega2023's: subsample, hide labels over the whole subsample, split into training and test
rows, split the training rows once more for the threshold. Both splits are stratified by what is known only to the
experimenter: negative, hidden positive, labeled positive.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scarce.errors import ConfigError
from scarce.labels.errors import Impossible
from scarce.labels.file import Labels, RepeatLabels
from scarce.labels.scar import scar_flip
from scarce.labels.splits import PLANS, Parts, SeedOf, holdout, subsample
from scarce.seeds import derive


def _scar(y: np.ndarray, scenario, options, seed_of: SeedOf, repeat: int) -> np.ndarray:
    return scar_flip(y, scenario.flip_ratio, seed=seed_of("flip", repeat), rule=options.flip_count)


def _none(y: np.ndarray, scenario, options, seed_of: SeedOf, repeat: int) -> np.ndarray:
    # a supervised study: the class is observed, and no other stage has to know that it is the true one
    return y.astype(np.int8)


MECHANISMS: dict[str, Callable[..., np.ndarray]] = {"scar": _scar, "none": _none}


def make_labels(y, *, scenario, split, repeats: int, options, study_seed: int, dataset: str) -> Labels:
    """Rows, observed labels and priors of all repeats.

    Parameters
    ----------
    y : array-like of shape (n,)
        True labels, 1 positive and 0 negative; n = 0 (data that cannot be had) gives no repeats.
    scenario : object
        With ``mechanism``, that mechanism's settings and ``prior_factor``, by which the prior that methods are told is
        multiplied, see `scarce.config.study.Scenario`.
    split : object
        With ``plan``, ``test_size``, ``validation_size``, ``subsample``, see `scarce.config.study.SplitPlan`; with
        a validation size of 0 no threshold is chosen.
    repeats : int
    options : object
        With ``seeds`` ("paper": the repeat index seeds everything; "axes": derived from study seed, data set and
        repeat, but not from the scenario, so that flips nest over flip ratios), ``flip_count``, ``strata`` ("hidden")
        and ``class_prior`` ("all_true": share of positives of the whole subsample; "train_true": of its training
        rows; "estimated:..." leaves it to a later stage, NaN here; or a number in (0, 1)).
    study_seed : int
    dataset : str

    Returns
    -------
    Labels
        A repeat without a possible split has ``skipped``; one that only cannot be split for a threshold has an empty
        validation part and a ``note``.

    Raises
    ------
    ConfigError
        If a setting is unknown.

    References
    ----------
    Ortega Vazquez, vanden Broucke, De Weerdt (2023), section 4.
    """
    y = np.asarray(y)
    if y.size and not np.isin(y, (0, 1)).all():
        raise ValueError("true labels must be 0 or 1")
    _check(scenario, split, options)
    seed_of = _seeds(options.seeds, study_seed, dataset)
    made = [_one(y, r, scenario, split, options, seed_of) for r in range(repeats if len(y) else 0)]
    return Labels.of(made, len(y))


def _check(scenario, split, options) -> None:
    for what, value, known in [
        ("mechanism", scenario.mechanism, MECHANISMS),
        ("split plan", split.plan, PLANS),
        ("seeds", options.seeds, ("paper", "axes")),
    ]:
        if value not in known:
            raise ConfigError(f"unknown {what} {value!r}", hint=f"known: {', '.join(known)}")
    prior = options.class_prior
    known = prior in ("all_true", "train_true") or _estimated(prior)
    if not known and not (isinstance(prior, int | float) and 0 < prior < 1):
        raise ConfigError(
            f"class_prior must be all_true, train_true, estimated:<method> or a number between 0 and 1, got {prior!r}"
        )


def _estimated(prior: str | float) -> bool:
    return isinstance(prior, str) and prior.startswith("estimated:")


def _seeds(kind: str, study_seed: int, dataset: str) -> SeedOf:
    if kind == "paper":
        return lambda purpose, repeat: repeat
    return lambda purpose, repeat: derive(study_seed, purpose, dataset=dataset, repeat=repeat)


def _one(y: np.ndarray, repeat: int, scenario, split, options, seed_of: SeedOf) -> RepeatLabels:
    observed = np.full(len(y), -1, np.int8)
    none = np.empty(0, np.int32)
    result = {"repeat": repeat, "s": observed, "seed": seed_of("repeat", repeat)}
    try:
        if not (y == 1).any():
            raise Impossible("the data set has no positive row")
        rows = subsample(y, split.subsample, seed_of("subsample", repeat))
        y = y[rows]
        s = MECHANISMS[scenario.mechanism](y, scenario, options, seed_of, repeat)
        train, test, outer_note = _split(
            y, s, lambda strata: PLANS[split.plan](strata, split, repeat, seed_of), "training", "test"
        )
    except Impossible as error:
        return RepeatLabels(
            **result, train=none, test=none, fit=none, validation=none,
            class_prior=np.nan, label_share=np.nan, skipped=str(error),
        )  # fmt: skip
    observed[rows] = s
    fit, validation, inner_note = _inner(y[train], s[train], split.validation_size, seed_of("inner", repeat))
    prior, share = _priors(y, s, train, options.class_prior, scenario.prior_factor)
    return RepeatLabels(
        **result, train=rows[train], test=rows[test], fit=rows[train[fit]], validation=rows[train[validation]],
        class_prior=prior, label_share=share, note="; ".join(filter(None, (outer_note, inner_note))),
    )  # fmt: skip


def _split(y: np.ndarray, s: np.ndarray, plan: Callable[[np.ndarray], Parts], learn: str, score: str):
    """Split on negative / hidden / labeled; where too few rows forbid that, on negative / positive."""
    # sorted as 0, 1, 2, the same order as the authors' strata names: the random stream depends on it
    hidden = y.astype(np.int8) + s
    reason = ""
    for strata, note in ((hidden, ""), (y, f"{learn}/{score} split by true class only: {{}}")):
        try:
            first, second = plan(strata)
        except Impossible as error:
            problem = str(error)
        else:
            problem = _problem(y, s, first, second, learn, score)
            if not problem:
                return first, second, note.format(reason)
        reason = reason or problem
    raise Impossible(problem)


def _problem(y, s, first, second, learn: str, score: str) -> str:
    if not s[first].any():
        return f"no labeled positive among the {learn} rows"
    if not (y[second] == 1).any():
        return f"no positive among the {score} rows"
    return ""


def _inner(y: np.ndarray, s: np.ndarray, size: float, seed: int):
    none = np.empty(0, np.int32)
    if not size:
        return none, none, ""
    try:
        return _split(y, s, lambda strata: holdout(strata, size, seed), "fit", "validation")
    except Impossible as error:
        return none, none, f"no validation rows: {error!s}"


def _priors(y, s, train, option, factor: float) -> tuple[float, float]:
    # The label share is taken over the same rows as the prior, so that their ratio is a label frequency
    rows = slice(None) if option == "all_true" else train
    share = float(s[rows].mean())
    if _estimated(option):
        return np.nan, share
    prior = float(y[rows].mean() if isinstance(option, str) else option)
    if factor != 1:  # a prior of 1 is no prior: at least one row is told to be negative
        prior = min(prior * factor, 1 - 1 / len(y[rows]))
    return prior, share
