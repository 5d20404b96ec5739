"""Answers that were given, kept as long as what they were asked of does not change."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from threading import Lock, Semaphore, Thread
from typing import Any

from veracity.core.errors import StoreError, VeracityError

AT_ONCE = 2  # heavy questions
MOST = 64  # answers that are kept
ENDED = "the workbench has ended"


class Promise(Future[Any]):
    """An answer that is being worked on; a failure that may pass is forgotten as soon as somebody was told of it."""

    def __init__(self, forget: Callable[[], None]) -> None:
        super().__init__()
        self._forget = forget

    def exception(self, timeout: float | None = None) -> BaseException | None:
        try:
            why = super().exception(timeout)
        except CancelledError:
            why = StoreError(ENDED)
        if why is not None and _may_pass(why):
            self._forget()
        return why

    def result(self, timeout: float | None = None) -> Any:
        why = self.exception(timeout)
        if why is not None:
            raise why
        return super().result()


class Memory:
    """Each question is worked on once, whoever asks; the answers that were wanted last are kept."""

    def __init__(self) -> None:
        self._at_once = Semaphore(AT_ONCE)
        self._answers: OrderedDict[Hashable, Promise] = OrderedDict()
        self._lock = Lock()

    def ask(self, key: Hashable, make: Callable[[], Any]) -> Promise:
        """Return the answer, or the promise of one; nobody is told a failure that may pass a second time."""
        with self._lock:
            if key not in self._answers:
                self._answers[key] = self._begin(key, make)
            self._answers.move_to_end(key)
            asked = self._answers[key]
            finished = [one for one, promise in self._answers.items() if promise.done()]
            for one in finished[: max(len(self._answers) - MOST, 0)]:
                del self._answers[one]
            return asked

    def close(self) -> None:
        """Begin nothing more, and let nobody wait for what is being worked on."""
        with self._lock:
            for promise in self._answers.values():
                if not promise.cancel():
                    with suppress(InvalidStateError):
                        promise.set_exception(StoreError(ENDED))

    def _begin(self, key: Hashable, make: Callable[[], Any]) -> Promise:
        """By a thread that ends with the program, however long its question takes."""
        promise = Promise(lambda: self._forget(key, promise))
        Thread(target=self._work, args=(promise, make), name="question", daemon=True).start()
        return promise

    def _forget(self, key: Hashable, promise: Promise) -> None:
        with self._lock:
            if self._answers.get(key) is promise:
                del self._answers[key]

    def _work(self, promise: Future[Any], make: Callable[[], Any]) -> None:
        with self._at_once:
            if not promise.set_running_or_notify_cancel():
                return
            answer, failure = None, None
            try:
                answer = make()
            except BaseException as why:
                failure = why
            with suppress(InvalidStateError):  # the workbench has ended meanwhile
                promise.set_result(answer) if failure is None else promise.set_exception(failure)


def _may_pass(why: BaseException) -> bool:
    """Tell whether a question may be answered another time; one that was refused for what it asks is refused again."""
    return isinstance(why, StoreError) or not isinstance(why, VeracityError)
