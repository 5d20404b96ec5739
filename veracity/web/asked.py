"""A request as the views see it, what the server knows, and the answers that it keeps."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from threading import Lock, Semaphore, Thread
from typing import Any
from urllib.parse import parse_qsl, urlencode

from veracity.core.confidence import Confidence, typed_level
from veracity.core.errors import BadInput, StoreError, VeracityError
from veracity.core.spelling import split_spellings
from veracity.web.live import Watch
from veracity.web.open_stores import OpenStores
from veracity.web.places import Folder, Place, Uploads
from veracity.web.run_processes import Children

AT_ONCE = 2  # heavy questions
MOST = 64  # answers that are kept
ENDED = "the workbench has ended"


class Memory:
    """Each question is worked on once, whoever asks; the answers that were wanted last are kept."""

    def __init__(self) -> None:
        self._at_once = Semaphore(AT_ONCE)
        self._answers: OrderedDict[Hashable, Future[Any]] = OrderedDict()
        self._lock = Lock()

    def answer(self, key: Hashable, make: Callable[[], Any], timeout: float | None = None) -> Any:
        """Return the answer or raise why there is none; a failure that may pass is raised once and then forgotten."""
        future = self.ask(key, make)
        try:
            return future.result(timeout)
        except CancelledError:
            raise StoreError(ENDED) from None
        except Exception as why:
            may_pass = isinstance(why, StoreError) or not isinstance(why, VeracityError)
            with self._lock:
                if future.done() and may_pass and self._answers.get(key) is future:
                    del self._answers[key]
            raise

    def ask(self, key: Hashable, make: Callable[[], Any]) -> Future[Any]:
        """Return the future of an answer, worked out by a thread that ends with the program, however long it takes."""
        with self._lock:
            if key not in self._answers:
                self._answers[key] = Future()
                work = partial(self._work, self._answers[key], make)
                Thread(target=work, name="question", daemon=True).start()
            self._answers.move_to_end(key)
            asked = self._answers[key]
            finished = [one for one, future in self._answers.items() if future.done()]
            for one in finished[: max(len(self._answers) - MOST, 0)]:
                del self._answers[one]
            return asked

    def close(self) -> None:
        """Begin nothing more, and let nobody wait for what is being worked on."""
        with self._lock:
            for future in self._answers.values():
                if not future.cancel():
                    with suppress(InvalidStateError):
                        future.set_exception(StoreError(ENDED))

    def _work(self, future: Future[Any], make: Callable[[], Any]) -> None:
        with self._at_once:
            if not future.set_running_or_notify_cancel():
                return
            answer, failure = None, None
            try:
                answer = make()
            except BaseException as why:
                failure = why
            with suppress(InvalidStateError):  # the workbench has ended meanwhile
                future.set_result(answer) if failure is None else future.set_exception(failure)


Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class Bench:
    """What one server shows and holds: nothing of it outlives it but files."""

    folder: Folder
    read_only: bool = False
    trust_here: bool = False
    memory: Memory = field(default_factory=Memory)
    stores: OpenStores = field(init=False)
    uploads: Uploads = field(default_factory=Uploads)
    children: Children = field(default_factory=Children)
    watches: dict[str, Watch] = field(default_factory=dict)  # of runs, by the name of the study
    writing: Lock = field(default_factory=Lock)  # of study files

    def __post_init__(self) -> None:
        object.__setattr__(self, "stores", OpenStores(self.folder.address))


@dataclass(frozen=True, eq=False)
class Asked:
    """One request."""

    bench: Bench
    path: str
    names: Mapping[str, str] = field(default_factory=dict)  # parts of the path
    query: Pairs = ()
    method: str = "GET"
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> Place:
        """The study that the path names."""
        return self.bench.folder.place(self.names["name"])

    def every(self, name: str) -> tuple[str, ...]:
        """All values of a word of the address, without empty ones."""
        return tuple(value for key, value in self.query if key == name and value)

    def one(self, name: str) -> str | None:
        """The value of a word of the address, the last where there are several."""
        return next(reversed(self.every(name)), None)

    def methods(self, name: str) -> tuple[str, ...]:
        """All methods that a word of the address names, by several values or by one with commas."""
        return tuple(method for text in self.every(name) for method in split_spellings(text))

    @property
    def level(self) -> float | None:
        """The level that is picked; one that is surely meant as an alpha is refused as on the command line."""
        text = self.one("level")
        if text is None:
            return None
        try:
            level = float(text)
        except ValueError:
            raise BadInput(f"level is a number, not {text!r}") from None
        return Confidence(typed_level(level)).level

    @property
    def form(self) -> Form:
        """The fields of a form."""
        try:
            return Form(tuple(parse_qsl(self.body.decode("utf-8"), keep_blank_values=True, max_num_fields=5_000)))
        except ValueError:
            raise BadInput("the fields of this form cannot be read") from None

    def address(self, path: str | None = None, **changes: str | Sequence[str] | None) -> str:
        """This address with some words changed; None takes a word away."""
        kept = [(key, value) for key, value in self.query if key not in changes and value]
        for key, value in changes.items():
            kept += [(key, one) for one in ([value] if isinstance(value, str) else value or ())]
        query = urlencode(kept)
        return (self.path if path is None else path) + (f"?{query}" if query else "")


@dataclass(frozen=True)
class Form:
    """Fields that were filled in."""

    fields: Pairs

    def get(self, name: str, usual: str = "") -> str:
        return next((value for key, value in self.fields if key == name), usual).replace("\r\n", "\n")

    def has(self, name: str) -> bool:
        return any(key == name for key, _ in self.fields)

    def every(self, name: str) -> list[str]:
        return [value for key, value in self.fields if key == name and value]

    def replace(self, name: str, value: str) -> Form:
        return Form(tuple((key, value if key == name else old) for key, old in self.fields))
