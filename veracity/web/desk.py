"""The desk: every study with how far it is, and every table of the folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from starlette.responses import JSONResponse, Response

from veracity.core.errors import VeracityError
from veracity.core.words import without_passwords
from veracity.web.asked import Asked, Bench
from veracity.web.draft import missing_parts
from veracity.web.pages import Contact, contact_of, page
from veracity.web.places import Place

WIDTH = 120  # pixels of a bar that shows how far a study is


@dataclass(frozen=True)
class StudyLine:
    """A study on the desk."""

    name: str
    store: str
    status: Any = None
    problem: str = ""
    links: dict[str, str] = field(default_factory=dict)
    contact: Contact | None = None  # what may be allowed
    missing: str = ""  # what it must name before it can be run

    @property
    def says(self) -> str:
        return f"{self.status.done} of {self.status.planned} fits done, {self.status.failed} failed"

    @property
    def done_width(self) -> int:
        return round(WIDTH * self.status.done / max(self.status.planned, 1))

    @property
    def failed_width(self) -> int:
        return round(WIDTH * self.status.failed / max(self.status.planned, 1))

    def to_json(self) -> dict[str, Any]:
        status = None if self.status is None else self.status._asdict()
        return {"name": self.name, "store": self.store, "status": status, "problem": self.problem or self.missing}


def desk_page(asked: Asked) -> Response:
    """Everything that one may begin with."""
    folder = asked.bench.folder
    files = {name: f"/score?{urlencode({'file': name})}" for name in folder.tables()}
    studies = [_line(asked.bench, place) for place in folder.studies()]
    return page(asked, "desk.html", "Desk", studies=studies, files=files, folder=folder.root.name)


def studies_json(asked: Asked) -> Response:
    """Answer with a line for each study."""
    return JSONResponse([_line(asked.bench, place).to_json() for place in asked.bench.folder.studies()])


def _line(bench: Bench, place: Place) -> StudyLine:
    """Return the line of a study; one that cannot be read says so there."""
    base = f"/study/{quote(place.name)}"
    set_up = {f"{base}/setup": "Set up"} if place.study is not None else {}
    if place.problem:
        return StudyLine(place.name, "", None, place.problem, set_up)
    run = {f"{base}/run": "Run"}
    shown = place.shown_store.removeprefix(f"{bench.folder.root}/")
    links = {**set_up, **run, f"{base}/analyse": "Analyse"}
    try:
        if not bench.stores.has(place.store):
            missing = "" if place.study is None else missing_parts(place.study)
            return StudyLine(place.name, shown, links={**set_up, **run}, missing=missing)
        return StudyLine(place.name, shown, bench.stores.status(place.store, place.study), links=links)
    except VeracityError as why:
        contact = contact_of(bench.stores, place, "")
        return StudyLine(place.name, shown, None, without_passwords(str(why)), set_up, contact)
