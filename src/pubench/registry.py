"""Methods by key, without importing any of them, and the fingerprints that say when a fit must run again."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib
import importlib.util
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pubench.errors import ConfigError

PACKAGE = Path(__file__).parent
#: Modules that decide how things are said, stored and configured; what they decide is hashed itself, not their code.
PLUMBING = {"pubench"} | {
    f"pubench.{name}"
    for name in ("block", "errors", "files", "names", "paths", "project", "registry", "study", "yamlfile")
}


@dataclass(frozen=True)
class Method:
    """Where a method's estimator lives and what it assumes; importing it is left to the job that fits it."""

    key: str
    target: str
    assumption: str
    source: str

    def load(self) -> type:
        """Import the estimator class."""
        module, _, name = self.target.partition(":")
        try:
            return getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise ConfigError(f"method {self.key}: cannot import {self.target}: {error}") from error


METHODS: dict[str, Method] = {}


def register(key: str, target: str, *, assumption: str = "SCAR", source: str = "") -> None:
    """Add a method.

    Parameters
    ----------
    key : str
        What ``estimator:`` in ``config/methods.yaml`` names.
    target : str
        ``module:Class`` of a scikit-learn style classifier whose ``fit(X, s)`` takes observed labels.
    assumption : str
        Of the labeling mechanism: SCAR, SAR, or none.
    source : str
        Paper the method comes from.

    Raises
    ------
    ConfigError
        If the key is taken by another target, or the target is not ``module:Class``.
    """
    if target.count(":") != 1:
        raise ConfigError(f"method {key}: target {target!r} must be module:Class")
    if METHODS.get(key, Method(key, target, assumption, source)).target != target:
        raise ConfigError(f"method {key} is registered twice: {METHODS[key].target} and {target}")
    METHODS[key] = Method(key, target, assumption, source)


def find(estimator: str) -> Method | None:
    """The method that ``estimator:`` names: a registered key, or ``module:Class``."""
    return METHODS.get(estimator) or (Method(estimator, estimator, "", "") if estimator.count(":") == 1 else None)


_TREES = "Ortega Vazquez, vanden Broucke & De Weerdt 2023"
register("pu_hellinger_tree", "pubench.trees:PUHellingerTreeClassifier", source=_TREES)
register("pu_hellinger_forest", "pubench.trees:PUHellingerForestClassifier", source=_TREES)
register("tree", "pubench.trees:TreeClassifier", assumption="none", source="Cieslak & Chawla 2008")
register("forest", "pubench.trees:ForestClassifier", assumption="none", source="Breiman 2001")
register("pu_bagging", "pubench.methods.bagging:PUBaggingClassifier", source="Mordelet & Vert 2014")
register("pu_wlr", "pubench.methods.weighted_logistic:PUWeightedLogisticRegression", source="Lee & Liu 2003")
register(
    "boosted_risk",
    "pubench.methods.boosted_risks:BoostedRiskClassifier",
    source="du Plessis, Niu & Sugiyama 2015; Kiryo et al. 2017; Su, Chen & Xu 2021",
)
register("rank_pruning", "pubench.methods.rank_pruning:RankPruningClassifier", source="Northcutt, Wu & Chuang 2017")
register("elkan_noto", "pubench.methods.elkan_noto:ElkanNotoClassifier", source="Elkan & Noto 2008")
register("spy_em", "pubench.methods.spy_em:SpyEMClassifier", source="Liu, Lee, Yu & Li 2002")
register(
    "sampling_wrapper", "pubench.methods.sampling:SamplingWrapper", assumption="none", source="Cieslak & Chawla 2008"
)
register("adasyn_rf", "pubench.methods.adasyn:ADASYNRandomForestClassifier", assumption="none", source="He et al. 2008")


def missing_module(target: str) -> str | None:
    """The package of a target that is nowhere to be found; nothing is imported."""
    top = target.partition(":")[0].partition(".")[0]
    try:
        return None if importlib.util.find_spec(top) else top
    except (ImportError, ValueError):
        return top


@functools.cache
def parameters(target: str) -> tuple[str, ...] | None:
    """Names of the arguments of a target's class as its source has them; None where that cannot be told.

    Nothing is imported: the class is looked for in the module and in what it imports from its own package.
    """
    module, _, name = target.partition(":")
    todo, seen = [module], set()
    while todo:
        module = todo.pop(0)
        path = None if module in seen else _source(module)
        seen.add(module)
        if path is None:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and node.name == name:
                return _arguments(node)
        todo += _imports(tree, module, package=path.name == "__init__.py")
    return None


def _arguments(node: ast.ClassDef) -> tuple[str, ...] | None:
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            found = part.args
            return None if found.kwarg else tuple(arg.arg for arg in [*found.args[1:], *found.kwonlyargs])
    return None  # inherited, or none


def digest(value: Any) -> str:
    """Sixteen hexadecimal digits of the canonical JSON of a plain value; the order of keys does not count."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@functools.cache
def code_digest(*modules: str) -> str:
    """Digest of modules and of what they import from the same packages, comments and docstrings aside.

    Nothing is imported: the sources are parsed.
    """
    sources: dict[str, str] = {}
    todo = list(modules)
    while todo:
        module = todo.pop()
        if module in sources or not (path := _source(module)):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        todo += _imports(tree, module, package=path.name == "__init__.py")
        sources[module] = ast.dump(_without_docstrings(tree))
    return digest(sources)


@functools.cache
def template_digest() -> str:
    """Digest of the report's templates: they are code too, but no Python."""
    folder = PACKAGE / "report" / "templates"
    return digest({file.name: file.read_text(encoding="utf-8") for file in sorted(folder.iterdir()) if file.is_file()})


def _source(module: str) -> Path | None:
    if module.split(".")[0] == "pubench":
        stem = PACKAGE.joinpath(*module.split(".")[1:])
        return next((path for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.is_file()), None)
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


def _imports(tree: ast.AST, module: str, *, package: bool) -> list[str]:
    base = module.split(".") if package else module.split(".")[:-1]
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            stem = ".".join(base[: len(base) + 1 - node.level]) if node.level else ""
            origin = ".".join(part for part in (stem, node.module) if part)
            found += [origin, *(f"{origin}.{alias.name}" for alias in node.names)]
    return [name for name in found if name.split(".")[0] == module.split(".")[0] and name not in PLUMBING]


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and (
            node.body and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
        ):
            node.body = node.body[1:]
    return tree
