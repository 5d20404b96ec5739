"""What a method is, what it assumes, where it stops and who said so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import veracity
from veracity.core.entry import Entry
from veracity.core.errors import BadInput
from veracity.core.nearest import nearest
from veracity.core.references import ASSUMPTIONS, REFERENCES
from veracity.core.spelling import read
from veracity.core.verb import verb
from veracity.core.words import phrase
from veracity.experiments import procedures
from veracity.methods.catalogues import CATALOGUES
from veracity.methods.describe import describe, facts, heading
from veracity.tables.manual import ManualPage, ManualSection


@verb
def explain(name: str | Entry) -> ManualPage:
    """The manual page of a method (by text or entry), of a verb with its ways, of an assumption or of a reference."""
    if isinstance(name, Entry):
        return _page(name.name, (name,))
    if not isinstance(name, str):
        raise BadInput(f"explain a method by its name, such as 'auc', not {name!r}")
    text = name.strip()
    if text in ASSUMPTIONS:
        return _table_page("assumption", text, ASSUMPTIONS[text], _users("assumes", text))
    if text in REFERENCES:
        return _table_page("reference", text, REFERENCES[text], _users("cite", text))
    plain = read(text).name
    entries = tuple(catalogue[plain] for catalogue in CATALOGUES.values() if plain in catalogue)
    entries = entries or tuple(entry for entry in procedures if entry.verb == plain)
    if not entries:
        raise BadInput(_unknown(plain))
    return _page(plain, entries)


def _unknown(name: str) -> str:
    if name in veracity.__all__:
        return f"{name} is no method but a name of the library: help(veracity.{name}) tells of it"
    names = [entry.name for catalogue in CATALOGUES.values() for entry in catalogue]
    near = nearest(name, [*names, *ASSUMPTIONS, *REFERENCES])
    lists = phrase("veracity.catalogue()", "veracity list")
    offer = f"did you mean {' or '.join(near)}?" if near else f"{lists} lists what there is"
    return f"nothing is called {name!r}: {offer}"


def _table_page(kind: str, key: str, says: str, users: tuple[str, ...]) -> ManualPage:
    sections = (ManualSection("", (says,)), ManualSection("Named by", (", ".join(users) or "nothing yet",)))
    return ManualPage(key, f"{key} ({kind})", sections, (("kind", kind), ("says", says), ("users", list(users))))


def _users(field: str, key: str) -> tuple[str, ...]:
    entries = (entry for catalogue in CATALOGUES.values() for entry in catalogue)
    return tuple(sorted({entry.name for entry in entries if key in getattr(entry, field)}))


def _page(name: str, entries: tuple[Any, ...]) -> ManualPage:
    title = "; ".join(map(heading, entries))
    if len(entries) == 1:
        return ManualPage(name, title, describe(entries[0]), tuple(facts(entries[0]).items()))
    alike = len({entry.kind for entry in entries}) == 1
    sections = tuple(
        replace(section, title=f"{entry.name if alike else entry.kind}: {section.title}".rstrip(": "))
        for entry in entries
        for section in describe(entry)
    )
    return ManualPage(name, title, sections, (("entries", [facts(entry) for entry in entries]),))
