"""The union correction and class priors turn the risks of one sample scheme into those of the other, exactly.

Every implementation gives the same two numbers of labeled and unlabeled margins: the risk of the positives, and the
estimate of that of the negatives.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scarce.estimators.schemes import SCHEMES, pooled_prior, unlabeled_prior
from scarce.methods import boosted_risks
from scarce.methods.neural import risks as neural_risks
from scarce.scoring import without_negatives
from scarce.trees.risks import Risk, masses_of

RHO = 0.35
RISKS = ("upu", "nnpu", "imb_nnpu")


def boosted(risk, labeled, unlabeled, prior, scheme):
    s = np.arange(len(labeled) + len(unlabeled)) < len(labeled)
    weights = boosted_risks.risk_weights(risk, prior, s.mean(), RHO, scheme)
    margin = np.concatenate([labeled, unlabeled])
    size = len(s) if scheme == "one_sample" else len(unlabeled)
    positive = weights.positive * np.logaddexp(0, -labeled).sum()
    return positive / size, boosted_risks.negative_risk(margin, s, weights) / size


def neural(risk, labeled, unlabeled, prior, scheme, loss="logistic"):
    torch = pytest.importorskip("torch", reason="torch is not installed: make test-neural")
    margin = torch.tensor(np.concatenate([labeled, unlabeled]))
    s = torch.tensor(np.repeat([1.0, 0.0], [len(labeled), len(unlabeled)]))
    weights = neural_risks.risk_weights(risk, prior, RHO)
    return tuple(part.item() for part in neural_risks.risk_parts(margin, s, weights, loss, scheme))


IMPLEMENTATIONS = [
    pytest.param(partial(form, risk), risk, id=f"{form.__name__}-{risk}")
    for form in (boosted, neural)
    for risk in RISKS
]


def draw(seed):
    random = np.random.RandomState(seed)
    labeled, unlabeled = random.normal(1, 2, random.randint(1, 30)), random.normal(0, 2, random.randint(1, 60))
    share = len(labeled) / (len(labeled) + len(unlabeled))
    return labeled, unlabeled, share, random.uniform(share, 1)  # a class prior of one sample is at least the share


@pytest.mark.parametrize(("form", "risk"), IMPLEMENTATIONS)
@pytest.mark.parametrize("seed", range(5))
def test_one_sample_is_two_samples_with_labeled_rows_in_both(form, risk, seed):
    labeled, unlabeled, _, prior = draw(seed)
    union = np.concatenate([labeled, unlabeled])
    one, two = form(labeled, unlabeled, prior, "one_sample"), form(labeled, union, prior, "two_sample")
    assert one == pytest.approx(two, rel=1e-12)
    assert form(labeled, unlabeled, prior, "two_sample") != pytest.approx(two, rel=1e-3)


@pytest.mark.parametrize(("form", "risk"), IMPLEMENTATIONS)
@pytest.mark.parametrize("seed", range(5))
def test_the_prior_of_the_unlabeled_rows_makes_them_the_second_sample(form, risk, seed):
    """R_one(pi) = h E_P[l(g)] + (1 - h) R_two(u), and the part of the negatives is cut off at the same margins."""
    labeled, unlabeled, share, prior = draw(seed)
    one = form(labeled, unlabeled, prior, "one_sample")
    two = form(labeled, unlabeled, unlabeled_prior(prior, share, "one_sample"), "two_sample")
    if risk == "imb_nnpu":  # the same: rho takes the place of either class prior
        assert one == pytest.approx(two, rel=1e-9)
    else:
        of_labeled = np.logaddexp(0, -labeled).mean()
        assert one == pytest.approx((share * of_labeled + (1 - share) * two[0], (1 - share) * two[1]), rel=1e-9)


@pytest.mark.parametrize("risk", RISKS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_trees_and_networks_have_the_same_risk(risk, scheme):
    labeled, unlabeled, _, prior = draw(7)
    assert boosted(risk, labeled, unlabeled, prior, scheme) == pytest.approx(
        neural(risk, labeled, unlabeled, prior, scheme)
    )


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_metric_is_the_risk_that_networks_minimise(scheme):
    labeled, unlabeled, _, prior = draw(3)
    margins = np.concatenate([labeled, unlabeled])
    s = np.arange(len(margins)) < len(labeled)
    metric = without_negatives.pu_risk(s, margins, prior, scheme, loss="sigmoid")
    assert metric == pytest.approx(sum(neural("upu", labeled, unlabeled, prior, scheme, "sigmoid")))


def test_masses_of_a_node_follow_the_class_prior():
    """A node of one sample has h of its labeled rows' share, and the rest of what it has as two samples."""
    for seed in range(5):
        labeled, unlabeled, share, prior = draw(seed)
        sizes = float(len(labeled)), float(len(unlabeled))
        t, l = len(labeled) // 2 + len(unlabeled) // 3, len(labeled) // 2  # noqa: E741
        one = masses_of(Risk.of("nnpu", "quadratic", prior, "one_sample", *sizes), t, l)
        u = unlabeled_prior(prior, share, "one_sample")
        two = masses_of(Risk.of("nnpu", "quadratic", u, "two_sample", *sizes), t, l)
        assert one == pytest.approx([share * l / sizes[0] + (1 - share) * mass for mass in two])


@given(prior=st.floats(0.001, 0.999), share=st.floats(0.001, 0.99))
def test_priors_are_inverse_to_each_other(prior, share):
    pooled = pooled_prior(prior, share, "two_sample")
    assert pooled > share
    assert unlabeled_prior(pooled, share, "one_sample") == pytest.approx(prior, abs=1e-12)
    assert pooled_prior(prior, share, "one_sample") == unlabeled_prior(prior, share, "two_sample") == prior


@given(labeled=st.integers(1, 50), hidden=st.integers(0, 50), negatives=st.integers(1, 50))
def test_priors_are_shares_of_rows(labeled, hidden, negatives):
    unlabeled = hidden + negatives
    n, share = labeled + unlabeled, labeled / (labeled + unlabeled)
    assert unlabeled_prior((labeled + hidden) / n, share, "one_sample") == pytest.approx(hidden / unlabeled)
    assert pooled_prior(hidden / unlabeled, share, "two_sample") == pytest.approx((labeled + hidden) / n)


@pytest.mark.parametrize("prior_of", [unlabeled_prior, pooled_prior])
def test_another_scheme_is_refused(prior_of):
    with pytest.raises(ValueError, match="scheme"):
        prior_of(0.3, 0.1, "three_sample")
