"""Seeds from named axes: the same axes give the same seed, on any machine, whatever else a study holds."""

from __future__ import annotations

import hashlib


def derive(seed: int, purpose: str, **axes: str | int) -> int:
    """A seed in [0, 2^31 - 1) from a study's seed, a purpose and the axes that may change it.

    Splits name data set and repeat, so that every method sees the same ones; a method's own seed names scenario and
    method as well. An axis that is not named cannot change the number.

    >>> derive(0, "flip", dataset="yeast6", repeat=3) == derive(0, "flip", repeat=3, dataset="yeast6")
    True
    """
    text = "\x1f".join([str(seed), purpose, *(f"{name}={axes[name]}" for name in sorted(axes))])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % (2**31 - 1)


def of_method(kind: str, seed: int, *, dataset: str, scenario: str, method: str, repeat: int) -> int:
    """The seed of a method in one run: the repeat's number in a paper's setting, otherwise from the run's names."""
    if kind == "paper":
        return repeat
    return derive(seed, "method", dataset=dataset, scenario=scenario, method=method, repeat=repeat)
