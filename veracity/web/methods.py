"""The catalogue: what there is, what each method says of itself, and a search by any words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.responses import JSONResponse, Response

from veracity.methods.catalogue import LISTINGS, catalogue
from veracity.methods.explain import explain, search
from veracity.reports.page import Picture, Pictures, Section, Words
from veracity.reports.report import report
from veracity.reports.sections import sections
from veracity.reports.svg.forest import ForestRow, forest
from veracity.reports.svg.paper import THIRD, WIDE
from veracity.tables.exports import to_jsonable
from veracity.tables.manual import ManualPage
from veracity.web.asked import Asked
from veracity.web.calls import Call
from veracity.web.pages import page
from veracity.web.places import NotThere

FIRST = "scores"
MOST = 24  # figures of a picture
SHORT = 24  # letters of a name that a small picture has room for
ERRORS = 2.0  # standard errors that a line shows
ABOUT = "Each dot is a simulation whose truth is known, its line two standard errors of the simulation to each side."


def list_page(asked: Asked) -> Response:
    """One list of the catalogue, each name a link to its page."""
    what = asked.names.get("what", FIRST)
    if what not in LISTINGS:
        raise NotThere(f"there is no list of {what!r}: there are {', '.join(LISTINGS)}")
    return _page(
        asked,
        what.capitalize(),
        what,
        catalogue(what).table(),
        call=Call(catalogue, positional=(what,), verb="list", words=(what,)),
    )


def search_page(asked: Asked) -> Response:
    """The pages that any words are about."""
    words = asked.one("words") or ""
    found = search(words).table() if words else catalogue("topics").table()
    title = f"Found for {words!r}" if words else "Topics"
    return _page(asked, title, "", replace(found, caption=""), words, _explain_call(words))


def explain_page(asked: Asked) -> Response:
    """What a method says of itself: assumptions, limits, measured figures, references."""
    name = asked.names["method"]
    found = explain(name)
    if not isinstance(found, ManualPage):
        return _page(asked, f"Found for {name!r}", "", replace(found.table(), caption=""), name)
    shown = report(found, title=found.title).material
    parts = sections(shown)
    facts = dict(found.facts)
    by_what: dict[str, list[Mapping[str, Any]]] = {}  # such as coverage at 95 %
    for fact in (fact for part in facts.get("entries") or [facts] for fact in part.get("measured") or ()):
        by_what.setdefault(str(fact["what"]), []).append(fact)
    if by_what:
        pictures = Pictures(tuple(_picture(what, rows) for what, rows in by_what.items()))
        parts = (*parts, Section("measured", "Measured", (Words(ABOUT), pictures)))
    about: dict[str, Any] = {"question": shown.question, "answer": shown.answer, "sections": parts}
    return _page(asked, found.title, "", None, call=_explain_call(name), **about)


def _explain_call(words: str) -> Call:
    return Call(explain, positional=(words,), words=tuple(words.split()))


def _picture(what: str, facts: list[Mapping[str, Any]]) -> Picture:
    """Draw one dot with its error for each world, the lowest figures first."""
    bars = []
    for fact in sorted(facts, key=lambda fact: float(fact["figure"]))[:MOST]:
        figure, error = float(fact["figure"]), float(fact["error"])
        rows = f", {fact['rows']} rows" if fact.get("rows") else ""
        bars.append(ForestRow(f"{fact['world']}{rows}", figure, figure - ERRORS * error, figure + ERRORS * error))
    cut = f" (the lowest {MOST} of {len(facts)})" if len(facts) > MOST else ""
    wide = WIDE if any(len(bar.name) > SHORT for bar in bars) else THIRD
    says = f"{what}: {', '.join(bar.name for bar in bars)}"
    return Picture(forest(bars, "", says, width=wide), f"{what.capitalize()}{cut}")


def _page(
    asked: Asked, title: str, what: str, listing: Any, words: str = "", call: Call | None = None, **about: Any
) -> Response:
    return page(
        asked, "methods.html", title, what=what, listing=listing, words=words, lists=LISTINGS, call=call, **about
    )


def list_json(asked: Asked) -> Response:
    """As `veracity list --json`."""
    return JSONResponse(to_jsonable(catalogue(asked.names["what"]).to_json()))


def explain_json(asked: Asked) -> Response:
    """As `veracity explain --json`."""
    return JSONResponse(to_jsonable(explain(asked.names["method"]).to_json()))
