"""Public functions, whose plain arguments are held against their signatures before anything is done."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from veracity.core.entry import Entry, matches_type, types_in_words
from veracity.core.errors import BadInput
from veracity.core.words import brief

P = ParamSpec("P")
R = TypeVar("R")
AS_TEXT = {"MethodLike": "str", "Side": "str"}  # what a user gives as text, or as what veracity made of one


def verb(function: Callable[P, R]) -> Callable[P, R]:
    """A function that refuses a text for a number, a list for a text and the like, in one sentence."""
    parameters = inspect.signature(function).parameters.values()
    places = [(one.name, _words(one)) for one in parameters]
    # a word that **more takes may be called as a place is
    named = {one.name: _words(one) for one in parameters if one.kind != one.POSITIONAL_ONLY}

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        by_place = ((name, words, value) for (name, words), value in zip(places, args, strict=False))
        by_name = ((name, named.get(name, "Any"), value) for name, value in kwargs.items())
        for name, words, value in (*by_place, *by_name):
            if not matches_type(words, value) and not isinstance(value, Entry):
                raise BadInput(f"`{name}=` must be {types_in_words(words)}, not {brief(repr(value))}")
        return function(*args, **kwargs)

    return call


def _words(parameter: inspect.Parameter) -> str:
    """The types that a signature names, in the words of `matches_type`; **more takes anything."""
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return "Any"
    words: list[Any] = str(parameter.annotation).split(" | ")
    return " | ".join(AS_TEXT.get(word, word) for word in words)
