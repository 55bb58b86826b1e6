"""From true labels to positive-unlabeled data: which rows train, validate and test, and what is observed of them."""

from scarce.labels.errors import Impossible
from scarce.labels.file import Labels, RepeatLabels
from scarce.labels.make import MECHANISMS, make_labels
from scarce.labels.scar import flip_count, scar_flip
from scarce.labels.splits import PLANS, holdout, subsample

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
