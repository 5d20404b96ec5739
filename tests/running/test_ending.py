"""What the system asks to end does, with the status of the signal, whatever a library makes of it."""

import signal
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from veracity.core.errors import AskedToEnd, BadInput
from veracity.running.ending import ASKING, end_if_asked, ends_in_order, signals_later

pytestmark = pytest.mark.usefixtures("nothing_is_ignored")


@pytest.mark.parametrize("number", ASKING)
def test_an_error_that_a_library_makes_of_a_signal_changes_nothing(number):
    def read():
        try:
            signal.raise_signal(number)
        except AskedToEnd:
            raise RuntimeError("Query interrupted") from None

    with pytest.raises(AskedToEnd) as raised, ends_in_order():
        read()
    assert raised.value.code == 128 + number
    assert signal.getsignal(number) is signal.SIG_DFL


@pytest.mark.parametrize("number", ASKING)
def test_a_signal_in_a_callback_where_python_ignores_what_is_raised_is_heard_all_the_same(number):
    class Thing:
        pass

    def work():
        thing = Thing()
        reference = weakref.ref(thing, lambda _: signal.raise_signal(number))
        del thing
        assert reference() is None
        time.sleep(60)

    with pytest.raises(AskedToEnd) as raised, ends_in_order():
        work()
    assert raised.value.code == 128 + number


@pytest.mark.parametrize("number", ASKING)
def test_what_somebody_caught_ends_the_block_all_the_same(number):
    def work():
        with suppress(AskedToEnd):
            signal.raise_signal(number)
        with suppress(AskedToEnd):
            end_if_asked()

    with pytest.raises(AskedToEnd) as raised, ends_in_order():
        work()
    assert raised.value.code == 128 + number
    end_if_asked()  # which is over


def test_what_must_be_told_is_told():
    """As that outcomes could not be stored."""

    def work():
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            raise BadInput("the disk is full")

    with pytest.raises(BadInput, match="the disk is full"), ends_in_order():
        work()


def test_threads_that_overlap_leave_nothing_behind():
    before, inside = sys.unraisablehook, threading.Barrier(2)

    def run(first):
        with ends_in_order():
            inside.wait()
            if first:
                time.sleep(0.05)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run, [True, False]))
    assert sys.unraisablehook is before


def test_signals_wait_for_the_end_and_each_is_heard():
    heard, numbers = [], (signal.SIGINT, *ASKING)
    before = {number: signal.signal(number, lambda number, _: heard.append(number)) for number in numbers}
    try:
        with signals_later():
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGTERM):
                signal.raise_signal(number)
            assert heard == []
        assert heard == [signal.SIGTERM, signal.SIGINT]
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_handlers_are_put_back_though_one_raises_at_once(monkeypatch):
    before, put = signal.getsignal(signal.SIGINT), signal.signal

    def pressed(number, handler):
        given = put(number, handler)
        if handler is before:
            signal.raise_signal(signal.SIGINT)  # Ctrl-C at the first moment at which it is heard again
        return given

    with pytest.raises(KeyboardInterrupt), ends_in_order(), monkeypatch.context() as patched, signals_later():
        patched.setattr(signal, "signal", pressed)
    assert signal.getsignal(signal.SIGINT) is before
    assert {signal.getsignal(number) for number in ASKING} == {signal.SIG_DFL}


def test_what_else_is_ignored_is_reported_as_ever(monkeypatch):
    class Thing:
        def __del__(self):
            raise RuntimeError("nobody hears")

    reported = []
    monkeypatch.setattr(sys, "unraisablehook", reported.append)
    with ends_in_order():
        Thing()
    assert [str(one.exc_value) for one in reported] == ["nobody hears"]


def test_other_errors_stay_what_they_are():
    with pytest.raises(RuntimeError, match="of its own"), ends_in_order():
        raise RuntimeError("of its own")
