"""Sample schemes: what labeled and unlabeled rows are samples of.

``one_sample``: one sample of the population was drawn, and some of its positives are labeled. All rows together stand
for the population. ``two_sample`` (case-control): labeled rows are a sample of the positives, and unlabeled rows alone
are a sample of the population.

The *union* turns one into the other: the rows of one sample are two samples if its labeled rows are passed twice, with
either label; the class prior stays. Without copies the class prior changes: the unlabeled rows of one sample are a
sample of a population with that of `unlabeled_prior`, and the rows of two samples together are one sample of a
population with that of `pooled_prior`.

References
----------
Elkan, Noto (2008), Learning classifiers from only positive and unlabeled data, KDD (one sample). Ward, Hastie, Barry,
Elith, Leathwick (2009), Presence-only data and the EM algorithm, Biometrics (two samples). Bekker, Davis (2020),
Learning from positive and unlabeled data: a survey, Machine Learning, section 2 (both).
"""

from __future__ import annotations

from typing import Any, Literal, get_args

Scheme = Literal["one_sample", "two_sample"]
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
WORDS: dict[str, str] = {"one_sample": "one sample", "two_sample": "two samples"}


def checked(scheme: Any) -> Scheme:
    """The scheme, which must be one of `SCHEMES`; else a ValueError."""
    if scheme not in SCHEMES:
        raise ValueError(f"scheme must be one of {', '.join(SCHEMES)}, got {scheme!r}")
    return scheme


def unlabeled_prior(class_prior: Any, label_share: Any, scheme: Scheme) -> Any:
    """Share of positives among the unlabeled rows, as the class prior implies it.

    Parameters
    ----------
    class_prior : float or ndarray
        Share of positives in the population.
    label_share : float or ndarray
        Share of labeled rows, below 1.
    scheme : {"one_sample", "two_sample"}

    Returns
    -------
    float or ndarray
        With two samples the class prior pi, with one (pi - h) / (1 - h) for a share h of labeled rows: below 0 where
        pi is smaller than h.

    Examples
    --------
    >>> unlabeled_prior(0.75, 0.5, "one_sample"), unlabeled_prior(0.75, 0.5, "two_sample")
    (0.5, 0.75)
    """
    return class_prior if checked(scheme) == "two_sample" else (class_prior - label_share) / (1 - label_share)


def pooled_prior(class_prior: Any, label_share: Any, scheme: Scheme) -> Any:
    """Share of positives among labeled and unlabeled rows together, as the class prior implies it.

    The rows of two samples, taken as one, have this class prior and a label frequency of the share of labeled rows over
    it.

    Parameters
    ----------
    class_prior, label_share, scheme
        As in `unlabeled_prior`.

    Returns
    -------
    float or ndarray
        With one sample the class prior pi, with two h + (1 - h) pi for a share h of labeled rows.

    Examples
    --------
    >>> pooled_prior(0.5, 0.5, "one_sample"), pooled_prior(0.5, 0.5, "two_sample")
    (0.5, 0.75)
    """
    return class_prior if checked(scheme) == "one_sample" else label_share + (1 - label_share) * class_prior
