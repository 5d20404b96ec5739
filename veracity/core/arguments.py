"""Arguments of public functions: names for what users hand over, and checks of plain ones against the signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, wraps
from numbers import Integral, Real
from typing import Any, ParamSpec, TypeAlias, TypeVar

from veracity.core.errors import BadInput
from veracity.core.words import brief

Column: TypeAlias = Any  # one value per row: a list, an array, a column of a frame
Table: TypeAlias = Any  # rows x columns: an array, lists, a frame of pandas, polars or Arrow, a mapping of columns
Label: TypeAlias = Any  # a class as it comes in the truth: a text, a number, a truth value
Learner: TypeAlias = Any  # an object with fit and predict
Learners: TypeAlias = Any  # one learner, or a mapping of names to learners
DesignLike: TypeAlias = Any  # the name of a design or estimator, a splitter of scikit-learn, or several of them
Numbers: TypeAlias = Any  # one number, or several in a list or array
Grid: TypeAlias = Any  # a mapping of parameters to their values, or a list of settings
Preparation: TypeAlias = Any  # "default", None, or a transformer of scikit-learn
Words: TypeAlias = Any  # one text or several
Advised: TypeAlias = Any  # evidence, runs, a study or its plan

# what a signature may name; types beyond these are the method's own to check
PLAIN: dict[str, tuple[type, str]] = {
    "float": (Real, "a number"),
    "int": (Integral, "a whole number"),
    "bool": (bool, "True or False"),
    "str": (str, "a text"),
    "None": (type(None), "None"),
}

MOST = 10**300  # whole numbers beyond this are none of floating point
P = ParamSpec("P")
R = TypeVar("R")
AS_TEXT = {"MethodLike": "str", "Side": "str"}  # what a user gives as text, or as what veracity made of one


def verb(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function so that it refuses a text for a number, a list for a text and the like, in one sentence."""
    parameters = inspect.signature(function).parameters.values()
    places = [(one.name, _words(one)) for one in parameters]
    # a word that **more takes may be called as a place is
    named = {one.name: _words(one) for one in parameters if one.kind != one.POSITIONAL_ONLY}

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        by_place = ((name, words, value) for (name, words), value in zip(places, args, strict=False))
        by_name = ((name, named.get(name, "Any"), value) for name, value in kwargs.items())
        for name, words, value in (*by_place, *by_name):
            if not matches_type(words, value) and not hasattr(value, "read_parameters"):
                raise BadInput(f"`{name}=` must be {types_in_words(words)}, not {brief(repr(value))}")
        return function(*args, **kwargs)

    return call


def _words(parameter: inspect.Parameter) -> str:
    """The types that a signature names, in the words of `matches_type`; **more takes anything."""
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return "Any"
    words: list[Any] = str(parameter.annotation).split(" | ")
    return " | ".join(AS_TEXT.get(word, word) for word in words)


def matches_type(named: str, value: Any) -> bool:
    """Whether the value is of one of the types, as `float | None` lists them; a method may stand for its text."""
    types = _plain_types(named)
    if types is None or (str in types and hasattr(value, "spelling")):
        return True
    if isinstance(value, bool):  # Python counts True as a number, nobody else does
        return bool in types
    if isinstance(value, int) and abs(value) > MOST:
        return False
    return isinstance(value, types)


@cache  # public functions ask at every call
def _plain_types(named: str) -> tuple[type, ...] | None:
    """None where one of the types is no plain one, so that any value will do."""
    words = named.split(" | ")
    return tuple(PLAIN[word][0] for word in words) if all(word in PLAIN for word in words) else None


def types_in_words(named: str) -> str:
    """The types in words."""
    return " or ".join(PLAIN[word][1] for word in named.split(" | "))
