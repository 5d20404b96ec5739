"""The catalogue: what there is, what each method says of itself, and a search by any words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from starlette.responses import JSONResponse, Response

from veracity.api.catalogue import LISTINGS, catalogue
from veracity.api.explain import explain, search
from veracity.reports.display import display_material
from veracity.reports.report import report
from veracity.reports.sections import sections
from veracity.tables.exports import plain_json
from veracity.tables.manual import ManualPage
from veracity.web.asked import Asked
from veracity.web.lines import Lines
from veracity.web.measured import measured_section, measurements
from veracity.web.pages import page
from veracity.web.places import NotThere

FIRST = "scores"


def list_page(asked: Asked) -> Response:
    """One list of the catalogue, each name a link to its page."""
    what = asked.names.get("what", FIRST)
    if what not in LISTINGS:
        raise NotThere(f"there is no list of {what!r}: there are {', '.join(LISTINGS)}")
    return _page(asked, what.capitalize(), what, catalogue(what).table(), lines=Lines.from_verb("list", what))


def search_page(asked: Asked) -> Response:
    """The pages that any words are about."""
    words = asked.one("words") or ""
    found = search(words).table() if words else catalogue("topics").table()
    title = f"Found for {words!r}" if words else "Topics"
    return _page(asked, title, "", replace(found, caption=""), words, Lines.from_verb("explain", *words.split()))


def explain_page(asked: Asked) -> Response:
    """What a method says of itself: assumptions, limits, measured figures, references."""
    name = asked.names["method"]
    found = explain(name)
    if not isinstance(found, ManualPage):
        return _page(asked, f"Found for {name!r}", "", replace(found.table(), caption=""), name)
    shown = display_material(report(found, title=found.title).material)
    lines = Lines.from_verb("explain", name)
    drawn = measured_section(measurements(dict(found.facts)))
    parts = (*sections(shown), *((drawn,) if drawn is not None else ()))
    about: dict[str, Any] = {"question": shown.question, "answer": shown.answer, "sections": parts}
    return _page(asked, found.title, "", None, lines=lines, **about)


def _page(
    asked: Asked, title: str, what: str, listing: Any, words: str = "", lines: Lines | None = None, **about: Any
) -> Response:
    return page(
        asked, "methods.html", title, what=what, listing=listing, words=words, lists=LISTINGS, lines=lines, **about
    )


def list_json(asked: Asked) -> Response:
    """As `veracity list --json`."""
    return JSONResponse(plain_json(catalogue(asked.names["what"]).to_json()))


def explain_json(asked: Asked) -> Response:
    """As `veracity explain --json`."""
    return JSONResponse(plain_json(explain(asked.names["method"]).to_json()))
