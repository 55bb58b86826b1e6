"""Features as integer codes, made once per forest: every node then counts codes instead of sorting floats.

*Value codes* number the distinct float32 values of a feature in ascending order. *Slot codes* number their position
among the values that labeled rows take: ``2j + 1`` is the j-th labeled value, ``2j`` the open interval below it.
Where the number of labeled rows on the left is fixed, every criterion is convex in the number of rows on the left
(see ``splitter``), so only the ends of slots need a score. Features of few values have their value codes once more in
the place of slot codes: they are tallied by value (see ``tally``), which no slot beats.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .kernel import entry

# scikit-learn's FEATURE_THRESHOLD: float32 values this close count as one (literal mode only)
CLOSE = np.float32(1e-7)
LARGEST_SLOT = 2**16 - 1
FEW = 256  # values up to which a feature may be tallied
VALUES_A_SLOT = 4  # beyond which slots take less time than the few values


class Coded(NamedTuple):
    """A feature matrix as codes, feature by feature."""

    codes: np.ndarray  # (n_features, n_samples), int32: value codes
    slots: np.ndarray  # the same in uint16: slot codes, or value codes where tallied; (1, 0) if neither is used
    n_slots: np.ndarray  # slots of each feature; 0 where not used
    n_few: np.ndarray  # values of each feature that is tallied by value; 0 for the others
    values: np.ndarray  # float32: distinct values of all features, feature after feature, each ascending
    offsets: np.ndarray  # (n_features + 1,): where the values of each feature start
    close: np.ndarray  # bool: whether a feature has two distinct values closer than ``CLOSE``
    categorical: np.ndarray  # bool: whether a feature is split by levels, by ``categorical.grow_categorical`` only


@entry
def _code(keys, column, labeled, merge, codes, slots, values):
    """Codes of one feature from its sorted keys: the number of values and of slots, whether any two are close.

    With ``merge``, values that no cut may part count as one for the slots: a run of neighbours closer than
    ``CLOSE`` that spans no more than that. A longer run may be parted where rows are absent; if it holds a labeled
    value the feature gets no slots.
    """
    n = len(keys)
    close = False
    usable = True
    run = 0  # where the present run of values starts
    first = np.float32(0.0)  # its first value
    last = np.float32(0.0)
    marked = False  # whether it holds a labeled row
    value = -1
    slot = -1  # the last slot in use: odd if its run holds a labeled row
    for i in range(n + 1):
        x = np.float32(0.0)
        row = np.int64(0)
        new = True
        joins = False
        if i < n:
            row = keys[i] & 0xFFFFFFFF
            x = column[row]
            if i > 0:
                new = x != last
                near = x <= last + CLOSE
                close = close or (new and near)
                joins = not new or (merge and near)
        if not joins and i > 0:  # the run ends: give it its slot
            if marked:
                slot = slot + 1 + slot % 2 if slot >= 0 else 1
                usable = usable and (not merge or last <= first + CLOSE)
            else:
                slot = slot + slot % 2 if slot >= 0 else 0
            usable = usable and slot < LARGEST_SLOT
            if len(slots) > 0 and usable:
                for k in range(run, i):
                    slots[keys[k] & 0xFFFFFFFF] = slot
        if i == n:
            break
        if not joins:
            run = i
            first = x
            marked = False
        if new:
            value += 1
            values[value] = x
        last = x
        marked = marked or labeled[row]
        codes[row] = value
    return value + 1, slot + 1 if usable and len(slots) > 0 else 0, close


def encode(
    X: np.ndarray,
    labeled: np.ndarray,
    *,
    slots: bool,
    merge: bool = False,
    few: int = FEW,
    categorical: np.ndarray | None = None,
) -> Coded:
    """Code a matrix of finite float32 values.

    ``slots`` asks for slot codes or tallies. With ``merge`` values closer than ``CLOSE`` share a slot, for the literal
    mode, which puts no cut between them. A feature of at most ``few`` values is tallied, unless slots are under a
    quarter of them.
    """
    n, d = X.shape
    codes = np.empty((d, n), np.int32)
    slot_codes = np.empty((d, n) if slots else (1, 0), np.uint16)
    distinct, close = [], np.zeros(d, np.bool_)
    n_slots, n_few = np.zeros(d, np.int64), np.zeros(d, np.int64)
    values, row = np.empty(n, np.float32), np.arange(n)
    for j in range(d):
        column = X[:, j] + np.float32(0.0)  # makes -0.0 the same as 0.0
        bits = column.view(np.int32)
        keys = ((bits ^ ((bits >> 31) & 0x7FFFFFFF)).astype(np.int64) << 32) | row  # in the order of the values
        keys.sort()
        count, n_slots[j], close[j] = _code(
            keys, column, labeled, merge, codes[j], slot_codes[j if slots else 0], values
        )
        if slots and count <= few and (n_slots[j] == 0 or count <= VALUES_A_SLOT * n_slots[j]):
            n_slots[j], n_few[j] = 0, count
            slot_codes[j] = codes[j]
        distinct.append(values[:count].copy())
    offsets = np.concatenate([[0], np.cumsum([len(values) for values in distinct])]).astype(np.int64)
    by_level = np.zeros(d, np.bool_) if categorical is None else categorical
    return Coded(codes, slot_codes, n_slots, n_few, np.concatenate(distinct), offsets, close, by_level)
