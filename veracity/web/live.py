"""How far a run is, told to everybody who watches by one poller for each store."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from veracity.core.errors import VeracityError
from veracity.core.words import without_passwords

if TYPE_CHECKING:
    from veracity.stores.cell_counts import CellCounts
    from veracity.web.asked import Bench
    from veracity.web.places import Place

SOON, LATER = 0.5, 4.0  # seconds between looks while something runs, and else
WINDOW = 60.0  # seconds over which the rate is measured
NOTHING: dict[str, Any] = {
    **dict.fromkeys(("planned", "done", "failed", "running"), 0),
    "trouble": "",
    "says": "",
    "seconds": {},
    "cells": [],
    "seconds_left": None,
}
ALIVE = 15.0  # seconds after which a line without meaning keeps the connection


@dataclass
class Sight:
    """What a look at a store needs to know of the looks before it."""

    counts: CellCounts | None = None
    cells: list[list[int]] = field(default_factory=list)
    planned: int = -1
    times: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=400))


def look(bench: Bench, place: Place, sight: Sight) -> dict[str, Any]:
    """Everything that a watcher is told, as plain data; the sight remembers what was counted."""
    process = bench.children.process(place.store)
    starting = process is not None
    known = {**NOTHING, "process": process}
    try:
        if not bench.stores.has(place.store):
            says = "Starting: libraries are being read." if starting else "Not run yet."
            return {**known, "starting": starting, "says": says}
        store = bench.stores.open(place.store)
        status = store.status()
    except VeracityError as why:
        bench.stores.forget(place.store)
        return {**known, "starting": starting, "trouble": without_passwords(str(why))}
    counts = _counts(store, sight, status)
    now = time.monotonic()
    sight.times.append((now, status.done + status.failed))
    while sight.times[0][0] < now - WINDOW:
        sight.times.popleft()
    left = status.planned - status.done - status.failed
    rate = _rate(sight)
    told = {**known, **status._asdict(), "starting": starting and not status.running and left > 0, "rate": rate}
    told["seconds_left"] = left / rate if rate and left else None
    told["says"] = _says(told, left)
    told["cells"] = sight.cells
    told["seconds"] = counts.seconds()
    return told


def _counts(store: Any, sight: Sight, status: Any) -> CellCounts:
    """The counts by data set and learner; a plan that grew is read anew."""
    from veracity.stores.cell_counts import CellCounts

    if sight.counts is None or sight.planned != status.planned:
        sight.counts, sight.planned, sight.cells = CellCounts(store.planned_keys()), status.planned, []
    if sight.counts.add(store.news()) or not sight.cells:
        sight.cells = [[cell.done, cell.failed] for cell in sight.counts.cells().values()]
    return sight.counts


def _rate(sight: Sight) -> float:
    """Fits in a second over the last minute."""
    (first, before), (last, now) = sight.times[0], sight.times[-1]
    return max(now - before, 0) / (last - first) if last > first else 0.0


def _says(told: dict[str, Any], left: int) -> str:
    """One sentence for people."""
    from veracity.studies.progress import duration, per_second

    done = f"{told['done']:,} of {told['planned']:,} fits done, {told['failed']} failed"
    if told["starting"]:
        return f"{done}. Starting: libraries are being read."
    if not told["running"]:
        return f"{done}." if left else f"{done}. Finished."
    fast = f", {per_second(told['rate'])}" if told["rate"] else ""
    rest = f", {duration(told['seconds_left'])} left" if told["seconds_left"] else ""
    return f"{done}, {told['running']} running{fast}{rest}."


class Poller:
    """Looks at one store for all who watch it, as long as there is somebody."""

    def __init__(self, bench: Bench, name: str) -> None:
        self.bench, self.name, self.sight = bench, name, Sight()
        self.looking = Lock()
        self.watchers: set[asyncio.Queue[str]] = set()
        self.last: dict[str, Any] = {}
        self.task: asyncio.Task[None] | None = None
        self.joined = asyncio.Event()  # somebody watches who has not been told anything yet
        self.number = 0

    def look(self) -> dict[str, Any]:
        """How far the study is now, counted from the last look on."""
        with self.looking:
            try:
                return look(self.bench, self.bench.folder.place(self.name), self.sight)
            except VeracityError as why:  # told to who watches, and looked at again
                return {**NOTHING, "process": None, "starting": False, "trouble": without_passwords(str(why))}

    async def _look_on(self) -> None:
        while self.watchers:
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
            while True:
                try:
                    yield await asyncio.wait_for(queue.get(), ALIVE)
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
