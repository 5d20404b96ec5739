"""Which words of the call are files and which are scores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from veracity.core.errors import BadInput
from veracity.core.index import names

ENDINGS = (".csv", ".tsv", ".tab", ".txt", ".parquet", ".pq", ".json", ".jsonl", ".ndjson", ".arff", ".gz")
NAME = re.compile(r"[A-Za-z_]\w*")
SPELLED = re.compile(r"[A-Za-z_]\w*\s*(\(.*\))?\s*", re.DOTALL)


def told_apart(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Files (or patterns of them) and scores, each in the order given."""
    files = [word for word in words if _is_file(word)]
    scores = [word for word in words if not _is_file(word)]
    if not files:
        raise BadInput(_no_file(scores))
    return list(dict.fromkeys(files)), list(dict.fromkeys(scores))


def _is_file(word: str) -> bool:
    if word == "-" or word.lower().endswith(ENDINGS) or "/" in word.partition("(")[0]:
        return True
    if SPELLED.fullmatch(word):
        return not _is_score(word) and Path(word).exists()
    return True  # a pattern or a name that no score can have


def _is_score(word: str) -> bool:
    found = NAME.match(word)
    return found is not None and found.group() in names("scores")


def _no_file(scores: Sequence[str]) -> str:
    stray = [word for word in scores if not _is_score(word)]
    if stray:
        return f"{stray[0]!r} is neither a file here nor a score; name a file of predictions, or - for standard input"
    return "name a file of predictions, such as preds.csv, or - for standard input"
