"""A page of the manual: a title and sections of text."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace
from typing import Any

from veracity.core.words import for_command_line, spell_out_controls
from veracity.tables.formats import escape_html, escape_markdown, html, markdown, text
from veracity.tables.table import Table

WIDTH = 100


@dataclass(frozen=True)
class ManualSection:
    """A heading, its lines and a table below them."""

    title: str
    lines: tuple[str, ...]
    table: Table | None = None


@dataclass(frozen=True, repr=False)
class ManualPage:
    """Prints as a page of the manual."""

    name: str
    title: str
    sections: tuple[ManualSection, ...]
    facts: tuple[tuple[str, Any], ...] = ()

    def __repr__(self) -> str:
        blocks = [spell_out_controls(self.title)]
        for section in self.sections:
            lines, indent = ([section.title], "  ") if section.title else ([], "")
            wrapper = textwrap.TextWrapper(
                WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
            )
            for line in section.lines:
                lines += wrapper.wrap(spell_out_controls(" ".join(line.split())))
            lines += [f"  {line}" for line in text(section.table).splitlines()] if section.table else []
            blocks.append("\n".join(lines))
        return "\n\n".join(blocks)

    @property
    def for_command_line(self) -> ManualPage:
        """The same in the words of the command line."""
        sections = (replace(section, lines=tuple(map(for_command_line, section.lines))) for section in self.sections)
        return replace(self, sections=tuple(sections))

    def _repr_html_(self) -> str:
        blocks = [f"<h3>{escape_html(self.title)}</h3>"]
        for section in self.sections:
            head = f"<strong>{escape_html(section.title)}</strong><br>" if section.title else ""
            lines = (escape_html(" ".join(line.split())) for line in section.lines)
            blocks.append(f"<p>{head}{'<br>'.join(lines)}</p>")
            blocks += [html(section.table)] if section.table else []
        return "\n".join(blocks)

    def to_markdown(self) -> str:
        blocks = [f"# {escape_markdown(self.title)}", *map(section_markdown, self.sections)]
        return "\n\n".join(blocks) + "\n"

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, **dict(self.facts)}


def section_markdown(section: ManualSection) -> str:
    """Return a section in Markdown, as the pages of the manual have it too."""
    parts = [f"**{escape_markdown(section.title)}**"] if section.title else []
    if section.lines:
        parts.append("\n".join(f"- {escape_markdown(' '.join(line.split()))}" for line in section.lines))
    if section.table:
        parts.append(markdown(section.table).rstrip())
    return "\n\n".join(parts)
