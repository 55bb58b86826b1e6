"""What the search of a node works with, and what makes one cut better than another."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .criteria import ENTROPY, PU_HELLINGER, SNAP, score, score_unit
from .kernel import part

TOLERANCE = 1e-12
ROUNDING = 1e-11  # doubles err by less, in units of the score
NONE, VALUES, SLOTS, LEVELS = 0, 1, 2, 3  # what the border of a cut is a code of; or a split without a border


class Node(NamedTuple):
    """The rows of a node, and their weights; the node's weight and labeled weight."""

    unlabeled: np.ndarray
    unlabeled_weight: np.ndarray
    labeled: np.ndarray
    labeled_weight: np.ndarray
    t: float
    l: float  # noqa: E741


class Rule(NamedTuple):
    """How scores are computed and compared in one node."""

    criterion: int
    inv_c: float
    exact: bool
    clips: bool
    margin: float  # by which a score must be larger to win
    snap: float
    rounding: float  # by which a score may be off
    every: bool  # whether the number of cuts matters, for C4.5
    least: float  # weight that each side of a cut must have


@part
def least_weight(options):
    """Weight that each side of a cut must have: C4.5 asks for two rows."""
    return 2.0 * options.row * (1.0 - TOLERANCE) if options.gain_ratio else 0.0


@part
def rule_of(options, t, l):  # noqa: E741
    unit = score_unit(options.criterion, l, t)
    clips = options.criterion == PU_HELLINGER and options.inv_c > 1.0
    every = options.gain_ratio
    least = least_weight(options)
    if options.exact:
        return Rule(
            options.criterion, options.inv_c, True, clips, TOLERANCE * unit, SNAP, ROUNDING * unit, every, least
        )
    unit = max(unit, t if options.criterion <= ENTROPY else 0.0)  # the literal expressions cancel
    return Rule(options.criterion, options.inv_c, False, clips, 0.0, 0.0, ROUNDING * unit, every, least)


@part
def score_at(t, l, node, rule):  # noqa: E741
    return score(rule.criterion, t, l, node.t, node.l, rule.inv_c, rule.snap)
