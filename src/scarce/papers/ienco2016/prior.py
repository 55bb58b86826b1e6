"""Placeholders for a beta prior with the true share of positives as its mean."""

from __future__ import annotations

from scarce.config.placeholders import PLACEHOLDERS, Repeat, register

STRENGTH = 4.4 + 13.17  # alpha + beta of the authors' beta distribution


def _mean(repeat: Repeat) -> float:
    return PLACEHOLDERS["$unlabeled_prior"].value(repeat)


register(
    "$true_prior_alpha",
    f"alpha of the beta distribution with alpha + beta = {STRENGTH:g} and the mean $unlabeled_prior",
    lambda repeat: STRENGTH * _mean(repeat),
)
register(
    "$true_prior_beta",
    f"beta of the beta distribution with alpha + beta = {STRENGTH:g} and the mean $unlabeled_prior",
    lambda repeat: STRENGTH * (1.0 - _mean(repeat)),
)
