"""The page that analyses a study's results, what it offers and greys out, and its pinned views."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from concurrent.futures import TimeoutError as TooLong
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from starlette.responses import Response

from veracity.adjustments import adjustments
from veracity.comparisons import comparisons
from veracity.contests.method_refusals import AskedOf, method_refusals
from veracity.core.errors import StoreError, VeracityError
from veracity.core.words import for_command_line, plural, without_options
from veracity.curves import curves
from veracity.evidence.looks import uncounted
from veracity.evidence.runs import Runs
from veracity.evidence.score_matrix import ScoreMatrix, SplitScores
from veracity.posthoc import posthocs
from veracity.readers.guess_predictions import first_columns
from veracity.risk.estimate_run import check_readable, with_positive
from veracity.risk.fold_scores import main_splits, split_scores
from veracity.scores import scores
from veracity.web.asked import Asked
from veracity.web.calls import float_text
from veracity.web.pages import page, status_of
from veracity.web.places import NotThere, Place
from veracity.web.study_views import HEEDED, VIEWS, tunes
from veracity.web.view import FLAGS, LOOK, Inquiry, View, export, study_meant

# what each view asks
QUESTIONS: Mapping[str, AskedOf] = {"overview": "rank", "ranking": "rank", "verdicts": "verdicts", "pairs": "compare"}
METHODS = ("using", "pairs", "then")
ONE_TEST = "on one data set each pair of learners is tested by the test itself"


class Offered(NamedTuple):
    """A method that a field offers; `reason` says why it cannot answer here."""

    name: str
    title: str
    reason: str | None = None


def known_choices(runs: Runs) -> dict[str, Any]:
    """Return what there is to pick for a store, by the word of the address, before anything is known of what fits."""
    kinds = {runs.kind(name) for name in runs.names}
    of_matrix = [one for one in comparisons if one.reads is ScoreMatrix and one.compares in (0, 2)]
    of_pairs = [one for one in of_matrix if one.compares == 2]
    of_splits = [one for one in comparisons if one.reads is SplitScores]
    return {
        "score": _offered(one for one in scores if any(map(one.suits, kinds))),
        "using": _offered([*of_matrix, *of_splits]),
        "then": _offered([*adjustments, *posthocs]),
        "pairs": _offered([*of_pairs, *posthocs]),
        "kind": _offered(curves),
        "flags": FLAGS,
    }


def _offered(entries: Iterable[Any]) -> list[Offered]:
    return sorted(Offered(one.name, one.title) for one in entries)


def fitting_choices(runs: Runs, asked: Inquiry, words: Mapping[str, str | None]) -> dict[str, Any]:
    """Return the same with the reason of each that cannot answer beside what is chosen already; those come last.

    `words` are the methods and the base learner that the view answered by.
    """
    runs = uncounted(runs)
    known = known_choices(runs)
    known["score"] = [one._replace(reason=_refusal_of_score(runs, one.name)) for one in known["score"]]
    if asked.view in QUESTIONS:
        question: AskedOf = "compare" if asked.view == "overview" and len(runs.names) == 1 else QUESTIONS[asked.view]
        chosen = {word: words.get(word) for word in (*METHODS, "control")}
        reasons = method_refusals(runs, question, asked.scores_of(runs)[0], **chosen)
        if question == "compare":
            reasons["pairs"] = dict.fromkeys((one.name for one in known["pairs"]), ONE_TEST)
        for word in METHODS:
            known[word] = [one._replace(reason=reasons.get(word, {}).get(one.name)) for one in known[word]]
    for word in {*known} - {"flags"}:
        known[word].sort(key=lambda one: one.reason is not None)
    return known


def _refusal_of_score(runs: Runs, name: str) -> str | None:
    """Why no data set has this score; a learner of each is tried on the first of its splits."""
    first: str | None = None
    for data in runs.names:
        try:
            choice = scores.choose(name)
            for learner in runs.learner_names:
                run = runs.run(learner, data, runs.designs[0])
                if run.predictions is not None:
                    check_readable(run, choice)
                    full, _ = with_positive(run, choice)
                    split_scores(choice, full, main_splits(full)[:1])
                    return None
        except VeracityError as why:
            first = first or without_options(why.says)
    return first


WORD = "pin"
MOST = 12  # pins of a page
SOON = 0.2  # seconds that a page waits for each
LATER = "is being worked on: look again"


@dataclass(frozen=True)
class Pin:
    """A question that was asked before, what was answered, and the ways to it and to the page without it."""

    says: str
    answer: str
    problem: str
    address: str
    without: str


def _address_with_pin(asked: Asked) -> str | None:
    """Return this page with its own view pinned to it; None where it is, or where there are many already."""
    known = asked.every(WORD)
    words = [(key, value) for key, value in asked.query if key != WORD and value]
    own = urlencode(words if any(key == "view" for key, _ in words) else [("view", "overview"), *words])
    return None if own in known or len(known) >= MOST else asked.address(pin=[*known, own])


def _pin(asked: Asked, place: Place, text: str) -> Pin:
    known = asked.every(WORD)
    words = tuple(pair for pair in parse_qsl(text, max_num_fields=200) if pair[0] != WORD)
    there = replace(asked, query=(*words, *((WORD, one) for one in known)))
    without = asked.address(pin=[one for one in known if one != text])
    answer, problem = "", ""
    try:
        shown = _answer(asked, place, Inquiry.from_address(place, there), SOON)
        answer = shown.answer or shown.title
    except TooLong:
        answer = LATER
    except VeracityError as why:
        problem = for_command_line(why.says)
    view = next((value for key, value in words if key == "view"), "overview")
    more = [f"{key} {value}" for key, value in words if key != "view"]
    return Pin(", ".join([view.capitalize(), *more]), answer, problem, there.address(), without)


OF_ONE_SCORE = ("ranking", "verdicts", "pairs")  # views
CHOICES_TIMEOUT_S = 1.5  # that a page waits to learn which methods can answer
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
    place = asked.place
    view = asked.one("view") or "overview"
    about: dict[str, Any] = {"shown": None, "progress": "", "fields": None, "view": view, "columns": (), "pins": ()}
    picked = {word: ", ".join(asked.methods(word)) for word in ("score", *METHODS, "kind")}
    picked |= {word: asked.one(word) or "" for word in ("level", "control")}
    heeded = HEEDED.get(view, ())  # its form carries the other words of the address along
    fields = {*heeded, *(("only", "data") if "by" in heeded else ()), *((*LOOK, "columns") if "look" in heeded else ())}
    about |= {"to_pin": None, "picked": picked, "tabs": tuple(VIEWS), "heeded": heeded, "shown_words": fields}
    status = 200
    try:
        runs = asked.bench.stores.runs(place.store, place.chosen_by)
        about |= {"fields": known_choices(runs), "so_far": asked.bench.stores.status(place.store), "runs": runs}
        about["tabs"] = [view for view in VIEWS if view != "tuning" or tunes(runs)]
        inquiry = Inquiry.from_address(place, asked)
        about["columns"] = [one.name for file in inquiry.files[:1] for one in first_columns(file)]
        about["pins"] = [_pin(asked, place, text) for text in asked.every(WORD)[:MOST]]
        about["shown"] = _answer(asked, place, inquiry, PATIENCE)
        about["counted"] = _what_saving_counts(asked, place, about["shown"])
        about["picked"] |= about["shown"].words
        about |= {"sections": about["shown"].sections, "to_pin": _address_with_pin(asked)}
        about["fields"] = _fitting_choices(asked, place, inquiry, about["picked"]) or about["fields"]
    except TooLong:
        about["fields"] = None  # so that asking how far it is costs little
        about["progress"] = f"{len(runs.held)} of {len(list(runs.places()))} runs are read"  # type: ignore[attr-defined]
    except VeracityError as why:
        status, about["problem"] = status_of(why), for_command_line(why.says)
    return page(asked, "analyse.html", f"Analyse {place.name}", status, study=place, **about)


def analyse_export(asked: Asked) -> Response:
    """The same address with an ending: the view as a file."""
    place = asked.place
    inquiry = Inquiry.from_address(place, asked)
    shown = _answer(asked, place, inquiry)
    named_for = (Path(place.name).stem, inquiry.view, shown.words.get("score"), shown.test)
    file = export(shown, asked.names["form"], "-".join(filter(None, named_for)))
    if asked.method == "GET" and not asked.bench.read_only:
        with suppress(StoreError), asked.bench.writing:  # a store that may only be read counts nothing
            for look in _looks_to_enter(asked, place, shown):
                asked.bench.stores.open(place.store).look(*look)
    return file


def _looks_to_enter(asked: Asked, place: Place, shown: View) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """What saving a view enters in the ledger: its questions, unless they were asked of the same results before."""
    known = {json.dumps(look.question, sort_keys=True) for look in asked.bench.stores.open(place.store).looks() or ()}
    return [look for look in shown.looks if json.dumps(look[0], sort_keys=True) not in known]


def _what_saving_counts(asked: Asked, place: Place, shown: View) -> str:
    """What stands at the buttons that save a view."""
    if not shown.looks:
        return ""
    if asked.bench.read_only:
        return "Nothing is entered in the ledger, as this workbench only shows."
    new = _looks_to_enter(asked, place, shown)
    tests = sum(found.get("tests", 0) for _, found in new)
    if not new:
        return "This question is in the ledger of the study: saving it again, in any format, counts nothing more."
    its_tests = f" and its {plural(tests, 'test')}" if tests else ""
    what = f"one look{its_tests}"
    return f"Saving enters this question in the ledger of the study, in whatever formats only once: {what}."


def api_export(asked: Asked) -> Response:
    """The same by the name of a verb."""
    verb = asked.names["view"]
    if verb not in API_VIEWS:
        raise NotThere(f"there is no view {verb!r}: there are {', '.join(API_VIEWS)}")
    query = tuple(pair for pair in asked.query if pair[0] != "view")
    return analyse_export(replace(asked, query=(*query, ("view", API_VIEWS[verb]))))


def _fitting_choices(asked: Asked, place: Place, inquiry: Inquiry, picked: dict[str, str]) -> dict[str, Any] | None:
    """What fields offer, with what cannot answer; None where to find that out takes long, or cannot be done."""
    stores = asked.bench.stores
    words = {word: text or None for word, text in picked.items()}
    key = ("choices", stores.fingerprint(place.store, place.chosen_by), inquiry, *sorted(picked.items()))

    def find() -> dict[str, Any]:
        with stores.reading:
            runs = inquiry.chosen_of(stores.runs(place.store, study_meant(place, inquiry.view)))
        return fitting_choices(runs, inquiry, words)

    with suppress(TooLong, VeracityError):
        found: dict[str, Any] = asked.bench.memory.answer(key, find, CHOICES_TIMEOUT_S)
        return found
    return None


def _answer(asked: Asked, place: Place, inquiry: Inquiry, timeout: float | None = None) -> View:
    if inquiry.view not in VIEWS:
        raise NotThere(f"there is no view {inquiry.view!r}: there are {', '.join(VIEWS)}")
    stores, looks = asked.bench.stores, None
    if inquiry.view == "ledger" or len(inquiry.only) == 1:  # which say how often the results were looked at
        looks = sum(look.times for look in stores.open(place.store).looks() or ())
    changed = tuple(Path(file).stat().st_mtime_ns for file in inquiry.files)
    key = (stores.fingerprint(place.store, place.chosen_by), inquiry, changed, looks)
    view: View = asked.bench.memory.answer(key, partial(_work_out, asked, place, inquiry), timeout)
    return view


def _work_out(asked: Asked, place: Place, inquiry: Inquiry) -> View:
    """Return the view, with the score and the level that it answered by as the fields of its form show them."""
    stores = asked.bench.stores
    with stores.reading:
        runs = inquiry.chosen_of(stores.runs(place.store, study_meant(place, inquiry.view)))
    shown = VIEWS[inquiry.view](runs, inquiry)
    heeded = HEEDED.get(inquiry.view, ())
    names = inquiry.scores_of(runs) if "score" in heeded else ()
    names = names[:1] if inquiry.view in OF_ONE_SCORE else names
    words = {"score": ", ".join(map(str, names)), "level": float_text(inquiry.level) if "level" in heeded else ""}
    return replace(shown, looks=tuple(runs.store.looks_to_count), words={**words, **shown.words})
