"""Writes the file of all names: run `python -m veracity.methods.write_index` after adding or renaming a method."""

from __future__ import annotations

import json

from veracity.core.index import FILE
from veracity.methods.catalogues import CATALOGUES


def index_text() -> str:
    """The text of the file, from the catalogues."""
    content = {
        name: {entry.name: entry.sentence for entry in sorted(catalogue, key=lambda entry: entry.name)}
        for name, catalogue in CATALOGUES.items()
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(index_text(), "utf-8")
