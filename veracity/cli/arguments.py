"""Which words of the call are files and which are scores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from veracity.core.errors import BadInput
from veracity.core.index import names, own_name

SPELLED = re.compile(r"\s*([A-Za-z_]\w*)\s*(\(|$)")  # a name, or a name and what opens its parameters


PREDICTIONS = "a file of predictions, such as preds.csv"


def files_and_scores(
    words: Sequence[str], needed: bool = True, reads: str = PREDICTIONS
) -> tuple[list[str], list[str]]:
    """Files (or patterns of them) and scores, each in the order given; whether a file is needed, and what it holds."""
    files = [word for word in words if _is_file(word)]
    scores = [word for word in words if not _is_file(word)]
    if not files and needed:
        raise BadInput(_no_file(scores, reads))
    twice = [file for place, file in enumerate(files) if file in files[:place]]
    if twice:
        raise BadInput(f"{twice[0]} is named twice: name each file once")
    return files, list(dict.fromkeys(scores))


def _is_file(word: str) -> bool:
    if not word.strip():
        raise BadInput("the name of a file or score is empty")
    if word in names("scores"):
        return False
    spelled = SPELLED.match(word) or ("/" not in word and own_name("scores", word.partition("(")[0]))
    if not spelled:
        return True  # a path, a pattern, or a name that no score can have
    return "(" not in word and Path(word).exists()


def _no_file(scores: Sequence[str], reads: str) -> str:
    stray = [word for word in scores if "(" not in word and own_name("scores", word) is None]
    if stray:
        return f"{stray[0]!r} is neither a file here nor a score; name {reads}, or - for standard input"
    return f"name {reads}, or - for standard input"
