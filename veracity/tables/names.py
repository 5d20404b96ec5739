"""Names of learners in tables: numbered and cut where some are long, and one place that tells which is which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from veracity.core.counting import brief
from veracity.core.notes import Note

LONGEST = 32  # characters of a name that may stand in several columns


@dataclass(frozen=True)
class Name:
    """A name as a table shows it; files for machines get it whole."""

    whole: str
    shown: str

    def __str__(self) -> str:
        return self.shown


Shown = dict[str, str | Name]


def short(names: Sequence[str], always: bool = False) -> Shown:
    """Each name with its number, cut where it is long; as they are where none is long, unless `always`."""
    if not always and not _long(names):
        return {name: name for name in names}
    return {name: Name(name, f"({number}) {brief(name, LONGEST)}") for number, name in enumerate(names, 1)}


def whole(names: Sequence[str], always: bool = False) -> Shown:
    """Each name with the number that `short` gives it, for the table that tells which is which."""
    if not always and not _long(names):
        return {name: name for name in names}
    return {name: Name(name, f"({number}) {name}") for number, name in enumerate(names, 1)}


def told(names: Sequence[str]) -> tuple[Note, ...]:
    """Which is which, for a table that no other one explains."""
    if not _long(names):
        return ()
    return (Note("names", "remark", "; ".join(map(str, whole(names).values()))),)


def _long(names: Sequence[str]) -> bool:
    return any(len(name) > LONGEST for name in names)
