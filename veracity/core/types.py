"""Whether a value is of the plain type that a signature names; types beyond these are the method's own to check."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

PLAIN: dict[str, tuple[type, str]] = {
    "float": (Real, "a number"),
    "int": (Integral, "a whole number"),
    "bool": (bool, "True or False"),
    "str": (str, "a text"),
    "None": (type(None), "None"),
}


def suits(named: str, value: Any) -> bool:
    """Whether the value is of one of the types, as `float | None` lists them; a method may stand for its text."""
    words = named.split(" | ")
    if any(word not in PLAIN for word in words) or ("str" in words and hasattr(value, "spelling")):
        return True
    return any(isinstance(value, PLAIN[word][0]) and (word == "bool" or not _flag(value)) for word in words)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)  # Python counts True as a number, nobody else does


def types_in_words(named: str) -> str:
    """The types in words."""
    return " or ".join(PLAIN[word][1] for word in named.split(" | "))
