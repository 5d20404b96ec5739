"""Reading and writing `name(param=value)`, the one way to name a method with its parameters."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from veracity.core.errors import BadInput

WORDS = re.compile(r"\s*([\w.][\w\s.'’+^/–-]*?)\s*(\(.*\))?\s*", re.DOTALL)  # a name as it is written, with parameters
UNREADABLE = (SyntaxError, ValueError, TypeError, RecursionError, MemoryError)  # of texts that Python cannot parse
POSSESSIVE = re.compile(r"['’]s?\b")
AMERICAN = re.compile(r"iz(?=[aei])")


@dataclass(frozen=True)
class Spelling:
    """A catalogue name with literal arguments; an argument may itself be a Spelling."""

    name: str
    arguments: tuple[tuple[str, Any], ...] = ()
    positional: tuple[Any, ...] = ()

    def __str__(self) -> str:
        if not self.arguments:
            return self.name
        values = ((key, value if isinstance(value, Spelling) else repr(value)) for key, value in self.arguments)
        return f"{self.name}({', '.join(f'{key}={value}' for key, value in values)})"


@lru_cache(maxsize=256)  # a spelling never changes, and parsing costs more than many a method
def read(text: str) -> Spelling:
    """Parse `name` or `name(param=value, ...)`; only literals and nested names, never evaluated.

    A name may be several words or begin with a digit or a dot, as people write it: `5x2cv`, `sign test`, `.632+`.
    """
    try:
        words = WORDS.fullmatch(text)
        if words is None:
            raise ValueError
        call = _spelling(ast.parse(f"_{words[2] or ''}", mode="eval").body)
        return Spelling(" ".join(words[1].split()), call.arguments, call.positional)
    except UNREADABLE:
        short = text if len(text) <= 60 else f"{text[:57]}..."
        says = f"cannot read {short!r}: write name or name(param=value), for example fbeta(beta=2)"
        raise BadInput(says) from None


@lru_cache(maxsize=4096)
def fold(name: str) -> str:
    """A name without what people write differently: case, accents, spaces, hyphens, dots, possessives, -ize."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    plain = AMERICAN.sub("is", POSSESSIVE.sub("", plain)).replace("+", "plus")
    plain = f"{plain[:-1]}minus" if plain.endswith("-") else plain  # LR-, beside LR+
    return "".join(letter for letter in plain if letter.isalnum())


def split_spellings(text: str) -> list[str]:
    """Several spellings in one text, at the commas that stand outside of parentheses."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


def _call(node: ast.expr, value: Callable[[ast.expr], Any]) -> tuple[str, list[Any], dict[str, Any]]:
    """Return the name, the positional and the named arguments of a call, or of a name alone, which has none."""
    if isinstance(node, ast.Name):
        return node.id, [], {}
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and all(each.arg for each in node.keywords)):
        raise ValueError
    return node.func.id, [*map(value, node.args)], {str(each.arg): value(each.value) for each in node.keywords}


def _spelling(node: ast.expr) -> Spelling:
    name, positional, named = _call(node, _value)
    return Spelling(name, tuple(named.items()), tuple(positional))


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Call):
        return _spelling(node)
    if isinstance(node, ast.Name):
        return node.id  # a word needs no quotes, which shells make awkward: fbeta(average=macro)

    def freeze(value: Any) -> Any:  # a choice of method can be hashed and compared
        if isinstance(value, (list, tuple)):
            return tuple(map(freeze, value))
        return tuple((key, freeze(item)) for key, item in value.items()) if isinstance(value, dict) else value

    return freeze(ast.literal_eval(node))


def read_call(text: str) -> tuple[str, list[Any], dict[str, Any]] | None:
    """The name, the positional and the named arguments, all literals and never evaluated; None if it is not that."""
    try:
        return _call(ast.parse(text.strip(), mode="eval").body, ast.literal_eval)
    except UNREADABLE:
        return None
