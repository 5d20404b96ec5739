"""Stores that stay open while they are looked at, and what is read of them."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from veracity.core.errors import BadInput, Refused, StoreError
from veracity.web.places import is_store, schema_of

if TYPE_CHECKING:
    from veracity.evidence.runs import Runs
    from veracity.stores.store import Status, Store

MOST = 16  # stores that are open at a time
LOCK_WAIT_S = 3.0  # for another program to let go of a store that a page shows


class NotContacted(Refused):
    """A database server that only a study file names, and that nobody has allowed to be contacted."""

    def __init__(self, where: str) -> None:
        from veracity.stores.open_store import server_of, shown_address

        server = f"the database server {server_of(where)} ({shown_address(where)})"
        super().__init__(f"results are on {server}, which is not contacted before you allow it", "not-contacted")


class AsIfAsked:
    """A store that is only looked at: questions count in what it says as if they were asked, and nothing is written."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._questions: dict[str, dict[str, int]] = {}
        self.looks_to_count: list[tuple[dict[str, Any], dict[str, Any]]] = []  # once what they show is taken away

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def ask(self, question: str, rows: str) -> int:
        self._questions.setdefault(rows, {})[question] = 1
        return len(self.asked(rows))

    def look(self, question: dict[str, Any], found: dict[str, Any]) -> None:
        self.looks_to_count.append((question, found))

    def asked(self, rows: str) -> dict[str, int]:
        return {**self._store.asked(rows), **self._questions.get(rows, {})}


class OpenStores:
    """Each store is opened once; the runs of the one that was asked last stay in memory.

    Databases are opened by the address that the command line named, and by those that somebody has allowed since.
    """

    def __init__(self, address: str | None = None) -> None:
        self._allowed = set() if address is None else {address}
        self._stores: OrderedDict[str, tuple[Any, Store]] = OrderedDict()
        self._lock = Lock()
        self.reading = Lock()  # held while a study is looked up, never while a question is worked on
        self._read: tuple[Any, Runs] | None = None

    def may_open(self, where: str) -> bool:
        """Whether a store is a file, or a database that may be contacted."""
        return "://" not in where or where in self._allowed

    def allow(self, where: str) -> None:
        """Let a database be contacted from now on, until this server ends."""
        self._allowed.add(where)

    def open(self, where: str) -> Store:
        """A store that is there already; one of an older version, which opening would change, is left to a command."""
        from veracity.stores.open_store import open_store
        from veracity.stores.schema import VERSION

        if not self.may_open(where):
            raise NotContacted(where)
        with self._lock:
            file = _file_of(where)
            if where not in self._stores or self._stores[where][0] != file:
                schema = None if "://" in where else schema_of(Path(where))
                if schema is not None and schema.isdecimal() and int(schema) < VERSION:
                    name = Path(where).name
                    raise StoreError(f"{name} was made by an older veracity: veracity status {name} renews it")
                self._stores[where] = file, open_store(where, create=False, wait=LOCK_WAIT_S, renew=False)
            self._stores.move_to_end(where)
            while len(self._stores) > MOST:
                self._stores.popitem(last=False)  # closed when nobody holds it any more
            return self._stores[where][1]

    def has(self, where: str) -> bool:
        """Whether a store is there yet; a database that cannot be reached says so."""
        if "://" not in where:
            return is_store(Path(where))
        from veracity.stores.migrate import NothingStored

        try:
            return bool(self.open(where))
        except NothingStored:
            return False

    def forget(self, where: str) -> None:
        """Open it anew next time, as after its file was replaced."""
        with self._lock:
            self._stores.pop(where, None)

    def status(self, where: str, study: Path | None = None) -> Status:
        """How far a store is, or the study that a file names now; of one that cannot be read, all of its store."""
        store = self.open(where)
        if study is None:
            return store.status()
        from veracity.studies.evaluate import status_of_study

        try:
            return status_of_study(study, store)[0]
        except BadInput:
            return store.status()

    def fingerprint(self, where: str, study: Path | None = None) -> tuple[Any, ...]:
        """What changes whenever an answer may change."""
        store = self.open(where)
        own = None if study is None else study.read_bytes()
        about = hashlib.sha256(json.dumps(store.study(), sort_keys=True).encode()).hexdigest()
        return where, _file_of(where), own, *store.totals(), about

    def runs(self, where: str, study: Path | None = None) -> Runs:
        """Everything in a store, or what a study file names; what one question has read the next has at hand."""
        from veracity.reports.gather import RunsReadOnce
        from veracity.studies.evaluate import read_runs

        key = self.fingerprint(where, study)
        kept = self._read  # looked at once: another question may put its own there meanwhile
        if kept is None or kept[0] != key:
            kept = self._read = key, RunsReadOnce.from_runs(read_runs(self.open(where), study))
        return replace(kept[1], store=AsIfAsked(self.open(where)))


def _file_of(where: str) -> tuple[int, int] | None:
    """The file that a name means now, which may be another one tomorrow; None for a database, or where none is."""
    try:
        seen = Path(where).stat()
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


def file_state(where: str) -> tuple[tuple[int, int, int], ...] | None:
    """Return what changes whenever somebody writes to a store in a file; None for a database."""
    if "://" in where:
        return None
    parts = [Path(where), Path(f"{where}-wal")]  # SQLite writes to the second first
    seen = [part.stat() for part in parts if part.exists()]
    return tuple((part.st_ino, part.st_mtime_ns, part.st_size) for part in seen)
