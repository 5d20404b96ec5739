"""The whole docstring of a public name: its own, then what each parameter is, with type and default, and an example."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from veracity.methods.public import fields, parameters

EXAMPLES = Path(__file__).with_name("examples.txt")
PYTHONS = {*dir(float), *dir(Exception)}  # members that every float or error has
MISSING = "is described nowhere: say what it is in veracity/methods/public/"


class Part(NamedTuple):
    """A parameter, field or member: its name, its type and default as typed, and what it is."""

    name: str
    typed: str
    says: str


@cache
def examples() -> dict[str, str]:
    """By name, as typed and answered."""
    parts = re.split(r"^# (\w+)\n", EXAMPLES.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], (text.strip() for text in parts[1::2]), strict=True))


def parameters_of(name: str, value: Any) -> list[Part]:
    """What a verb is given, or a class is made of."""
    known, shared = (fields, fields.SHARED) if inspect.isclass(value) else (parameters, parameters.SHARED)
    own = known.OWN.get(name, {})
    return [
        Part(_typed_name(one), _type(one), own.get(one.name) or shared.get(one.name, ""))
        for one in inspect.signature(value).parameters.values()
    ]


def members_of(name: str, value: type) -> Iterator[Part]:
    """What an object of a class has beyond what it is made of: properties and methods with their first sentences."""
    made_of = set(inspect.signature(value).parameters)
    own = fields.OWN.get(name, {})
    for member in sorted(set(dir(value)) - made_of):
        if not member.startswith("_") and member not in PYTHONS:
            thing = inspect.getattr_static(value, member)
            function = getattr(thing, "__func__", thing)
            typed = re.sub(r"\bself(, )?", "", str(inspect.signature(function))) if callable(function) else ""
            text = "" if isinstance(thing, (int, str, tuple)) else _first(inspect.getdoc(thing) or "")
            yield Part(member, typed, own.get(member) or text or fields.SHARED.get(member, ""))


def complete(name: str, value: Any) -> None:
    """Say all of it in the docstring, so that help() tells it; once."""
    if (
        (described := getattr(value, "__doc__", None))
        and "\nParameters\n" not in described
        and "\nExample\n" not in described
    ):
        value.__doc__ = f"{inspect.cleandoc(described)}\n\n{_sections(name, value)}"


def own_text(value: Any) -> str:
    """The docstring as it stands in the source."""
    return re.split(r"\n\n(?:Parameters|Example)\n", inspect.getdoc(value) or "")[0]


def undescribed(name: str, value: Any) -> list[str]:
    """A line for each thing that nobody has described."""
    parts = [*parameters_of(name, value), *(members_of(name, value) if inspect.isclass(value) else ())]
    lines = [f"{name}: {part.name} {MISSING}" for part in parts if not part.says]
    lost = set(_own(name, value)) - {part.name.lstrip("*") for part in parts}
    lines += [f"{name}: {word} is described and is not there" for word in sorted(lost)]
    return (
        lines
        if name in examples()
        else [*lines, f"{name}: has no example: give one in veracity/methods/public/{EXAMPLES.name}"]
    )


def _own(name: str, value: Any) -> dict[str, str]:
    return (fields if inspect.isclass(value) else parameters).OWN.get(name, {})


def _sections(name: str, value: Any) -> str:
    parts = parameters_of(name, value)
    lines = ["Parameters", "----------"] if parts else []
    for part in parts:
        lines += [f"{part.name} : {part.typed}" if part.typed else part.name, f"    {part.says}"]
    return "\n".join([*lines, *([""] if parts else []), "Example", "-------", examples().get(name, "")])


def _typed_name(one: inspect.Parameter) -> str:
    return "**" * (one.kind is one.VAR_KEYWORD) + "*" * (one.kind is one.VAR_POSITIONAL) + one.name


def _type(one: inspect.Parameter) -> str:
    typed = "" if one.annotation is one.empty else str(one.annotation).replace(" | None", "")
    default = "" if one.default is one.empty or "factory" in repr(one.default) else f"default {one.default!r}"
    return ", ".join(filter(None, (typed, default)))


def _first(text: str) -> str:
    """The first sentence, without its full stop."""
    return " ".join(text.split("\n\n")[0].split()).rstrip(".")
