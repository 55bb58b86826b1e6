"""Stratified draws, which data sets and labelings share."""

from __future__ import annotations

import numpy as np

Pair = tuple[np.ndarray, np.ndarray]


def stratified_rows(strata: np.ndarray, n: int, seed: int) -> np.ndarray:
    """Positions of `n` rows, fewer than all, with each stratum's share of them, in shuffled order.

    Parameters
    ----------
    strata : ndarray of shape (n_rows,)
        Stratum of each row.
    n : int
    seed : int

    Raises
    ------
    ValueError
        If a stratum has a single row, or would have none in the subsample.
    """
    _, stratum, counts = np.unique(strata, return_inverse=True, return_counts=True)
    if counts.min() < 2:
        raise ValueError(f"a class has a single row of {len(strata)}: a stratified subsample needs two of each")
    drawn = stratified_parts(strata, n, len(strata) - n, seed)[0]
    rows = np.bincount(stratum[drawn], minlength=len(counts))
    if not rows.all():
        rare = counts[rows.argmin()]
        raise ValueError(f"a stratified subsample of {n} of {len(strata)} rows has none of the {rare} rows of a class")
    return drawn


def stratified_parts(strata: np.ndarray, n_first: int, n_second: int, seed: int) -> Pair:
    """Two disjoint parts; bit-equal to scikit-learn 1.9's ``StratifiedShuffleSplit``, whose import takes a second.

    ValueError if a stratum has a single row.
    """
    _, stratum, counts = np.unique(strata, return_inverse=True, return_counts=True)
    if counts.min() < 2:
        raise ValueError("a stratum has a single row")
    members = np.split(np.argsort(stratum, kind="stable"), np.cumsum(counts)[:-1])
    random = np.random.RandomState(seed)
    firsts = _allocate(counts, n_first, random)
    ends = firsts + _allocate(counts - firsts, n_second, random)
    shuffled = [rows[random.permutation(len(rows))] for rows in members]
    first = np.concatenate([rows[:start] for rows, start in zip(shuffled, firsts, strict=True)])
    second = np.concatenate([rows[a:b] for rows, a, b in zip(shuffled, firsts, ends, strict=True)])
    return random.permutation(first).astype(np.int32), random.permutation(second).astype(np.int32)


def _allocate(counts: np.ndarray, n: int, random: np.random.RandomState) -> np.ndarray:
    """Rows that each stratum gives to a part of `n` rows: its share, rounded by largest remainder, ties at random."""
    shares = counts / counts.sum() * n
    rows = np.floor(shares)
    remainders = shares - rows
    missing = int(n - rows.sum())
    for value in np.unique(remainders)[::-1]:
        if missing <= 0:
            break
        tied = np.flatnonzero(remainders == value)
        rows[random.choice(tied, min(len(tied), missing), replace=False)] += 1
        missing -= min(len(tied), missing)
    return rows.astype(int)
