"""What a text "module:Class(param=value)" or a table with "use" names, read without importing anything."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from veracity.core.errors import BadInput
from veracity.core.spelling import read_call
from veracity.core.words import brief

EXAMPLE = "sklearn.naive_bayes:GaussianNB"
DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
PROGRAM = "__main__"  # a module of this name runs when it is imported, and is no place for a class


class ClassText(NamedTuple):
    """A module, the name of a class in it, and parameters that are literals."""

    module: str
    name: str
    positional: list[Any]
    arguments: dict[str, Any]

    @property
    def place(self) -> str:
        return f"{self.module}:{self.name}"


def read_class_text(text: str) -> ClassText:
    """The parts of a text; parameters are never evaluated."""
    module, colon, rest = text.strip().partition(":")
    if not colon:
        path, bracket, inside = text.strip().partition("(")
        dotted = path.rpartition(".") if DOTTED.fullmatch(path) else ("", "", "")
        meant = f"here {dotted[0]}:{dotted[2]}{bracket}{inside}" if dotted[1] else f"such as {EXAMPLE}"
        raise BadInput(f"cannot read the learner {brief(text)!r}: write module:Class, {meant}")
    call = read_call(rest)
    if call is None:
        says = f"write module:Class or module:Class(param=value) with plain values, such as {EXAMPLE}"
        raise BadInput(f"cannot read the learner {brief(text)!r}: {says}")
    if not DOTTED.fullmatch(module) or PROGRAM in module.split("."):
        raise BadInput(f"{brief(module)!r} is not the name of a module: write module:Class")
    return ClassText(module, *call)


def modules_of(value: Any) -> Iterator[str]:
    """Every module that a table with "use", and all that it nests, names."""
    if isinstance(value, Mapping):
        for part in flat_table(value).values():
            yield from modules_of(part)
        if isinstance(value.get("use"), str):
            yield read_class_text(value["use"]).module
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from modules_of(part)


def canonical_text(value: Any) -> str:
    """One text for all spellings of a thing: parameters in its text or beside it, keys in any order, any list."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(sorted(f'{key!r}: {canonical_text(part)}' for key, part in flat_table(value).items()))}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(canonical_text, value))}]"
    return repr(value)


def flat_table(table: Mapping[Any, Any]) -> dict[Any, Any]:
    """The table with the parameters of its text beside it, those without a name under an empty one."""
    if not isinstance(table.get("use"), str):
        return dict(table)
    text = read_class_text(table["use"])
    positional = {"": text.positional} if text.positional else {}
    return {**table, **positional, **text.arguments, "use": text.place}
