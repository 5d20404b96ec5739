"""Answers that were given, kept as long as what they were asked of does not change."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from threading import Lock, Semaphore, Thread
from typing import Any

from veracity.core.errors import StoreError, VeracityError

AT_ONCE = 2  # heavy questions
MOST = 64  # answers that are kept


class Memory:
    """Each question is worked on once, whoever asks; the answers that were wanted last are kept."""

    def __init__(self) -> None:
        self._at_once = Semaphore(AT_ONCE)
        self._answers: OrderedDict[Hashable, Future[Any]] = OrderedDict()
        self._lock = Lock()

    def ask(self, key: Hashable, make: Callable[[], Any]) -> Future[Any]:
        """The answer, or the promise of one; what may go well another time is told once, and then tried again."""
        with self._lock:
            known = self._answers.get(key)
            if known is not None and _may_go_well(known):
                return self._answers.pop(key)
            if known is None:
                known = self._answers[key] = self._begin(make)
            self._answers.move_to_end(key)
            while len(self._answers) > MOST:
                self._answers.popitem(last=False)[1].cancel()
        return known

    def close(self) -> None:
        """Begin nothing more, and let nobody wait for what is being worked on."""
        with self._lock:
            for promise in self._answers.values():
                if not promise.cancel():
                    with suppress(InvalidStateError):
                        promise.set_exception(StoreError("the workbench has ended"))

    def _begin(self, make: Callable[[], Any]) -> Future[Any]:
        """By a thread that ends with the program, however long its question takes."""
        promise: Future[Any] = Future()
        Thread(target=self._work, args=(promise, make), name="question", daemon=True).start()
        return promise

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


def _may_go_well(known: Future[Any]) -> bool:
    """Whether it failed for no reason that lies in the question: what is refused is refused again."""
    why = known.exception() if known.done() else None
    return why is not None and (isinstance(why, StoreError) or not isinstance(why, VeracityError))
