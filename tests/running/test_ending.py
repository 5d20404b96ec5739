"""What the system asks to end does, with the status of the signal, whatever a library makes of it."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from veracity.core.errors import AskedToEnd, BadInput
from veracity.running.ending import ASKING, end_if_asked, ends_in_order

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
    before, inside = [signal.getsignal(number) for number in ASKING], threading.Barrier(2)

    def run(first):
        with ends_in_order():
            inside.wait()
            if first:
                time.sleep(0.05)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run, [True, False]))
    assert [signal.getsignal(number) for number in ASKING] == before


def test_other_errors_stay_what_they_are():
    with pytest.raises(RuntimeError, match="of its own"), ends_in_order():
        raise RuntimeError("of its own")
