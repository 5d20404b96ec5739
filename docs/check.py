"""Looks at the built manual as its readers would: `python -m docs.check` says what they would miss, a line for each."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import veracity

HTML = Path(__file__).parent / "_build" / "html"
SEARCHED = (".632", "install", "confidence interval", "brier_score_loss", "f1_score")
STEM = 6  # letters of a word that its stem keeps
PICTURE = re.compile(r"<img\b[^>]*>")
TEXT = re.compile(r'\balt="([^"]*)"')


def missing_names(index: str) -> Iterator[str]:
    """Public names that the general index does not lead to."""
    for name in veracity.__all__:
        if f'#veracity.{name}"' not in index:
            yield f"genindex.html: {name} is not in the general index"


def missing_words(search_index: str) -> Iterator[str]:
    """What people search for and the search does not find, by its terms, titles and entries of the general index."""
    found = json.loads(search_index[search_index.index("{") : search_index.rindex("}") + 1])
    known = [key.lower() for kind in ("terms", "titleterms", "alltitles", "indexentries") for key in found[kind]]
    for typed in SEARCHED:
        if not all(any(word[:STEM] in key for key in known) for word in typed.split()):
            yield f"searchindex.js: a search for {typed!r} finds nothing"


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
