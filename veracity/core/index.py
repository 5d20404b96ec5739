"""The names of all methods from a small file, for help and completion that must not import them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("index.json")
TABLES = ("defaults", "assumptions", "references")  # what is listed besides methods


@cache
def index() -> dict[str, dict[str, str]]:
    """For each kind (scores, intervals and so on), the sentence of each method by its name."""
    sentences: dict[str, dict[str, str]] = json.loads(FILE.read_text("utf-8"))
    return sentences


def lists() -> tuple[str, ...]:
    """All that can be listed, by name."""
    return (*index(), *TABLES)


def names(*kinds: str) -> list[str]:
    """The names of all methods of some kinds, of all kinds when none is named."""
    return sorted({name for kind in kinds or index() for name in index()[kind]})
