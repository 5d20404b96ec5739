"""Run: start, stop and go on with a study, and see it fill in; the server itself fits nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from starlette.responses import JSONResponse, RedirectResponse, Response

from veracity.core.errors import BadInput, Refused, VeracityError
from veracity.core.words import brief, for_command_line
from veracity.findings.run_results import FailureReason, failures
from veracity.studies.study import Study
from veracity.web.asked import Asked, Form
from veracity.web.calls import Call, Source, python_call
from veracity.web.draft import missing_parts
from veracity.web.live import MAX_STATUS_AGE_S, Watch, run_status
from veracity.web.pages import page, status_of
from veracity.web.places import Place, replace_file
from veracity.web.run_processes import TERMINATE_AFTER_S, RunOptions, RunOwner, log_tail, run_owners, run_words
from veracity.web.study_text import mark_of, modules_of, repeats_of, with_repeats

MOST = 100  # reasons, or failures, at a time
WIDE = 60  # pixels of a cell's bar
MAX_REPEATS = 10_000


class GridRow(NamedTuple):
    """A data set, and how far each learner is on it; cells are numbered over the whole grid."""

    data: str
    cells: list[tuple[int, Any] | None]


def run_page(asked: Asked) -> Response:
    """The grid of data sets and learners, what failed and why, and what can be done."""
    return _page(asked, asked.place)


def _page(asked: Asked, place: Place, failed: VeracityError | None = None) -> Response:
    """The same, with what a button could not do."""
    state, watch = run_status(asked.bench, place.name)
    learners, rows = _grid(watch)
    about: dict[str, Any] = {"state": state, "learners": learners, "rows": rows, "wide": WIDE}
    about["reasons"] = _failures_by_reason(asked, place) if state.get("failed") else []
    about["base"] = f"/study/{quote(place.name)}"
    about["api"] = f"/api/studies/{quote(place.name)}"
    about["log"], about["ended"] = log_tail(place.log), asked.bench.children.ended(place.store)
    content = b"" if place.study is None else place.study.read_bytes()
    text = content.decode("utf-8", "replace")
    about |= {"modules": modules_of(text), "repeats": repeats_of(text), "was": mark_of(content)}
    about |= {"call": _call(asked, place), "who_runs": _who_runs(asked, place)}
    about |= {"problem": "" if failed is None else for_command_line(failed.says), "trusts": asked.bench.trust_here}
    status = 200 if failed is None else status_of(failed)
    return page(asked, "run.html", f"Run {place.name}", status, study=place, **about)


def _grid(watch: Watch) -> tuple[list[str], list[GridRow]]:
    cells = watch.counts
    numbered = {of: (number, cell) for number, (of, cell) in enumerate(cells.items())}
    learners = list(dict.fromkeys(learner for _, learner in cells))
    data = dict.fromkeys(name for name, _ in cells)
    return learners, [GridRow(name, [numbered.get((name, learner)) for learner in learners]) for name in data]


def _call(asked: Asked, place: Place) -> Call | None:
    if place.study is None:
        return None
    saved, trust = str(place.study), asked.bench.trust_here
    source = Source(None, "study", python_call("vc.Study.read", saved, trust_here=trust))
    _, *words = run_words(saved, place.shown_store, RunOptions(), trust)
    return Call(Study.run, source, (place.shown_store,), words=tuple(words))


def _failures_by_reason(asked: Asked, place: Place) -> tuple[FailureReason, ...]:
    """Return the reasons, the most frequent first, each with where it struck and one traceback."""
    return failures(asked.bench.stores.runs(place.store)).rows[:MOST]


def failures_json(asked: Asked) -> Response:
    """Answer with the failures of a study by reason."""
    return JSONResponse([reason.to_json() for reason in _failures_by_reason(asked, asked.place)])


def status_json(asked: Asked) -> Response:
    """How far a run is: what its page asks for again and again."""
    return JSONResponse(run_status(asked.bench, asked.names["name"], MAX_STATUS_AGE_S)[0])


def run_action(asked: Asked) -> Response:
    """What a button of the page asks for; then the page again, with what could not be done."""
    place = asked.place
    action = asked.form.get("action")
    try:
        if action == "stop":
            _stop(asked, place)
        elif action in ("start", "retry", "repeats"):
            _start(asked, place, asked.form)
        else:
            raise BadInput(f"nothing is called {action!r} here: start, retry, repeats or stop")
    except VeracityError as why:
        return _page(asked, place, why)
    return RedirectResponse(f"/study/{quote(place.name)}/run", 303)


def start_json(asked: Asked) -> Response:
    """Begin a run: its process."""
    return JSONResponse({"process": _start(asked, asked.place, asked.form)}, 202)


def stop_json(asked: Asked) -> Response:
    """End the runs of a study: how many were asked to."""
    return JSONResponse({"stopped": _stop(asked, asked.place)})


def _start(asked: Asked, place: Place, form: Form) -> int:
    if place.study is None:
        raise BadInput(f"{place.name} has no study file beside it: put the file there, or set the study up anew")
    if missing := missing_parts(place.study):
        raise BadInput(f"this study names {missing} yet: add it on its Set up page")
    options = _options(form)
    if asked.bench.children.process(place.store) is not None:
        raise Refused("this study is running already: stop it first, or wait", "running")
    if owners := [one for one in _owners(asked, place) if one.is_here]:
        who = " and ".join(f"process {one.number}" for one in owners)
        raise Refused(f"this study is running already, by {who}: stop it first, or wait", "running")
    start = partial(asked.bench.children.start, place, options, asked.bench.trust_here)
    return _start_with_repeats(asked, place.study, form, start) if form.get("action") == "repeats" else start()


def _owners(asked: Asked, place: Place) -> list[RunOwner]:
    """Return who claims fits of a study now, without the run that this server started."""
    stores, own = asked.bench.stores, asked.bench.children.process(place.store)
    owners = run_owners(stores.open(place.store), place.store) if stores.has(place.store) else []
    return [one for one in owners if not (one.is_here and one.number == own)]


def _who_runs(asked: Asked, place: Place) -> list[str]:
    """Return what Stop does to each run of a study, or why it does nothing."""
    own = asked.bench.children.process(place.store)
    said = []
    if own is not None:
        said.append(f"Process {own} was started here: Stop interrupts it, and ends it after {TERMINATE_AFTER_S:.0f} s.")
    owners: list[RunOwner] = []
    with suppress(VeracityError):  # which the state of the run tells
        owners = _owners(asked, place)
    for one in owners:
        who = f"Process {one.number} of {one.host}"
        if one.problem:
            said.append(f"{who} {one.problem}.")
        elif asked.bench.children.was_asked(place.store, one.number):
            says = "was interrupted and has not ended yet; as it was not started here, nothing more is done"
            said.append(f"{who} {says}: it ends after its fits, or by kill {one.number} in a terminal.")
        else:
            said.append(f"{who} was started elsewhere: Stop interrupts it once, as Ctrl-C does.")
    return said


def _stop(asked: Asked, place: Place) -> int:
    owners = _owners(asked, place)
    stopped = asked.bench.children.stop(owners, place.store)
    left = [one.says for one in owners if one.problem]
    if left and not stopped:
        raise Refused(f"nothing was stopped: {'; '.join(left)}", "no-run")
    return len(stopped)


def _options(form: Form) -> RunOptions:
    timeout, address = form.get("timeout"), form.get("address").strip()
    workers = _whole_number("workers", form.get("workers") or "1", 256)
    if timeout and not re.fullmatch(r"\d+(\.\d+)?", timeout):
        raise BadInput(f"timeout is a number of seconds, not {timeout!r}")
    engine = "dask" if address else "local"
    limit = float(timeout) if timeout else None
    return RunOptions(workers, engine, address or None, limit, form.get("action") == "retry")


def _whole_number(name: str, typed: str, largest: int) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", typed) or not 1 <= int(typed) <= largest:
        raise BadInput(f"{name} is a whole number from 1 to {largest:,}, not {brief(typed, 30)!r}")
    return int(typed)


def _start_with_repeats(asked: Asked, study: Path, form: Form, start: Callable[[], int]) -> int:
    """Start a run with more repeats of the same design; the study stays as it was if the run cannot be started."""
    number = _whole_number("repeats", form.get("repeats"), MAX_REPEATS)
    with asked.bench.writing:
        content = study.read_bytes()
        if form.get("was", mark_of(content)) != mark_of(content):
            raise Refused("this study was changed elsewhere since you opened the page: look again", "changed")
        before = content.decode("utf-8")
        replace_file(study, with_repeats(before, number))
        try:
            return start()
        except BaseException:
            replace_file(study, before)
            raise
