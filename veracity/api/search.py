"""The pages of the manual that any words are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from veracity.core.arguments import verb
from veracity.core.errors import BadInput
from veracity.core.index import names
from veracity.core.suggest import suggest
from veracity.core.words import brief
from veracity.methods.find_articles import articles_about, words_on_no_page
from veracity.tables.result import RowsResult
from veracity.tables.table import Column, Table

MOST = 12  # pages that are worth reading
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
    """The pages of the manual that any words are about, the most likely first: `search("leave one out")[0].name`."""
    pages = articles_about(words)[:MOST]
    if not pages:
        raise BadInput(_unknown(words))
    pages = pages[:1] if pages[0].name == OUTSIDE else pages
    rows = tuple(FoundPage(one.name, one.kind, one.title, str(one.facts["says"])) for one in pages)
    return Found(" ".join(words.split()), rows, words_on_no_page(words))


def _unknown(words: str) -> str:
    return f"nothing is called {brief(words)!r}: {suggest(words, names(), '`vc.catalogue()` lists what there is')}"
