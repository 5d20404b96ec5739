"""What a page is made of, and from that one file of HTML: no request, no foreign script, the same bytes every time."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from veracity.core.notes import Note
from veracity.core.words import spell_out_controls
from veracity.reports.svg.paper import Drawing
from veracity.tables.formats import grid
from veracity.tables.table import Table, drop_constant_columns

POLICY = "default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'"
WRITTEN_OUT = 2_000  # cells of a folded table that stand on the page as elements
SIZES = {"fifths": 205.0, "thirds": 340.0, "halves": math.inf}  # of a row, and the widest picture that they suit
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
class Lines(Block):
    """Several short paragraphs that belong together."""

    each: tuple[str, ...]


@dataclass(frozen=True)
class Verbatim(Block):
    """A text as it is, such as a traceback."""

    text: str


@dataclass(frozen=True, eq=False)
class Fold(Block):
    """Blocks under a title that opens and closes them; on paper they are all open."""

    title: str
    blocks: tuple[Block, ...]
    open: bool = False


@dataclass(frozen=True, eq=False)
class Folds(Block):
    """Blocks by title, such as those of each data set: closed but the first; closed ones stand side by side."""

    each: tuple[Fold, ...]


def fold_by_name(parts: Mapping[str, Sequence[Block]], first_open: bool = True) -> tuple[Block, ...]:
    """Blocks by the name of what they are of, as folds; a single one needs no fold, nor a name."""
    if len(parts) == 1:
        return tuple(block for blocks in parts.values() for block in blocks)
    folds = (Fold(name, tuple(blocks), first_open and not at) for at, (name, blocks) in enumerate(parts.items()))
    return (Folds(tuple(folds)),) if parts else ()


@dataclass(frozen=True, eq=False)
class Grid(Block):
    """A table, without columns that say the same in all rows; a long one is folded away under its caption."""

    table: Table
    folded: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", drop_constant_columns(self.table))

    @property
    def packed(self) -> bool:
        """Whether it is so large that the page holds its texts alone, and makes the table when it is unfolded."""
        return self.folded and len(self.table.rows) * len(self.table.columns) > WRITTEN_OUT

    @property
    def plain(self) -> str:
        """The table as plain text, for a reader without scripts."""
        return grid(self.table)

    @property
    def data(self) -> dict[str, Any]:
        """Its texts by column, each once where they come again, for the script."""
        columns = zip(self.table.columns, zip(*self.table.texts, strict=True), strict=True)
        wide = len(self.table.columns)
        return {
            "caption": self.table.full_caption or "table",
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

    svg: Drawing
    caption: str


@dataclass(frozen=True, eq=False)
class Pictures(Block):
    """Drawings side by side."""

    each: tuple[Picture, ...]

    @property
    def size(self) -> str:
        """How much of a row each takes, so that the widest keeps its letters readable."""
        widest = max((one.svg.width for one in self.each), default=0.0)
        return next(name for name, width in SIZES.items() if widest <= width)


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


def all_blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    """Every block in reading order, those within folds too."""
    for block in blocks:
        yield block
        if isinstance(block, Folds):
            yield from all_blocks(block.each)
        elif isinstance(block, Fold):
            yield from all_blocks(block.blocks)


def render(title: str, question: str, answer: str, sections: Sequence[Section]) -> str:
    """The page as HTML: the question, the answer, and all that stands behind it.

    Every text is escaped; only our own script and style may run, by their hashes.
    """
    style, script = asset("page.css"), asset("page.js")
    return _template().render(
        title=title,
        question=question,
        answer=answer,
        sections=sections,
        style=Markup(style),
        script=Markup(script),
        policy=POLICY.format(style=_hash(style), script=_hash(script)),
        **data_of_blocks(sections),
    )


def data_of_blocks(sections: Sequence[Section]) -> dict[str, Any]:
    """What the script reads, as one island of JSON, and the place in it of each block that has data there."""
    blocks = [block for section in sections for block in all_blocks(section.blocks)]
    with_data = [block for block in blocks if isinstance(block, Explorer) or (isinstance(block, Grid) and block.packed)]
    return {"island": Markup(json_island([block.data for block in with_data])), "place": with_data.index}


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
def asset(name: str, room: str = "veracity.reports") -> str:
    """A template, style or script of a room of the house."""
    return (files(room) / "assets" / name).read_text("utf-8")


def environment(templates: Mapping[str, str]) -> Any:
    """Templates in which every text is escaped and shows its controls; `blocks.html` writes blocks."""
    from jinja2 import DictLoader, Environment, StrictUndefined

    how: Any = {"autoescape": True, "undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    how["finalize"] = _visible
    return Environment(loader=DictLoader({"blocks.html": asset("blocks.html"), **templates}), **how)


@cache
def _template() -> Any:
    return environment({"page.html": asset("page.html")}).get_template("page.html")
