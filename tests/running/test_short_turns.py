"""While a study runs, threads take short turns; afterwards turns are as long as they were."""

from __future__ import annotations

import sys
import threading

import pytest

from veracity.running.short_turns import TURN, short_turns


@pytest.fixture(autouse=True)
def as_before():
    before = sys.getswitchinterval()
    yield
    assert sys.getswitchinterval() == before


@short_turns()
def fail(seen):
    seen.append(sys.getswitchinterval())
    raise KeyError


def test_turns_are_short_inside_whatever_happens_there():
    seen = []
    with pytest.raises(KeyError):
        fail(seen)
    assert seen == pytest.approx([TURN])


def test_turns_that_were_shorter_stay():
    before = sys.getswitchinterval()
    sys.setswitchinterval(TURN / 5)
    with short_turns():
        assert sys.getswitchinterval() == pytest.approx(TURN / 5)
    assert sys.getswitchinterval() == pytest.approx(TURN / 5)
    sys.setswitchinterval(before)


def test_the_last_of_several_threads_puts_them_back():
    inside, leave = threading.Event(), threading.Event()

    def run():
        with short_turns():
            inside.set()
            leave.wait()

    with short_turns():
        other = threading.Thread(target=run, daemon=True)
        other.start()
        inside.wait()
    assert sys.getswitchinterval() == pytest.approx(TURN)
    leave.set()
    other.join()
