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
from veracity.web.open_stores import file_state

if TYPE_CHECKING:
    from veracity.stores.plan import SplitCount
    from veracity.stores.store import Store
    from veracity.studies.evaluate import NamedPlaces
    from veracity.web.asked import Bench
    from veracity.web.places import Place

RATE_WINDOW_S = 60.0
MAX_STATUS_AGE_S = 0.5  # several tabs that watch the same study get the same answer
RUNNING_INTERVAL_S, IDLE_INTERVAL_S = 1.0, 4.0  # between two looks of a page
MAX_LOAD = 0.1  # of one core, that a page may take: of a very large study it looks less often
NOTHING: dict[str, Any] = {
    **dict.fromkeys(("planned", "done", "failed", "running", "waiting"), 0),
    "more": False,  # whether the study names fits that the store does not plan yet
    "trouble": "",
    "says": "",
    "seconds": {},
    "cells": [],
    "seconds_left": None,
    "next_look_s": IDLE_INTERVAL_S,
}
STARTING = "Starting: libraries are being read."


@dataclass
class Watch:
    """What a look at a run needs to know of the looks before it."""

    counted_in: object = None  # the state of the store and of the study file in which the splits were counted
    counts: dict[tuple[str, str], SplitCount] = field(default_factory=dict)  # by data set and learner
    total: SplitCount | None = None
    seconds: dict[str, float] = field(default_factory=dict)  # of a fit, by learner
    more: bool = False  # whether the study names fits that the store does not plan yet
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
            began = time.process_time()
            try:
                watch.status = look(bench, place, watch)
                busy = watch.status["running"] or watch.status["starting"]
                usual = RUNNING_INTERVAL_S if busy else IDLE_INTERVAL_S
                watch.status["next_look_s"] = max(usual, (time.process_time() - began) / MAX_LOAD)
            except Exception as why:
                if watch.unexpected is None or watch.unexpected[0] != repr(why):
                    watch.unexpected = repr(why), log_unexpected("GET", f"/study/{name}/run", why)
                trouble = without_passwords(watch.unexpected[1])
                watch.status = {**NOTHING, "process": None, "starting": False, "trouble": trouble}
            watch.seen = time.monotonic()
        return watch.status, watch


def look(bench: Bench, place: Place, watch: Watch) -> dict[str, Any]:
    """Return how far a study is as plain data; the watch remembers what was counted."""
    process = bench.children.process(place.store)
    starting = process is not None and process != watch.begun
    known = {**NOTHING, "process": process}
    try:
        if not bench.stores.has(place.store):
            return {**known, "starting": starting, "says": STARTING if starting else "Not run yet."}
        store = bench.stores.open(place.store)
        total = _count_splits(store, place, watch)
        running, waiting = store.claimed()
        own = f"{socket.gethostname()}:{process}:"
        if starting and any(name.startswith(own) for name in store.owners()):  # it has begun to claim fits
            watch.begun, starting = process, False
    except VeracityError as why:
        bench.stores.forget(place.store)
        return {**known, "starting": starting, "trouble": without_passwords(str(why))}
    now = time.monotonic()
    watch.times.append((now, total.done + total.failed))
    while watch.times[0][0] < now - RATE_WINDOW_S:
        watch.times.popleft()
    (first, ended_before), (last, ended) = watch.times[0], watch.times[-1]
    rate = max(ended - ended_before, 0) / (last - first) if last > first else 0.0
    left = total.planned - total.done - total.failed
    state = {**known, "planned": total.planned, "done": total.done, "failed": total.failed}
    state |= {"running": running, "waiting": waiting, "starting": starting, "rate": rate}
    state["more"] = watch.more
    state["seconds_left"] = left / rate if rate and left else None
    state["says"] = _sentence(state, left)
    state["cells"] = [[count.done, count.failed] for count in watch.counts.values()]
    state["seconds"] = watch.seconds
    return state


def _count_splits(store: Store, place: Place, watch: Watch) -> SplitCount:
    """Return how many splits are planned, done and failed; they are counted again where anything was written."""
    from veracity.stores.plan import SplitCount, by_data_and_learner, seconds_per_fit

    # the states before the counts: what is written meanwhile is counted at the next look
    states = file_state(place.store) or store.totals(), None if place.study is None else file_state(str(place.study))
    if watch.total is not None and watch.counted_in == states:
        return watch.total
    counts = store.counts()
    named = _named_places(place, store, watch, sum(count.planned for count in counts.values()))
    if named is not None and named.places:  # of a store that holds more, only what the study names is counted
        counts = {of: count for of, count in counts.items() if of in named.places}
    watch.counts, watch.seconds = by_data_and_learner(counts), seconds_per_fit(counts)
    watch.total, watch.more = sum(counts.values(), SplitCount()), named is not None and named.more
    watch.counted_in = states
    return watch.total


def _named_places(place: Place, store: Store, watch: Watch, planned: int) -> NamedPlaces | None:
    """Return what the study file names of the store now; None without one that can be read."""
    from veracity.studies.evaluate import named_places

    if place.study is None:
        return None
    seen = place.study.stat()
    key = (place.study, seen.st_mtime_ns, seen.st_size, planned)
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
