"""The classifier: networks trained by mini-batches on a risk of positive and unlabeled data."""

from __future__ import annotations

import bisect
import contextlib
import math
import time
from collections.abc import Iterator, Sequence
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from joblib import effective_n_jobs
from scipy.special import gammaln
from sklearn.utils import assert_all_finite

from scarce import extras
from scarce.estimators import checks
from scarce.estimators.base import PUClassifier
from scarce.estimators.schemes import SCHEMES, Scheme
from scarce.estimators.types import ArrayLike, Seed
from scarce.methods.base import one_seed, probability_of_margin, two_columns
from scarce.methods.neural import networks
from scarce.methods.neural.risks import LOSSES, RISKS, objective, reverses, risk_parts, risk_weights

#: Rows that are scaled or scored at once.
CHUNK = 256
#: Scaled values beyond it count as it: networks have no numbers for them.
FARTHEST = 1e30
#: Share of batches without a labeled row that deserves a note.
MANY = 0.01


class Step(NamedTuple):
    """Estimated risks of a batch before its step, and whether it has a labeled row."""

    risk: float
    negative_risk: float
    labeled: bool


class NeuralPUClassifier(PUClassifier):
    """A neural network that minimises a risk of positive and unlabeled data by mini-batches.

    Needs torch: ``pip install "scarce[neural]"``.

    Parameters
    ----------
    risk : {"upu", "nnpu", "imb_nnpu"}, default="nnpu"
        "upu" is the unbiased risk. "nnpu" keeps its estimate of the negatives' risk from falling below 0. "imb_nnpu"
        does so too, and weighs the classes as if a share `rho` were positive.
    class_prior : float in (0, 1)
        Share of positives in the population: among the unlabeled rows of "two_sample", among all rows of "one_sample".
    rho : float in (0, 1), default=0.5
        Class prior that "imb_nnpu" aims at.
    scheme : {"two_sample", "one_sample"}, default="two_sample"
        What is a sample of the population: the unlabeled rows alone, or all rows, labeled ones included. A row that
        stands in both of two samples is passed twice, once with either label.
    loss : {"sigmoid", "logistic"}, default="sigmoid"
        1 / (1 + exp(z)), or log(1 + exp(-z)).
    beta : float, default=0.0
        A step raises the estimated risk of the negatives of its batch where that is below -beta. Not used by "upu".
    gamma : float, default=1.0
        Factor of such a step.
    network : {"mlp", "cnn"}, default="mlp"
        A multilayer perceptron, or the convolutional network of Kiryo et al. for CIFAR-10.
    hidden : sequence of int, default=(300, 300, 300, 300)
        Sizes of the hidden layers of "mlp".
    shape : sequence of int or None, default=None
        Shape of a row for "cnn": (height, width), or (height, width, channels), in C order.
    activation : {"relu", "softsign"}, default="relu"
    batch_norm : bool, default=True
        Whether batches are normalised before each activation, except those of the dense layers of "cnn".
    scale : {"none", "minmax", "minmax_all"}, default="none"
        "minmax" maps each feature's range in the training rows to [0, 1], "minmax_all" the range of all features
        together, as for pixels. A new value further away than 1e30 ranges counts as that far.
    learning_rate : float, default=0.001
        Of Adam.
    weight_decay : float, default=0.005
        Its L2 penalty, of all weights and biases.
    epochs : int, default=100
        Passes over all rows.
    batch_size : int, default=1000
        An epoch is a permutation of all rows, labeled and unlabeled, cut into about n_samples / batch_size parts whose
        sizes differ by at most one.
    seconds : float or None, default=None
        Training ends after the step that exceeds it. The network then stays as it is, and a note says so.
    device : {"auto", "cpu", "cuda"}, default="auto"
        "auto" is a CUDA device where there is one.
    n_jobs : int or None, default=None
        Threads on a CPU; None is one.
    verbose : bool, default=False
        Whether each epoch prints a line.
    random_state : int, RandomState instance or None, default=None
        Seed of initial weights and batches. On a CPU with a given number of threads it determines the fit.

    Attributes
    ----------
    state_ : dict of str to ndarray
        Parameters of the network.
    device_ : str
        Where it was trained.
    low_, half_range_ : float or ndarray of shape (n_features,)
        Lowest value, and half of the range, by which features are scaled.
    facts_ : dict of str to float
        `epochs` completed; `steps`, of which `reversed_steps` raised the negatives' risk and `unlabeled_steps` had no
        labeled row; means of the estimated `risk` and `negative_risk` over the steps of the last epoch.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`. A note says if more than 1 % of batches can be expected to have no labeled row, if there
        is no CUDA device that was asked for, if there was one that made the fit, and if `seconds` ended training.

    Notes
    -----
    The mean over the labeled rows of a batch estimates the risk of positives, and the mean over its unlabeled rows (of
    one sample: over all its rows) that of the population. A batch without a labeled row has no terms of positives.
    Training is in 32 bits; scores are computed in 64 bits, so that a row's score does not depend on the rows beside it.

    References
    ----------
    du Plessis, Niu, Sugiyama (2014), Analysis of learning from positive and unlabeled data, NeurIPS. Kiryo, Niu,
    du Plessis, Sugiyama (2017), Positive-unlabeled learning with non-negative risk estimator, NeurIPS, algorithm 1 and
    section 4. Su, Chen, Xu (2021), Positive-unlabeled learning from imbalanced data, IJCAI.
    """

    _dtype = (np.float64, np.float32, np.uint8)
    _weights_refused = "batches and batch normalisation count rows"

    def __init__(
        self,
        risk: str = "nnpu",
        *,
        class_prior: float,
        rho: float = 0.5,
        scheme: Scheme = "two_sample",
        loss: str = "sigmoid",
        beta: float = 0.0,
        gamma: float = 1.0,
        network: str = "mlp",
        hidden: Sequence[int] = (300, 300, 300, 300),
        shape: Sequence[int] | None = None,
        activation: str = "relu",
        batch_norm: bool = True,
        scale: str = "none",
        learning_rate: float = 0.001,
        weight_decay: float = 0.005,
        epochs: int = 100,
        batch_size: int = 1000,
        seconds: float | None = None,
        device: str = "auto",
        n_jobs: int | None = None,
        verbose: bool = False,
        random_state: Seed = None,
    ) -> None:
        self.risk = risk
        self.class_prior = class_prior
        self.rho = rho
        self.scheme = scheme
        self.loss = loss
        self.beta = beta
        self.gamma = gamma
        self.network = network
        self.hidden = hidden
        self.shape = shape
        self.activation = activation
        self.batch_norm = batch_norm
        self.scale = scale
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.epochs = epochs
        self.batch_size = batch_size
        self.seconds = seconds
        self.device = device
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def _check_parameters(self) -> None:
        checks.choice("risk", self.risk, RISKS)
        checks.prior(self.class_prior)
        checks.number("rho", self.rho, "(0, 1)")
        checks.choice("scheme", self.scheme, SCHEMES)
        checks.choice("loss", self.loss, tuple(LOSSES))
        checks.choice("network", self.network, ("mlp", "cnn"))
        checks.choice("activation", self.activation, tuple(networks.ACTIVATIONS))
        checks.choice("scale", self.scale, ("none", "minmax", "minmax_all"))
        checks.choice("device", self.device, ("auto", "cpu", "cuda"))
        checks.choice("batch_norm", self.batch_norm, (True, False))
        for name in ("beta", "weight_decay"):
            checks.number(name, getattr(self, name), "[0, inf)")
        for name in ("gamma", "learning_rate", *(["seconds"] if self.seconds is not None else [])):
            checks.number(name, getattr(self, name), "(0, inf)")
        for name in ("epochs", "batch_size"):
            checks.whole(name, getattr(self, name), 1)
        for name in ("hidden", *(["shape"] if self.shape is not None else [])):
            sizes = getattr(self, name)
            if not (isinstance(sizes, tuple | list) and all(map(_is_size, sizes))):
                raise ValueError(f"{name} must be a list of integers of at least 1, got {sizes!r}")

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Train on all rows."""
        torch = extras.optional("torch")
        network = self._network(torch, X.shape[1])
        self.low_, self.half_range_ = self._range(X)
        self.device_ = self._device(torch)
        if self.device == "cuda" and self.device_ == "cpu":
            self.notes_.append("there is no CUDA device: trained on the CPU")
        elif self.device_ == "cuda":
            self.notes_.append(f"trained on {torch.cuda.get_device_name()}: other devices and runs give other digits")
        n_batches = max(1, min(round(len(s) / self.batch_size), len(s) // 2))  # normalisation needs two rows
        self._note_batches_without_labels(len(s), int(s.sum()), len(s) // n_batches)
        generator = torch.Generator().manual_seed(one_seed(self.random_state))
        networks.initialise(network.to_empty(device="cpu"), generator)
        with _steady(torch, effective_n_jobs(self.n_jobs), deterministic=self.device_ == "cpu"):
            features = torch.from_numpy(self._scaled(X, np.float32)).to(self.device_)
            labeled = torch.from_numpy((s == 1).astype(np.float32)).to(self.device_)
            self._train(torch, network.to(self.device_), features, labeled, n_batches, generator)
        self.state_ = {name: value.cpu().numpy() for name, value in network.state_dict().items()}

    def _train(self, torch: Any, network: Any, features: Any, labeled: Any, n_batches: int, generator: Any) -> None:
        weights = risk_weights(self.risk, self.class_prior, self.rho)
        optimizer = torch.optim.Adam(network.parameters(), lr=self.learning_rate, weight_decay=self.weight_decay)

        def step(batch: Any) -> Step:
            in_batch = labeled[batch]
            positive, negative = risk_parts(network(features[batch]), in_batch, weights, self.loss, self.scheme)
            optimizer.zero_grad()
            objective(positive, negative, weights, self.beta, self.gamma).backward()
            optimizer.step()
            return Step(float((positive + negative).detach()), float(negative.detach()), bool(in_batch.any()))

        start = time.monotonic()
        deadline = start + (math.inf if self.seconds is None else self.seconds)
        steps: list[Step] = []
        done, latest = 0, []
        while done < self.epochs:
            order = torch.randperm(len(labeled), generator=generator).to(self.device_)
            latest = _epoch(step, order.tensor_split(n_batches), deadline)
            steps += latest
            if not all(math.isfinite(one.risk) for one in latest):
                raise ValueError(
                    f"training diverged in epoch {done + 1}, its risk is no number: scale the features "
                    "(scale='minmax') or lower learning_rate"
                )
            done += len(latest) == n_batches
            if self.verbose and len(latest) == n_batches:
                risk, negative_risk, _ = np.mean(latest, axis=0)
                print(
                    f"epoch {done} of {self.epochs}: risk {risk:.4f}, of the negatives {negative_risk:.4f}, "
                    f"{time.monotonic() - start:.1f} s",
                    flush=True,
                )
            if done < self.epochs and time.monotonic() > deadline:
                self.notes_.append(
                    f"partial results: training ended after {self.seconds:g} s, {done} of {self.epochs} epochs done"
                )
                break
        self.facts_ = {
            "epochs": done,
            "steps": len(steps),
            "reversed_steps": sum(reverses(one.negative_risk, weights, self.beta) for one in steps),
            "unlabeled_steps": sum(not one.labeled for one in steps),
            "risk": float(np.mean([one.risk for one in latest])),
            "negative_risk": float(np.mean([one.negative_risk for one in latest])),
        }

    def _network(self, torch: Any, n_features: int) -> Any:
        """The layers without memory for their weights, so that nothing is drawn from torch's global generator."""
        with torch.device("meta"):
            if self.network == "mlp":
                return networks.mlp(n_features, self.hidden, self.activation, self.batch_norm)
            if self.shape is None or len(self.shape) not in (2, 3) or math.prod(self.shape) != n_features:
                raise ValueError(
                    f"network='cnn' needs shape=(height, width) or (height, width, channels) of {n_features} features, "
                    f"got {self.shape!r}"
                )
            return networks.cnn(self.shape, self.activation, self.batch_norm)

    def _device(self, torch: Any) -> str:
        return "cuda" if self.device != "cpu" and torch.cuda.is_available() else "cpu"

    def _note_batches_without_labels(self, n_rows: int, n_labeled: int, size: int) -> None:
        if (share := share_without_labels(n_rows, n_labeled, size)) > MANY:
            enough = bisect.bisect_left(
                range(n_rows), True, key=lambda size: share_without_labels(n_rows, n_labeled, size) <= MANY
            )
            self.notes_.append(
                f"{share:.0%} of the batches of {size} rows have no labeled row; batch_size={enough} leaves at most "
                f"{MANY:.0%}"
            )

    def _range(self, X: np.ndarray) -> tuple[Any, Any]:
        """Lowest value and half of the range of each feature, or of all; half is finite for numbers of any size."""
        if self.scale == "none":
            return 0.0, 0.5
        axis = 0 if self.scale == "minmax" else None
        low, high = X.min(axis).astype(np.float64), X.max(axis).astype(np.float64)
        half = high / 2 - low / 2
        return low, np.where(half > 0, half, 0.5)

    def _scaled(self, X: np.ndarray, dtype: type) -> np.ndarray:
        scaled: np.ndarray = np.empty(X.shape, dtype)
        for start in range(0, len(X), CHUNK):
            rows = X[start : start + CHUNK].astype(np.float64)
            with np.errstate(over="ignore"):
                if self.scale == "none":
                    assert_all_finite(rows.astype(np.float32), input_name="X")
                rows = (rows / 2 - self.low_ / 2) / self.half_range_
            scaled[start : start + CHUNK] = np.clip(rows, -FARTHEST, FARTHEST)
        return scaled

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Margin of the positive class, shape (n_samples,), float64."""
        X = self._read_new(X)
        torch = extras.optional("torch")
        device = self._device(torch)
        network = self._network(torch, X.shape[1]).to_empty(device="cpu")
        network.load_state_dict({name: torch.tensor(value) for name, value in self.state_.items()})
        network = network.double().to(device).eval()
        with _steady(torch, effective_n_jobs(self.n_jobs), deterministic=device == "cpu"), torch.inference_mode():
            parts = [
                network(torch.from_numpy(self._scaled(X[start : start + CHUNK], np.float64)).to(device)).cpu().numpy()
                for start in range(0, len(X), CHUNK)
            ]
        return np.concatenate(parts)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Scores of the two classes in [0, 1], shape (n_samples, 2), that rank rows as their margins do."""
        return two_columns(probability_of_margin(self.decision_function(X)))


def share_without_labels(n_rows: int, n_labeled: int, size: int) -> float:
    """Probability that `size` rows drawn without replacement from `n_rows` have no labeled row.

    >>> round(share_without_labels(10, 2, 5), 6)  # 8/10 * 7/9 * 6/8 * 5/7 * 4/6
    0.222222
    """
    others = n_rows - n_labeled
    if size > others:
        return 0.0
    ways, all_ways = (gammaln(n + 1) - gammaln(n - size + 1) for n in (others, n_rows))
    return float(np.exp(ways - all_ways))


def _is_size(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1


def _epoch(step: Any, batches: Sequence, deadline: float) -> list[Step]:
    """The steps of an epoch; it ends after the first one that is over at the deadline or later."""
    steps = []
    for batch in batches:
        steps.append(step(batch))
        if time.monotonic() > deadline:
            break
    return steps


@contextlib.contextmanager
def _steady(torch: Any, threads: int, *, deterministic: bool) -> Iterator[None]:
    """A number of threads, and deterministic algorithms where they exist; both are restored afterwards."""
    threads_before = torch.get_num_threads()
    before = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(deterministic)
    try:
        yield
    finally:
        torch.set_num_threads(threads_before)
        torch.use_deterministic_algorithms(before[0], warn_only=before[1])
