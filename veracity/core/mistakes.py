"""Several mistakes of one input, told in one go, each with its place."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from veracity.core.errors import BadInput


class Mistake(NamedTuple):
    """What is wrong, and where: `data.credit.target`."""

    path: str
    says: str

    def __str__(self) -> str:
        return f"{self.path}: {self.says}" if self.path else self.says


class Mistakes(BadInput):
    """Every mistake of one file; its text has a line for each."""

    def __init__(self, where: str, mistakes: Sequence[Mistake]) -> None:
        self.where, self.mistakes = where, tuple(mistakes)
        super().__init__("\n".join(self.lines))

    @property
    def lines(self) -> list[str]:
        return [f"{self.where}: {mistake}" for mistake in self.mistakes]

    def __reduce__(self) -> tuple[type, tuple[str, tuple[Mistake, ...]]]:
        return type(self), (self.where, self.mistakes)


def unknown_key(key: str, known: Iterable[str]) -> str:
    """What to say of a key that nothing reads."""
    names = list(known)
    near = difflib.get_close_matches(key, names, n=2, cutoff=0.5)
    return (
        f"there is no such key; did you mean {' or '.join(near)}?"
        if near
        else f"there is no such key: there are {', '.join(names)}"
    )
