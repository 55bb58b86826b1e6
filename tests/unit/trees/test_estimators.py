"""The estimators' manners: parameters, labels, threads, reading a tree."""

from __future__ import annotations

import errno
import pickle
import re
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numba.core import config
from numba.core.caching import IndexDataCacheFile
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import scarce.trees
from scarce.trees import (
    ForestClassifier,
    PUExtraTreesClassifier,
    PUHellingerForestClassifier,
    PUHellingerTreeClassifier,
    TreeClassifier,
    categorical,
    codes,
    export_text,
    grow,
    random_growth,
    rng,
    walk,
    warm,
)
from scarce.trees import kernel as kernel_module
from scarce.trees.forest import in_threads
from scarce.trees.kernel import MODULES, Cache, entry

X = np.column_stack([np.arange(40.0), np.tile(np.arange(8.0), 5)])
S = ((X[:, 0] > 25) & (X[:, 1] > 3)).astype(int)


@pytest.mark.parametrize("model", [PUHellingerTreeClassifier, PUHellingerForestClassifier])
@pytest.mark.parametrize("class_prior", [None, 0, 1, 0.0, 1.0, -0.1, 1.5, float("nan"), "0.5", True])
def test_the_class_prior_must_lie_strictly_between_0_and_1(model, class_prior):
    with pytest.raises(ValueError, match="class_prior"):
        model(class_prior).fit(X, S)


@pytest.mark.parametrize(
    "name, value",
    [
        ("criterion", "Gini"),
        ("splitter", "all"),
        ("ties", None),
        ("leaf", "mean"),
        ("purity_stop", 1),
        ("max_depth", 0),
        ("max_depth", 2.5),
        ("min_samples_split", 1),
        ("min_samples_split", 1.5),
        ("min_samples_leaf", 0),
        ("min_samples_leaf", True),
        ("max_features", 0),
        ("max_features", "half"),
        ("max_features", 1.5),
        ("n_estimators", 0),
        ("bootstrap", "yes"),
        ("bootstrap", 1),
        ("max_samples", 0),
        ("max_samples", 2.0),
        ("max_samples", 10**12),
        ("aggregation", "median"),
        ("class_prior", 0.5),  # the default criterion takes none
    ],
)
def test_a_wrong_parameter_is_named_in_the_error(name, value):
    with pytest.raises(ValueError, match=name):
        ForestClassifier(**{"n_estimators": 2, name: value}).fit(X, S)


def test_the_pu_leaf_needs_the_pu_criterion():
    with pytest.raises(ValueError, match="pu_hellinger"):
        TreeClassifier(leaf="pu").fit(X, S)


@pytest.mark.parametrize("model", [PUHellingerTreeClassifier(0.4), PUHellingerForestClassifier(0.4, n_estimators=3)])
@pytest.mark.parametrize(
    "coding",
    [
        lambda s: s,
        lambda s: 2 * s - 1,
        lambda s: s == 1,
        lambda s: s.astype(float).tolist(),
        lambda s: s + 1,
        lambda s: np.where(s == 1, "yes", "no"),
    ],
)
def test_observed_labels_in_every_coding(model, coding):
    model = model.set_params(random_state=0)
    expected = clone(model).fit(X, S).predict_proba(X)
    fitted = model.fit(X, coding(S))
    np.testing.assert_array_equal(fitted.predict_proba(X), expected)
    assert set(fitted.classes_) == set(coding(S)) == set(fitted.predict(X))


@pytest.mark.parametrize(
    "s, message",
    [
        (np.zeros(40), "no labeled positive"),
        (np.arange(40) % 3, "must have two values"),
        (np.where(S == 1, np.nan, 0), "NaN"),
        (S[:-1], "inconsistent numbers of samples"),
    ],
)
def test_other_observed_labels_are_refused(s, message):
    with pytest.raises(ValueError, match=message):
        PUHellingerTreeClassifier(0.4).fit(X, s)


def test_a_labeled_row_of_weight_0_is_no_labeled_row():
    with pytest.raises(ValueError, match="weight 0"):
        PUHellingerTreeClassifier(0.4).fit(X, S, sample_weight=1 - S)


@pytest.mark.parametrize("weight", [np.zeros(40), np.full(40, -1.0), np.full(40, np.nan), np.full(40, 1e308)])
def test_weights_that_are_none_are_refused(weight):
    with pytest.raises(ValueError, match=r"(?i)weight"):
        TreeClassifier().fit(X, S, sample_weight=weight)


@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
def test_missing_and_infinite_features_are_refused():
    for bad in (np.nan, np.inf, 1e300):  # 1e300 is infinite as float32
        features = X.copy()
        features[3, 1] = bad
        with pytest.raises(ValueError, match="contains"):
            PUHellingerForestClassifier(0.4).fit(features, S)


def test_labels_of_two_words():
    words = np.where(S == 1, "rare", "common")
    model = TreeClassifier("hellinger").fit(X, words)
    np.testing.assert_array_equal(model.classes_, ["common", "rare"])
    np.testing.assert_array_equal(model.predict(X), words)


@pytest.mark.parametrize("aggregation", ["mean", "vote"])
def test_results_do_not_depend_on_the_number_of_threads(aggregation):
    rng = np.random.RandomState(0)
    features, s = rng.randn(600, 5), (rng.rand(600) < 0.1).astype(int)
    scores = [
        PUHellingerForestClassifier(0.3, n_estimators=12, aggregation=aggregation, random_state=1, n_jobs=n_jobs)
        .fit(features, s)
        .predict_proba(features)
        for n_jobs in (None, 1, 3, -1)
    ]
    for other in scores[1:]:
        np.testing.assert_array_equal(scores[0], other)
    assert len(np.unique(scores[0])) > 5


def test_votes_are_shares_of_trees():
    model = PUHellingerForestClassifier(0.4, n_estimators=10, aggregation="vote", max_depth=2, random_state=0).fit(X, S)
    votes = sum((tree.value[leaf] > 0.5).astype(int) for tree, leaf in zip(model.trees_, model.apply(X).T, strict=True))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], votes / 10)
    assert 0 < votes.max() <= 10


def test_scores_are_means_of_the_leaves_reached():
    model = PUHellingerForestClassifier(0.4, n_estimators=6, max_depth=2, random_state=0).fit(X, S)
    leaves = model.apply(X)
    assert leaves.shape == (40, 6)
    means = np.mean([tree.value[leaf] for tree, leaf in zip(model.trees_, leaves.T, strict=True)], axis=0)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], means)
    assert model.get_depth() == 2
    assert model.get_n_leaves() == sum(tree.n_leaves for tree in model.trees_)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert len(model.feature_importances_) == 2


@pytest.mark.parametrize(
    "model", [PUHellingerForestClassifier(0.4, n_estimators=4, max_depth=3), ForestClassifier(4, criterion="entropy")]
)
def test_the_estimators_of_a_forest_are_its_trees(model):
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = clone(model).set_params(random_state=0).fit(frame, np.where(S == 1, "yes", "no"))
    trees = model.estimators_
    assert [type(tree) for tree in trees] == [TreeClassifier] * 4
    mean = np.mean([tree.predict_proba(frame) for tree in trees], axis=0)
    np.testing.assert_allclose(mean, model.predict_proba(frame))
    np.testing.assert_allclose(
        np.mean([tree.feature_importances_ for tree in trees], axis=0), model.feature_importances_
    )
    for tree, nodes, leaf in zip(trees, model.trees_, model.apply(frame).T, strict=True):
        np.testing.assert_array_equal(tree.tree_.threshold, nodes.threshold)
        np.testing.assert_array_equal(tree.apply(frame), leaf)
        assert set(tree.predict(frame)) <= {"yes", "no"}
        assert "a <=" in export_text(tree) or "b <=" in export_text(tree)


@pytest.mark.parametrize("model", [PUHellingerTreeClassifier, PUHellingerForestClassifier])
def test_the_class_prior_is_required(model):
    with pytest.raises(TypeError, match="class_prior"):
        model()
    assert clone(model(0.3)).class_prior == 0.3


def test_tags_tell_what_a_tree_accepts():
    tags = TreeClassifier(categorical=[0]).__sklearn_tags__()
    assert tags.input_tags.categorical and tags.input_tags.allow_nan
    tags = TreeClassifier().__sklearn_tags__()
    assert not tags.input_tags.categorical and not tags.input_tags.allow_nan and not tags.input_tags.sparse
    assert not tags.classifier_tags.multi_class


def test_max_samples_limits_the_draw():
    model = ForestClassifier(5, max_samples=10, random_state=0).fit(X, S)
    assert all(tree.weighted_n_node_samples[0] == 10 for tree in model.trees_)
    model = PUHellingerForestClassifier(0.4, n_estimators=5, max_samples=0.5, random_state=0).fit(X, S)
    unlabeled = (S == 0).sum()
    assert all(tree.weighted_n_node_samples[0] == S.sum() + unlabeled // 2 for tree in model.trees_)
    assert all(tree.labeled[0] == S.sum() for tree in model.trees_)


def test_export_text_by_hand():
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.0], "age": [5.0, 5.0, 1.0, 9.0]})
    model = TreeClassifier(max_features=None, random_state=0).fit(frame, [0, 0, 1, 1])
    expected = (
        "|-- size <= 2.500\n"
        "|   |-- score 0.000 (labeled 0 of 2)\n"
        "|-- size > 2.500\n"
        "|   |-- score 1.000 (labeled 2 of 2)\n"
    )
    assert export_text(model) == expected
    assert export_text(model.tree_, ["s", "a"], decimals=1).startswith("|-- s <= 2.5\n")
    assert export_text(model, max_depth=0) == "|-- score 0.500 (labeled 2 of 4) ...\n"
    with pytest.raises(ValueError, match="1 feature names for 2"):
        export_text(model, ["s"])


def test_export_text_shows_every_node_once():
    rng = np.random.RandomState(0)
    model = TreeClassifier(random_state=0).fit(rng.randn(80, 3), rng.rand(80) > 0.5)
    text = export_text(model)
    assert text.count("score") == model.get_n_leaves()
    assert text.count("<=") == text.count(" > ") == model.get_n_leaves() - 1


def test_a_fitted_model_survives_pickling_and_a_grid_search():
    model = PUHellingerForestClassifier(0.4, n_estimators=3, random_state=0).fit(X, S)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    grid = {"bootstrap": [True, False], "max_features": ["sqrt", "log2"], "max_depth": [2, 3]}
    grid = {name: np.array(values) for name, values in grid.items()}  # as numpy scalars
    search = GridSearchCV(model, grid, cv=2, error_score="raise").fit(X, S)
    assert len(search.cv_results_["params"]) == 8


def test_a_random_state_object_is_drawn_from_as_an_integer_is():
    a = TreeClassifier(random_state=7).fit(X, S).tree_
    b = TreeClassifier(random_state=np.random.RandomState(7)).fit(X, S).tree_
    np.testing.assert_array_equal(a.feature, b.feature)


def test_all_rows_labeled_is_one_leaf():
    for model in (PUHellingerTreeClassifier(0.9), PUHellingerForestClassifier(0.9, n_estimators=2)):
        assert (model.fit(X, np.ones(40)).predict_proba(X)[:, 1] == 0.9).all()  # min(1, l/(c t)), 1/c = 0.9


def test_deep_trees_do_not_need_recursion():
    """A chain of 3000 nodes: alternate labels on a line."""
    n = 3000
    line = np.arange(n, dtype=float).reshape(-1, 1)
    model = TreeClassifier().fit(line, np.arange(n) % 2)
    assert model.get_n_leaves() == n
    np.testing.assert_array_equal(model.predict(line), np.arange(n) % 2)
    assert export_text(model).count("score") == n


def test_the_kernel_digest_covers_every_module_that_holds_a_kernel():
    folder = Path(scarce.trees.__file__).parent
    kernel = re.compile(r"^\s*@part$|^from \.kernel import", re.MULTILINE)
    holders = {path.stem for path in folder.glob("*.py") if kernel.search(path.read_text())}
    assert holders - set(MODULES) == set()


def test_a_kernel_works_where_no_cache_can_be_written(monkeypatch):
    def refuse(cache, function):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(Cache, "__init__", refuse)
    assert entry(lambda x: x + 1)(1) == 2


def plus_one(x):
    return x + 1


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_damaged_cache_is_made_again(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    assert entry(plus_one)(1) == 2
    (file,) = tmp_path.rglob(f"*.{kind}")
    for content in (b"", b"no pickle", file.read_bytes()[:-9]):
        file.write_bytes(content)
        assert entry(plus_one)(1) == 2
        kernel = entry(plus_one)
        assert kernel(1) == 2
        assert sum(kernel.stats.cache_hits.values()) == 1


def test_a_change_of_another_kernel_module_makes_the_cache_again(tmp_path, monkeypatch):
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    assert entry(plus_one)(1) == 2
    for digest, hits in ((kernel_module.DIGEST, 1), ("changed", 0)):
        monkeypatch.setattr(kernel_module, "DIGEST", digest)
        kernel = entry(plus_one)
        assert kernel(1) == 2
        assert sum(kernel.stats.cache_hits.values()) == hits


def test_each_type_of_cpu_has_a_cache_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    here = kernel_module.cpu_type()
    for cpu in (here, "another"):
        monkeypatch.setattr(kernel_module, "cpu_type", lambda cpu=cpu: cpu)
        assert entry(plus_one)(1) == 2
        kept = {kind: [file.name for file in tmp_path.rglob(f"*{cpu}*.{kind}")] for kind in ("nbi", "nbc")}
        assert [len(files) for files in kept.values()] == [1, 1]
    assert len(list(tmp_path.rglob("*.nb?"))) == 4


def test_a_kernel_works_where_its_cache_finds_no_room(tmp_path, monkeypatch):
    def full(cache, *arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(IndexDataCacheFile, "save", full)
    assert entry(plus_one)(1) == 2


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt])
def test_after_an_error_threads_start_nothing_more(error):
    done = []

    def work(task):
        if task == 0:
            raise error
        time.sleep(0.02)
        done.append(task)

    with pytest.raises(error):
        in_threads(work, list(range(50)), 2)
    assert len(done) < 25


@pytest.mark.slow
def test_after_warm_nothing_is_left_to_compile():
    warm()
    kernels = (codes._code, rng._draw, grow._grow, walk._walk, categorical._search)
    kernels += (random_growth._grow, random_growth._are_bytes)
    before = [list(kernel.signatures) for kernel in kernels]
    fortran = np.asfortranarray(X.astype(np.float32))
    for features in (X, fortran, pd.DataFrame(X), X.astype(int)):
        for model in (
            TreeClassifier("entropy", max_depth=3, min_samples_leaf=0.1),
            TreeClassifier("dkm", splitter="random", max_features=np.int64(1)),
            ForestClassifier(2, criterion="hellinger", max_features=0.5, aggregation="vote"),
            PUHellingerTreeClassifier(np.float32(0.4), ties="literal", min_samples_split=np.int32(4)),
            TreeClassifier("gain_ratio", ties="lowest_index"),
            TreeClassifier("gini", categorical=[1], max_features=1, min_samples_leaf=2),
            PUExtraTreesClassifier(np.float32(0.4), max_depth=np.int32(3), n_estimators=2),
            PUExtraTreesClassifier(risk="pn", loss="logistic", max_features=np.int64(1), n_estimators=2),
        ):
            model.fit(features, S, sample_weight=S + 1).predict(features)
            model.apply(features)
    assert [list(kernel.signatures) for kernel in kernels] == before
    assert all(before)


def test_a_prior_far_below_the_share_of_labeled_rows_is_warned_of():
    """There cannot be fewer positives than labeled ones; a little less is the sampling of a paper's HDT."""
    share = S.mean()
    with pytest.warns(UserWarning, match="far below the share of labeled rows"):
        PUHellingerTreeClassifier(share / 2).fit(X, S)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PUHellingerTreeClassifier(share / 1.1).fit(X, S)
