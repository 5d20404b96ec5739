"""Writes the file of all names: run `python -m veracity.methods.write_index` after adding or renaming a method."""

from __future__ import annotations

import json
from typing import Any

from veracity.core.index import FILE
from veracity.core.spelling import split_spellings
from veracity.methods.catalogues import CATALOGUES


def index_text() -> str:
    """The text of the file, from the catalogues."""
    content = {
        kind: {
            entry.name: (entry.sentence, entry.title, *split_spellings(entry.aliases))
            for entry in sorted(catalogue, key=lambda entry: entry.name)
        }
        for kind, catalogue in CATALOGUES.items()
    }
    return _one_line_each(content)


def _one_line_each(content: dict[str, dict[str, Any]]) -> str:
    """JSON with a line for each method, so that two changes meet only where they are of the same one."""
    kinds = []
    for kind, methods in content.items():
        lines = [f" {json.dumps(name)}: {json.dumps(one, ensure_ascii=False)}" for name, one in methods.items()]
        kinds.append(f"{json.dumps(kind)}: {{\n" + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(kinds) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(index_text(), "utf-8")
