"""How the manual is built."""

import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from pygments.lexers.special import TextLexer

sys.path.insert(0, str(Path(__file__).parents[1]))

project = "veracity"
copyright = "2026, the veracity authors"
release = version = version_of("veracity")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "veracity"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
exclude_patterns = ["_build"]
smartquotes = False  # what stands in quotes is there to be typed
suppress_warnings = ["myst.header"]


def setup(app: Any) -> None:
    """Blocks of `output` are what a page prints."""
    app.add_lexer("output", TextLexer)
