"""Processes that run a study: started and stopped from here, or found by what their store says."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil

from veracity.core.errors import BadInput, Refused, VeracityError
from veracity.core.words import spell_out_controls, without_passwords
from veracity.stores.claims import process_of
from veracity.stores.open_store import RESULTS, named_store
from veracity.web.calls import float_text
from veracity.web.places import STUDY

if TYPE_CHECKING:
    from veracity.stores.store import Store
    from veracity.web.places import Place


class RunOwner(NamedTuple):
    """A living owner of claims: the machine and the process that its name tells, and why it may not be stopped."""

    host: str
    number: int
    problem: str = ""

    @property
    def is_here(self) -> bool:
        """Tell whether it is a process of this machine."""
        return self.host == socket.gethostname()

    @property
    def says(self) -> str:
        return f"process {self.number} of {self.host} {self.problem}"


def run_owners(store: Store, where: str) -> list[RunOwner]:
    """Return the owners of claims in a store that may live, each with the reason why it may not be stopped, if any."""
    owners = []
    for name in store.owners():
        host, number, *_ = (*name.split(":"), "")  # `host:process:...`
        if number.isdecimal():
            owner = RunOwner(host, int(number))
            owners.append(owner._replace(problem=_problem(owner, process_of(name), where)))
    return owners


def _problem(owner: RunOwner, process: int | None, where: str) -> str:
    """Return why a process is not known to be a run of a store: a store may name any number, and numbers come again.

    `process` is the number of the owner where it is a process of this machine that began when its name says.
    """
    if not owner.is_here:
        return "runs on another machine: stop it there"
    if process is None:
        return "is not known to be the run that had its number: it was left alone"
    try:
        running = psutil.Process(process)
        if not _is_run_of(running.cmdline(), Path(running.cwd()), where):
            return "is no `veracity run` of this study: end it where it was started"
    except (psutil.Error, OverflowError):
        return "cannot be looked at from here: end it where it was started"
    return ""


def _is_run_of(words: Sequence[str], folder: Path, where: str) -> bool:
    """Tell whether a command line is `veracity run` of a study that keeps its results in a store."""
    verbs = (at for at, word in enumerate(words[:-1]) if Path(word).stem == "veracity" and words[at + 1] == "run")
    begin = next(verbs, None)
    if begin is None:
        return False
    given = [part for word in words[begin + 2 :] for part in (word.split("=", 1) if word.startswith("--") else [word])]
    if "--store" in given[:-1]:
        named = given[given.index("--store") + 1]
    else:
        study = next((word for word in given if word.lower().endswith(STUDY)), "")
        named = RESULTS
        with contextlib.suppress(VeracityError):
            named = named_store(folder / study) or RESULTS
    if "://" in where or "://" in named:
        from veracity.stores.open_store import shown_address

        shown = [shown_address(one) if "://" in one else one for one in (named, where)]  # without their passwords
        return shown[0] == shown[1]
    return os.path.realpath(folder / named) == os.path.realpath(where)


TERMINATE_AFTER_S = 10.0  # a run that was started here is asked to stop, and after this told to
MAX_LOG_BYTES, MAX_LOG_LINES = 4_000, 12  # that are shown


@dataclass(frozen=True)
class RunOptions:
    """How fits are carried out; every word as on the command line."""

    workers: int = 1
    engine: str = "local"
    address: str | None = None
    timeout: float | None = None
    retry: bool = False

    def words(self) -> list[str]:
        """Return the options as typed."""
        pairs = {
            "--workers": str(self.workers),
            "--engine": None if self.engine == "local" else self.engine,
            "--address": self.address,
            "--timeout": None if self.timeout is None else float_text(self.timeout),
            "--retry": "failed" if self.retry else None,
        }
        return [part for name, value in pairs.items() if value is not None for part in (name, value)]


class Children:
    """The runs that this server started, by the store that they fill."""

    def __init__(self) -> None:
        self._started: dict[str, subprocess.Popen[bytes]] = {}
        self._asked: dict[str, set[int]] = {}  # runs that were started elsewhere
        self._lock = threading.Lock()

    def start(self, place: Place, options: RunOptions, trust_here: bool) -> int:
        """Begin a run in a session of its own, which goes on when this server ends; its process."""
        assert place.study is not None
        words = run_words(str(place.study), place.store, options, trust_here)
        with self._lock:
            if self.process(place.store) is not None:
                raise Refused("this study is running already: stop it first, or wait", "running")
            with _open_log(place.log) as log:
                child = subprocess.Popen(
                    [sys.executable, "-P", "-m", "veracity", *words],  # no code of the folder unless it is trusted
                    cwd=place.study.parent,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=log,
                    start_new_session=True,
                )
            self._started[place.store] = child
        return child.pid

    def process(self, store: str) -> int | None:
        """The number of a run of ours that lives."""
        child = self._started.get(store)
        return None if child is None or child.poll() is not None else child.pid

    def ended(self, store: str) -> int | None:
        """How a run of ours ended: its status, None where none has."""
        child = self._started.get(store)
        return None if child is None else child.poll()

    def stop(self, owners: Sequence[RunOwner], where: str) -> list[int]:
        """Interrupt every run of a store as Ctrl-C does; return the processes that were.

        A run that was started here and goes on is told to end; another one is asked once.
        """
        child = self._started.get(where) if self.process(where) is not None else None
        others = {one.number for one in owners if not one.problem} - ({child.pid} if child is not None else set())
        asked = [number for number in others if interrupt(number)]
        self._asked.setdefault(where, set()).update(asked)
        if child is None:
            return asked
        interrupt(child.pid)
        threading.Thread(target=self._insist, args=(child,), daemon=True).start()
        return [child.pid, *asked]

    def was_asked(self, where: str, number: int) -> bool:
        """Tell whether a run that was started elsewhere was asked to end."""
        return number in self._asked.get(where, ())

    def _insist(self, child: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(TERMINATE_AFTER_S)
        if child.poll() is None:
            child.terminate()

    def stop_all(self) -> None:
        """Ask every run that was started here to end."""
        for child in self._started.values():
            if child.poll() is None:
                interrupt(child.pid)


def run_words(study: str, store: str, options: RunOptions, trust_here: bool) -> list[str]:
    """`run study.toml --store results.db --workers 2`."""
    trust = ["--trust-here"] if trust_here else []
    return ["run", study, "--store", store, *options.words(), *trust]


def interrupt(number: int) -> bool:
    """Interrupt a process as Ctrl-C does, with its group where it leads one; tell whether that was possible."""
    try:
        if os.getpgid(number) == number:
            os.killpg(number, signal.SIGINT)
        else:
            os.kill(number, signal.SIGINT)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _open_log(path: Path | None) -> contextlib.AbstractContextManager[Any]:
    if path is None:
        return contextlib.nullcontext(subprocess.DEVNULL)
    try:
        return os.fdopen(_descriptor(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb")
    except OSError as why:
        raise BadInput(f"{path.name} cannot be written: {why.strerror}") from None


def _descriptor(path: Path, how: int) -> int:
    """A file that is opened itself, no link to another, and without waiting for somebody at its other end."""
    return os.open(path, how | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o666)


def log_tail(path: Path | None) -> Sequence[str]:
    """Return the last lines that a run has written."""
    if path is None:
        return ()
    try:
        with os.fdopen(_descriptor(path, os.O_RDONLY), "rb") as file:
            file.seek(max(file.seek(0, os.SEEK_END) - MAX_LOG_BYTES, 0))
            lines = file.read(MAX_LOG_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return ()
    return [without_passwords(spell_out_controls(line)) for line in lines[-MAX_LOG_LINES:]]
