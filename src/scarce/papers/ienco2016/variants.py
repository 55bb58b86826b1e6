"""Names of the methods of `methods.yaml` by what varies."""

from __future__ import annotations

KS = (1, 3, 7, 11, 13)
TABLE_KS = (1, 7, 13)  # of Tables 2, 3 and 4
SHIFTS = (-0.2, -0.15, -0.1, -0.05, 0.0, 0.05, 0.1, 0.15, 0.2)
DISTANCES = {"euclid": "Euclid", "kl": "KL"}
BAYES = ("pnb", "ptan", "apnb", "aptan")


def pulce(k: int, distance: str = "euclid") -> str:
    """Pulce with `k` neighbours.

    >>> pulce(7)
    'pulce_euclid-k-7'
    """
    return f"pulce_{distance}-k-{k}"


def shifted(shift: float) -> str:
    """Pulce with one neighbour and a shifted threshold; without a shift it is plain Pulce.

    >>> shifted(-0.05), shifted(0.0)
    ('pulce_shifted-threshold_shift--0.05', 'pulce_euclid-k-1')
    """
    return f"pulce_shifted-threshold_shift-{shift:g}" if shift else pulce(1)
