"""The papers: one folder each, discovered; nothing outside a folder names its paper.

A paper is a package with any of ``paper.yaml`` (citation, presets), ``methods.yaml``, ``datasets.yaml``,
``studies/*.yaml``, ``reference/*.csv`` and modules. Its ``__init__.py`` imports the modules that register what the
paper adds: figures, judges, protocols, labelings, methods, a reader of its published numbers. Papers that come with
scarce are folders beside this file; a user's are folders of ``papers/`` in the project.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path

from scarce import paths


@dataclass(frozen=True)
class Paper:
    """A paper's name and folder; `module` is the package that registers what the paper adds."""

    name: str
    folder: Path
    module: str

    @property
    def reference(self) -> Path:
        """Folder of the published numbers."""
        return self.folder / "reference"

    def load(self) -> None:
        """Import the package, which registers what the paper adds."""
        if (self.folder / "__init__.py").is_file():
            importlib.import_module(self.module)


def discover() -> list[Paper]:
    """All papers, by name: those of scarce, then those of the project in the working directory."""
    package_of = {paths.SHIPPED_PAPERS: __name__, paths.PAPERS: paths.PAPERS.name}
    return [
        Paper(folder.name, folder, f"{package_of[folder.parent]}.{folder.name}") for folder in paths.paper_folders()
    ]
