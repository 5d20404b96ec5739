"""How the manual is built."""

project = "veracity"
copyright = "2026, the veracity authors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "veracity"
exclude_patterns = ["_build"]
suppress_warnings = ["myst.header"]
