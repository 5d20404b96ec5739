"""How far a run is, as the page that watches it asks again and again."""

from __future__ import annotations

import socket
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from veracity.core.errors import BadInput, VeracityError
from veracity.core.words import without_passwords
from veracity.web.error_log import log_unexpected

if TYPE_CHECKING:
    from veracity.stores.plan import SplitCount
    from veracity.stores.store import Status, Store
    from veracity.studies.evaluate import NamedPlaces
    from veracity.web.asked import Bench
    from veracity.web.places import Place

RATE_WINDOW_S = 60.0
MAX_STATUS_AGE_S = 0.5  # several tabs that watch the same study get the same answer
NOTHING: dict[str, Any] = {
    **dict.fromkeys(("planned", "done", "failed", "running", "waiting"), 0),
    "more": False,  # whether the study names fits that the store does not plan yet
    "trouble": "",
    "says": "",
    "seconds": {},
    "cells": [],
    "seconds_left": None,
}
STARTING = "Starting: libraries are being read."


@dataclass
class Watch:
    """What a look at a run needs to know of the looks before it."""

    counts: dict[tuple[str, str], SplitCount] = field(default_factory=dict)  # by data set and learner
    named: tuple[Any, NamedPlaces | None] = (None, None)  # what the study names, and of which text
    times: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=400))
    begun: int | None = None  # the run of this server that was seen at work last
    unexpected: tuple[str, str] | None = None  # an error, and the sentence that the page shows
    status: dict[str, Any] = field(default_factory=dict)
    seen: float = -MAX_STATUS_AGE_S
    lock: Lock = field(default_factory=Lock)


def run_status(bench: Bench, name: str, max_age: float = 0.0) -> tuple[dict[str, Any], Watch]:
    """Return how far a study is now, with what its page draws; an error that nobody expected is logged once."""
    watch = bench.watches.setdefault(name, Watch())
    with watch.lock:
        if time.monotonic() - watch.seen >= max_age:
            place = bench.folder.place(name)
            try:
                watch.status = look(bench, place, watch)
            except Exception as why:
                if watch.unexpected is None or watch.unexpected[0] != repr(why):
                    watch.unexpected = repr(why), log_unexpected("GET", f"/study/{name}/run", why)
                trouble = without_passwords(watch.unexpected[1])
                watch.status = {**NOTHING, "process": None, "starting": False, "trouble": trouble}
            watch.seen = time.monotonic()
        return watch.status, watch


def look(bench: Bench, place: Place, watch: Watch) -> dict[str, Any]:
    """Return how far a study is as plain data; the watch remembers what was counted."""
    from veracity.stores.plan import SplitCount, by_data_and_learner, seconds_per_fit

    process = bench.children.process(place.store)
    starting = process is not None and process != watch.begun
    known = {**NOTHING, "process": process}
    try:
        if not bench.stores.has(place.store):
            return {**known, "starting": starting, "says": STARTING if starting else "Not run yet."}
        store = bench.stores.open(place.store)
        status, counts = store.status(), store.counts()
        named = _named_places(place, store, watch, status)
        own = f"{socket.gethostname()}:{process}:"
        if starting and any(name.startswith(own) for name in store.owners()):  # it has begun to claim fits
            watch.begun, starting = process, False
    except VeracityError as why:
        bench.stores.forget(place.store)
        return {**known, "starting": starting, "trouble": without_passwords(str(why))}
    if named is not None and named.places and counts.keys() - named.places:
        # of a store that holds more than the study names, only what that names is counted
        counts = {of: count for of, count in counts.items() if of in named.places}
        total = sum(counts.values(), SplitCount())
        status = status._replace(planned=total.planned, done=total.done, failed=total.failed)
    watch.counts = by_data_and_learner(counts)
    now = time.monotonic()
    watch.times.append((now, status.done + status.failed))
    while watch.times[0][0] < now - RATE_WINDOW_S:
        watch.times.popleft()
    (first, ended_before), (last, ended) = watch.times[0], watch.times[-1]
    rate = max(ended - ended_before, 0) / (last - first) if last > first else 0.0
    left = status.planned - status.done - status.failed
    state = {**known, **status._asdict(), "starting": starting, "rate": rate}
    state["more"] = named is not None and named.more
    state["seconds_left"] = left / rate if rate and left else None
    state["says"] = _sentence(state, left)
    state["cells"] = [[count.done, count.failed] for count in watch.counts.values()]
    state["seconds"] = seconds_per_fit(counts)
    return state


def _named_places(place: Place, store: Store, watch: Watch, status: Status) -> NamedPlaces | None:
    """Return what the study file names of the store now; None without one that can be read."""
    from veracity.studies.evaluate import named_places

    if place.study is None:
        return None
    seen = place.study.stat()
    key = (place.study, seen.st_mtime_ns, seen.st_size, status.planned)
    if watch.named[0] != key:
        watch.named = key, None
        with suppress(BadInput):
            watch.named = key, named_places(place.study, store)
    return watch.named[1]


def _sentence(state: dict[str, Any], left: int) -> str:
    """One sentence for people."""
    from veracity.studies.progress import duration, per_second

    done = f"{state['done']:,} of {state['planned']:,} fits done, {state['failed']} failed"
    if state["starting"]:
        return f"{done}. {STARTING}" if state["planned"] else STARTING
    if not state["running"] and state["more"]:
        return f"{done}. The study names more than was run: its new fits are still to do."
    if not state["running"]:
        return f"{done}." if left else f"{done}. Finished."
    waiting = f", {state['waiting']} waiting" if state["waiting"] else ""
    fast = f", {per_second(state['rate'])}" if state["rate"] else ""
    rest = f", {duration(state['seconds_left'])} left" if state["seconds_left"] else ""
    is_changed = state["more"] and state["planned"]  # a run begins its first fits before all of its plan is stored
    before = f"{done} before the study was changed; of its new fits" if is_changed else f"{done},"
    return f"{before} {state['running']} running{waiting}{fast}{rest}."
