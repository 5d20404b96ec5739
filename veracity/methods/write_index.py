"""Writes the file of all names: run `python -m veracity.methods.write_index` after adding or renaming a method."""

from __future__ import annotations

import json

from veracity.api.catalogue import METHODS
from veracity.core.index import FILE


def made() -> str:
    """The text of the file, from the catalogues."""
    content = {
        kind: {entry.name: entry.sentence for entry in sorted(found, key=lambda entry: entry.name)}
        for kind, found in METHODS.items()
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(made(), "utf-8")
