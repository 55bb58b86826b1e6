"""Hide labels completely at random (SCAR): every positive is as likely to lose its label as any other."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from scarce.labels.errors import Impossible

ROUNDING = {
    "ceil": math.ceil,
    "round": lambda x: math.floor(x + Fraction(1, 2)),
    "floor": math.floor,
}


def flip_count(n_positives: int, ratio: float, rule: str = "ceil") -> int:
    """How many of the positives lose their label.

    The ratio is read as the decimal it is written as, so that 7 % of 100 is 7 under every rule (in binary floating
    point 0.07 * 100 is a little more than 7).

    Parameters
    ----------
    n_positives : int
        Number of positives, labeled ones included.
    ratio : float
        Share of the positives to hide, in [0, 1].
    rule : {"ceil", "round", "floor"}
        What to do with a fraction of a row; "round" takes a half up (not to the even neighbour).

    Returns
    -------
    int
        Number of positives to hide, in [0, n_positives].

    Raises
    ------
    ValueError
        If the ratio is outside [0, 1] or the rule unknown.
    """
    if not 0 <= ratio <= 1:
        raise ValueError(f"flip ratio must lie in [0, 1], got {ratio}")
    if rule not in ROUNDING:
        raise ValueError(f"flip count rule must be one of {', '.join(ROUNDING)}, got {rule!r}")
    return ROUNDING[rule](Fraction(str(float(ratio))) * int(n_positives))


def scar_flip(y, ratio: float, *, seed: int, rule: str = "ceil") -> np.ndarray:
    """Hide the labels of a random part of the positives.

    For one seed the hidden sets are nested: what 25 % hides, 50 % hides as well.

    Parameters
    ----------
    y : array-like of shape (n,)
        True labels, 1 or 0.
    ratio : float
        Share of the positives to hide, in [0, 1].
    seed : int
        Seed of a legacy ``RandomState``, whose stream is the same on every platform and numpy version.
    rule : {"ceil", "round", "floor"}
        See `flip_count`.

    Returns
    -------
    ndarray of shape (n,), int8
        Observed labels: 1 labeled positive, 0 unlabeled.

    Raises
    ------
    Impossible
        A ValueError: no labeled positive would be left.

    References
    ----------
    Ortega Vazquez, vanden Broucke, De Weerdt (2023), section 4 (flip ratios 25, 50 and 75 %, ``rule="ceil"``).
    """
    s = (np.asarray(y) == 1).astype(np.int8)
    positives = np.flatnonzero(s)
    hidden = flip_count(len(positives), ratio, rule)
    if hidden == len(positives):
        raise Impossible(
            f"no labeled positive is left: hiding {ratio:.0%} of {len(positives)} positives ({rule}) hides {hidden}"
        )
    # choice without replacement is the head of one permutation; this is what nests the hidden sets
    s[positives[np.random.RandomState(seed).choice(len(positives), hidden, replace=False)]] = 0
    return s
