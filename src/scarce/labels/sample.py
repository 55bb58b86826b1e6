"""What labelings and protocols read and give: populations, samples with observed labels, parts of a repeat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np


def no_rows() -> np.ndarray:
    """An empty array of positions."""
    return np.empty(0, np.int32)


@dataclass(frozen=True)
class Draw:
    """One repeat of a study.

    Parameters
    ----------
    repeat : int
    seed_of : callable
        ``seed_of(purpose, repeat)``; no seed depends on the scenario, so that draws can be nested over scenarios.
    options : object
        The study's options.
    """

    repeat: int
    seed_of: Callable[[str, int], int]
    options: Any

    def seed(self, purpose: str, repeat: int | None = None) -> int:
        """Seed of a purpose in this repeat, or in another one that it shares a draw with."""
        return self.seed_of(purpose, self.repeat if repeat is None else repeat)


@dataclass(frozen=True)
class Columns:
    """What the data set says of its prepared features.

    Parameters
    ----------
    names : sequence of str
    categorical : ndarray of shape (d,), bool
        Which columns are nominal; these hold codes, places in their levels.
    levels : mapping of str to sequence of str
        Levels of each nominal column, by its name.
    """

    names: Sequence[str]
    categorical: np.ndarray
    levels: Mapping[str, Sequence[str]]

    @classmethod
    def unnamed(cls, d: int) -> Columns:
        """Columns of which nothing is known: d numbers."""
        return cls([], np.zeros(d, bool), {})


@dataclass(frozen=True)
class Population:
    """Rows whose true labels are known to the experimenter.

    Parameters
    ----------
    y : ndarray of shape (n,)
        True labels, 1 or 0.
    X : ndarray of shape (n, d), optional
        Prepared features; given only to labelings with ``needs_features``.
    test_part : ndarray of shape (n,), optional
        1 for rows of the data set's own test part, 0 for others.
    group : ndarray of shape (n,), optional
        Number of the group of each row, such as a customer, by the column that the data set declares as ``group:``.
    time : ndarray of shape (n,), optional
        Time of each row, finite, by the column that the data set declares as ``time:``.
    columns : Columns, optional
        What the data set says of the features.
    """

    y: np.ndarray
    X: np.ndarray | None = None
    test_part: np.ndarray | None = None
    group: np.ndarray | None = None
    time: np.ndarray | None = None
    columns: Columns | None = None

    def __len__(self) -> int:
        return len(self.y)

    def take(self, rows: np.ndarray) -> Population:
        """The population of some rows, in their order."""
        parts = (self.y, self.X, self.test_part, self.group, self.time)
        return Population(*(None if part is None else part[rows] for part in parts), columns=self.columns)

    def sample(
        self,
        s: np.ndarray,
        rows: np.ndarray | None = None,
        propensity: np.ndarray | None = None,
        note: str = "",
    ) -> Sample:
        """A sample of this population: by default every row once, in order; see `Sample`."""
        return Sample(np.arange(len(self), dtype=np.int32) if rows is None else rows, s, propensity, note)


@dataclass(frozen=True)
class Sample:
    """Rows with their observed labels.

    Parameters
    ----------
    rows : ndarray of shape (m,)
        Positions into a population, in order; one may stand there twice, with different observed labels.
    s : ndarray of shape (m,)
        Observed label of each position: 1 labeled positive, 0 unlabeled.
    propensity : ndarray of shape (m,), optional
        Probability that the label of a positive like this one is observed, in [0, 1].
    note : str
        What a reader of the results should know of the draw, or "".
    """

    rows: np.ndarray
    s: np.ndarray
    propensity: np.ndarray | None = None
    note: str = ""

    def __post_init__(self) -> None:
        if len(self.s) != len(self.rows):
            raise ValueError(f"{len(self.rows)} rows but {len(self.s)} observed labels")
        if not ((self.s == 0) | (self.s == 1)).all():
            raise ValueError("observed labels must be 0 or 1")
        if self.propensity is not None:
            if len(self.propensity) != len(self.rows):
                raise ValueError(f"{len(self.rows)} rows but {len(self.propensity)} propensities")
            if not ((self.propensity >= 0) & (self.propensity <= 1)).all():
                raise ValueError("propensities must lie in [0, 1]")

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, positions: np.ndarray) -> Sample:
        """Some positions of the sample, in their order."""
        propensity = None if self.propensity is None else self.propensity[positions]
        return replace(self, rows=self.rows[positions], s=self.s[positions], propensity=propensity)

    def within(self, rows: np.ndarray) -> Sample:
        """The same sample as positions into the population from which `rows` were taken."""
        return replace(self, rows=rows[self.rows])


@dataclass(frozen=True)
class Parts:
    """What a protocol makes of one repeat.

    Parameters
    ----------
    train : Sample
        Training positions, with rows of the whole data set.
    test : ndarray
        Rows of the whole data set that test.
    fit, validation : ndarray
        Positions into ``train`` that choose a threshold; both empty where none is chosen.
    note : str
        What a reader of the results should know, or "".
    whole : Sample, optional
        All rows of the repeat, test rows included; the option ``class_prior: all_true`` counts them.
    transductive : bool
        Whether the test rows are unlabeled training rows. Otherwise no row can train and test.
    """

    train: Sample
    test: np.ndarray
    fit: np.ndarray = field(default_factory=no_rows)
    validation: np.ndarray = field(default_factory=no_rows)
    note: str = ""
    whole: Sample | None = None
    transductive: bool = False

    def __post_init__(self) -> None:
        unlabeled = self.train.rows[self.train.s == 0]
        if self.transductive and not np.isin(self.test, unlabeled).all():
            raise ValueError("transductive test rows must be unlabeled training rows")
        if not self.transductive and np.isin(self.test, self.train.rows).any():
            raise ValueError("a row is in both the training and the test part")
