"""Networks on PU risks: the risks by hand, what they learn, and what makes a fit repeatable."""

import math
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_moons

from scarce.fitting.worker import run_each
from scarce.methods.neural import NeuralPUClassifier, networks
from scarce.methods.neural.classifier import share_without_labels
from scarce.methods.neural.risks import RISKS, objective, risk_parts, risk_weights
from tests.contract.method_checks import pu_data

torch = pytest.importorskip("torch", reason="torch is not installed: make test-neural")

LN3 = math.log(3)  # the sigmoid loss of 0, ln 3 and -ln 3 is 1/2, 1/4 and 3/4; its slopes are 1/4, 3/16 and 3/16


def step(p, u, weights, loss="sigmoid", beta=0.0, gamma=1.0):
    """Both risks of a batch with margins `p` of labeled and `u` of unlabeled rows, and the gradient of its step."""
    margin = torch.tensor([*p, *u], dtype=torch.float64, requires_grad=True)
    labeled = torch.tensor([1.0] * len(p) + [0.0] * len(u), dtype=torch.float64)
    positive, negative = risk_parts(margin, labeled, weights, loss)
    objective(positive, negative, weights, beta, gamma).backward()
    return positive.item(), negative.item(), margin.grad.tolist()


@pytest.mark.parametrize("risk", ["upu", "nnpu"])
def test_risk_by_hand(risk):
    """0.4 * (1/2 + 1/4)/2, and (3/4 + 1/4)/2 - 0.4 * (1/2 + 3/4)/2."""
    positive, negative, gradient = step([0, LN3], [LN3, -LN3], risk_weights(risk, 0.4))
    assert positive == pytest.approx(0.15)
    assert negative == pytest.approx(0.25)
    assert gradient == pytest.approx([-0.4 * 0.25, -0.4 * 0.1875, 0.1875 / 2, 0.1875 / 2])


NEGATIVE = [0, LN3], [-LN3, -LN3]  # (1/4 + 1/4)/2 - 0.8 * (1/2 + 3/4)/2 = -1/4


def test_the_unbiased_risk_goes_on_below_zero():
    positive, negative, gradient = step(*NEGATIVE, risk_weights("upu", 0.8))
    assert (positive, negative) == pytest.approx((0.3, -0.25))
    assert gradient == pytest.approx([-0.8 * 0.25, -0.8 * 0.1875, 0.1875 / 2, 0.1875 / 2])


@pytest.mark.parametrize("gamma", [1.0, 0.5])
def test_the_non_negative_risk_turns_round_below_zero(gamma):
    positive, negative, gradient = step(*NEGATIVE, risk_weights("nnpu", 0.8), gamma=gamma)
    assert (positive, negative) == pytest.approx((0.3, -0.25))
    raised = [0.4 * 0.25, 0.4 * 0.1875, -0.1875 / 2, -0.1875 / 2]
    assert gradient == pytest.approx([gamma * one for one in raised])


def test_beta_is_how_far_below_zero_it_may_fall():
    whole = [-0.8 * 0.25, -0.8 * 0.1875, 0.1875 / 2, 0.1875 / 2]
    assert step(*NEGATIVE, risk_weights("nnpu", 0.8), beta=0.3)[2] == pytest.approx(whole)
    assert step(*NEGATIVE, risk_weights("nnpu", 0.8), beta=0.2)[2] != pytest.approx(whole)


def test_imbalanced_risk_by_hand():
    """Positives weigh 0.5; what remains is multiplied by (1 - 0.5) / (1 - 0.4) = 5/6."""
    positive, negative, gradient = step([0, LN3], [LN3, -LN3], risk_weights("imb_nnpu", 0.4))
    assert (positive, negative) == pytest.approx((0.1875, 0.25 * 5 / 6))
    p, u = -(0.5 + 5 / 6 * 0.4) / 2, 5 / 6 / 2
    assert gradient == pytest.approx([p * 0.25, p * 0.1875, u * 0.1875, u * 0.1875])
    _, negative, gradient = step(*NEGATIVE, risk_weights("imb_nnpu", 0.8))  # (1 - 0.5) / (1 - 0.8) = 2.5
    assert negative == pytest.approx(-0.625)
    assert gradient == pytest.approx([1 * 0.25, 1 * 0.1875, -1.25 * 0.1875, -1.25 * 0.1875])


def test_imbalanced_risk_at_its_own_prior_is_the_plain_one():
    assert risk_weights("imb_nnpu", 0.3, 0.3) == pytest.approx(risk_weights("nnpu", 0.3))


def test_logistic_loss_by_hand():
    positive, negative, gradient = step([0], [LN3], risk_weights("nnpu", 0.4), "logistic")
    assert (positive, negative) == pytest.approx((0.4 * math.log(2), math.log(4) - 0.4 * math.log(2)))
    assert gradient == pytest.approx([-0.4, 0.75])
    far = step([1e4], [-1e4], risk_weights("nnpu", 0.4), "logistic", beta=math.inf)
    assert far[:2] == pytest.approx((0, -4000))


@pytest.mark.parametrize("risk", RISKS)
def test_a_batch_without_labeled_rows_has_the_unlabeled_term_alone(risk):
    weights = risk_weights(risk, 0.4)
    positive, negative, gradient = step([], [LN3, -LN3], weights)
    assert (positive, negative) == pytest.approx((0, 0.5 * weights.unlabeled))
    assert gradient == pytest.approx([0.09375 * weights.unlabeled] * 2)


def moons(n_labeled=100, seed=0):
    """Two samples: labeled positives, and all rows with them once more; new rows and their true labels."""
    X, y = make_moons(1500, noise=0.15, random_state=seed)
    p = np.random.RandomState(seed).choice(np.flatnonzero(y), n_labeled, replace=False)
    s = np.repeat([1, 0], [n_labeled, len(X)])
    return np.vstack([X[p], X]), s, *make_moons(1000, noise=0.15, random_state=seed + 1)


def small(**arguments):
    defaults = {"class_prior": 0.5, "hidden": (32, 32), "epochs": 3, "batch_size": 200, "random_state": 0}
    return NeuralPUClassifier(**defaults | arguments)


@pytest.mark.parametrize("risk", RISKS)
def test_moons_are_told_apart(risk):
    X, s, new, y = moons()
    model = small(risk=risk, epochs=60).fit(X, s)
    assert (model.predict(new) == y).mean() > 0.95
    line = small(risk=risk, epochs=60, hidden=()).fit(X, s)
    assert (line.predict(new) == y).mean() < 0.92, "a network without hidden layers draws a line"
    np.testing.assert_array_equal(model.predict(new), model.decision_function(new) > 0)


def test_the_non_negative_risk_stays_near_zero_where_the_unbiased_one_falls():
    X, s, _ = pu_data(400, 20, n_features=20)
    facts = {
        risk: small(risk=risk, epochs=40, class_prior=0.3, loss="logistic", learning_rate=0.01).fit(X, s).facts_
        for risk in ("upu", "nnpu")
    }
    assert facts["upu"]["negative_risk"] < -0.2
    assert facts["upu"]["reversed_steps"] == 0
    assert facts["nnpu"]["negative_risk"] > -0.1
    assert facts["nnpu"]["reversed_steps"] > 0


def test_a_seed_determines_the_fit_and_nothing_global_is_left_changed():
    X, s, new, _ = moons()
    torch.manual_seed(5)
    before = torch.get_rng_state(), torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    first = small().fit(X, s).decision_function(new)
    after = torch.get_rng_state(), torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    assert torch.equal(before[0], after[0])
    assert before[1:] == after[1:]
    torch.manual_seed(6)
    np.testing.assert_array_equal(small().fit(X, s).decision_function(new), first)
    assert np.abs(small(random_state=1).fit(X, s).decision_function(new) - first).max() > 1e-3


def test_a_forked_process_gives_the_same_fit():
    """Also where this process has used torch before."""
    X, s, new, _ = moons()
    expected = small().fit(X, s).decision_function(new)
    (outcome,) = run_each(lambda _: small().fit(X, s).decision_function(new), [0], 60)
    assert outcome.status == "done"
    np.testing.assert_array_equal(outcome.value, expected)


def test_clones_and_pickles():
    X, s, new, _ = moons()
    model = small().fit(X, s)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(new), model.decision_function(new))
    assert clone(model).get_params() == model.get_params()


@pytest.mark.parametrize("scale", ["minmax", "minmax_all"])
def test_scaled_features_do_not_depend_on_their_unit(scale):
    X, s, new, _ = moons()
    X, new = X.astype(np.float32).astype(float), new.astype(np.float32).astype(float)
    plain, other = small(scale=scale).fit(X, s), small(scale=scale).fit(1024 * X, s)
    np.testing.assert_array_equal(other.decision_function(1024 * new), plain.decision_function(new))


def test_ranges_of_features():
    X = np.array([[0, 5, 100], [10, 5, 0], [5, 5, 50], [2, 5, 25]], float)
    model = small(scale="minmax", epochs=1).fit(X, [1, 1, 0, 0])
    assert model._scaled(X, np.float32).tolist()[:3] == [[0, 0, 1], [1, 0, 0], [0.5, 0, 0.5]]
    assert model._scaled(np.array([[20.0, 1e300, -100]]), np.float64).tolist() == [[2, 1e30, -1]]
    model = small(scale="minmax_all", epochs=1).fit(X.astype(np.uint8), [1, 1, 0, 0])
    assert model._scaled(X[:1].astype(np.uint8), np.float64).tolist() == [[0, 0.05, 1]]
    huge = small(scale="minmax", epochs=1).fit(np.array([[-1.7e308], [1.7e308], [0.0]]), [1, 0, 0])
    assert huge._scaled(np.array([[0.0], [1.7e308]]), np.float64).tolist() == [[0.5], [1]]


def test_a_limit_of_seconds_keeps_what_was_learned(capsys):
    X, s, new, _ = moons()
    model = small(seconds=1e-6, epochs=50, verbose=True).fit(X, s)
    assert capsys.readouterr().out == "", "no epoch was completed"
    assert (model.facts_["epochs"], model.facts_["steps"]) == (0, 1)
    assert any("0 of 50 epochs" in note for note in model.notes_)
    assert np.isfinite(model.predict_proba(new)).all()
    assert small(seconds=100).fit(X, s).notes_ == []


def test_batches():
    X, s, _, _ = moons()  # 1600 rows
    for size, batches in ((200, 8), (1000, 2), (1100, 1), (10**6, 1), (1, 800)):
        assert small(batch_size=size, epochs=1).fit(X, s).facts_["steps"] == batches, size
    assert small(epochs=4).fit(X, s).facts_["epochs"] == 4


def test_many_batches_without_a_labeled_row_are_noted_and_counted():
    X, s, new, _ = moons(n_labeled=4)
    model = small(batch_size=100).fit(X, s)
    expected = share_without_labels(len(s), 4, 100)
    assert 0.7 < expected < 0.85
    assert model.facts_["unlabeled_steps"] / model.facts_["steps"] == pytest.approx(expected, abs=0.15)
    (note,) = model.notes_
    assert f"{expected:.0%}" in note
    enough = int(note.partition("batch_size=")[2].split()[0])
    assert share_without_labels(len(s), 4, enough) <= 0.01 < share_without_labels(len(s), 4, enough - 1)
    assert np.isfinite(model.predict_proba(new)).all()
    assert small(batch_size=enough).fit(X, s).notes_ == []


def test_each_epoch_prints_a_line_if_wanted(capsys):
    X, s, *_ = moons()
    small().fit(X, s)
    assert capsys.readouterr().out == ""
    model = small(verbose=True).fit(X, s)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"epoch {i} of 3" for i in (1, 2, 3)]
    assert f"risk {model.facts_['risk']:.4f}" in lines[-1]


def test_a_device_that_is_absent_is_noted():
    X, s, *_ = moons()
    model = small(device="cuda", epochs=1).fit(X, s)
    assert model.device_ == ("cuda" if torch.cuda.is_available() else "cpu")
    assert len(model.notes_) == 1
    assert small(device="cpu", epochs=1).fit(X, s).notes_ == []


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device")
def test_a_cuda_device_learns_the_same():
    X, s, new, y = moons()
    model = small(device="cuda", epochs=60).fit(X, s)
    assert (model.predict(new) == y).mean() > 0.95
    scores = model.decision_function(new)
    np.testing.assert_allclose(model.set_params(device="cpu").decision_function(new), scores, rtol=1e-9, atol=1e-9)


def test_layers_of_the_perceptron():
    layers = [type(layer).__name__ for layer in networks.mlp(7, (5, 4), "softsign", True)]
    assert layers == [*["Linear", "BatchNorm1d", "Softsign"] * 2, "Linear", "Flatten"]
    sizes = [tuple(value.shape) for value in networks.mlp(784, [300] * 4, "relu", False).parameters()]
    assert sizes == [(300, 784), (300,), *[(300, 300), (300,)] * 3, (1, 300), (1,)]


def test_layers_of_the_convolutional_network():
    with torch.device("meta"):
        network = networks.cnn((32, 32, 3), "relu", True)
    kernels = [3 * 3 * 3 * 96, 96 * 9 * 96, 96 * 9 * 96, 96 * 9 * 192, *[192 * 9 * 192] * 3, 192 * 192, 192 * 10]
    channels = 3 * (3 * 96 + 5 * 192 + 10)  # bias, and scale and shift of the normalisation
    dense = 640 * 1000 + 1000 + 1000 * 1000 + 1000 + 1000 + 1
    assert sum(value.numel() for value in network.parameters()) == sum(kernels) + channels + dense
    assert network(torch.empty(5, 3072, device="meta")).shape == (5,)


def test_images_are_read_with_channels_last():
    rows = torch.arange(24.0).reshape(2, 12)
    images = networks.cnn((2, 2, 3), "relu", True)[:2](rows).numpy()
    np.testing.assert_array_equal(images, rows.numpy().reshape(2, 2, 2, 3).transpose(0, 3, 1, 2))


def test_a_convolutional_network_is_trained():
    random = np.random.RandomState(0)
    images = random.randint(0, 256, (60, 6, 5)).astype(np.uint8)
    images[:30, :3] //= 4  # the upper half of a positive is dark
    X, s = images.reshape(60, -1), (np.arange(60) < 20).astype(int)
    model = NeuralPUClassifier(
        network="cnn", shape=[6, 5], class_prior=0.25, scale="minmax_all", learning_rate=1e-4, epochs=20, batch_size=30,
        random_state=0,
    )  # fmt: skip
    score = model.fit(X, s).predict_proba(X)[:, 1]
    assert score[20:30].mean() > score[30:].mean() + 0.1
    np.testing.assert_allclose(model.predict_proba(X[:1])[:, 1], score[:1], rtol=0, atol=1e-9)


def test_initial_weights_have_the_variance_of_their_inputs():
    network = networks.mlp(400, (300,), "relu", False)
    networks.initialise(network, torch.Generator().manual_seed(0))
    first, bias, *_ = network.parameters()
    assert float(first.detach().std()) == pytest.approx(1 / 20, rel=0.02)
    assert not bias.any()


def test_training_that_diverges_is_a_clear_error():
    X, s, _ = pu_data()
    with pytest.raises(ValueError, match=r"diverged in epoch \d+.*minmax"):
        small(loss="logistic", batch_norm=False, learning_rate=1e30, epochs=9).fit(X, s)


def test_a_number_too_large_for_32_bits_is_a_clear_error():
    X, s, new = pu_data()
    model = small(epochs=1).fit(X, s)
    new[3, 1] = X[5, 0] = 1e39
    for wrong in (lambda: model.predict_proba(new), lambda: model.fit(X, s)):
        with pytest.raises(ValueError, match=r"^Input X contains infinity or a value too large"):
            wrong()


@pytest.mark.parametrize(
    "arguments",
    [
        {"risk": "pn"}, {"class_prior": 1}, {"class_prior": None}, {"rho": 0}, {"loss": "hinge"}, {"beta": -1},
        {"gamma": 0}, {"network": "rnn"}, {"hidden": 300}, {"hidden": None}, {"hidden": [0]}, {"hidden": [2.5]},
        {"activation": "tanh"},
        {"batch_norm": "yes"}, {"scale": None}, {"learning_rate": 0}, {"weight_decay": -1}, {"epochs": 0},
        {"batch_size": 0.5}, {"seconds": 0}, {"device": "tpu"}, {"shape": "4"},
        {"network": "cnn", "shape": None}, {"network": "cnn", "shape": [3, 3]}, {"network": "cnn", "shape": [4]},
    ],
    ids=str,
)  # fmt: skip
def test_wrong_parameters_are_clear_errors(arguments):
    X, s, _ = pu_data()
    *_, name = arguments
    with pytest.raises(ValueError, match=name):
        small(**arguments).fit(X, s)
