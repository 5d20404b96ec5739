"""Allowing a database server to be contacted: one click that shows the server, remembered until the workbench ends."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from starlette.responses import RedirectResponse, Response

from veracity.core.errors import Refused
from veracity.web.asked import Asked
from veracity.web.open_stores import OpenStores
from veracity.web.places import Place

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
    place = asked.bench.folder.place(asked.names["name"])
    if asked.form.get("address") != place.shown_store:
        raise Refused("this study names another server than the one that was shown: look again", "changed")
    asked.bench.stores.allow(place.store)
    page = asked.one("to")
    return RedirectResponse(f"/study/{quote(place.name)}/{page}" if page in PAGES else "/", 303)
