"""Errors that a user can act on, each type with its exit code; one line for each problem."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from scarce.words import one_line


class ScarceError(Exception):
    """Base of all errors that a user can act on.

    Parameters
    ----------
    message : str
        The problem, in one line.
    where : str, optional
        File, line or cell with the problem, e.g. ``config/datasets.yaml:17``.
    hint : str, optional
        What the user can do.
    """

    exit_code = 1

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None):
        super().__init__(message)
        self.message, self.where, self.hint = message, where, hint

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text} ({self.hint})" if self.hint else text

    @classmethod
    def collect(cls, problems: Iterable[Self]) -> Self:
        """All problems at once, as one error."""
        problems = list(problems)
        first = cls("; ".join(str(problem) for problem in problems))
        first.problems = problems
        return first

    problems: list[Self] = []  # noqa: RUF012 - replaced, never changed

    def lines(self) -> list[str]:
        """One line for each problem, without control characters that came from files or servers."""
        return [line for problem in self.problems for line in problem.lines()] or [one_line(self)]


class ConfigError(ScarceError):
    """A study, a data set or a method is described wrongly."""

    exit_code = 2
    place: tuple[str | int, ...] = ()  # file and key of the problem


class DataError(ScarceError):
    """Data that cannot be read or do not agree with their description."""

    exit_code = 3


class DataUnavailable(DataError):
    """No source has the data set; studies continue without it and report it."""


class MethodError(ScarceError):
    """A method failed where the study says ``on_error: raise``."""

    exit_code = 4


class MachineError(ScarceError):
    """The machine, not a method, ended the work: another run, or another machine, may finish it."""


class IncompleteError(ScarceError):
    """Needed results do not exist yet."""

    exit_code = 5
