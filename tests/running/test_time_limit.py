"""The clock of a fit starts when the fit begins, in the process that fits, and that clock alone judges."""

import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from veracity.records.fit import Fit
from veracity.running.shared_files import Parcel
from veracity.running.time_limit import OutOfTimeError, TimeLimit
from veracity.running.worker import run_batch

HANGS_IN_C = """
import itertools, sys
from veracity.running.time_limit import TimeLimit
with open(sys.argv[1], "wb", buffering=0) as hung, TimeLimit(0.2, hung.fileno(), 0.2):
    sum(itertools.repeat(0))  # which never lets Python hear a signal, nor another thread run
"""


LONG = 600.0  # seconds that no fit here takes


class SlowToOpen(Parcel):
    """As a learner whose module takes long to import."""

    def open(self):
        time.sleep(0.5)
        return LooksAtTheClock(time.monotonic())


class LooksAtTheClock(DummyClassifier):
    """Fails where its time began to run before some moment: nobody else's haste or delay decides."""

    def __init__(self, earliest=0.0):
        super().__init__()
        self.earliest = earliest

    def fit(self, features, target, sample_weight=None):
        left, _ = signal.getitimer(signal.ITIMER_REAL)
        assert left + time.monotonic() - LONG > self.earliest - 0.01
        return super().fit(features, target)


def test_what_happens_before_a_fit_is_no_time_of_it(iris):
    rows = np.arange(len(iris))
    fit = Fit("k", "iris", "l", rows, rows, 7)
    (outcome,) = run_batch(iris, SlowToOpen("l"), [fit], timeout=LONG).outcomes
    assert outcome.status == "done", outcome.reason
    late = LooksAtTheClock(time.monotonic() + LONG)  # as if the clock had begun before
    (outcome,) = run_batch(iris, late, [fit], timeout=LONG).outcomes
    assert outcome.reason.startswith("fit raised AssertionError")


def test_compiled_code_that_never_comes_back_ends_with_its_process(tmp_path):
    done = subprocess.run([sys.executable, "-c", HANGS_IN_C, tmp_path / "hung"])
    assert done.returncode == 1
    assert (tmp_path / "hung").read_text().startswith("Timeout")


def test_who_ends_in_time_lives_on(tmp_path):
    with (tmp_path / "hung").open("wb", buffering=0) as hung:
        with TimeLimit(600, hung.fileno()):
            pass
        limit = TimeLimit(0.01, hung.fileno(), 600)
        with pytest.raises(OutOfTimeError), limit:
            time.sleep(600)
        limit.disarm()
    assert (tmp_path / "hung").read_text() == ""


def test_in_another_thread_there_is_a_limit_too():
    heard = []

    def spin():
        try:
            with TimeLimit(0.05):
                while True:
                    pass
        except OutOfTimeError:
            heard.append(True)
        with TimeLimit(600):
            heard.append(False)

    thread = threading.Thread(target=spin)
    thread.start()
    thread.join()
    assert heard == [True, False]


def test_a_limit_that_has_not_begun_is_never_past():
    limit = TimeLimit(1e-6)
    assert not limit.is_past(0)
    assert not TimeLimit(None).is_past(0)
