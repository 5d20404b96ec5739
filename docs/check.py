"""Looks at the built manual as its readers would: `python -m docs.check` says what they would miss, a line for each."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import veracity

HTML = Path(__file__).parent / "_build" / "html"
SEARCHED = {  # what is typed into the search, and the stems that its index must have
    ".632": ("632",),
    "install": ("instal",),
    "confidence interval": ("confid", "interv"),
    "brier_score_loss": ("brier_score_loss",),
    "f1_score": ("f1_score",),
}
PICTURE = re.compile(r"<img\b[^>]*>")
TEXT = re.compile(r'\balt="([^"]*)"')


def missing_names(index: str) -> Iterator[str]:
    """Public names that the general index does not lead to."""
    for name in veracity.__all__:
        if f'#veracity.{name}"' not in index:
            yield f"genindex.html: {name} is not in the general index"


def missing_words(search_index: str) -> Iterator[str]:
    """What people search for and the search does not find."""
    found = json.loads(search_index[search_index.index("{") : search_index.rindex("}") + 1])
    known = {*found["terms"], *found["titleterms"]}
    for typed, stems in SEARCHED.items():
        if lost := [stem for stem in stems if stem not in known]:
            yield f"searchindex.js: a search for {typed!r} finds nothing: {', '.join(lost)} is not in it"


def pictures_without_text(name: str, page: str) -> Iterator[str]:
    for picture in PICTURE.findall(page):
        text = TEXT.search(picture)
        if text is None or not text[1].strip() or text[1].endswith((".png", ".svg")):
            yield f"{name}: a picture has no text: {picture}"


def complaints(html: Path) -> list[str]:
    """Everything that is missing in a built manual."""
    lines = [
        *missing_names((html / "genindex.html").read_text()),
        *missing_words((html / "searchindex.js").read_text()),
    ]
    for page in sorted(html.rglob("*.html")):
        lines += pictures_without_text(str(page.relative_to(html)), page.read_text())
    return lines


if __name__ == "__main__":
    print("\n".join(told := complaints(HTML)), file=sys.stderr)
    sys.exit(bool(told))
