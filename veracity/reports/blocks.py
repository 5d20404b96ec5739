"""What a page is made of, before it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from markupsafe import Markup

from veracity.core.notes import Note
from veracity.tables.table import Table


@dataclass(frozen=True)
class Words:
    """A paragraph."""

    kind: ClassVar[str] = "words"
    says: str


@dataclass(frozen=True)
class Heading:
    """A name above what belongs to it, such as a data set."""

    kind: ClassVar[str] = "heading"
    says: str


@dataclass(frozen=True, eq=False)
class Grid:
    """A table; a long one is folded away under its caption."""

    kind: ClassVar[str] = "grid"
    table: Table
    folded: bool = False


@dataclass(frozen=True, eq=False)
class Picture:
    """A drawing and what it shows."""

    kind: ClassVar[str] = "picture"
    svg: Markup
    caption: str

    @property
    def wide(self) -> bool:
        """Whether it has a row of the page for itself, or half of one."""
        return 'class="chart wide"' in self.svg


@dataclass(frozen=True, eq=False)
class Pictures:
    """Drawings side by side."""

    kind: ClassVar[str] = "pictures"
    each: tuple[Picture, ...]

    @property
    def wide(self) -> bool:
        """Whether they take half of the page each, or a third."""
        return all(one.wide for one in self.each)


@dataclass(frozen=True, eq=False)
class Explorer:
    """Thresholds with exact counts, which the reader moves through."""

    kind: ClassVar[str] = "explorer"
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Notes:
    """Cautions before remarks."""

    kind: ClassVar[str] = "notes"
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class Terms:
    """Words and what they mean, such as a method and its formula."""

    kind: ClassVar[str] = "terms"
    each: tuple[tuple[str, tuple[str, ...]], ...]


Block = Words | Heading | Grid | Picture | Pictures | Explorer | Notes | Terms


@dataclass(frozen=True, eq=False)
class Section:
    """A part of the page with its own heading."""

    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, eq=False)
class Page:
    """The question, the answer, and all that stands behind it."""

    title: str
    question: str
    answer: str
    sections: tuple[Section, ...]
