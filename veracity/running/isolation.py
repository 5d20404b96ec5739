"""What a fit may change for all that come after it in the same process is put back when it ends.

So the order of learners, and which of them share a worker, decide nothing. The random states of numpy and Python are
put back by `Seeding`, which knows who may draw from them.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # ten times as quick as signal, which makes an enumeration of every answer
import contextlib
import gc
import locale
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

State = tuple[Callable[[], Any], Callable[[Any], object]]  # what is there, and how to put it back
SIGNALS = tuple(
    int(number) for number in signal.valid_signals() if number < 32 and number not in (signal.SIGKILL, signal.SIGSTOP)
)
TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)


class Isolation:
    """While it is entered, a fit may change what it likes; warnings are for its author, not for whoever runs it.

    Entered again for a fit that follows at once, it knows what is there, unless the one before had changed something:
    to read all of it takes a tenth of the quickest fits.
    """

    def __init__(self) -> None:
        self.before: list[Any] = []

    def __enter__(self) -> None:
        self.warnings = warnings.catch_warnings()
        self.warnings.__enter__()
        warnings.simplefilter("ignore")
        self.before = self.before or [read() for read, _ in STATES]

    def __exit__(self, *raised: Any) -> None:
        self.warnings.__exit__(*raised)
        changed = [
            (write, before) for (read, write), before in zip(STATES, self.before, strict=True) if read() != before
        ]
        for write, before in changed:
            with contextlib.suppress(OSError, ValueError, locale.Error):  # what is no more cannot be put back
                write(before)
            self.before = []


class SharedIsolation:
    """What isolates fits of one learner that follow each other with nothing between them: each of them, or all at once.

    A plain learner changes nothing, unless it was interrupted, so that what is there is read once for all its fits. And
    it has the same parameters in all of them: the first that succeeds has checked them. Where all numbers of the data
    are `ordinary`, no fit need look for others among its rows.
    """

    def __init__(self, plain: bool, ordinary: bool = False) -> None:
        self.isolation, self.plain, self.checked = Isolation(), plain, False
        self.known = {"skip_parameter_validation": True, "assume_finite": ordinary}
        self.each: AbstractContextManager[None] = nullcontext() if plain else self.isolation

    def __enter__(self) -> SharedIsolation:
        if self.plain:
            self.isolation.__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        if self.plain:
            self.isolation.__exit__(*raised)

    def follow(self, succeeded: bool) -> None:
        """After each fit."""
        if not self.plain:
            return
        if not succeeded:
            self.isolation.__exit__()
            self.isolation.__enter__()
        elif not self.checked:
            _set_scikit_learn(self.known)
        self.checked = succeeded


def _folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 (a path of pathlib takes ten times as long)
    except FileNotFoundError:  # removed under our feet
        return ""


def _variables() -> dict[bytes, bytes]:
    """As they are kept: names and values would have to be decoded one by one."""
    held: dict[bytes, bytes] = os.environ._data.copy()  # type: ignore[attr-defined]
    return held


def _set_variables(before: dict[bytes, bytes]) -> None:
    for name in set(os.environb) - set(before):
        del os.environb[name]
    os.environb.update(before)


def _handlers() -> tuple[Any, ...]:
    return tuple(map(_signal.getsignal, SIGNALS))


def _set_handlers(before: tuple[Any, ...]) -> None:
    if threading.current_thread() is not threading.main_thread():
        return  # only there can they be changed, or put back
    for number, handler in zip(SIGNALS, before, strict=True):
        if handler is not None and _signal.getsignal(number) != handler:  # None: not Python's
            _signal.signal(number, handler)


def _timers() -> tuple[bool, ...]:
    return tuple(signal.getitimer(timer) != (0, 0) for timer in TIMERS)


def _stop_timers(before: tuple[bool, ...]) -> None:
    for timer, ran in zip(TIMERS, before, strict=True):
        if not ran:
            signal.setitimer(timer, 0)


class _Threads:
    """How many threads the libraries that multiply matrices use; found anew whenever modules were imported."""

    def __init__(self) -> None:
        self.modules = 0
        self.libraries: list[Any] = []

    def read(self) -> tuple[Any, ...]:
        if len(sys.modules) != self.modules:
            self._find()
        return tuple((library, library.get_num_threads()) for library in self.libraries)

    def write(self, before: tuple[Any, ...]) -> None:
        for library, number in before:
            library.set_num_threads(number)

    def _find(self) -> None:
        from threadpoolctl import ThreadpoolController

        known = {library.filepath: library for library in self.libraries}
        found = ThreadpoolController().lib_controllers
        self.libraries = [known.get(library.filepath, library) for library in found]
        self.modules = len(sys.modules)


def _scikit_learn_settings() -> dict[str, Any]:
    from sklearn import get_config

    held: dict[str, Any] = get_config()
    return held


def _set_scikit_learn(before: dict[str, Any]) -> None:
    from sklearn import set_config

    set_config(**before)


def _set_streams(before: tuple[Any, ...]) -> None:
    sys.stdin, sys.stdout, sys.stderr = before


def _set_path(before: list[str]) -> None:
    sys.path[:] = before


THREADS = _Threads()
STATES: tuple[State, ...] = (
    (np.geterr, lambda before: np.seterr(**before)),
    (np.geterrcall, np.seterrcall),
    (_folder, os.chdir),
    (_variables, _set_variables),
    (THREADS.read, THREADS.write),
    (_handlers, _set_handlers),
    (_timers, _stop_timers),
    (sys.getrecursionlimit, sys.setrecursionlimit),
    (gc.isenabled, lambda before: gc.enable() if before else gc.disable()),
    (lambda: locale.setlocale(locale.LC_ALL), lambda before: locale.setlocale(locale.LC_ALL, before)),
    (lambda: (sys.stdin, sys.stdout, sys.stderr), _set_streams),
    (lambda: list(sys.path), _set_path),
    (_scikit_learn_settings, _set_scikit_learn),
)
