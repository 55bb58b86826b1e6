"""The layouts that a table of a study may have, each one record: from the study's words and the results to a `Table`.

Every number is read from the files of ``stats/``; a layout selects, formats and says what is missing. A paper registers
a layout of its own with the same decorator. Nothing heavy is imported here: the records are read where studies are
checked.
"""

from scarce.report.layouts import (  # noqa: F401 - importing a module records its layouts
    by_choice,
    by_cost,
    by_dataset,
    by_method,
)
from scarce.report.layouts.base import LAYOUTS, TableLayout, build_table, layout

__all__ = ["LAYOUTS", "TableLayout", "build_table", "layout"]
