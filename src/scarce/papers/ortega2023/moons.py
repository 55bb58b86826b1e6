"""Decision surfaces of three trees on half moons with hidden positives (ortega2023, Fig. 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from scarce.report.style import CALM, HIDDEN, LABELED, MUTED, NEGATIVE, WIDTH, panel, styled

_SURFACE = LinearSegmentedColormap.from_list("posterior", ["#ffffff", "#d6e6f3", "#8fbfe3"])


@dataclass(frozen=True)
class Setting:
    """Size, difficulty and trees of the example; prior and label frequency are the paper's, the rest is our choice."""

    n: int = 2000
    class_prior: float = 0.05
    label_frequency: float = 0.5
    noise: float = 0.15
    max_depth: int | None = 6
    min_samples_leaf: int = 5
    seed: int = 0


def make_half_moons(setting: Setting) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """X, true classes y and observed labels s of two half circles, negatives above, every second positive unlabeled."""
    rng = np.random.default_rng(setting.seed)
    positives = round(setting.n * setting.class_prior)
    y = np.zeros(setting.n, dtype=np.int8)
    y[:positives] = 1
    angle = rng.uniform(0, np.pi, setting.n)
    upper = np.column_stack([np.cos(angle), np.sin(angle)])
    lower = np.column_stack([1 - np.cos(angle), 0.5 - np.sin(angle)])
    X = np.where(y[:, None] == 1, lower, upper) + rng.normal(0, setting.noise, (setting.n, 2))
    s = np.zeros_like(y)
    s[rng.choice(positives, round(positives * setting.label_frequency), replace=False)] = 1
    return X, y, s


def _fit(X: np.ndarray, s: np.ndarray, setting: Setting) -> dict[str, Any]:
    from scarce.trees import PUHellingerTreeClassifier, TreeClassifier  # compiled kernels: only when drawn

    limits = {"max_depth": setting.max_depth, "min_samples_leaf": setting.min_samples_leaf}
    common = {**limits, "random_state": setting.seed}
    pu = {"class_prior": setting.class_prior, **common}
    models = {
        "CART (Gini)": TreeClassifier(criterion="gini", **common),
        "HDT (Hellinger)": TreeClassifier(criterion="hellinger", **common),
        # apart: what the splits alone do, and what leaves that estimate the share of positives add
        "PU-HDT, share of labels": PUHellingerTreeClassifier(leaf="observed", **pu),
        "PU-HDT, share of positives": PUHellingerTreeClassifier(leaf="pu", **pu),
    }
    return {title: model.fit(X, s) for title, model in models.items()}


def recovered(models: Mapping[str, Any], X: np.ndarray, y: np.ndarray, s: np.ndarray) -> dict[str, tuple[float, float]]:
    """Share of the hidden positives, and of the negatives, that each model calls positive at 0.5."""
    calls = {name: model.predict_proba(X)[:, 1] >= 0.5 for name, model in models.items()}
    return {name: (float(c[(y == 1) & (s == 0)].mean()), float(c[y == 0].mean())) for name, c in calls.items()}


def half_moons_average(
    setting: Setting | None = None,
    draws: int = 20,
    *,
    fit: Callable[[np.ndarray, np.ndarray, Setting], Mapping[str, Any]] = _fit,
) -> dict[str, tuple[float, float]]:
    """`recovered`, averaged over seeds 0 to `draws` - 1: what a reader should believe rather than one picture."""
    shares: dict[str, list[tuple[float, float]]] = {}
    for seed in range(draws):
        one = replace(setting or Setting(), seed=seed)
        X, y, s = make_half_moons(one)
        for name, pair in recovered(fit(X, s, one), X, y, s).items():
            shares.setdefault(name, []).append(pair)
    return {name: tuple(np.mean(pairs, axis=0).tolist()) for name, pairs in shares.items()}


def half_moons_caption(
    setting: Setting | None = None, average: Mapping[str, tuple[float, float]] | None = None, draws: int = 20
) -> str:
    """Caption with every chosen parameter and, where given, what `half_moons_average` found."""
    setting = setting or Setting()
    depth = "unlimited depth" if setting.max_depth is None else f"depth at most {setting.max_depth}"
    text = (
        f"Half moons, {setting.n} points, class prior {setting.class_prior:.0%}, "
        f"{setting.label_frequency:.0%} of the positives labeled, noise {setting.noise:g}, seed {setting.seed}; "
        f"trees of {depth}, at least {setting.min_samples_leaf} examples a leaf. "
        "Prior and share of labels are the paper's, the other settings ours. Shade: what the tree gives as the "
        "probability of the positive class, which is the share of labels in the leaf, and in the last panel the "
        "estimated share of positives; line: 0.5. Below each panel: share of the hidden positives, and of the "
        "negatives, that the tree calls positive at 0.5 (training points)."
    )
    if average:
        found = ", ".join(f"{name} {hidden:.0%} and {taken:.1%}" for name, (hidden, taken) in average.items())
        text += f" Over {draws} draws these shares are on average: {found}."
    return text


@styled
def half_moons(
    setting: Setting | None = None,
    *,
    fit: Callable[[np.ndarray, np.ndarray, Setting], Mapping[str, Any]] = _fit,
    grid: int = 240,
) -> Figure:
    """A panel for each model that `fit` returns by title: surface (`grid` cells along each side) and points."""
    setting = setting or Setting()
    X, y, s = make_half_moons(setting)
    models = fit(X, s, setting)
    low, high = X.min(axis=0) - 0.1, X.max(axis=0) + 0.1
    xs, ys = (np.linspace(low[d], high[d], grid) for d in (0, 1))
    points = np.column_stack([axis.ravel() for axis in np.meshgrid(xs, ys)])
    shares = recovered(models, X, y, s)

    columns = 2 if len(models) == 4 else len(models)
    side = (WIDTH - 0.1 * (columns + 1)) / columns
    tall = side * (high[1] - low[1]) / (high[0] - low[0])
    row = 0.3 + tall + 0.28
    height = row * -(-len(models) // columns) + 0.25
    figure = Figure(figsize=(WIDTH, height))
    hidden = {"color": HIDDEN, "marker": "^", "ms": 4.2, "mec": "black", "mew": 0.4}
    labeled = {"color": LABELED, "marker": "o", "ms": 4.0, "mec": "white", "mew": 0.5}
    groups = {
        "negative (unlabeled)": (y == 0, {"color": NEGATIVE, "marker": "o", "ms": 1.3, "alpha": 0.6, "mew": 0}),
        "hidden positive (unlabeled)": ((y == 1) & (s == 0), hidden),
        "labeled positive": (s == 1, labeled),
    }
    box = {"extent": (low[0], high[0], low[1], high[1]), "origin": "lower", "aspect": "auto"}
    for i, (title, model) in enumerate(models.items()):
        bottom = height - row * (i // columns) - 0.3 - tall
        axes = panel(figure, 0.1 + (i % columns) * (side + 0.1), bottom, side, tall)
        surface = model.predict_proba(points)[:, 1].reshape(grid, grid)
        axes.imshow(surface, cmap=_SURFACE, vmin=0, vmax=1, interpolation="nearest", **box)
        if surface.min() < 0.5 <= surface.max():
            axes.contour(xs, ys, surface, levels=[0.5], colors=[CALM], linewidths=0.8)
        for label, (chosen, style) in groups.items():
            axes.plot(X[chosen, 0], X[chosen, 1], ls="", label=label, **style)
        axes.set(xticks=[], yticks=[], xlim=(low[0], high[0]), ylim=(low[1], high[1]))
        axes.set_title(title, pad=4)
        axes.spines[:].set_visible(True)
        text = "hidden found {:.0%}, negatives taken {:.1%}".format(*shares[title])
        below = {"transform": axes.transAxes, "ha": "center", "va": "top", "gid": f"shares-{i}"}
        axes.text(0.5, -0.03, text, fontsize=7.5, color=MUTED, **below)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    below = {"loc": "lower center", "bbox_to_anchor": (0.5, 0.02), "borderaxespad": 0}
    figure.legend(handles, labels, ncols=3, markerscale=1.3, handletextpad=0.2, **below)
    return figure
