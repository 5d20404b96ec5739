"""Which option or command is meant by one that is not there: what other programs call it, or one spelled alike."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path

import click

from veracity.core.index import whereabouts
from veracity.core.spelling import fold
from veracity.core.suggest import nearest
from veracity.core.words import for_command_line

SCORES = "scores are named behind the file, as in veracity score preds.csv auc"
ALPHA = "--level is 1 - alpha, as in --level 0.95 for an alpha of 0.05"
MIN_LIKENESS = 0.6  # of the names of options
NEGATIVE = re.compile(r"-(\.?\d|inf|nan)", re.IGNORECASE)
MIN_LETTERS = 3  # of a word that can be told from others that are spelled alike


@cache
def synonyms() -> dict[str, dict[str, str]]:
    """Return what other programs call our options and commands."""
    return tomllib.loads(Path(__file__).with_name("synonyms.toml").read_text("utf-8"))


def suggest_option(typed: str, params: Sequence[click.Parameter]) -> str:
    """Return what to say of an option that a command does not have; an empty text where no other is likely."""
    word, number = fold(typed.lstrip("-")), (click.INT, click.FLOAT)
    is_number = {name: one.type in number for one in params for name in one.opts if name[0] == "-"}
    if word == "alpha" and "--level" in is_number:
        return ALPHA
    for takes_number, table in ((False, "options"), (True, "numbers")):
        for options, words in synonyms()[table].items():
            meant = [name for name in options.split() if is_number.get(name) is takes_number]
            if meant and word in map(fold, words.split()):
                return f"did you mean {' or '.join(meant)}?"
    takes_scores = any("SCORE" in (one.metavar or "") for one in params)
    if takes_scores and word in map(fold, synonyms()["options"]["--score"].split()):
        return SCORES
    # `--mcnemar` is `--using mcnemar`
    places = [for_command_line(place) for place in whereabouts(word)]
    known = [*is_number, *(["a score,"] if takes_scores else [])]
    here = [place for place in places if any(f"{name} " in f"{place} " for name in known)]
    if here:
        return f"it is {', and '.join(here)}"
    # the dashes, which all of them have, make none alike
    names = {name.lstrip("-").replace("-", "_"): name for name in is_number}
    near = nearest(typed.lstrip("-"), names, MIN_LIKENESS) if len(fold(typed)) >= MIN_LETTERS else []
    if near:
        return f"did you mean {' or '.join(names[name] for name in near)}?"
    explained = [place for place in places if "explained by" in place]
    return f"it is {', and '.join(explained)}" if explained else ""


def suggest_commands(typed: str, known: Collection[str]) -> list[str]:
    """Return the commands that another program calls by this word, or that are spelled alike."""
    tables = synonyms()["commands"].items()
    called = [command for command, words in tables if command in known and fold(typed) in map(fold, words.split())]
    return called or nearest(typed, known, 0.6)


def refuse_unknown_options(words: Sequence[str]) -> None:
    """Refuse words that begin as an option does, where numbers are typed, which may be negative."""
    for word in words:
        if word[:1] == "-" and word != "-" and not NEGATIVE.match(word):
            raise click.NoSuchOption(word.partition("=")[0], ctx=click.get_current_context())
