"""A card for each method: facts from its records and its docstring, the mathematics from docs/methods.md."""

from __future__ import annotations

import contextlib
import inspect
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from scarce import registry, source_code
from scarce.extras import EXTRAS

SOURCE = "docs/methods.md"
#: Under this heading each section whose title names methods in code is a card.
HEADING = "## The methods of the studies"
_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Section:
    """A section of docs/methods.md about some methods."""

    title: str
    heading: str
    keys: tuple[str, ...]
    text: str

    @property
    def name(self) -> str:
        """Of its card."""
        return self.keys[0]


def _parts(text: str) -> list[Section]:
    """Sections of level 3 under the heading, those without methods among them."""
    body = text.partition(f"{HEADING}\n")[2].partition("\n## ")[0]
    found = []
    for part in re.split(r"^(?=### )", body, flags=re.MULTILINE)[1:]:
        heading, _, rest = part.partition("\n")
        heading = heading.removeprefix("### ")
        title = re.sub(r"\s*\((?:`\w+`(?:, )?)+\)", "", heading)
        found.append(Section(title, heading, tuple(re.findall(r"`(\w+)`", heading)), rest.strip()))
    return found


@cache
def sections() -> tuple[Section, ...]:
    """The sections that become cards, in their order."""
    return tuple(part for part in _parts((_ROOT / SOURCE).read_text(encoding="utf-8")) if part.keys)


def anchors() -> dict[str, str]:
    """Anchor of a section in docs/methods.md -> name of its card."""
    return {_anchor(section.heading): section.name for section in sections()}


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def without_cards(text: str) -> str:
    """docs/methods.md with a list of cards in place of their sections."""
    for section in sections():
        text = text.replace(f"### {section.heading}\n", f"\0### {section.heading}\n", 1)
    text = re.sub(r"\0### .*?(?=\0|^#)", "", text, flags=re.DOTALL | re.MULTILINE).replace("\0", "")
    before, heading, after = text.partition(f"{HEADING}\n")
    names = "\n".join(f"generated/cards/{section.name}" for section in sections())
    toctree = f"```{{toctree}}\n:maxdepth: 1\n\n{names}\n```\n\n### "
    return before + heading + after.replace("### ", toctree, 1)


@cache
def blocks() -> dict[str, Any]:
    """Blocks of methods, shared ones and those of papers."""
    from scarce.config.loading import load_project

    with contextlib.chdir(_ROOT):  # Sphinx reads conf.py from its own folder
        return dict(load_project().methods)


def estimator_of(key: str) -> str:
    """Key of the registry that a method's block names; a key that no block has stands for itself."""
    return blocks()[key].estimator if key in blocks() else key


def pages() -> dict[str, str]:
    """Every card by name, as a section of docs/methods.md with its facts before it."""
    return {section.name: _page(section) for section in sections()}


def _page(section: Section) -> str:
    text = re.sub(r"^#### ", "## ", section.text, flags=re.MULTILINE)
    estimators = list(dict.fromkeys(map(estimator_of, section.keys)))
    facts = "\n".join(f"| {name} | {value} |" for name, value in _facts(section, estimators))
    when, _, rest = text.partition("\n\n") if text.startswith("**When.**") else ("", "", text)
    shown = "\n".join(_arguments(key) for key in section.keys if key in blocks())
    text = f"# {section.title}\n\n{when}\n\n|  |  |\n|---|---|\n{facts}\n\n## How it works\n\n{rest}\n"
    if shown:
        about = "With the arguments of sound use, and whatever else the class has as its default:"
        text += f"\n## In studies\n\n{about}\n\n```yaml\n{shown}\n```\n"
    return text


def _facts(section: Section, estimators: list[str]) -> list[tuple[str, str]]:
    records = [registry.METHODS[key] for key in estimators]
    specs = [blocks()[key] for key in section.keys if key in blocks()]
    schemes = dict.fromkeys(spec.scheme for spec in specs if spec.scheme)
    asked = dict.fromkeys(word for spec in specs for word in _placeholders(spec.params))
    packages = {package for one in records for package in source_code.libraries(one.target.partition(":")[0])}
    extras = dict.fromkeys(EXTRAS[package] for package in sorted(packages) if package in EXTRAS)
    return [
        ("in studies", ", ".join(f"`{key}`" for key in section.keys)),
        ("in Python", ", ".join(dict.fromkeys(_class(one) for one in records))),
        ("in short", " ".join(dict.fromkeys(_summary(one) for one in records))),
        ("source", "; ".join(dict.fromkeys(one.source for one in records))),
        ("labels are selected", " or ".join(dict.fromkeys(_SELECTED[one.assumption] for one in records))),
        ("[sample scheme](#one-sample-and-two-samples)", ", ".join(f"`{one}`" for one in schemes) or "`none`"),
        ("is told", ", ".join(f"`{word}`" for word in asked) or "nothing beside rows and observed labels"),
        ("install", f'`pip install "scarce[{",".join(extras)}]"`' if extras else "`pip install scarce`"),
    ]


_SELECTED = {
    "SCAR": "completely at random (SCAR)",
    "SAR": "by the features (SAR)",
    "none": "not a PU method: unlabeled rows are negatives",
}


def _class(record: registry.Method) -> str:
    return f"{{py:class}}`~{record.target.replace(':', '.')}`"


def _summary(record: registry.Method) -> str:
    return inspect.getdoc(record.load()).partition("\n\n")[0].replace("\n", " ")


def _placeholders(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value] if value.startswith("$") and value not in ("$seed", "$repeat_seed") else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [word for one in inner for word in _placeholders(one)]


def _arguments(key: str) -> str:
    import yaml

    spec = blocks()[key]
    kept = {"label": spec.label, "estimator": spec.estimator, "scheme": spec.scheme, "params": spec.params}
    return yaml.safe_dump({key: {k: v for k, v in kept.items() if v}}, sort_keys=False, width=100).strip()
