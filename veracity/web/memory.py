"""Answers that were given, kept as long as what they were asked of does not change."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from functools import partial
from threading import Lock, Semaphore, Thread
from typing import Any

from veracity.core.errors import StoreError, VeracityError

AT_ONCE = 2  # heavy questions
MOST = 64  # answers that are kept


class Promise(Future[Any]):
    """An answer to come; who is told of a failure that may pass is the last one: whoever asks then asks anew."""

    def __init__(self, forget: Callable[[Future[Any]], None]) -> None:
        super().__init__()
        self.forget = forget

    def result(self, timeout: float | None = None) -> Any:
        """Return the answer, raise what it failed with, or TimeoutError while it is not there."""
        try:
            return super().result(timeout)
        except BaseException as why:
            if self.done() and _may_pass(why):
                self.forget(self)
            raise


class Memory:
    """Each question is worked on once, whoever asks; the answers that were wanted last are kept."""

    def __init__(self) -> None:
        self._at_once = Semaphore(AT_ONCE)
        self._answers: OrderedDict[Hashable, Future[Any]] = OrderedDict()
        self._lock = Lock()

    def ask(self, key: Hashable, make: Callable[[], Any]) -> Future[Any]:
        """The answer, or the promise of one; a failure that may pass is kept until somebody was told of it."""
        with self._lock:
            known = self._answers.get(key)
            if known is None:
                known = self._answers[key] = self._begin(make, partial(self._forget, key))
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

    def _forget(self, key: Hashable, promise: Future[Any]) -> None:
        with self._lock:
            if self._answers.get(key) is promise:
                del self._answers[key]

    def _begin(self, make: Callable[[], Any], forget: Callable[[Future[Any]], None]) -> Future[Any]:
        """By a thread that ends with the program, however long its question takes."""
        promise = Promise(forget)
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


def _may_pass(why: BaseException) -> bool:
    """Whether it failed for no reason that lies in the question: what is refused is refused again."""
    return isinstance(why, StoreError) or not isinstance(why, VeracityError)
