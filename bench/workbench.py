"""What the workbench costs: idle, at its first page, while a run is watched, and asked of a large store."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.large_study import large_store, random_outcomes, study_of_trees
from bench.row import Row
from veracity.records.fit import Outcome
from veracity.stores.open_store import open_store
from veracity.stores.store import Store

TICKS = os.sysconf("SC_CLK_TCK")
TABS, SECONDS, A_SECOND = 50, 10.0, 20
LARGE_VIEWS = ("ranking", "overview", "estimates", "pairs", "curves", "splits", "failures", "ledger")


class Served:
    """A workbench of its own, asked with its token."""

    def __init__(self, folder: Path) -> None:
        line = [sys.executable, "-m", "veracity", "serve", str(folder), "--no-browser"]
        self.process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        address = self.process.stdout.readline().strip()
        self.base, _, rest = address.partition("/open")
        self.token = rest.partition("token=")[2]

    def get(self, path: str) -> bytes:
        asked = urllib.request.Request(self.base + path, headers={"authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(asked, timeout=600) as answer:
            content: bytes = answer.read()
        return content

    @property
    def megabytes(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) / 1024

    @property
    def seconds(self) -> float:
        """Processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


@contextmanager
def served(store: Path | None = None) -> Iterator[Served]:
    """A workbench over a folder that holds nothing, or a copy of a store."""
    with tempfile.TemporaryDirectory() as folder:
        if store is not None:
            shutil.copy(store, Path(folder) / "large.db")
        server = Served(Path(folder))
        try:
            yield server
        finally:
            server.process.send_signal(signal.SIGINT)
            server.process.wait(20)


def workbench_first_page() -> list[Row]:
    """Memory before any question, and the desk: bytes, requests and time."""
    with served() as server:
        time.sleep(1)
        idle = server.megabytes
        page = server.get("/").decode()
        files = sorted(set(re.findall(r'(?:src|href)="(/assets/[^"]+)"', page)))
        kilobytes = (len(page) + sum(len(server.get(file)) for file in files)) / 1e3
        times = []
        for _ in range(5):
            before = server.seconds
            for path in ("/", *files):
                server.get(path)
            times.append(server.seconds - before)
    return [
        Row("the workbench, idle", f"{idle:.0f} MB", "60 MB", idle, 60, at_most=True, unit=" MB"),
        Row("its first page with all files", f"{kilobytes:.1f} kB", "60 kB", kilobytes, 60, at_most=True, unit=" kB"),
        Row("requests of the first page", str(1 + len(files)), "10", 1 + len(files), 10, at_most=True, unit=""),
        Row("processor time of the first page, warm", f"{min(times):.3f} s", "0.5 s", min(times), 0.5, True, " s"),
    ]


def workbench_poll() -> Row:
    """One look at 100,000 fits of which all but a few are known."""
    fewer, best = (_look(large_store(data_sets)) for data_sets in (10, 100))
    told = f"{best:.2f} ms; {fewer:.2f} ms of 10,000"
    return Row("a look at a study of 100,000 fits", told, "5 ms", best, 5, at_most=True, unit=" ms")


def _look(store: Path) -> float:
    """Milliseconds of a processor, the best of twenty."""
    from veracity.web.asked import Bench
    from veracity.web.live import run_status
    from veracity.web.places import Folder

    bench = Bench(Folder(store.parent))
    run_status(bench, store.name)
    times = []
    for _ in range(20):
        before = time.process_time()
        run_status(bench, store.name)
        times.append(1e3 * (time.process_time() - before))
    return min(times)


def workbench_watched() -> Row:
    """Processor time of the server while fifty tabs watch a store that fills in."""
    random = np.random.default_rng(5)
    study = study_of_trees(random, 8, 4)
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "large.db") as store:
        study.register(store)
        server = Served(Path(folder))
        with ThreadPoolExecutor(TABS) as tabs:
            end = time.monotonic() + SECONDS + 4
            told = [tabs.submit(_watch, server, end) for _ in range(TABS)]
            time.sleep(3)
            before, begun = server.seconds, time.monotonic()
            _fill(store, list(islice(random_outcomes(study, random), int(SECONDS * A_SECOND))))
            share = 100 * (server.seconds - before) / (time.monotonic() - begun)
            assert all(b"fits done" in one.result() for one in told)
        server.process.send_signal(signal.SIGINT)
        server.process.wait(20)
    name = f"{TABS} tabs that watch {A_SECOND} fits a second, of one core"
    return Row(name, f"{share:.2f} %", "3 %", share, 3, at_most=True, unit=" %")


def _watch(server: Served, end: float) -> bytes:
    """Ask every second how far the study is, as a page that watches it does, until the end."""
    port = int(server.base.rpartition(":")[2])
    talk, answer = HTTPConnection("127.0.0.1", port), b""
    while time.monotonic() < end:
        talk.request("GET", "/api/studies/large.db/status", headers={"authorization": f"Bearer {server.token}"})
        answer = talk.getresponse().read()
        time.sleep(1)
    return answer


def _fill(store: Store, outcomes: list[Outcome]) -> None:
    """As a run that goes on: it claims, beats and writes."""
    owner = f"{socket.gethostname()}:{os.getpid()}:1"
    for place in range(0, len(outcomes), A_SECOND):
        some = outcomes[place : place + A_SECOND]
        store.claim([one.key for one in some], owner)
        time.sleep(1)
        store.write(some)
    store.release(owner)


class View(NamedTuple):
    """What a view of a store costs: processor time the first time and again, and its size."""

    first: float
    again: float
    megabytes: float

    def __str__(self) -> str:
        return f"{self.first:.2f} s, then {self.again:.2f} s, {self.megabytes:.2f} MB"


def workbench_large() -> list[Row]:
    """40 learners on 100 data sets, and on 10 for the growth: each view the first time and again, and its size."""
    rows = []
    with served(large_store(10)) as small, served(large_store()) as large:
        for name in LARGE_VIEWS:
            fewer, view = _view(small, name), _view(large, name)
            told, aim = f"{view}; {fewer} of 10 data sets", 8 if name == "ranking" else 20
            title = f"{name} of 40 learners on 100 data sets, first"
            rows.append(Row(title, told, f"{aim} s", view.first, aim, True, " s"))
            rows.append(Row(f"{name}, again", told, "0.5 s", view.again, 0.5, True, " s"))
            rows.append(Row(f"{name}, size", told, "2 MB", view.megabytes, 2, True, " MB"))
        fewer, size = (len(server.get("/study/large.db/run")) / 1e6 for server in (small, large))
        told = f"{size:.2f} MB; {fewer:.2f} MB of 10 data sets"
        rows.append(Row("the grid of 40 learners on 100 data sets, size", told, "2 MB", size, 2, True, " MB"))
    return rows


def _view(server: Served, name: str) -> View:
    path = f"/study/large.db/analyse?view={name}"
    first, page = _asked(server, path)
    return View(first, min(_asked(server, path)[0] for _ in range(3)), len(page) / 1e6)


def _asked(server: Served, path: str) -> tuple[float, bytes]:
    before = server.seconds
    page = server.get(path)
    while b"Working on it" in page:
        page = server.get(path)
    return server.seconds - before, page


ROWS = (workbench_first_page, workbench_poll, workbench_watched, workbench_large)
