"""Tell files from scores among the words of a call."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import click

from veracity.core.errors import BadInput
from veracity.core.index import names, own_name
from veracity.core.spelling import split_spellings

SPELLED = re.compile(r"\s*([A-Za-z_]\w*)\s*(\(|$)")  # a name, or a name and what opens its parameters
NUMBERED = re.compile(r"\)[^()=,]*\.[A-Za-z]\w*$")  # the name of a file behind a bracket, which ends a score's

MAX_WORDS = 3  # of a score's name
PREDICTIONS = "a file of predictions, such as preds.csv"


def split_files_and_scores(
    words: Sequence[str], needed: bool = True, reads: str = PREDICTIONS, measures: bool = False
) -> tuple[list[str], list[str]]:
    """Return files (or patterns of them) and scores, each in the order given.

    `needed` says whether a file must be among the words, `reads` what it holds, and `measures` whether a score may be a
    column of it, as in a table of measures.
    """
    words = [part for word in words for part in _parts(word)]
    files = [word for word in words if _is_file(word)]
    scores = [word for word in words if not _is_file(word)]
    if not files and needed:
        raise BadInput(_no_file(scores, reads))
    twice = [file for place, file in enumerate(files) if file in files[:place]]
    if twice:
        raise BadInput(f"{twice[0]} is named twice: name each file once")
    _check_strays([] if measures else files, scores)
    return files, list(dict.fromkeys(scores))


def _parts(word: str) -> list[str]:
    """Return the scores of a list with commas, as `accuracy,auc`; any other word alone."""
    parts = split_spellings(word)
    named = any(own_name("scores", part.partition("(")[0]) for part in parts)
    return parts if named and parts != [word] and not Path(word).exists() else [word]


def _is_file(word: str) -> bool:
    if not word.strip():
        raise BadInput("the name of a file or score is empty")
    if word in names("scores"):
        return False
    if NUMBERED.search(word) or ("(" in word and not word.endswith(")") and os.path.isfile(word)):  # noqa: PTH113
        return True  # preds (1).csv
    spelled = SPELLED.match(word) or ("/" not in word and own_name("scores", word.partition("(")[0]))
    if not spelled and (word == "-" or any(sign in word for sign in "./\\:*?[")):
        return True  # a path, an address, sklearn:load_iris or a pattern
    return "(" not in word and Path(word).exists()


def _check_strays(files: Sequence[str], scores: Sequence[str]) -> None:
    """Refuse words that are no score: several that are one in quotes, or a column of the file."""
    for place, word in enumerate(scores):
        if "(" in word or own_name("scores", word) is not None:
            continue
        for many in range(2, MAX_WORDS + 1):
            phrase = " ".join(scores[place : place + many])
            own = own_name("scores", phrase)
            if own is not None and phrase.count(" ") == many - 1:
                raise BadInput(f"{phrase!r} is one score: write {own}, or put it in quotes")
        if files and word in _columns_of(files[0]):
            context = click.get_current_context(silent=True)
            params = context.command.params if context is not None else ()
            takers = [one.opts[0] for one in params if "COLUMN" in (one.metavar or "")]
            such_as = f", such as {', '.join(takers[:MAX_WORDS])}" if takers else ""
            raise BadInput(f"{word!r} is a column of {files[0]} and no score: name it by an option{such_as}")


def _columns_of(file: str) -> tuple[str, ...]:
    """Return the names of a file's columns; none where it is no table, which is told elsewhere."""
    from veracity.readers.guess_predictions import guess_predictions

    try:
        guess = None if file == "-" else guess_predictions(file, {})
    except BadInput:
        return ()
    return () if guess is None else guess.names


def _no_file(scores: Sequence[str], reads: str) -> str:
    stray = [word for word in scores if "(" not in word and own_name("scores", word) is None]
    if stray:
        from veracity.readers.source import near_names

        near = near_names(Path(stray[0])).removeprefix(": ") or f"name {reads}, or - for standard input"
        return f"{stray[0]!r} is neither a file here nor a score; {near}"
    return f"name {reads}, or - for standard input"
