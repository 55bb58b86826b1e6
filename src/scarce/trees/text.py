"""A tree in words."""

from __future__ import annotations

import math

from sklearn.utils.validation import check_is_fitted

from .categorical import MISSING
from .nodes import Tree


def branch_levels(nodes: Tree, node: int) -> dict[int, list[str]]:
    """The branches of a split by levels, in the order of the nodes, and the levels that lead to each."""
    levels = {}
    upper = math.inf
    while nodes.children_left[node] >= 0:
        lower, child = nodes.threshold[node], int(nodes.children_right[node])
        if nodes.n_node_samples[child] > 0:
            levels[child] = [*range(math.ceil(lower), math.ceil(upper)), *levels.get(child, [])]
        upper, node = lower, nodes.children_left[node]
    return {
        child: ["missing" if level == MISSING else str(level) for level in levels[child]] for child in sorted(levels)
    }


def export_text(tree, feature_names=None, *, decimals: int = 3, max_depth: int | None = None) -> str:
    """The rules of a tree, one line a node.

    Parameters
    ----------
    tree : fitted TreeClassifier or scarce.trees.nodes.Tree
        A tree estimator, or one of a forest's ``trees_``.
    feature_names : sequence of str, optional
        Names of the features; by default those seen in fit, else ``x0, x1, ...``.
    decimals : int, default=3
        Digits of thresholds and scores.
    max_depth : int, optional
        Depth below which nodes are summed up.

    Returns
    -------
    str
        Lines such as ``|-- x0 <= 1.500`` and ``|   |-- score 0.250 (labeled 1 of 4)``, each ended by a newline.

    Raises
    ------
    ValueError
        If there are fewer names than features in use.
    """
    nodes = tree
    if not isinstance(tree, Tree):
        check_is_fitted(tree)
        nodes = tree.tree_
        if feature_names is None:
            feature_names = getattr(tree, "feature_names_in_", None)
    n_features = getattr(tree, "n_features_in_", int(nodes.feature.max(initial=-1)) + 1)
    if feature_names is None:
        feature_names = [f"x{j}" for j in range(n_features)]
    if len(feature_names) < n_features:
        raise ValueError(f"{len(feature_names)} feature names for {n_features} features")
    lines = []
    todo = [(0, 0, "")]  # node, depth, the condition that leads to it
    while todo:
        node, depth, condition = todo.pop()
        if condition:
            lines.append("|   " * (depth - 1) + "|-- " + condition)
        inner = nodes.children_left[node] >= 0
        if inner and (max_depth is None or depth < max_depth):
            name = feature_names[nodes.feature[node]]
            if nodes.n_node_samples[nodes.children_left[node]] == 0:
                branches = branch_levels(nodes, node).items()
                todo.extend((child, depth + 1, f"{name} = {', '.join(some)}") for child, some in reversed(branches))
                continue
            border = f"{nodes.threshold[node]:.{decimals}f}"
            todo.append((nodes.children_right[node], depth + 1, f"{name} > {border}"))
            todo.append((nodes.children_left[node], depth + 1, f"{name} <= {border}"))
            continue
        share = f"{nodes.labeled[node]:g} of {nodes.weighted_n_node_samples[node]:g}"
        more = " ..." if inner else ""
        lines.append("|   " * depth + f"|-- score {nodes.value[node]:.{decimals}f} (labeled {share}){more}")
    return "\n".join(lines) + "\n"
