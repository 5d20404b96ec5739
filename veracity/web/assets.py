"""Styles and scripts, all from the installed package."""

from __future__ import annotations

from starlette.responses import Response

from veracity.reports.page import asset
from veracity.web.asked import Asked
from veracity.web.places import NotThere

OURS = "veracity.web"
ROOMS = {"page.css": "veracity.reports", "page.js": "veracity.reports", "bench.css": OURS, "bench.js": OURS}
KINDS = {"css": "text/css", "js": "text/javascript"}


def asset_file(asked: Asked) -> Response:
    """One of the few files that pages name."""
    name = asked.names["file"]
    if name not in ROOMS:
        raise NotThere(f"there is no file {name!r}")
    return Response(asset(name, ROOMS[name]), media_type=KINDS[name.rpartition(".")[2]])
