"""Analyse: what a store says to the question in the address, with its line, its exports and the words to ask anew."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import TimeoutError as TooLong
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from starlette.responses import Response

from veracity.adjustments import adjustments
from veracity.comparisons import comparisons
from veracity.core.errors import StoreError, VeracityError
from veracity.core.words import in_shell
from veracity.curves import curves
from veracity.evidence.runs import Runs
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.evidence.split_scores import SplitScores
from veracity.posthoc import posthocs
from veracity.readers.guess_predictions import first_columns
from veracity.scores import scores
from veracity.web.asked import Asked
from veracity.web.export import export
from veracity.web.inquiry import FLAGS, Inquiry, study_meant
from veracity.web.pages import page, status_of
from veracity.web.pins import address_with_pin, pins
from veracity.web.places import NotThere, Place
from veracity.web.shown import Shown
from veracity.web.study_record import tunes
from veracity.web.study_views import HEEDED, VIEWS

PATIENCE = 2.5  # seconds after which a reader is told how far the work is
API_VIEWS = {
    "report": "overview",
    "rank": "ranking",
    "verdicts": "verdicts",
    "compare": "pairs",
    "estimate": "estimates",
    "curve": "curves",
    "slices": "slices",
    "optimism": "tuning",
    "failures": "failures",
    "ledger": "ledger",
    "scores": "splits",
    "split_scores": "splits",
}


def analyse_page(asked: Asked) -> Response:
    """The view that the address asks for; what cannot be answered is said in its place, and can be asked otherwise."""
    place = asked.bench.folder.place(asked.names["name"])
    view = asked.one("view") or "overview"
    about: dict[str, Any] = {"shown": None, "progress": "", "fields": None, "view": view, "columns": (), "pins": ()}
    about["to_pin"] = None
    about |= {"tabs": tuple(VIEWS), "heeded": HEEDED.get(view, ()), "shown_words": _words_shown(view)}
    status = 200
    try:
        runs = asked.bench.stores.runs(place.store, place.chosen_by)
        about |= {"fields": _fields(runs), "so_far": asked.bench.stores.status(place.store), "runs": runs}
        about["tabs"] = [view for view in VIEWS if view != "tuning" or tunes(runs)]
        inquiry = Inquiry.from_address(place, asked)
        about["columns"] = [one.name for file in inquiry.files[:1] for one in first_columns(file)]
        about["pins"] = pins(asked, lambda pinned: _answer(asked, place, Inquiry.from_address(place, pinned)))
        about["shown"] = _answer(asked, place, inquiry).result(PATIENCE)
        about |= {"sections": about["shown"].sections, "to_pin": address_with_pin(asked)}
    except TooLong:
        about["fields"] = None  # so that asking how far it is costs little
        about["progress"] = f"{len(runs.held)} of {len(list(runs.places()))} runs are read"  # type: ignore[attr-defined]
    except VeracityError as why:
        status, about["problem"] = status_of(why), in_shell(why.says)
    return page(asked, "analyse.html", f"Analyse {place.name}", status, study=place, **about)


def analyse_export(asked: Asked) -> Response:
    """The same address with an ending: the view as a file."""
    place = asked.bench.folder.place(asked.names["name"])
    inquiry = Inquiry.from_address(place, asked)
    shown: Shown = _answer(asked, place, inquiry).result()
    file = export(shown, asked.names["form"], f"{place.name}-{inquiry.view}")
    counts = asked.method == "GET" and not asked.bench.read_only
    with suppress(StoreError):  # what is taken away counts; a store that may only be read counts nothing
        for look in shown.looks if counts else ():
            asked.bench.stores.open(place.store).look(*look)
    return file


def api_export(asked: Asked) -> Response:
    """The same by the name of a verb."""
    verb = asked.names["view"]
    if verb not in API_VIEWS:
        raise NotThere(f"there is no view {verb!r}: there are {', '.join(API_VIEWS)}")
    query = tuple(pair for pair in asked.query if pair[0] != "view")
    return analyse_export(replace(asked, query=(*query, ("view", API_VIEWS[verb]))))


def _answer(asked: Asked, place: Place, inquiry: Inquiry) -> Any:
    if inquiry.view not in VIEWS:
        raise NotThere(f"there is no view {inquiry.view!r}: there are {', '.join(VIEWS)}")
    changed = tuple(Path(file).stat().st_mtime_ns for file in inquiry.files)
    key = (asked.bench.stores.fingerprint(place.store, place.chosen_by), inquiry, changed)
    return asked.bench.memory.ask(key, partial(_work_out, asked, place, inquiry))


def _work_out(asked: Asked, place: Place, inquiry: Inquiry) -> Shown:
    stores = asked.bench.stores
    with stores.reading:
        runs = inquiry.chosen_of(stores.runs(place.store, study_meant(place, inquiry.view)))
    shown = VIEWS[inquiry.view](runs, inquiry)
    return replace(shown, looks=tuple(runs.store.looks_to_count))


def _words_shown(view: str) -> set[str]:
    """The words of the address that a view has fields for; its form carries the others along."""
    words = set(HEEDED.get(view, ()))
    picked = {"only", "data"} if "by" in words else set()
    return words | picked | ({*FLAGS, "sort", "digits", "columns"} if "look" in words else set())


def _fields(runs: Runs) -> dict[str, Any]:
    """What can be picked of this store, by the word of the address: names with their titles."""
    kinds = {runs.kind(name) for name in runs.names}
    of_matrix = [one for one in comparisons if one.reads is ScoreMatrix and one.compares in (0, 2)]
    of_pairs = [one for one in of_matrix if one.compares == 2]
    of_splits = [one for one in comparisons if one.reads is SplitScores]
    return {
        "score": _titles(one for one in scores if any(map(one.suits, kinds))),
        "using": _titles([*of_matrix, *of_splits]),
        "then": _titles([*adjustments, *posthocs]),
        "pairs": _titles([*of_pairs, *posthocs]),
        "kind": _titles(curves),
        "flags": FLAGS,
    }


def _titles(entries: Iterable[Any]) -> dict[str, str]:
    return dict(sorted((one.name, one.title) for one in entries))
