"""From true labels to positive-unlabeled data: which rows train, validate and test, and what is observed of them."""

from pubench.labels.errors import Impossible
from pubench.labels.file import Labels, RepeatLabels
from pubench.labels.make import MECHANISMS, make_labels
from pubench.labels.scar import flip_count, scar_flip
from pubench.labels.splits import PLANS, holdout, subsample

__all__ = [
    "MECHANISMS",
    "PLANS",
    "Impossible",
    "Labels",
    "RepeatLabels",
    "flip_count",
    "holdout",
    "make_labels",
    "scar_flip",
    "subsample",
]
