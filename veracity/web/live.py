"""How far a run is, told to everybody who watches by one poller for each store."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from veracity.core.errors import BadInput, VeracityError
from veracity.core.words import without_passwords
from veracity.web.error_log import log_unexpected

if TYPE_CHECKING:
    from veracity.stores.plan import Place as PlannedPlace
    from veracity.stores.plan import SplitCount
    from veracity.stores.store import Status, Store
    from veracity.studies.evaluate import NamedPlaces
    from veracity.web.asked import Bench
    from veracity.web.places import Place

SOON, LATER = 0.5, 4.0  # seconds between looks while something runs, and else
WINDOW = 60.0  # seconds over which the rate is measured
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
ALIVE = 15.0  # seconds after which a line without meaning keeps the connection


@dataclass
class Sight:
    """What a look at a store needs to know of the looks before it."""

    counts: dict[tuple[str, str], SplitCount] = field(default_factory=dict)  # by data set and learner
    named: tuple[Any, NamedPlaces | None] = (None, None)  # what the study names, and of which text
    times: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=400))
    begun: int | None = None  # the run of this server that was seen at work last


def look(bench: Bench, place: Place, sight: Sight) -> dict[str, Any]:
    """Everything that a watcher is told, as plain data; the sight remembers what was counted."""
    from veracity.stores.plan import SplitCount, by_data_and_learner, seconds_per_fit

    process = bench.children.process(place.store)
    starting = process is not None and process != sight.begun
    known = {**NOTHING, "process": process}
    try:
        if not bench.stores.has(place.store):
            says = STARTING if starting else "Not run yet."
            return {**known, "starting": starting, "says": says}
        store = bench.stores.open(place.store)
        status = store.status()
        named = _named_places(place, store, sight, status)
        counts, is_part = _counts(store, named)
        if starting and _is_owner(store, process):
            sight.begun, starting = process, False
    except VeracityError as why:
        bench.stores.forget(place.store)
        return {**known, "starting": starting, "trouble": without_passwords(str(why))}
    sight.counts = by_data_and_learner(counts)
    if is_part:
        total = sum(counts.values(), SplitCount())
        status = status._replace(planned=total.planned, done=total.done, failed=total.failed)
    now = time.monotonic()
    sight.times.append((now, status.done + status.failed))
    while sight.times[0][0] < now - WINDOW:
        sight.times.popleft()
    left = status.planned - status.done - status.failed
    rate = _rate(sight)
    told = {**known, **status._asdict(), "starting": starting, "rate": rate}
    told["more"] = named is not None and named.more
    told["seconds_left"] = left / rate if rate and left else None
    told["says"] = _says(told, left)
    told["cells"] = [[count.done, count.failed] for count in sight.counts.values()]
    told["seconds"] = seconds_per_fit(counts)
    return told


def _named_places(place: Place, store: Store, sight: Sight, status: Status) -> NamedPlaces | None:
    """What the study file names of the store now; None without one that can be read."""
    from veracity.studies.evaluate import named_places

    if place.study is None:
        return None
    seen = place.study.stat()
    key = (place.study, seen.st_mtime_ns, seen.st_size, status.planned)
    if sight.named[0] != key:
        sight.named = key, None
        with suppress(BadInput):
            sight.named = key, named_places(place.study, store)
    return sight.named[1]


def _is_owner(store: Store, process: int | None) -> bool:
    """Whether a process of this machine has begun to claim fits."""
    return any(name.startswith(f"{socket.gethostname()}:{process}:") for name in store.owners())


def _counts(store: Store, named: NamedPlaces | None) -> tuple[dict[PlannedPlace, SplitCount], bool]:
    """Count the splits of each place, and tell whether the store holds more than that.

    Of a store that holds more than the study names, only what that names is counted, unless it holds nothing of that.
    """
    counts = store.counts()
    if named is None or not named.places:
        return counts, False
    kept = {place: count for place, count in counts.items() if place in named.places}
    return kept, len(kept) < len(counts)


def _rate(sight: Sight) -> float:
    """Fits in a second over the last minute."""
    (first, before), (last, now) = sight.times[0], sight.times[-1]
    return max(now - before, 0) / (last - first) if last > first else 0.0


def _says(told: dict[str, Any], left: int) -> str:
    """One sentence for people."""
    from veracity.studies.progress import duration, per_second

    done = f"{told['done']:,} of {told['planned']:,} fits done, {told['failed']} failed"
    if told["starting"]:
        return f"{done}. {STARTING}" if told["planned"] else STARTING
    if not told["running"] and told["more"]:
        return f"{done}. The study names more than was run: its new fits are still to do."
    if not told["running"]:
        return f"{done}." if left else f"{done}. Finished."
    waiting = f", {told['waiting']} waiting" if told["waiting"] else ""
    fast = f", {per_second(told['rate'])}" if told["rate"] else ""
    rest = f", {duration(told['seconds_left'])} left" if told["seconds_left"] else ""
    before = f"{done} before the study was changed; of its new fits" if told["more"] else f"{done},"
    return f"{before} {told['running']} running{waiting}{fast}{rest}."


class Poller:
    """Looks at one store for all who watch it, as long as there is somebody."""

    def __init__(self, bench: Bench, name: str) -> None:
        self.bench, self.name, self.sight = bench, name, Sight()
        self.looking = Lock()
        self.watchers: set[asyncio.Queue[str]] = set()
        self.last: dict[str, Any] = {}
        self.unexpected: tuple[str, str] | None = None  # an error, and what was said of it
        self.task: asyncio.Task[None] | None = None
        self.joined = asyncio.Event()  # somebody watches who has not been told anything yet
        self.number = 0
        self.closed = False

    def close(self) -> None:
        """End the streams of all who watch, as the server ends."""
        self.closed = True
        for queue in self.watchers:
            queue.put_nowait("")

    def look(self) -> dict[str, Any]:
        """How far the study is now, counted from the last look on."""
        with self.looking:
            try:
                return look(self.bench, self.bench.folder.place(self.name), self.sight)
            except VeracityError as why:  # told to who watches, and looked at again
                says = str(why)
            except Exception as why:
                if self.unexpected is None or self.unexpected[0] != repr(why):  # each is logged once
                    self.unexpected = repr(why), log_unexpected("GET", f"/study/{self.name}/run", why)
                says = self.unexpected[1]
        return {**NOTHING, "process": None, "starting": False, "trouble": without_passwords(says)}

    async def _look_on(self) -> None:
        while self.watchers and not self.closed:
            told = await to_thread.run_sync(self.look)
            change = changes(self.last, told)
            self.last = told
            if change:
                self.number += 1
                for queue in self.watchers:
                    queue.put_nowait(message(self.number, "change", change))
            self.joined.clear()
            with suppress(TimeoutError):
                wait = SOON if told.get("running") or told.get("starting") else LATER
                await asyncio.wait_for(self.joined.wait(), wait)

    async def events(self) -> AsyncIterator[str]:
        """The whole state first, then what changes."""
        queue: asyncio.Queue[str] = asyncio.Queue()
        self.watchers.add(queue)
        self.last = {}  # so that the next look, which is made at once, tells everything
        self.joined.set()
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._look_on())
        try:
            while not self.closed:
                try:
                    told = await asyncio.wait_for(queue.get(), ALIVE)
                    if told:
                        yield told
                except TimeoutError:
                    yield ": still here\n\n"
                    if self.task.done():
                        return
        finally:
            self.watchers.discard(queue)


def changes(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """What differs, the cells by their places; a rate that moves alone is no news."""
    cells, known = now.get("cells", []), before.get("cells", [])
    moved = {place: cell for place, cell in enumerate(cells) if place >= len(known) or known[place] != cell}
    rest = {word: value for word, value in now.items() if word != "cells" and before.get(word, ...) != value}
    return {**rest, **({"cells": moved} if moved else {})}


def message(number: int, kind: str, content: dict[str, Any]) -> str:
    """An event as a stream carries it."""
    if isinstance(content.get("cells"), list):
        content = {**content, "cells": dict(enumerate(content["cells"]))}
    return f"id: {number}\nevent: {kind}\ndata: {json.dumps(content)}\n\n"


class Pollers:
    """One poller for each study that somebody watches."""

    def __init__(self) -> None:
        self._by_name: dict[str, Poller] = {}

    def watch(self, bench: Bench, name: str) -> Poller:
        """The poller of a study, begun by the first who watches it."""
        return self._by_name.setdefault(name, Poller(bench, name))

    def close(self) -> None:
        """End all streams: a server that ends waits for none of them."""
        for poller in self._by_name.values():
            poller.close()
