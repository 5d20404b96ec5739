"""A page of the manual: a title and sections of text."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

from veracity.tables.html import escape
from veracity.tables.markdown import escape as markdown
from veracity.tables.text import visible

WIDTH = 100


@dataclass(frozen=True)
class ManualSection:
    """A heading and its lines."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class ManualPage:
    """Prints as a page of the manual."""

    name: str
    title: str
    sections: tuple[ManualSection, ...]
    facts: tuple[tuple[str, Any], ...] = ()

    def __repr__(self) -> str:
        blocks = [visible(self.title)]
        for section in self.sections:
            head = [section.title] if section.title else []
            blocks.append("\n".join([*head, *_wrapped(section)]))
        return "\n\n".join(blocks)

    def _repr_html_(self) -> str:
        blocks = [f"<h3>{escape(self.title)}</h3>"]
        for section in self.sections:
            head = f"<strong>{escape(section.title)}</strong><br>" if section.title else ""
            blocks.append(f"<p>{head}{'<br>'.join(map(escape, section.lines))}</p>")
        return "\n".join(blocks)

    def to_markdown(self) -> str:
        blocks = [f"# {markdown(self.title)}"]
        for section in self.sections:
            head = [f"**{markdown(section.title)}**"] if section.title else []
            blocks += [*head, "\n".join(f"- {markdown(' '.join(line.split()))}" for line in section.lines)]
        return "\n\n".join(blocks) + "\n"

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, **dict(self.facts)}


def _wrapped(section: ManualSection) -> list[str]:
    indent = "  " if section.title else ""
    lines = (visible(" ".join(text.split())) for text in section.lines)
    return [
        out
        for line in lines
        for out in textwrap.wrap(line, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    ]
