"""What the system asks to end does, with the status of the signal, whatever a library makes of it."""

import signal
import sys
import time
import weakref

import pytest

from veracity.core.errors import AskedToEnd
from veracity.running.ending import ASKING, ends_in_order


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
        time.sleep(600)

    with pytest.raises(AskedToEnd) as raised, ends_in_order():
        work()
    assert raised.value.code == 128 + number


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
