"""One labels file: everything that one data set under one scenario shows to the methods, in all repeats.

The file holds rows, observed labels and priors, and no true label beside them (where a study hides none, the observed
label is the true one).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from scarce.files import read_npz, write_npz

PARTS = ("train", "test", "fit", "validation")


@dataclass(frozen=True)
class RepeatLabels:
    """One repeat.

    Parameters
    ----------
    repeat : int
    train, test, fit, validation : ndarray, int32
        Ordered row ids into the prepared data. ``fit`` and ``validation`` are the two parts of ``train`` that choose
        a threshold; both are empty where there is no such split. The order is part of the result: a bootstrap draws
        positions.
    s : ndarray of shape (n,), int8
        Observed labels of all prepared rows: 1 labeled, 0 unlabeled, -1 not in this repeat's subsample.
    class_prior : float
        Share of positives that methods are told, among all rows, labeled ones included (single-training-set setting);
        NaN where a later stage estimates it.
    label_share : float
        Share of labeled rows; ``label_share / class_prior`` is the label frequency c.
    seed : int
        The repeat's seed.
    skipped : str
        Why this repeat cannot run, or "".
    note : str
        What a reader of the results should know, or "".
    """

    repeat: int
    train: np.ndarray
    test: np.ndarray
    fit: np.ndarray
    validation: np.ndarray
    s: np.ndarray
    class_prior: float
    label_share: float
    seed: int
    skipped: str = ""
    note: str = ""


@dataclass(frozen=True)
class Labels:
    """All repeats as plain arrays; the first axis is the repeat, parts are padded with -1.

    Parameters
    ----------
    train, test, fit, validation : ndarray of shape (R, longest), int32
    s : ndarray of shape (R, n), int8
    class_prior, label_share : ndarray of shape (R,), float64
        NaN in a skipped repeat; the prior also where a later stage estimates it.
    seed : ndarray of shape (R,), int64
    skipped, note : ndarray of shape (R,), unicode
    """

    train: np.ndarray
    test: np.ndarray
    fit: np.ndarray
    validation: np.ndarray
    s: np.ndarray
    class_prior: np.ndarray
    label_share: np.ndarray
    seed: np.ndarray
    skipped: np.ndarray
    note: np.ndarray

    def __len__(self) -> int:
        return len(self.seed)

    def __iter__(self) -> Iterator[RepeatLabels]:
        return map(self.repeat, range(len(self)))

    @classmethod
    def of(cls, repeats: Sequence[RepeatLabels], n: int) -> Labels:
        """Join repeats, in their order, of a data set with `n` rows."""
        column = {name: [getattr(one, name) for one in repeats] for name in RepeatLabels.__dataclass_fields__}
        return cls(
            **{part: _pad(column[part]) for part in PARTS},
            s=np.array(column["s"], np.int8).reshape(len(repeats), n),
            class_prior=np.array(column["class_prior"], float),
            label_share=np.array(column["label_share"], float),
            seed=np.array(column["seed"], np.int64),
            skipped=np.array(column["skipped"], str),
            note=np.array(column["note"], str),
        )

    def repeat(self, r: int) -> RepeatLabels:
        """Repeat `r`, counted from 0, without padding."""
        if not 0 <= r < len(self):
            raise IndexError(f"repeat {r} does not exist: there are {len(self)}, counted from 0")
        parts = {part: getattr(self, part)[r] for part in PARTS}
        return RepeatLabels(
            repeat=r,
            **{part: rows[rows >= 0] for part, rows in parts.items()},
            s=self.s[r],
            class_prior=float(self.class_prior[r]),
            label_share=float(self.label_share[r]),
            seed=int(self.seed[r]),
            skipped=str(self.skipped[r]),
            note=str(self.note[r]),
        )

    def with_priors(self, class_prior: np.ndarray, failed: np.ndarray) -> Labels:
        """The same with estimated priors; a repeat whose estimate `failed` for a reason (not "") is skipped by it."""
        skipped = np.where(self.skipped == "", failed, self.skipped)
        return replace(self, class_prior=class_prior, skipped=skipped)

    def save(self, path: str | os.PathLike) -> None:
        """Write as npz, atomically; the same labels give the same bytes."""
        write_npz(path, **{field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def load(cls, path: str | os.PathLike) -> Labels:
        """Read what `save` wrote."""
        return cls(**read_npz(path, *(field.name for field in fields(cls))))


def _pad(rows: Sequence[np.ndarray]) -> np.ndarray:
    padded = np.full((len(rows), max(map(len, rows), default=0)), -1, np.int32)
    for line, ids in zip(padded, rows, strict=True):
        line[: len(ids)] = ids
    return padded
