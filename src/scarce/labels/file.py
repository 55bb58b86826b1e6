"""One labels file: everything that one data set under one scenario shows to the methods, in all repeats.

The file holds rows, observed labels and priors, and no true label beside them (where a study hides none, the observed
label is the true one).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from scarce.estimators.schemes import Scheme, checked
from scarce.files import read_npz, write_npz
from scarce.labels.sample import Sample, no_rows

#: Arrays that are padded to the longest repeat: their type, and the value that pads.
PADDED = {
    "train": (np.int32, -1),
    "s": (np.int8, -1),
    "fit": (np.int32, -1),
    "validation": (np.int32, -1),
    "test": (np.int32, -1),
    "propensity": (np.float64, np.nan),
}
#: Arrays with one value a repeat.
PLAIN = {"class_prior": float, "label_share": float, "seed": np.int64, "skipped": str, "note": str, "scheme": str}
#: Arrays that have another name in the file than here.
IN_FILE = {"scheme": "setting"}


@dataclass(frozen=True)
class RepeatLabels:
    """One repeat; `train`, `s` and `propensity` are those of a `Sample`, the other parts those of `Parts`.

    Parameters
    ----------
    repeat : int
    class_prior : float
        Share of positives that methods are given, in (0, 1]; NaN where a later stage estimates it. With one sample it
        is the share among all rows, labeled ones included; with two samples, among the unlabeled rows.
    label_share : float
        Share of labeled positions; with one sample, ``label_share / class_prior`` is the label frequency c.
    seed : int
        The repeat's seed.
    train : ndarray of shape (m,), int32
        Rows of the prepared data. Their order is part of the result: a bootstrap draws positions.
    s : ndarray of shape (m,), int8
    fit, validation : ndarray, int32
        Positions into ``train``.
    test : ndarray, int32
        Rows of the prepared data.
    propensity : ndarray of shape (m,), float64
        Empty where the labeling has none.
    skipped, note : str
        Why this repeat cannot run, and what a reader of the results should know, or "".
    scheme : {"one_sample", "two_sample"}
        What labeled and unlabeled training rows are samples of, see `scarce.estimators.schemes`.

    Raises
    ------
    ValueError
        If the arrays do not fit together.
    """

    repeat: int
    class_prior: float
    label_share: float
    seed: int
    train: np.ndarray = field(default_factory=no_rows)
    s: np.ndarray = field(default_factory=no_rows)
    fit: np.ndarray = field(default_factory=no_rows)
    validation: np.ndarray = field(default_factory=no_rows)
    test: np.ndarray = field(default_factory=no_rows)
    propensity: np.ndarray = field(default_factory=lambda: np.empty(0))
    skipped: str = ""
    note: str = ""
    scheme: Scheme = "one_sample"

    def __post_init__(self) -> None:
        Sample(self.train, self.s, self.propensity if len(self.propensity) else None)
        checked(self.scheme)
        if min(self.train.min(initial=0), self.test.min(initial=0)) < 0:
            raise ValueError("rows must not be negative")
        if bool(len(self.fit)) != bool(len(self.validation)):
            raise ValueError("fit and validation must both have positions, or neither")
        positions = np.concatenate([self.fit, self.validation])
        if len(positions) and not 0 <= positions.min() <= positions.max() < len(self.train):
            raise ValueError(f"fit and validation must be positions into {len(self.train)} training rows")
        if np.bincount(positions.astype(int), minlength=1).max() > 1:
            raise ValueError("a training position is named twice by fit and validation")
        if not (np.isnan(self.class_prior) or 0 < self.class_prior <= 1):
            raise ValueError(f"class_prior must lie in (0, 1], got {self.class_prior}")

    def with_true_labels(self, y: np.ndarray) -> RepeatLabels:
        """The same repeat as an oracle sees it: the true labels `y` (n,) of the data set in place of observed ones.

        Of two samples, the oracle gets the unlabeled one: the sample of positives would distort its class prior.
        """
        kept = self.s == 0 if self.scheme == "two_sample" else np.ones(len(self.train), bool)
        place = np.cumsum(kept, dtype=np.int32) - 1
        train = self.train[kept]
        if not len(train):
            return self
        prior = float(y[train].mean()) or np.nan
        fit, validation = (place[part[kept[part]]] for part in (self.fit, self.validation))
        if not (len(fit) and len(validation)):
            fit = validation = no_rows()
        return replace(
            self, class_prior=prior, label_share=prior, train=train, s=y[train].astype(np.int8), fit=fit,
            validation=validation, propensity=np.empty(0), scheme="one_sample",
        )  # fmt: skip


@dataclass(frozen=True)
class Labels(Sequence):
    """The labels of all repeats, in the order of their numbers, which count from 0."""

    repeats: Sequence[RepeatLabels]

    def __post_init__(self) -> None:
        object.__setattr__(self, "repeats", tuple(self.repeats))
        if [one.repeat for one in self.repeats] != list(range(len(self.repeats))):
            raise ValueError("repeats must be numbered 0, 1, ... in order")

    def __len__(self) -> int:
        return len(self.repeats)

    def __getitem__(self, r: Any) -> Any:
        return self.repeats[r]

    def repeat(self, r: int) -> RepeatLabels:
        """Repeat `r`, counted from 0; raises IndexError where there is none."""
        if not 0 <= r < len(self):
            raise IndexError(f"repeat {r} does not exist: there are {len(self)}, counted from 0")
        return self.repeats[r]

    def with_priors(self, class_prior: Sequence[float], failed: Sequence[str], note: Sequence[str]) -> Labels:
        """The same with estimated priors, and a `note` on each ("": none).

        A repeat whose estimate `failed` for a reason (not "") is skipped by it.
        """
        return Labels(
            [
                replace(
                    one,
                    class_prior=float(prior),
                    skipped=one.skipped or str(reason),
                    note="; ".join(filter(None, (one.note, str(doubt)))),
                )
                for one, prior, reason, doubt in zip(self, class_prior, failed, note, strict=True)
            ]
        )

    def with_true_labels(self, y: np.ndarray) -> Labels:
        """All repeats as an oracle sees them; see `RepeatLabels.with_true_labels`."""
        return Labels([one.with_true_labels(y) for one in self])

    def with_propensities_only(self) -> Labels:
        """All repeats as a method that needs propensities gets them: those that have none are skipped."""
        reason = "the method needs the propensity of each training row, and the labeling has none"
        return Labels([one if one.skipped or len(one.propensity) else replace(one, skipped=reason) for one in self])

    def save(self, path: str | os.PathLike) -> None:
        """Write as npz, atomically; the same labels give the same bytes."""
        arrays = {name: _pad([getattr(one, name) for one in self], *how) for name, how in PADDED.items()}
        arrays |= {
            IN_FILE.get(name, name): np.array([getattr(one, name) for one in self], kind)
            for name, kind in PLAIN.items()
        }
        write_npz(path, **arrays)

    @classmethod
    def load(cls, path: str | os.PathLike) -> Labels:
        """Read what `save` wrote."""
        plain = {name: IN_FILE.get(name, name) for name in PLAIN}
        arrays = read_npz(path, *PADDED, *plain.values())
        columns = {name: [_unpad(row) for row in arrays[name]] for name in PADDED}
        columns |= {name: arrays[stored].tolist() for name, stored in plain.items()}
        return cls(
            [
                RepeatLabels(repeat=r, **{name: column[r] for name, column in columns.items()})
                for r in range(len(arrays["seed"]))
            ]
        )


def _pad(arrays: Sequence[np.ndarray], dtype: type, filler: float) -> np.ndarray:
    padded = np.full((len(arrays), max(map(len, arrays), default=0)), filler, dtype)
    for row, values in zip(padded, arrays, strict=True):
        row[: len(values)] = values
    return padded


def _unpad(row: np.ndarray) -> np.ndarray:
    return row[row >= 0]  # false for -1 and NaN
