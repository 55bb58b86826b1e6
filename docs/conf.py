"""Settings of the documentation site; `make docs` builds it."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import scarce  # noqa: E402
from docs.builder import live, pages  # noqa: E402

pages.write()
live.make()

project = "scarce"
author = "The scarce maintainers"
project_copyright = "the scarce maintainers"
version = release = scarce.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
    "docs.builder",
]
exclude_patterns = ["builder", "gallery/*.md", "gallery/*.rst", "generated/live", "generated/gallery/*.ipynb"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
root_doc = "index"

myst_enable_extensions = ["dollarmath", "colon_fence", "attrs_inline"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

default_role = "py:obj"
autosummary_generate = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "furo"
html_title = "scarce"
html_math_renderer = "mathml"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["generated/live"]
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
highlight_language = "none"  # of code without a language, such as output
pygments_style = "friendly"
pygments_dark_style = "monokai"

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "generated/gallery",
    "filename_pattern": r"/plot_",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "min_reported_time": 0,
    "remove_config_comments": True,
    "show_signature": False,
    "write_computation_times": False,
    "copyfile_regex": "",
    "reset_modules": ("matplotlib",),
}
