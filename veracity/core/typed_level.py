"""A level that somebody typed: on the command line, or in an address of the workbench."""

from __future__ import annotations

from veracity.core.errors import BadInput

MIN_PLAUSIBLE_LEVEL = 0.5
ALPHA = "--level is 1 - alpha, as in --level 0.95 for an alpha of 0.05"


def check_typed_level(level: float) -> float:
    """Return the level; refuse one that is surely meant as the chance to err, as a test at it would always reject."""
    if 0 < level < MIN_PLAUSIBLE_LEVEL:
        raise BadInput(f"--level is how sure to be, and {level:g} of it is a guess: {ALPHA}")
    return level
