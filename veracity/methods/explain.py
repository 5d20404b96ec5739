"""Explain what a method, a verb or a word is, and search the pages of the manual for any words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, overload

from veracity.core.arguments import verb
from veracity.core.entry import Entry
from veracity.core.errors import BadInput
from veracity.core.index import names
from veracity.core.suggest import suggest
from veracity.core.words import brief
from veracity.methods.articles import Article, articles
from veracity.methods.find_articles import articles_about, articles_called, words_on_no_page
from veracity.tables.manual import ManualPage
from veracity.tables.result import RowsResult
from veracity.tables.table import Column, Table

MAX_PAGES = 12  # pages that are worth reading
OUTSIDE = "out_of_scope"  # the page of what is asked for and is not here


@dataclass(frozen=True)
class FoundPage:
    """A page of the manual by its name."""

    name: str
    kind: str
    title: str
    says: str = ""  # its first sentence


@dataclass(frozen=True, repr=False)
class Found(RowsResult[FoundPage]):
    """Pages of the manual, the most likely first; `explain` shows each by its name."""

    words: str
    rows: tuple[FoundPage, ...]
    unknown: tuple[str, ...] = ()  # those of the words that no page has

    def __getitem__(self, place: int) -> FoundPage:
        return self.rows[place]

    @property
    def is_outside(self) -> bool:
        """Whether what was looked for is known not to be here."""
        return self.rows[0].name == OUTSIDE

    @property
    def title(self) -> str:
        """What was looked for."""
        if self.is_outside:
            return f"{brief(self.words)!r} is not here; what is not, and what to do instead:"
        strange = f", though no page has {' or '.join(map(repr, self.unknown))}" if self.unknown else ""
        return f"found for {self.words!r}{strange}"

    def table(self) -> Table:
        columns = tuple(Column(title, "left") for title in ("name", "kind", "title"))
        return Table(columns, tuple((row.name, row.kind, row.title) for row in self.rows), self.title)

    def to_json(self) -> dict[str, Any]:
        found = [{"name": row.name, "kind": row.kind, "title": row.title, "says": row.says} for row in self.rows]
        return {"words": self.words, "found": found} | ({"unknown": list(self.unknown)} if self.unknown else {})


@verb
def search(words: str) -> Found:
    """The pages of the manual that any words are about, the most likely first: `search("leave one out")[0].name`.

    Parameters
    ----------
    words
        Any words.

    Examples
    --------
    >>> vc.search("two classifiers on one test set")[0].name
    'mcnemar'
    """
    pages = articles_about(words)[:MAX_PAGES]
    if not pages:
        known = suggest(words, names(), "`vc.catalogue()` lists what there is")
        raise BadInput(f"nothing is called {brief(words)!r}: {known}")
    pages = pages[:1] if pages[0].name == OUTSIDE else pages
    rows = tuple(FoundPage(one.name, one.kind, one.title, str(one.facts["says"])) for one in pages)
    return Found(" ".join(words.split()), rows, words_on_no_page(words))


@overload
def explain(name: Entry) -> ManualPage: ...
@overload
def explain(name: str) -> ManualPage | Found: ...
@verb
def explain(name: str | Entry) -> ManualPage | Found:
    """The page of a method, a verb, a topic, an assumption or a reference; of other words the pages they are about.

    A method may be given by its name, by what others call it, or as an entry. `search` lists pages for any words.

    Parameters
    ----------
    name
        A method, a verb, a topic, an assumption, a reference, or any words.

    Examples
    --------
    >>> vc.explain("wilson").title
    'Wilson (interval wilson)'
    """
    if isinstance(name, Entry):
        from veracity.methods.describe import article_of

        return _page((article_of(name),))
    if not isinstance(name, str):
        raise BadInput(f"explain a method by its name, such as 'auc', not {name!r}")
    called = articles_called(name.partition("(")[0].strip())
    if not called:
        return search(name)
    verbs = {one.name for one in called if one.kind == "verb"}  # which come with the ways in which they can be done
    ways = tuple(one for one in articles() if one.facts.get("verb") in verbs and one not in called)
    return _page(called + ways)


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
