"""What is read of a fitted estimator: scores of the positive class, and the notes, facts and arrays that it left."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from scarce.words import one_line

#: Values of a wrong type or size that a message names.
MOST_WRONG = 3


@dataclass
class Left:
    """What a fitted estimator left in ``notes_``, ``facts_`` and ``arrays_``; `wrong` says what could not be taken."""

    notes: list[str] = field(default_factory=list)
    facts: dict[str, float] = field(default_factory=dict)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def scores_of(estimator: Any, X: np.ndarray) -> np.ndarray:
    """Scores of the positive class, shape (n,), checked; higher means more likely positive.

    ``classes_`` of the estimator says which column of ``predict_proba`` is that of class 1; without it, the last is.
    A ``decision_function`` scores the second class, so its sign is turned where that is not class 1.

    Raises
    ------
    ValueError
        If the scores have another shape or are not finite, or ``classes_`` does not hold the two classes.
    """
    name = getattr(estimator, "score_function", None) or "predict_proba"
    if not isinstance(name, str):
        raise ValueError(f"score_function must be the name of a method, got {name!r}")
    scores = np.asarray(getattr(estimator, name)(X), float)
    if name == "predict_proba":
        if scores.ndim != 2 or scores.shape[1] != 2:
            raise ValueError(f"predict_proba must give an array of shape ({len(X)}, 2), gave {scores.shape}")
        scores = scores[:, _place_of_positive(estimator)]
    elif name == "decision_function" and _place_of_positive(estimator) == 0:
        scores = -scores
    if scores.shape != (len(X),):
        raise ValueError(f"{name} must give {len(X)} scores, gave an array of shape {scores.shape}")
    if not np.isfinite(scores).all():
        raise ValueError(f"{name} gave {(~np.isfinite(scores)).sum()} scores that are nan or infinite")
    return scores


def _place_of_positive(estimator: Any) -> int:
    """Place of class 1 in ``classes_``, which may code the other class as 0 or -1; the last without ``classes_``."""
    classes = getattr(estimator, "classes_", None)
    if classes is None:
        return 1
    try:
        listed = np.asarray(classes)
        codes = list(map(float, listed.tolist())) if listed.ndim == 1 else []
    except (TypeError, ValueError):  # words, or lists of several lengths
        codes = []
    if sorted(codes) not in ([0, 1], [-1, 1]):
        what = one_line(repr(classes))[:100]
        raise ValueError(f"classes_ must hold the labels 0 and 1 that fit got (or -1 and 1), holds {what}")
    return codes.index(1)


def left_by(estimator: Any) -> Left:
    """Notes, facts and arrays of a fitted estimator. Nothing that it left there raises an exception."""
    left = Left()
    readers = {"notes_": _take_notes, "facts_": _take_facts, "arrays_": _take_arrays}
    for attribute, take in readers.items():
        try:
            value = getattr(estimator, attribute, None)
            if value is not None:
                take(value, left)
        except Exception as error:  # a property that raises, an iterator that breaks off
            left.wrong.append(f"{attribute} cannot be read ({type(error).__name__})")
    return left


def wrong_in_words(wrong: Iterable[str]) -> list[str]:
    """One sentence on values that were left out, or none."""
    listed = list(dict.fromkeys(wrong))
    more = f" and {len(listed) - MOST_WRONG} more" if len(listed) > MOST_WRONG else ""
    return [f"left out: {', '.join(listed[:MOST_WRONG])}{more}"] if listed else []


def _take_notes(value: Any, left: Left) -> None:
    if isinstance(value, str):
        value = [value]
    elif isinstance(value, bytes | bytearray | Mapping) or not isinstance(value, Iterable):
        left.wrong.append(f"notes_ is not a list of text: {_kind(value)}")
        return
    elif isinstance(value, set | frozenset):  # in an order of its own in each process
        value = sorted(value, key=str)
    for place, note in enumerate(value):
        if isinstance(note, str):
            left.notes += [note] if note.strip() else []
        elif note is not None:
            left.wrong.append(f"notes_ is not a list of text: {_kind(note)} at place {place}")


def _take_facts(value: Any, left: Left) -> None:
    left.facts.update(_named("facts_", value, _number, left.wrong))


def _take_arrays(value: Any, left: Left) -> None:
    left.arrays.update(_named("arrays_", value, _plain_array, left.wrong))
    plain = left.arrays.get("importances", np.empty(0))
    normalised = left.arrays.get("normalised_importances", np.empty(plain.shape))
    if plain.ndim != 1 or plain.shape != normalised.shape or not {plain.dtype.kind, normalised.dtype.kind} <= {*"biuf"}:
        for name in {"importances", "normalised_importances"} & set(left.arrays):
            del left.arrays[name]
        left.wrong.append("arrays_['importances'] is not a number a feature")


def _named(attribute: str, value: Any, read: Callable[[Any], Any], wrong: list[str]) -> Iterator[tuple[str, Any]]:
    """Names and values of a dictionary that can be read; what cannot goes into `wrong`."""
    if not isinstance(value, Mapping):
        wrong.append(f"{attribute} is not a dict: {_kind(value)}")
        return
    names = set()
    for key, one in value.items():
        reason = ""
        try:
            name, taken = one_line(key), read(one)
            if not name or name in names:
                reason = "is there twice" if name else "has no name"
        except _Unfit as error:
            reason = str(error)
        except OverflowError:
            reason = "is too large"
        except Exception:  # of the value's own code
            reason = f"is {_kind(one)}"
        if reason:
            wrong.append(f"{attribute}[{one_line(repr(key))[:60]}] {reason}")
        else:
            names.add(name)
            yield name, taken


class _Unfit(ValueError):
    """Why a value cannot be taken, where its type does not say it."""


def _number(value: Any) -> float:
    array = np.asarray(value)
    if np.ma.is_masked(value):
        raise _Unfit("is masked")
    if array.size == 1 and array.dtype.kind in "biuf" and not isinstance(value, list | tuple):
        number = float(array.item())
    elif isinstance(value, Real | Decimal):  # a fraction, or a whole number of more than 64 bits
        number = float(value)
    else:
        raise TypeError
    if not math.isfinite(number):
        raise _Unfit(f"is {number}")
    return number


def _plain_array(value: Any) -> np.ndarray:
    array = np.asarray(value)
    if np.ma.is_masked(value):
        raise _Unfit("has masked values")
    if array.dtype.hasobject:
        raise TypeError
    return array


def _kind(value: Any) -> str:
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeio' else 'a'} {name}"
