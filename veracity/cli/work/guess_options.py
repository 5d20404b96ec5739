"""The sentence for an option that is missing: the columns there are, and a line that may be meant."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import click

from veracity.core.errors import BadInput
from veracity.readers.guess_predictions import guess_predictions
from veracity.readers.source import quote_names

OUTPUTS = ("label", "proba", "value", "number")
ALONE = ("truth", "positive", "model", "rows")
SEVERAL = (*OUTPUTS, "correct", "loss")


def without_role(says: str, files: Sequence[str], given: Mapping[str, Any]) -> BadInput:
    """What is missing, and a guess at it that can be pasted; the guess is never taken by itself."""
    typed = {role: list(given.get(role) or ()) for role in SEVERAL}
    typed |= {role: [given[role]] for role in ALONE if given.get(role) is not None}
    guess = guess_predictions(files[0], typed) if files and files[0] != "-" else None
    if guess is None:
        return BadInput(says)
    says = f"{says}; {files[0]} has {quote_names(guess.names)}"
    options = dict.fromkeys([*guess.options, *((role, name) for role, names in typed.items() for name in names)])
    known = {role for role, _ in options}
    if guess.advice:
        return BadInput(f"{says}; {guess.advice}")
    if not known & {"truth", "correct", "loss"} or not known & set(SEVERAL):
        return BadInput(says)
    context = click.get_current_context(silent=True)
    verb = "score" if context is None or context.info_name is None else context.info_name
    words = context.params.get("words", ()) if context is not None else ()
    line = [*(words or files), *(part for role, name in options for part in (f"--{role}", name))]
    return BadInput(f"{says}; perhaps: veracity {verb} {' '.join(map(shlex.quote, line))}")
