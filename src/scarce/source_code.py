"""What source code says without being imported: arguments, names, and the digests that show a change of it."""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent
#: Folders of installed packages.
_SHELVES = {"site-packages", "dist-packages"}
#: Modules left out of code digests: what they decide (settings, paths) is hashed by value.
PLUMBING = {"scarce", *(f"scarce.{name}" for name in ("errors", "files", "paths", "registry", "source_code"))}


def missing_module(target: str) -> str | None:
    """The package of a target that is nowhere to be found; nothing is imported."""
    top = target.partition(":")[0].partition(".")[0]
    try:
        return None if importlib.util.find_spec(top) else top
    except (ImportError, ValueError):
        return top


@functools.cache
def parameters(target: str) -> dict[str, Any] | None:
    """Arguments of a target's class as its source has them, each with its default; None where that cannot be told.

    A default that is no plain value, or is not there, is None. Nothing is imported.
    """
    node = _definition(target)
    if isinstance(node, ast.ClassDef):
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                return _arguments(part.args)
    return None  # inherited, or none


def unreadable(target: str) -> str:
    """Why a target's module is no Python, or ""."""
    if _definition(target) is not None:  # it has been read
        return ""
    path = _source(target.partition(":")[0])
    try:
        if path is not None:
            _parsed(path)
    except SyntaxError as error:
        return f"{path.name} is no Python: {error.msg}" + (f" (line {error.lineno})" if error.lineno else "")
    return ""


def _parsed(path: Path) -> ast.Module:
    """The syntax tree of a source in whatever encoding it declares; raises SyntaxError."""
    try:
        return ast.parse(path.read_bytes())
    except (ValueError, RecursionError) as error:  # a zero byte, before Python 3.12; endless brackets
        raise SyntaxError(str(error)) from None


def lacking(target: str) -> list[str] | None:
    """What a target's module does hold, where it surely lacks what the target names; else None."""
    found = _definition(target)
    return found if isinstance(found, list) else None


@functools.cache
def _definition(target: str) -> ast.stmt | list[str] | None:
    """Where a target is defined, through imports; the names of a module that lacks it; None where it is not clear."""
    module, _, name = target.partition(":")
    for _ in range(20):  # imports may stand in a circle
        path = _source(module)
        if path is None:
            return None
        try:
            bound = _bound(_parsed(path))
        except SyntaxError:  # `unreadable` says it
            return None
        found = bound.get(name)
        if found is None:
            open_ended = "*" in bound or "__getattr__" in bound or _source(f"{module}.{name}")
            return None if open_ended else [word for word in bound if not word.startswith("_")]
        if not isinstance(found, ast.ImportFrom):
            return found
        stem = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
        origin = next(alias.name for alias in found.names if name in (alias.asname, alias.name))
        module, name = _origin(found, stem), origin
    return None


def _bound(tree: ast.Module) -> dict[str, ast.stmt]:
    """What the top level of a module binds, with the statement that does; `*` for an import of everything."""
    bound: dict[str, ast.stmt] = {}
    todo = list(tree.body)
    while todo:
        node = todo.pop()  # the last one first, and so the last one to bind a name counts
        names = []
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names = [node.name]
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.asname or alias.name for alias in node.names]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            names = [
                part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            ]
        else:
            todo += [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.stmt)]
            todo += [part for handler in getattr(node, "handlers", ()) for part in handler.body]
        for name in names:
            bound.setdefault(name, node)
    return bound


def _arguments(found: ast.arguments) -> dict[str, Any] | None:
    if found.kwarg:
        return None
    places = found.args[1:]
    defaults = [None] * (len(places) - len(found.defaults)) + found.defaults[-len(places) :] if places else []
    pairs = [*zip(places, defaults, strict=True), *zip(found.kwonlyargs, found.kw_defaults, strict=True)]
    return {arg.arg: default.value if isinstance(default, ast.Constant) else None for arg, default in pairs}


def digest(value: Any) -> str:
    """Sixteen hexadecimal digits of the canonical JSON of a plain value; the order of keys does not count."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@functools.cache
def code_digest(*modules: str) -> str:
    """Digest of modules and of what they import from the same packages, comments and docstrings aside.

    To a user's module belong this package and the user's other modules as well. Of an installed package the version
    counts, not its sources. Nothing is imported: the sources are parsed.
    """
    sources: dict[str, str] = {}
    todo = list(modules)
    while todo:
        module = todo.pop()
        if module in sources or not (path := _source(module)):
            continue
        if installed := _installed(module, path):
            sources[module] = installed
            continue
        try:
            tree = _parsed(path)
        except SyntaxError:  # a user's module, whose import is to fail: a change of it counts all the same
            sources[module] = hashlib.sha256(path.read_bytes()).hexdigest()
            continue
        todo += _imports(tree, module, package=path.name == "__init__.py")
        sources[module] = ast.dump(_without_docstrings(tree))
    return digest(sources)


def _installed(module: str, path: Path) -> str | None:
    """Name and version of the installed package that a module belongs to; None for this package and for one's own."""
    top = module.partition(".")[0]
    if top == "scarce" or not _SHELVES & set(path.parts):
        return None
    import importlib.metadata

    names = [top, *importlib.metadata.packages_distributions().get(top, ())]
    for name in names:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            return f"{name} {importlib.metadata.version(name)}"
    return None


@functools.cache
def template_digest() -> str:
    """Digest of the report's templates: they are code too, but no Python."""
    folder = PACKAGE / "report" / "templates"
    return digest({file.name: file.read_text(encoding="utf-8") for file in sorted(folder.iterdir()) if file.is_file()})


def _source(module: str) -> Path | None:
    """The source of a module, found without importing its parents."""
    top, *rest = module.split(".")
    if top == "scarce":
        folders = [PACKAGE]
    else:
        try:
            spec = importlib.util.find_spec(top)
        except (ImportError, ValueError):
            return None
        if spec is None or (not rest and not (spec.origin or "").endswith(".py")):
            return None
        if not rest:
            return Path(spec.origin)
        folders = list(map(Path, spec.submodule_search_locations or ()))
    stems = [folder.joinpath(*rest) for folder in folders]
    return next(
        (path for stem in stems for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.is_file()), None
    )


def _imports(tree: ast.AST, module: str, *, package: bool) -> list[str]:
    base = module.split(".") if package else module.split(".")[:-1]
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            origin = _origin(node, base)
            found += [origin, *(f"{origin}.{alias.name}" for alias in node.names)]
    return [name for name in found if not _plumbing(name) and _counts(name.split(".")[0], module.split(".")[0])]


def _plumbing(module: str) -> bool:
    return module in PLUMBING or module.startswith("scarce.config")


def _counts(top: str, importer: str) -> bool:
    """Whether a package is part of the code of another that imports it; to a user's, this one and the user's are."""
    return top == importer or (importer != "scarce" and (top == "scarce" or _own(top)))


@functools.cache
def _own(top: str) -> bool:
    """Whether a package or module is a user's: neither of the standard library nor installed."""
    if top in sys.stdlib_module_names:
        return False
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return False
    places = [spec.origin, *(spec.submodule_search_locations or ())] if spec else []
    return bool(places) and not any(_SHELVES & set(Path(place).parts) for place in filter(None, places))


def _origin(node: ast.ImportFrom, base: list[str]) -> str:
    """The module that an import is from, inside the package `base`."""
    stem = ".".join(base[: len(base) + 1 - node.level]) if node.level else ""
    return ".".join(part for part in (stem, node.module) if part)


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and (
            node.body and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
        ):
            node.body = node.body[1:]
    return tree
