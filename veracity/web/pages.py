"""Pages from templates with the workbench around them, their styles, and database servers that may be contacted."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote

from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from veracity.core.errors import Refused, StoreError, VeracityError
from veracity.core.words import for_command_line, spell_out_controls, without_passwords
from veracity.reports.page import asset, data_of_blocks, environment
from veracity.web.asked import Asked
from veracity.web.open_stores import OpenStores
from veracity.web.places import NotThere, Place

PAGES = ("run", "analyse", "setup")


class Contact(NamedTuple):
    """A database server that may be allowed, and where that is said."""

    server: str
    address: str
    action: str


def contact_of(stores: OpenStores, place: Place, page: str) -> Contact | None:
    """Return what must be allowed before the results of a study are read, None where nothing must."""
    from veracity.stores.open_store import server_of

    if not place.store or stores.may_open(place.store):
        return None
    return Contact(server_of(place.store), place.shown_store, f"/study/{quote(place.name)}/contact?to={page}")


def allow_contact(asked: Asked) -> Response:
    """Allow the server that the page has shown; one that the study names since then is shown first."""
    place = asked.place
    if asked.form.get("address") != place.shown_store:
        raise Refused("this study names another server than the one that was shown: look again", "changed")
    asked.bench.stores.allow(place.store)
    page = asked.one("to")
    return RedirectResponse(f"/study/{quote(place.name)}/{page}" if page in PAGES else "/", 303)


OWN = "veracity.web"
ASSETS = {"page.css": "veracity.reports", "page.js": "veracity.reports", "bench.css": OWN, "bench.js": OWN}
MEDIA_TYPES = {"css": "text/css", "js": "text/javascript"}


def asset_file(asked: Asked) -> Response:
    """One of the few files that pages name."""
    name = asked.names["file"]
    if name not in ASSETS:
        raise NotThere(f"there is no file {name!r}")
    return Response(asset(name, ASSETS[name]), media_type=MEDIA_TYPES[name.rpartition(".")[2]])


TEMPLATES = tuple(
    f"{name}.html"
    for name in ("bench", "sections", "answer", "desk", "methods", "analyse", "files", "run", "setup", "plan")
)
MENU = {"/": "Desk", "/study/new": "Set up", "/score": "Files", "/plan": "Planning", "/list/scores": "Methods"}


@cache
def _templates() -> Any:
    made = environment({name: asset(name, OWN) for name in TEMPLATES})
    made.filters["sent"] = as_sent
    return made


def as_sent(value: Any) -> Markup:
    """What a form sends back unchanged: signs that nobody sees are written by their numbers, not spelled out."""
    escaped = str(escape(str(value)))
    return Markup("".join(c if c.isprintable() or c in "\n\t" else f"&#{ord(c)};" for c in escaped))


def page(asked: Asked, template: str, title: str, status: int = 200, **about: Any) -> Response:
    """A page of the workbench; `sections` are blocks as reports have them."""
    about.setdefault("sections", ())
    study, here = about.get("study"), asked.path.rpartition("/")[2]
    about["contact"] = contact_of(asked.bench.stores, study, here) if isinstance(study, Place) else None
    around = {"title": title, "menu": MENU, "here": asked.path, "read_only": asked.bench.read_only, "asked": asked}
    island = data_of_blocks(about["sections"])
    return HTMLResponse(_templates().get_template(template).render(**around, **island, **about), status)


def error_answer(asked: Asked, status: int, *says: str) -> Response:
    """What went wrong, in one sentence or a few."""
    lines = [without_passwords(spell_out_controls(for_command_line(line))) for line in says]
    if asked.path.startswith("/api/") or asked.path.endswith(".json"):  # a script asks
        return JSONResponse({"error": "; ".join(lines), "place": asked.path}, status)
    return page(asked, "bench.html", "That did not work", status, problems=lines)


def status_of(why: VeracityError) -> int:
    """The status of an answer that is an error."""
    kinds = ((NotThere, 404), (Refused, 409), (StoreError, 503))
    return next((status for kind, status in kinds if isinstance(why, kind)), 400)
