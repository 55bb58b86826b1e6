"""The public API by topic: what users import, what the reference documents, and what releases keep.

Registered estimators and estimators of the class prior are public by their records; the rest is named here.
"""

from __future__ import annotations

from collections.abc import Iterable

from scarce import trees
from scarce.prior import ESTIMATORS
from scarce.registry import METHODS, Method

NAMED = {
    "trees": (
        "Trees and forests",
        {"scarce.trees": tuple(trees.__all__)},
    ),
    "methods": ("Other methods", {}),
    "class_prior": (
        "Class prior and SCAR",
        {"scarce.prior": ("estimate_class_prior", "class_prior_interval", "PriorInterval", "DoubtfulPrior"),
         "scarce.prior.scar_test": ("scar_test", "ScarTest")},
    ),
    "without_negatives": (
        "Metrics without negatives",
        {"scarce.scoring.without_negatives": (
            "labeled_share", "unlabeled_prior", "positive_rate", "recall", "recall_margin", "precision", "f1",
            "accuracy", "accuracy_as_coded", "mcc", "cost", "top", "lee_liu", "pu_auc", "auc_given_prior", "aul",
            "average_precision", "pu_risk", "bounds", "auc_bounds")},
    ),
    "metrics": (
        "Metrics of true labels",
        {"scarce.scoring.ranking": ("Ranking", "average_precision", "roc_auc"),
         "scarce.scoring.thresholds": ("best_f1",),
         "scarce.scoring.top": ("Top", "top_of"),
         "scarce.scoring.metrics": ("Metric",)},
    ),
    "statistics": (
        "Ranks and tests",
        {"scarce.analysis.ranks": ("rank_blocks", "average_ranks", "block_matrix", "Blocks"),
         "scarce.analysis.tests": ("friedman", "friedman_tie_corrected", "iman_davenport", "holm", "nemenyi",
                                   "critical_difference", "cliques", "Omnibus"),
         "scarce.analysis.exact": ("signed_rank", "SignedRank"),
         "scarce.analysis.signed_rank": ("signed_rank",),
         "scarce.analysis.one_dataset": ("compare", "standard_error", "repeats_needed")},
    ),
    "extending": (
        "To build on",
        {"scarce.registry": ("register", "Method"),
         "scarce.estimators.base": ("PUClassifier",),
         "scarce.assumed": ("Assumed", "Sentence", "say", "assumptions")},
    ),
}  # fmt: skip
"""Topic: its title, and public names by module, each in the order of the reference."""


def _recorded(records: Iterable[Method]) -> list[str]:
    """Full names of what records of this package load, each once."""
    return list(dict.fromkeys(record.target.replace(":", ".") for record in records if record.own))


def by_topic() -> dict[str, list[str]]:
    """Full names of all public classes and functions by topic, registered ones among them.

    Returns
    -------
    dict of str to list of str
        Keys are those of `NAMED`.
    """
    topics = {
        topic: [f"{module}.{name}" for module, names in modules.items() for name in names]
        for topic, (_, modules) in NAMED.items()
    }
    named = {name for names in topics.values() for name in names}
    topics["methods"] += [name for name in _recorded(METHODS.values()) if name not in named]
    topics["class_prior"] += _recorded(ESTIMATORS.values())
    return topics
