"""Facts about source code without importing it: arguments, names, and digests that show a change of it."""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib.util
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from scarce.kept_findings import Findings

PACKAGE = Path(__file__).parent
#: Folders of installed packages.
_SHELVES = {"site-packages", "dist-packages"}
#: Excluded from code digests, with scarce.config; their effects (settings, paths) are hashed by value.
PLUMBING = {"scarce", *(f"scarce.{name}" for name in ("errors", "files", "paths", "registry", "source_code"))}


@functools.cache
def parameters(target: str) -> dict[str, Any] | None:
    """Arguments of a target's class with their defaults, read from its source; None where they cannot be read.

    A default that is missing or no constant is None.
    """
    node = _definition(target)
    if isinstance(node, ast.ClassDef):
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                return _arguments(part.args)
    return None  # inherited, or none


@functools.cache
def required(target: str) -> tuple[str, ...]:
    """Arguments without a default of a target's class, as far as its source shows them."""
    node = _definition(target)
    for part in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(part, ast.FunctionDef) and part.name == "__init__" and not part.decorator_list:
            signature = part.args
            places = [*signature.posonlyargs, *signature.args]
            plain = places[1 : len(places) - len(signature.defaults)]
            pairs = zip(signature.kwonlyargs, signature.kw_defaults, strict=True)
            return tuple(arg.arg for arg in [*plain, *(arg for arg, default in pairs if default is None)])
    return ()


def no_class(target: str) -> str:
    """What a target is where it certainly is no class, or ""."""
    node = _definition(target)
    if getattr(node, "conditional", False):  # another branch may define it
        return ""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return "a function, no class"
    if isinstance(node, ast.Import):
        return "a module, no class"
    value = getattr(node, "value", None) if isinstance(node, ast.Assign | ast.AnnAssign) else None
    literal = ast.Constant | ast.JoinedStr | ast.List | ast.Tuple | ast.Dict | ast.Set | ast.Lambda
    several = isinstance(node, ast.Assign) and not all(isinstance(one, ast.Name) for one in node.targets)
    return "a value, no class" if isinstance(value, literal) and not several else ""


def missing_module(target: str) -> str | None:
    """The package of a target, where it cannot be found."""
    top = target.partition(":")[0].partition(".")[0]
    try:
        return None if importlib.util.find_spec(top) else top
    except (ImportError, ValueError):
        return top


@functools.cache
def class_constant(target: str, name: str) -> Any:
    """A literal that the body of a target's class assigns to a name; None if there is none. Nothing is imported."""
    node = _definition(target)
    for part in node.body if isinstance(node, ast.ClassDef) else ():
        names = part.targets if isinstance(part, ast.Assign) else [getattr(part, "target", None)]
        if any(isinstance(one, ast.Name) and one.id == name for one in names) and getattr(part, "value", None):
            with contextlib.suppress(ValueError):
                return ast.literal_eval(part.value)
    return None


def unreadable(target: str) -> str:
    """Why the module of a target cannot be parsed, or ""."""
    path = _source(target.partition(":")[0])
    try:
        if path and _definition(target) is None:
            _parsed(path.read_bytes())
    except SyntaxError as error:
        return f"{path.name} is no Python: {error.msg}" + (f" (line {error.lineno})" if error.lineno else "")
    return ""


def lacking(target: str) -> list[str] | None:
    """Public names of a target's module, where the module certainly lacks the name of the target; else None."""
    definition = _definition(target)
    return definition if isinstance(definition, list) else None


def _parsed(content: bytes) -> ast.Module:
    """The syntax tree of a source in whatever encoding it declares; raises SyntaxError."""
    try:
        return ast.parse(content)
    except (ValueError, RecursionError) as error:  # a zero byte, before Python 3.12; endless brackets
        raise SyntaxError(str(error)) from None


@functools.cache
def _definition(target: str) -> ast.stmt | list[str] | None:
    """The statement that defines a target, followed through imports.

    The public names of a module that lacks it; None where that is open: no source, a syntax error, a star import.
    """
    module, _, name = target.partition(":")
    for _ in range(20):  # imports may form a circle
        path = _source(module)
        try:
            bound = _bound(_parsed(path.read_bytes())) if path else {"*": None}
        except SyntaxError:  # `unreadable` reports it
            return None
        statement = bound.get(name)
        if statement is None:
            open_ended = "*" in bound or "__getattr__" in bound or _source(f"{module}.{name}")
            return None if open_ended else [word for word in bound if not word.startswith("_")]
        if not isinstance(statement, ast.ImportFrom):
            return statement
        stem = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
        origin = next(alias.name for alias in statement.names if name in (alias.asname, alias.name))
        module, name = _origin(statement, stem), origin
    return None


def _bound(tree: ast.Module) -> dict[str, ast.stmt]:
    """Names that the top level of a module binds, each with its statement; `*` for a star import."""
    bound: dict[str, ast.stmt] = {}
    todo = list(tree.body)
    while todo:
        node = todo.pop()  # from the end, so that the last statement that binds a name counts
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
            inner = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.stmt)]
            inner += [part for handler in getattr(node, "handlers", ()) for part in handler.body]
            for part in inner:
                part.conditional = True
            todo += inner
        for name in names:
            bound.setdefault(name, node)
    return bound


def _arguments(signature: ast.arguments) -> dict[str, Any] | None:
    if signature.kwarg:
        return None
    places = signature.args[1:]
    given = signature.defaults[-len(places) :] if places else []
    defaults = [None] * (len(places) - len(given)) + given
    pairs = [*zip(places, defaults, strict=True), *zip(signature.kwonlyargs, signature.kw_defaults, strict=True)]
    return {arg.arg: default.value if isinstance(default, ast.Constant) else None for arg, default in pairs}


def digest(value: Any) -> str:
    """Sixteen hexadecimal digits of the SHA-256 of a plain value's JSON; the order of keys does not count."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@functools.cache
def code_digest(*modules: str) -> str:
    """Digest of modules and of what they import from the same packages, without comments and docstrings.

    A user's module counts with the user's other modules and with this package. Of an installed package the version
    counts. Sources are parsed, not imported.
    """
    return digest({module: code.digest for module, code in _codes(modules).items()})


@functools.cache
def libraries(*modules: str) -> set[str]:
    """Top-level names of the installed packages that modules, and what `code_digest` counts with them, import."""
    return {name for code in _codes(modules).values() for name in code.libraries if not _own(name)}


def _codes(modules: Iterable[str]) -> dict[str, ModuleCode]:
    """Modules with what they import from the same packages."""
    codes: dict[str, ModuleCode] = {}
    todo = list(modules)
    while todo:
        module = todo.pop()
        if module not in codes and (code := module_code(module)):
            codes[module] = code
            todo += code.imports
    _findings().keep()
    return codes


class ModuleCode(NamedTuple):
    """Digest of a module, what it imports from the same packages, and the top-level names of others."""

    digest: str
    imports: list[str]
    libraries: list[str]


@functools.cache
def module_code(module: str) -> ModuleCode | None:
    """What one module is made of; None where it has no source."""
    path = _source(module)
    if path is None:
        return None
    if installed := _installed(module, path):
        return ModuleCode(installed, [], [module.partition(".")[0]])
    content, package = path.read_bytes(), path.name == "__init__.py"
    if module.partition(".")[0] != "scarce":
        return ModuleCode(*_found(content, module, package=package))
    file = path.relative_to(PACKAGE).as_posix()
    return ModuleCode(*_findings().of(file, content, lambda: _found(content, module, package=package)))


@functools.cache
def _findings() -> Findings:
    """Cached results of `_found` for this package; a file for each Python version, since syntax trees differ."""
    return Findings(PACKAGE / "__pycache__" / f"source_code.{sys.implementation.cache_tag}.json", Path(__file__))


def _found(content: bytes, module: str, *, package: bool) -> list:
    """The fields of a ModuleCode."""
    try:
        tree = _parsed(content)
    except SyntaxError:  # the import will fail; a change must be noticed nevertheless
        return [hashlib.sha256(content).hexdigest(), [], []]
    imports, libraries = _imports(tree, module, package=package), _libraries(tree)
    return [digest(ast.dump(_without_docstrings(tree))), imports, libraries]


def _installed(module: str, path: Path) -> str | None:
    """Name and version of the installed package of a module; None for this package and for a user's modules."""
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
    """Digest of the report's templates, which decide the page as code does."""
    folder = PACKAGE / "report" / "templates"
    return digest({file.name: file.read_text(encoding="utf-8") for file in sorted(folder.iterdir()) if file.is_file()})


def _source(module: str) -> Path | None:
    """The source file of a module, found without importing its parents."""
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
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            origin = _origin(node, base)
            names += [origin, *(f"{origin}.{alias.name}" for alias in node.names)]
    return [name for name in names if not _plumbing(name) and _counts(name.split(".")[0], module.split(".")[0])]


def _libraries(tree: ast.AST) -> list[str]:
    """Top-level names of packages outside this one that a module imports, or names to `extras.optional`."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            names.add(node.module)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("optional", "import_module"):
            names |= {one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    return sorted({name.partition(".")[0] for name in names} - {"scarce", "", *sys.stdlib_module_names})


def _plumbing(module: str) -> bool:
    return module in PLUMBING or module.startswith("scarce.config")


def _counts(top: str, importer: str) -> bool:
    """Whether an imported package belongs to the code of its importer: its own package, or a user's code."""
    return top == importer or (importer != "scarce" and (top == "scarce" or _own(top)))


@functools.cache
def _own(top: str) -> bool:
    """Whether a package or module is a user's: not of the standard library and not installed."""
    if top in sys.stdlib_module_names:
        return False
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return False
    places = [spec.origin, *(spec.submodule_search_locations or ())] if spec else []
    return bool(places) and not any(_SHELVES & set(Path(place).parts) for place in filter(None, places))


def _origin(node: ast.ImportFrom, base: list[str]) -> str:
    """The module that an import statement in the package `base` imports from."""
    stem = ".".join(base[: len(base) + 1 - node.level]) if node.level else ""
    return ".".join(part for part in (stem, node.module) if part)


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and (
            node.body and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
        ):
            node.body = node.body[1:]
    return tree
