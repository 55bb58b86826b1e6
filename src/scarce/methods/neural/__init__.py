"""Neural networks that minimise a risk of positive and unlabeled data; they need the extra `neural` (torch).

`risks` has the risks of a batch, `networks` the layers, `classifier` the training. Nothing here imports torch before it
is used.
"""

from scarce.methods.neural.classifier import NeuralPUClassifier

__all__ = ["NeuralPUClassifier"]
