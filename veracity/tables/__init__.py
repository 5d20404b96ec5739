"""Results as tables: text, Markdown, LaTeX, CSV, HTML, frames."""
