"""Risks of a batch of positive and unlabeled rows, and what a step of training descends.

With a loss ``l(z)`` that is large where the margin z is negative, each risk is

    positive * E_P l(g)   +   unlabeled * E_U l(-g) - negative * E_P l(-g)

where E_P is the mean over the labeled rows of the batch and E_U that over those of its rows that stand for the
population: all rows of one sample, labeled ones included, and the unlabeled rows of two samples. The second and third
term together estimate the risk of the negatives. A mean over no rows is 0, so a batch without a labeled row has the
term of the unlabeled rows alone (public code of Kiryo et al., 2017).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from scarce.estimators.schemes import Scheme

RISKS = ("upu", "nnpu", "imb_nnpu")


class RiskWeights(NamedTuple):
    """Weights of E_P l(g), of -E_P l(-g) and of E_U l(-g).

    If `clipped`, a step raises the estimated risk of the negatives where that is below -beta.
    """

    positive: float
    negative: float
    unlabeled: float
    clipped: bool


def risk_weights(risk: str, class_prior: float, rho: float = 0.5) -> RiskWeights:
    """Weights of a risk; `class_prior` is that of the population, `rho` the one to aim at.

    References
    ----------
    uPU: du Plessis, Niu, Sugiyama (2014, 2015). nnPU: Kiryo et al. (2017). Imbalanced nnPU: Su, Chen, Xu (2021).
    """
    to_negatives = (1 - rho) / (1 - class_prior)
    return {
        "upu": RiskWeights(class_prior, class_prior, 1.0, False),
        "nnpu": RiskWeights(class_prior, class_prior, 1.0, True),
        "imb_nnpu": RiskWeights(rho, to_negatives * class_prior, to_negatives, True),
    }[risk]


def _sigmoid(margin: Any) -> Any:
    return (-margin).sigmoid()


def _logistic(margin: Any) -> Any:
    return (-margin).logaddexp(margin.new_zeros(()))


#: l(z): 1 / (1 + exp(z)), or log(1 + exp(-z)).
LOSSES: dict[str, Callable[[Any], Any]] = {"sigmoid": _sigmoid, "logistic": _logistic}


def risk_parts(
    margin: Any, labeled: Any, weights: RiskWeights, loss: str, scheme: Scheme = "two_sample"
) -> tuple[Any, Any]:
    """Risk of the positives and estimated risk of the negatives in a batch.

    Parameters
    ----------
    margin : torch.Tensor of shape (n,)
    labeled : torch.Tensor of shape (n,), of the same type
        1 labeled, 0 unlabeled.
    weights : RiskWeights
    loss : {"sigmoid", "logistic"}
    scheme : {"one_sample", "two_sample"}

    Returns
    -------
    positive, negative : torch.Tensor of shape ()
    """
    of = LOSSES[loss]
    in_p = labeled / labeled.sum().clamp(min=1)
    population = labeled.new_ones(labeled.shape) if scheme == "one_sample" else 1 - labeled
    in_u = population / population.sum().clamp(min=1)
    positive = weights.positive * (in_p * of(margin)).sum()
    negative = ((weights.unlabeled * in_u - weights.negative * in_p) * of(-margin)).sum()
    return positive, negative


def reverses(negative: float, weights: RiskWeights, beta: float) -> bool:
    """Whether a step raises the risk of the negatives, because its estimate is below -beta."""
    return weights.clipped and negative < -beta


def objective(positive: Any, negative: Any, weights: RiskWeights, beta: float, gamma: float) -> Any:
    """What a step descends: the whole risk, or -gamma times the risk of the negatives (Kiryo et al., algorithm 1)."""
    if reverses(float(negative.detach()), weights, beta):
        return -gamma * negative
    return positive + negative
