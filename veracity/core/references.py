"""The closed tables that methods cite from: works by key, as fields and in words, and assumptions by code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FORMATS = {  # of a work in words, behind its authors, by its type in BibTeX
    "article": "{title}, {journal} {volume} ({year})",
    "inproceedings": "{title}, {booktitle} ({year})",
    "incollection": "{title}, in: {booktitle} ({year})",
    "online": "{title}, {eprint} ({year})",
    "book": "{title}, {publisher} ({year})",
    "phdthesis": "{title}, PhD thesis, {school} ({year})",
    "techreport": "{title}, {number}, {institution} ({year})",
}


def _read_table(name: str) -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name(name).read_text("utf-8"))
    return table


WORKS = _read_table("references.json")


def reference_text(key: str) -> str:
    """Return a work in words; a key that is not in the table stands for itself."""
    work = WORKS.get(key)
    if work is None:
        return key
    *others, last = work["author"]
    link = " et al." if last == "others" else f" and {last}" if others else last
    text = f"{', '.join(others)}{link}, {FORMATS[work['type']].format(**work)}"
    return f"{text} {work['pages']}" if "pages" in work else text


def author_and_year(key: str) -> str:
    """Return how a text cites a work, such as "Demšar 2006" or "Bates et al. 2024"."""
    work = WORKS.get(key)
    if work is None:
        return key
    names = [surname(author) for author in work["author"]]
    who = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    return f"{who} {work['year']}"


def surname(author: str) -> str:
    """Return the name of an author without initials: "van Zwet" of "E. W. van Zwet"."""
    return " ".join(part for part in author.split() if not part.endswith("."))


REFERENCES = {key: reference_text(key) for key in WORKS}

_assumptions = _read_table("assumptions.json")
ASSUMPTIONS = {code: words["meaning"] for code, words in _assumptions.items()}
ASSUMPTIONS_IN_SHORT = {code: words["short"] for code, words in _assumptions.items()}  # for a cell of a table
