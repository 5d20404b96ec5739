"""Public functions, whose plain arguments are held against their signatures before anything is done."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from veracity.core.entry import Entry, matches_type, types_in_words
from veracity.core.errors import BadInput
from veracity.core.words import brief, option

P = ParamSpec("P")
R = TypeVar("R")
AS_TEXT = {"MethodLike": "str", "Side": "str"}  # what a user gives as text, or as what veracity made of one


def verb(function: Callable[P, R]) -> Callable[P, R]:
    """A function that refuses a text for a number, a list for a text and the like, in one sentence."""
    named = {parameter.name: _words(parameter) for parameter in inspect.signature(function).parameters.values()}
    places = list(named)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        for name, value in (*zip(places, args, strict=False), *kwargs.items()):
            words = named.get(name, "Any")
            if not matches_type(words, value) and not isinstance(value, Entry):
                raise BadInput(f"{option(name)} must be {types_in_words(words)}, not {brief(repr(value))}")
        return function(*args, **kwargs)

    return call


def _words(parameter: inspect.Parameter) -> str:
    """The types that a signature names, in the words of `matches_type`; **more takes anything."""
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return "Any"
    words: list[Any] = str(parameter.annotation).split(" | ")
    return " | ".join(AS_TEXT.get(word, word) for word in words)
