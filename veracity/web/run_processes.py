"""Processes that claim fits of a store: which of them are known to be a `veracity run` of it, and may be stopped."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import psutil

from veracity.core.errors import VeracityError
from veracity.stores.claims import process_of
from veracity.stores.named_store import RESULTS, named_store
from veracity.web.places import STUDY

if TYPE_CHECKING:
    from veracity.stores.store import Store


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
    owners = (_owner(name, where) for name in store.owners())
    return [owner for owner in owners if owner is not None]


def _owner(name: str, where: str) -> RunOwner | None:
    """Return what the name of an owner tells, `host:process:...`; None where it names no process."""
    host, number, *_ = (*name.split(":"), "")
    if not number.isdecimal():
        return None
    owner = RunOwner(host, int(number))
    return owner._replace(problem=_problem(owner, process_of(name), where))


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
        if not _is_run_of(running.cmdline(), running.cwd(), where):
            return "is no `veracity run` of this study: end it where it was started"
    except (psutil.Error, OverflowError):
        return "cannot be looked at from here: end it where it was started"
    return ""


def _is_run_of(words: Sequence[str], folder: str, where: str) -> bool:
    """Tell whether a command line is `veracity run` of a study that keeps its results in a store."""
    verbs = (at for at, word in enumerate(words[:-1]) if Path(word).stem == "veracity" and words[at + 1] == "run")
    begin = next(verbs, None)
    if begin is None:
        return False
    given = [part for word in words[begin + 2 :] for part in (word.split("=", 1) if word.startswith("--") else [word])]
    if "--store" in given[:-1]:
        return _is_same_store(given[given.index("--store") + 1], folder, where)
    study = next((word for word in given if word.lower().endswith(STUDY)), "")
    return _is_same_store(_named_store(Path(folder, study)) or RESULTS, folder, where)


def _named_store(study: Path) -> str | None:
    try:
        return named_store(study)
    except VeracityError:
        return None


def _is_same_store(name: str, folder: str, where: str) -> bool:
    if "://" in where or "://" in name:
        return _without_password(name) == _without_password(where)
    return os.path.realpath(Path(folder, name)) == os.path.realpath(where)


def _without_password(address: str) -> str:
    from veracity.stores.open_store import shown_address

    return shown_address(address) if "://" in address else address
