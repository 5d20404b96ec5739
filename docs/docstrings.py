"""The docstrings of public names, taken apart: what they say first, each parameter or attribute, the example."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

FROM_PYTHON = {*dir(float), *dir(Exception)}  # members that every float or error has


class Part(NamedTuple):
    """A parameter, attribute or method: its name, its type and default as typed, and what it is."""

    name: str
    typed: str
    description: str


def sections_of(value: Any) -> dict[str, str]:
    """Return the sections of a docstring by title; what stands before the first has the title ''."""
    title_first = re.split(r"(?:^|\n\n)(Parameters|Attributes|Examples)\n-+\n", inspect.getdoc(value) or "")
    return {"": title_first[0], **dict(zip(title_first[1::2], title_first[2::2], strict=True))}


def own_text(value: Any) -> str:
    """Return what a docstring says before its sections."""
    return sections_of(value)[""]


def example_of(value: Any) -> str:
    """Return the example of a docstring as typed and answered; empty where there is none."""
    return sections_of(value).get("Examples", "")


def described(value: Any) -> dict[str, str]:
    """Return what the docstring says of each parameter or attribute."""
    sections = sections_of(value)
    rows = re.split(r"^(\S+)\n", sections.get("Parameters", "") + sections.get("Attributes", ""), flags=re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in zip(rows[1::2], rows[2::2], strict=True)}


def parameters_of(value: Any) -> list[Part]:
    """Return the parameters of a function or a class, with what the docstring says of each."""
    known = described(value)
    parts = []
    for parameter in inspect.signature(value).parameters.values():
        stars = {parameter.VAR_KEYWORD: "**", parameter.VAR_POSITIONAL: "*"}.get(parameter.kind, "")
        name = stars + parameter.name
        parts.append(Part(name, _type_and_default(parameter), known.get(name, "")))
    return parts


def members_of(value: type) -> Iterator[Part]:
    """Yield the attributes and methods of a class that are no parameters, methods by their first sentences."""
    known = described(value)
    parameters = set(inspect.signature(value).parameters)
    for name in sorted((set(dir(value)) | set(known)) - parameters):
        if name.startswith("_") or name in FROM_PYTHON:
            continue
        member = inspect.getattr_static(value, name)
        function = getattr(member, "__func__", member)
        typed = re.sub(r"\bself(, )?", "", str(inspect.signature(function))) if callable(function) else ""
        first_sentence = " ".join((inspect.getdoc(member) or "").split("\n\n")[0].split())
        yield Part(name, typed, known.get(name) or first_sentence)


def undescribed(name: str, value: Any) -> list[str]:
    """Return a line for each thing that a docstring leaves out, or describes although it is not there."""
    parts = [part for part in parameters_of(value) if part.name != "*args"]
    members = list(members_of(value)) if inspect.isclass(value) else []
    lines = [f"{name}: {part.name} is not described" for part in (*parts, *members) if not part.description]
    unknown = set(described(value)) - {part.name for part in (*parts, *members)}
    lines += [f"{name}: {word} is described and is not there" for word in sorted(unknown)]
    return lines if example_of(value) else [*lines, f"{name} has no example"]


def _type_and_default(parameter: inspect.Parameter) -> str:
    typed = "" if parameter.annotation is parameter.empty else str(parameter.annotation).replace(" | None", "")
    without_default = parameter.default is parameter.empty or "factory" in repr(parameter.default)
    return ", ".join(filter(None, (typed, "" if without_default else f"default {parameter.default!r}")))
