"""Binary decision trees and forests, by one engine.

``codes`` turns features into integers, ``groups`` and ``splitter`` search a node, ``criteria`` score cuts, ``grow``
builds a tree, ``categorical`` one with levels, ``random_growth`` one of random cuts by the ``risks`` of PU data,
``walk`` sends rows down; ``tree``, ``forest`` and ``extra_trees`` are the estimators.
"""

from __future__ import annotations

from .extra_trees import PUBaggingExtraTreesClassifier, PUExtraTreesClassifier
from .forest import ForestClassifier, PUHellingerForestClassifier
from .nodes import export_text
from .tree import PUHellingerTreeClassifier, TreeClassifier

__all__ = [
    "ForestClassifier",
    "PUBaggingExtraTreesClassifier",
    "PUExtraTreesClassifier",
    "PUHellingerForestClassifier",
    "PUHellingerTreeClassifier",
    "TreeClassifier",
    "export_text",
    "warm",
]


def warm() -> None:
    """Compile every kernel, or load it from numba's cache, so that jobs that start together need not do so."""
    import gc

    import numpy as np

    X = np.arange(24.0).reshape(12, 2)
    s = np.arange(12) % 3 == 0
    collects = gc.isenabled()
    gc.disable()  # the compiler makes many objects that stay; searching cycles among them takes a tenth of the time
    try:
        PUHellingerForestClassifier(0.4, n_estimators=2, random_state=0).fit(X, s).predict_proba(X)
        TreeClassifier("hellinger", categorical=[0]).fit(X, s)
        for features in (X, X + 0.5):  # bytes and floats
            PUExtraTreesClassifier(0.4, n_estimators=2, random_state=0).fit(features, s).predict_proba(features)
        PUExtraTreesClassifier(0.4, n_estimators=2, random_state=0).fit(X.astype(np.uint8), s)
    finally:
        if collects:
            gc.enable()
