"""What a learner is, in one line for a reader; its fingerprint tells a machine the same."""

from __future__ import annotations

import re
from typing import Any

LONGEST = 160
PART = 80  # characters of each part of a learner that chooses for itself, so that no part hides the others
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")  # where an object lies in memory says nothing of what it is


def described(learner: Any) -> str:
    """Class and parameters as the learner prints itself; of one that chooses, what it chooses, from what and how."""
    return _choosing(learner) if getattr(learner, "chooses", False) is True else _line(learner, LONGEST)


def _choosing(learner: Any) -> str:
    """`tuned(inner learner, grid=..., by=..., score=..., rule=...)`, without what was left open."""
    given = {name: part for name, part in learner.get_params(deep=False).items() if part is not None}
    inner = _line(given.pop("learner"), PART)
    parts = [inner, *(f"{name}={_line(part, PART)}" for name, part in _in_order(learner, given).items())]
    return f"{type(learner).__name__.lower()}({', '.join(parts)})"


def _in_order(learner: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Parameters as the class declares them, which `get_params` sorts by name."""
    declared = [name for name in vars(learner) if name in given]
    return {name: given[name] for name in declared}


def _line(item: Any, longest: int) -> str:
    """An object as it prints itself, in one line that is safe to keep and no longer than so many characters."""
    try:
        said = repr(item)
    except Exception:  # whatever an object of somebody else does when it is printed
        said = type(item).__name__
    plain = "".join(letter if letter.isprintable() else " " for letter in ADDRESS.sub("", said))
    text = " ".join(plain.split())
    return text if len(text) <= longest else f"{text[: longest - 3]}..."
