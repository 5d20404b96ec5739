"""Writes the pages of the manual that come from the code itself: catalogue, public names, command line, schemas."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from docs.api_pages import write_api
from docs.command_pages import commands_page
from docs.equivalents import PEERS, coming_from_page
from docs.json_shapes import json_schema
from docs.manual_index import verb_articles
from docs.store_page import store_page
from veracity.core.entry import Entry
from veracity.core.references import ASSUMPTIONS, REFERENCES
from veracity.methods.catalogue import SHELVES, catalogue
from veracity.methods.describe import describe
from veracity.methods.topics import topic_articles
from veracity.tables.manual import section_markdown

REFERENCE = Path(__file__).parent / "reference"
HERE = REFERENCE / "catalogue"
LINKS = {"**Assumes**": "**[Assumes](assumptions.md)**", "**References**": "**[References](references.md)**"}


def entry_section(entry: Entry) -> str:
    """One entry as a section; docstrings are Markdown already."""
    prose, typed, *rest = describe(entry)
    head = [f"({entry.kind}-{entry.name})=\n## {entry.title}", *(f"`{line}`" for line in typed.lines), *prose.lines]
    text = "\n\n".join([*head, *map(section_markdown, rest)])
    for plain, link in LINKS.items():
        text = text.replace(plain, link, 1)
    return text


def entries_page(title: str, entries: Iterable[Entry]) -> str:
    return "\n\n".join([f"# {title}", *map(entry_section, sorted(entries, key=lambda entry: entry.name))]) + "\n"


def defaults_page() -> str:
    head = "What is taken where no method is named, and why: of each question the first row that fits."
    return f"# Defaults\n\n{head}\n\n{catalogue('defaults').to_markdown()}"


def table_page(title: str, table: dict[str, str]) -> str:
    return "\n".join([f"# {title}", "", *(f"- **{key}**: {text}" for key, text in sorted(table.items()))]) + "\n"


def main() -> None:
    HERE.mkdir(parents=True, exist_ok=True)
    for shelf in SHELVES:
        (HERE / f"{shelf.name}.md").write_text(entries_page(shelf.title, shelf.catalogue))
    (HERE / "defaults.md").write_text(defaults_page())
    for name, pages in (("topics", topic_articles()), ("verbs", verb_articles())):
        says = {one.name: f"{one.title}. {one.facts['says']}" for one in pages}
        (HERE / f"{name}.md").write_text(table_page(name.capitalize(), says))
    (HERE / "assumptions.md").write_text(table_page("Assumptions", ASSUMPTIONS))
    (HERE / "references.md").write_text(table_page("References", REFERENCES))
    write_api(REFERENCE / "api")
    (REFERENCE / "made").mkdir(exist_ok=True)
    (REFERENCE / "made" / "command-line.md").write_text(commands_page())
    (how_to := REFERENCE.parent / "how-to" / "made").mkdir(exist_ok=True)
    for peer in PEERS:
        (how_to / f"coming-from-{peer.lower()}.md").write_text(coming_from_page(peer))
    (REFERENCE / "made" / "store.md").write_text(store_page())
    (REFERENCE / "made" / "veracity.schema.json").write_text(json.dumps(json_schema(), indent=1))


if __name__ == "__main__":
    main()
