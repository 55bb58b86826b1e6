"""The rows of a tree: unlabeled and labeled ones apart, each node a stretch of either."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .codes import CLOSE
from .kernel import part


class Rows(NamedTuple):
    """Rows and their weights, with room to part them in."""

    unlabeled: np.ndarray
    unlabeled_weight: np.ndarray
    labeled: np.ndarray
    labeled_weight: np.ndarray
    spare: np.ndarray
    spare_weight: np.ndarray


def room(labeled: np.ndarray) -> Rows:
    """Memory for the rows of one tree."""
    n, k = len(labeled), int(labeled.sum())
    row, weight = (lambda size: np.empty(size, np.uint32)), (lambda size: np.empty(size, np.int64))
    return Rows(row(n - k + 1), weight(n - k + 1), row(k + 1), weight(k + 1), row(n), weight(n))  # one to write past


@part
def fill(labeled, weight, rows):
    """Take the rows with a weight, in ascending order; how many of them are unlabeled, and labeled."""
    u = 0
    k = 0
    for i in range(
        len(weight)
    ):  # without a branch: each row is written to both lists, and one of them moves on, or none
        w = weight[i]
        rows.unlabeled[u] = i
        rows.unlabeled_weight[u] = w
        rows.labeled[k] = i
        rows.labeled_weight[k] = w
        present = np.int64(w > 0)
        marked = present * np.int64(labeled[i])
        u += present - marked
        k += marked
    return u, k


@part
def split(codes, border, rows, weights, spare, spare_weights, keep):
    """Move rows with a code up to the border to the front; their number. Without ``keep`` the others are lost."""
    a = 0
    b = 0
    for i in range(len(rows)):  # without a branch: each row is written to both sides, and one side moves on
        r = rows[i]
        w = weights[i]
        rows[a] = r
        weights[a] = w
        spare[b] = r
        spare_weights[b] = w
        left = np.int64(codes[r] <= border)
        a += left
        b += 1 - left
    if keep:
        for i in range(b):
            rows[a + i] = spare[i]
            weights[a + i] = spare_weights[i]
    return a


@part
def largest(codes, rows, least):
    """The largest code of the rows, at least ``least``."""
    for r in rows:
        least = max(least, codes[r])
    return least


@part
def smallest(codes, rows, most):
    """The smallest code of the rows, at most ``most``."""
    for r in rows:
        most = min(most, codes[r])
    return most


@part
def constant(codes, values, close, unlabeled, labeled):
    """Whether all rows have one value, or with ``close`` no two that are apart; looks no further than it must."""
    low = high = codes[unlabeled[0] if len(unlabeled) > 0 else labeled[0]]
    for rows in (unlabeled, labeled):
        for r in rows:
            c = codes[r]
            if c != low and c != high:
                low = min(low, c)
                high = max(high, c)
                if not close or values[high] > values[low] + CLOSE:
                    return False
    return True
