"""What a method, a verb or a word is: its page."""

from __future__ import annotations

from dataclasses import replace
from typing import overload

from veracity.api.search import Found, search
from veracity.core.arguments import verb
from veracity.core.entry import Entry
from veracity.core.errors import BadInput
from veracity.methods.articles import Article, articles
from veracity.methods.find_articles import articles_called
from veracity.tables.manual import ManualPage


@overload
def explain(name: Entry) -> ManualPage: ...
@overload
def explain(name: str) -> ManualPage | Found: ...
@verb
def explain(name: str | Entry) -> ManualPage | Found:
    """The page of a method, a verb, a topic, an assumption or a reference; of other words the pages they are about.

    A method may be given by its name, by what others call it, or as an entry. `search` lists pages for any words.
    """
    if isinstance(name, Entry):
        from veracity.methods.describe import article_of

        return _page((article_of(name),))
    if not isinstance(name, str):
        raise BadInput(f"explain a method by its name, such as 'auc', not {name!r}")
    called = articles_called(name.partition("(")[0].strip())
    if called:
        return _page(_with_ways(called))
    return search(name)


def _with_ways(called: tuple[Article, ...]) -> tuple[Article, ...]:
    """A verb comes with the ways in which it can be done."""
    verbs = {one.name for one in called if one.kind == "verb"}
    ways = tuple(one for one in articles() if one.facts.get("verb") in verbs and one not in called)
    return called + ways


def _page(parts: tuple[Article, ...]) -> ManualPage:
    title = "; ".join(f"{one.title} ({one.kind} {one.name})" for one in parts)
    first = parts[0]
    if len(parts) == 1:
        return ManualPage(first.name, title, first.sections, tuple(first.facts.items()))
    alike = len({one.name for one in parts}) == 1
    sections = tuple(
        section
        if one.kind == "verb"
        else replace(section, title=f"{one.kind if alike else one.name}: {section.title}".rstrip(": "))
        for one in parts
        for section in one.sections
    )
    return ManualPage(first.name, title, sections, (("entries", [dict(one.facts) for one in parts]),))
