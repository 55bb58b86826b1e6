"""Hide labels completely at random (SCAR): every positive is as likely to lose its label as any other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, Field

from scarce.config.block import Share
from scarce.estimators.schemes import WORDS, Scheme
from scarce.labels.records import Impossible, LabelingSettings, Scenario, labeling

if TYPE_CHECKING:
    import numpy as np

    from scarce.labels.sample import Draw, Population, Sample

ROUNDING = {
    "ceil": math.ceil,
    "round": lambda x: math.floor(x + Fraction(1, 2)),
    "floor": math.floor,
}


def _ratio(value: float) -> float:
    if not 0 < round(value, 6) < 1:
        raise ValueError(f"{value!r} is too close to 0 or 1 to be a share of positives")
    return value


#: Shares of the positives whose label is hidden, a scenario each.
FlipRatios = Annotated[list[Annotated[Share, AfterValidator(_ratio)]], Field(min_length=1)]


class Scar(LabelingSettings):
    """Selected completely at random: a share of the positives, drawn at random, is unlabeled.

    With ``two_sample`` that is the share of all rows that is the unlabeled sample. Of the other rows, positives are
    the labeled sample, and negatives are left out: nobody draws them. So no row stands in both samples, and they are
    independent of each other, as in the derivation of the risks of two samples (du Plessis et al. 2015). Labeled rows
    are those of ``one_sample`` with the same flip ratio: the two compare methods on the same labels. The price is
    unlabeled rows, of which a share ``1 - flip_ratio`` of the negatives is lost. (The labeling ``two_sample`` loses
    none; there, labeled rows stand among the unlabeled ones as well.)
    """

    flip_ratios: FlipRatios = Field(description="shares of the positives whose label is hidden, in (0, 1)")
    prior_factors: list[Annotated[float, Field(ge=0.01, le=100)]] = Field(
        [1.0], min_length=1, description="factors of the class prior that methods are given; 1 leaves it as it is"
    )
    scheme: Scheme = Field(
        "one_sample",
        description="one_sample: some positives of one sample are labeled. two_sample: the unlabeled rows are a sample "
        "with the class prior of all rows, and the labeled rows are positives apart from it",
    )

    @property
    def draws_rows(self) -> bool:
        return self.scheme == "two_sample"

    def scenarios(self) -> list[Scenario]:
        # values that print alike are one scenario: 0.30000000000000004 and 0.3, 0.5 and .50
        ratios = dict.fromkeys(round(ratio, 6) for ratio in self.flip_ratios)
        factors = dict.fromkeys(float(f"{factor:g}") for factor in self.prior_factors)
        return [self._scenario(ratio, factor) for ratio in ratios for factor in factors]

    def _scenario(self, ratio: float, factor: float) -> Scenario:
        name, label = f"flip-{round(100 * ratio, 4):g}", f"{100 * ratio:g} % flip ratio"
        if self.scheme != "one_sample":
            label = f"{label}, {WORDS[self.scheme]}"
        if factor != 1:
            name, label = f"{name}-prior-{factor:g}", f"{label}, class prior x {factor:g}"
        axes = {"flip_ratio": ratio}
        return Scenario(name=name, label=label, labeling="scar", scheme=self.scheme, axes=axes, prior_factor=factor)

    def notes(self) -> list[str]:
        """Values that are one number and so make one scenario."""
        return alike({"flip ratios": self.flip_ratios, "prior factors": self.prior_factors}, self.scenarios())


def alike(values: Mapping[str, Sequence], scenarios: Sequence[Scenario]) -> list[str]:
    """A note where fewer scenarios than combinations of the values are left, since some values are one number."""
    if math.prod(map(len, values.values())) == len(scenarios):
        return []
    counts = " x ".join(f"{len(several)} {what}" for what, several in values.items() if len(several) > 1)
    names = ", ".join(scenario.name for scenario in scenarios)
    return [f"{counts}, but some are one number: {len(scenarios)} scenarios ({names})"]


@labeling("scar", Scar)
def observe(population: Population, scenario: Scenario, draw: Draw) -> Sample:
    """All rows, a share of whose positives is unlabeled; with two samples, without a part of the negatives."""
    ratio, rule = scenario.axes["flip_ratio"], draw.options.flip_count
    s = scar_flip(population.y, ratio, seed=draw.seed("flip"), rule=rule)
    if scenario.scheme == "one_sample":
        return population.sample(s)
    rows = two_samples(population.y, s, seed=draw.seed("negatives"))
    return population.sample(s[rows], rows)


def flip_count(n_positives: int, ratio: float, rule: str = "ceil") -> int:
    """How many of the positives lose their label.

    The ratio is read as the decimal it is written as, so that 7 % of 100 is 7 under every rule (in binary floating
    point 0.07 * 100 is a little more than 7).

    Parameters
    ----------
    n_positives : int
        Number of positives, labeled ones included.
    ratio : float
        Share of the positives to hide, in [0, 1].
    rule : {"ceil", "round", "floor"}
        What to do with a fraction of a row; "round" takes a half up (not to the even neighbour).

    Returns
    -------
    int
        Number of positives to hide, in [0, n_positives].

    Raises
    ------
    ValueError
        If the ratio is outside [0, 1] or the rule unknown.
    """
    if not 0 <= ratio <= 1:
        raise ValueError(f"flip ratio must lie in [0, 1], got {ratio}")
    if rule not in ROUNDING:
        raise ValueError(f"flip count rule must be one of {', '.join(ROUNDING)}, got {rule!r}")
    return ROUNDING[rule](Fraction(str(float(ratio))) * int(n_positives))


def scar_flip(y, ratio: float, *, seed: int, rule: str = "ceil") -> np.ndarray:
    """Hide the labels of a random part of the positives.

    For one seed the hidden sets are nested: what 25 % hides, 50 % hides as well.

    Parameters
    ----------
    y : array-like of shape (n,)
        True labels, 1 or 0.
    ratio : float
        Share of the positives to hide, in [0, 1].
    seed : int
        Seed of a legacy ``RandomState``, whose stream is the same on every platform and numpy version.
    rule : {"ceil", "round", "floor"}
        See `flip_count`.

    Returns
    -------
    ndarray of shape (n,), int8
        Observed labels: 1 labeled positive, 0 unlabeled.

    Raises
    ------
    Impossible
        A ValueError: no labeled positive would be left.

    References
    ----------
    Ortega Vazquez, vanden Broucke, De Weerdt (2023), section 4 (flip ratios 25, 50 and 75 %, ``rule="ceil"``).
    """
    import numpy as np

    s = (np.asarray(y) == 1).astype(np.int8)
    positives = np.flatnonzero(s)
    hidden = flip_count(len(positives), ratio, rule)
    if hidden == len(positives):
        raise Impossible(
            f"no labeled positive is left: hiding {ratio:.0%} of {len(positives)} positives ({rule}) hides {hidden}"
        )
    # choice without replacement is the head of one permutation; this is what nests the hidden sets
    s[positives[np.random.RandomState(seed).choice(len(positives), hidden, replace=False)]] = 0
    return s


def two_samples(y, s, *, seed: int) -> np.ndarray:
    """Rows of two samples: labeled positives, and unlabeled rows with the class prior of all rows.

    All positives stay, and as many negatives as make the class prior of the unlabeled rows that of all rows, up to half
    a row. For one seed the negatives are nested as the hidden positives of `scar_flip` are.

    Parameters
    ----------
    y : array-like of shape (n,)
        True labels, 1 or 0.
    s : array-like of shape (n,)
        Observed labels, 1 or 0.
    seed : int
        Seed of a legacy ``RandomState``.

    Returns
    -------
    ndarray of shape (m,)
        Rows, in order.

    Raises
    ------
    Impossible
        A ValueError: the unlabeled sample would have no positive, or no negative.
    """
    import numpy as np

    y, s = np.asarray(y), np.asarray(s)
    positives, negatives = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    hidden = int((s[positives] == 0).sum())
    kept = ROUNDING["round"](Fraction(len(negatives) * hidden, len(positives)))
    if not (hidden and kept):
        raise Impossible(
            f"the unlabeled sample has no {'negative' if hidden else 'positive'} row: {hidden} of {len(positives)} "
            f"positives and {kept} of {len(negatives)} negatives are drawn"
        )
    drawn = np.random.RandomState(seed).choice(negatives, kept, replace=False)
    return np.sort(np.concatenate([positives, drawn]))
