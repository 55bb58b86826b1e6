"""Layers of the networks, and their initial weights."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

ACTIVATIONS = {"relu": "ReLU", "softsign": "Softsign"}
#: Convolutions of the network for CIFAR-10 as (channels, width of the kernel, stride), and its dense layers.
CONVOLUTIONS = [(96, 3, 1), (96, 3, 1), (96, 3, 2), (192, 3, 1), (192, 3, 1), (192, 3, 2), (192, 3, 1), (192, 1, 1),
                (10, 1, 1)]  # fmt: skip
DENSE = (1000, 1000)
EPSILON = 2e-5  # of batch normalisation, as in the public code of Kiryo et al.


def mlp(n_features: int, hidden: Sequence[int], activation: str, batch_norm: bool) -> Any:
    """A multilayer perceptron n_features-hidden-1, each hidden layer with batch normalisation before its activation."""
    from torch import nn

    sizes = [n_features, *hidden]
    layers: list[Any] = []
    for width, size in itertools.pairwise(sizes):
        layers.append(nn.Linear(width, size, bias=not batch_norm))
        layers += [nn.BatchNorm1d(size, eps=EPSILON)] if batch_norm else []
        layers.append(getattr(nn, ACTIVATIONS[activation])())
    return nn.Sequential(*layers, nn.Linear(sizes[-1], 1), nn.Flatten(0))


def cnn(shape: Sequence[int], activation: str, batch_norm: bool) -> Any:
    """The convolutional network of Kiryo et al. (2017) for CIFAR-10.

    `shape` is (height, width) or (height, width, channels): rows are images in C order, channels last.
    """
    from torch import nn

    class ChannelsFirst(nn.Module):
        def forward(self, images: Any) -> Any:
            return images.movedim(-1, 1)

    height, width, channels = (*shape, 1)[:3]
    layers: list[Any] = [nn.Unflatten(1, (height, width, channels)), ChannelsFirst()]
    for size, kernel, stride in CONVOLUTIONS:
        layers.append(nn.Conv2d(channels, size, kernel, stride, padding=kernel // 2))
        layers += [nn.BatchNorm2d(size, eps=EPSILON)] if batch_norm else []
        layers.append(getattr(nn, ACTIVATIONS[activation])())
        channels, height, width = size, math.ceil(height / stride), math.ceil(width / stride)
    dense = mlp(channels * height * width, DENSE, activation, batch_norm=False)
    return nn.Sequential(*layers, nn.Flatten(), *dense)


def initialise(network: Any, generator: Any) -> None:
    """Weights from N(0, 1 / fan-in) by LeCun et al. (1998), biases 0; draws from the generator alone."""
    from torch import nn

    for module in network.modules():
        if isinstance(module, nn.Linear | nn.Conv2d):
            fan_in = module.weight[0].numel()
            nn.init.normal_(module.weight, std=1 / math.sqrt(fan_in), generator=generator)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.BatchNorm1d | nn.BatchNorm2d):
            module.reset_parameters()
