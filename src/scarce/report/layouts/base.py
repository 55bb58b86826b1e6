"""The registry of the layouts that a table of a study may have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scarce.errors import ConfigError
from scarce.report.tables import Table

if TYPE_CHECKING:
    import pandas as pd

    from scarce.report.results import StudyResults

Build = Callable[[Any, "StudyResults"], Table]


@dataclass(frozen=True)
class TableLayout:
    """A layout: its name under ``layout:``, the keys of a study's table that it needs, and what builds the table.

    `ranks` says whether it ranks means, so that a table may have ``rank_digits``.
    """

    name: str
    needs: frozenset[str]
    build: Build
    ranks: bool = False


LAYOUTS: dict[str, TableLayout] = {}


def layout(*needs: str, ranks: bool = False) -> Callable[[Build], Build]:
    """Register a function as the layout of its own name; raises ConfigError if the name is taken."""

    def record(build: Build) -> Build:
        if build.__name__ in LAYOUTS:
            raise ConfigError(f"two layouts of tables are named {build.__name__}")
        LAYOUTS[build.__name__] = TableLayout(build.__name__, frozenset(needs), build, ranks)
        return build

    return record


def build_table(spec: Any, results: StudyResults) -> Table:
    """One table of a study.

    Parameters
    ----------
    spec : scarce.config.study.Table
        What the study says about the table.
    results : StudyResults

    Raises
    ------
    ValueError
        If there is no such layout, or a key is missing that it needs.
    """
    if spec.layout not in LAYOUTS:
        raise ValueError(f"table {spec.name}: no layout is named {spec.layout!r}; there are {', '.join(LAYOUTS)}")
    lacking = [key for key in sorted(LAYOUTS[spec.layout].needs) if not getattr(spec, key)]
    if lacking:
        raise ValueError(f"table {spec.name}: the layout {spec.layout} needs {', '.join(lacking)}")
    table = LAYOUTS[spec.layout].build(spec, results)
    assumed = results.assumed_words(spec.metric) if spec.metric else ""
    return replace(table, notes=(assumed, *table.notes)) if assumed else table


def tidy_frame(rows: Sequence[tuple], columns: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows, columns=list(columns))
