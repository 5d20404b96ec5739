"""What a page is made of, and from that one file of HTML: no request, no foreign script, the same bytes every time."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from veracity.core.notes import Note
from veracity.core.words import spell_out_controls
from veracity.tables.table import Table

POLICY = "default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'"
WRITTEN_OUT = 2_000  # cells of a folded table that stand on the page as elements
ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


class Block:
    """A part of a section, which the template writes by its kind."""

    @property
    def kind(self) -> str:
        return type(self).__name__.lower()


@dataclass(frozen=True)
class Words(Block):
    """A paragraph."""

    says: str


@dataclass(frozen=True)
class Heading(Block):
    """A name above what belongs to it, such as a data set."""

    says: str


@dataclass(frozen=True, eq=False)
class Grid(Block):
    """A table; a long one is folded away under its caption."""

    table: Table
    folded: bool = False

    @property
    def packed(self) -> bool:
        """Whether it is so large that the page holds its texts alone, and makes the table when it is unfolded."""
        return self.folded and len(self.table.rows) * len(self.table.columns) > WRITTEN_OUT

    @property
    def data(self) -> dict[str, Any]:
        """Its texts by column, each once where they come again, for the script."""
        columns = zip(self.table.columns, zip(*self.table.texts, strict=True), strict=True)
        wide = len(self.table.columns)
        return {
            "caption": self.table.caption or "table",
            "columns": [{"title": one.title, "align": one.align, **_texts(texts)} for one, texts in columns],
            "bold": sorted(row * wide + column for row, column in self.table.bold),
        }


def _texts(texts: Sequence[str]) -> dict[str, Any]:
    """As they are, or as places in a list of different ones."""
    words = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    if len(words) > len(texts) / 4:
        return {"texts": texts}
    return {"texts": list(words), "at": [words[text] for text in texts]}


@dataclass(frozen=True, eq=False)
class Picture(Block):
    """A drawing and what it shows."""

    svg: Markup
    caption: str

    @property
    def wide(self) -> bool:
        """Whether it has a row of the page for itself, or half of one."""
        return 'class="chart wide"' in self.svg


@dataclass(frozen=True, eq=False)
class Pictures(Block):
    """Drawings side by side."""

    each: tuple[Picture, ...]

    @property
    def wide(self) -> bool:
        """Whether they take half of the page each, or a third."""
        return all(one.wide for one in self.each)


@dataclass(frozen=True, eq=False)
class Explorer(Block):
    """Thresholds with exact counts, which the reader moves through."""

    data: Mapping[str, Any]


@dataclass(frozen=True)
class Notes(Block):
    """Cautions before remarks."""

    notes: tuple[Note, ...]


@dataclass(frozen=True)
class Terms(Block):
    """Words and what they mean, such as a method and its formula."""

    each: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, eq=False)
class Section:
    """A part of the page with its own heading."""

    key: str
    title: str
    blocks: tuple[Block, ...]


def render(title: str, question: str, answer: str, sections: Sequence[Section]) -> str:
    """The page as HTML: the question, the answer, and all that stands behind it.

    Every text is escaped; only our own script and style may run, by their hashes.
    """
    style, script = _asset("page.css"), _asset("page.js")
    blocks = [block for section in sections for block in section.blocks]
    explorers = [block.data for block in blocks if isinstance(block, Explorer)]
    tables = [block.data for block in blocks if isinstance(block, Grid) and block.packed]
    return _template().render(
        title=title,
        question=question,
        answer=answer,
        sections=sections,
        style=Markup(style),
        script=Markup(script),
        policy=POLICY.format(style=_hash(style), script=_hash(script)),
        island=Markup(json_island([*explorers, *tables])),
        first_table=len(explorers),
    )


def _visible(value: Any) -> Any:
    """What a page shows of a value; elements are what they are."""
    return (
        spell_out_controls(value, keep="\n\t") if isinstance(value, str) and not hasattr(value, "__html__") else value
    )


def _all_visible(data: Any) -> Any:
    if isinstance(data, dict):
        return {_visible(key): _all_visible(item) for key, item in data.items()}
    if isinstance(data, (list, tuple)):
        return [_all_visible(item) for item in data]
    return _visible(data)


def json_island(data: Any) -> str:
    """JSON that no browser can read as anything else, and whose texts a script may show as they are."""
    return json.dumps(_all_visible(data), separators=(",", ":"), allow_nan=False, ensure_ascii=True).translate(ESCAPES)


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"


@cache
def _asset(name: str) -> str:
    return (files("veracity.reports") / "assets" / name).read_text("utf-8")


@cache
def _template() -> Any:
    from jinja2 import DictLoader, Environment, StrictUndefined

    how: Any = {"autoescape": True, "undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    how["finalize"] = _visible
    return Environment(loader=DictLoader({"page.html": _asset("page.html")}), **how).get_template("page.html")
