"""Whole studies whose learners take long to import, or hang where Python hears nothing: who is blamed, and for what."""

import os
import re
import time

import pytest
from sklearn.naive_bayes import GaussianNB

from veracity.core.errors import EngineLost
from veracity.running import runner
from veracity.studies.study import Study

STUDY = """
seed = 7
by = "kfold(k=5)"
timeout = 600
[data]
iris = "sklearn:load_iris"
[learners]
heavy = "heavy_to_import:Heavy"
"""
MODULE = """
import os, signal, time
from sklearn.naive_bayes import GaussianNB
from veracity.running import worker

time.sleep(4)
IMPORTED = time.monotonic()

class Heavy(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        left, _ = signal.getitimer(signal.ITIMER_REAL)
        assert left + time.monotonic() - 600 > IMPORTED - 0.01  # the clock that judges
        (folder,) = worker._LOGS
        (began,) = [one.since for one in worker.started_fits(folder) if one.process == os.getpid()]
        assert began >= IMPORTED  # the one that whoever waits goes by
        return super().fit(X, y)
"""


@pytest.mark.slow
def test_the_import_of_a_learner_is_no_time_of_its_fits(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    (tmp_path / "heavy_to_import.py").write_text(MODULE)
    study = Study.read(tmp_path / "study.toml", trust_here=True)
    runs = study.run(tmp_path / "results.db", workers=2, progress=False)
    assert runs.run("heavy").complete, runs.run("heavy").reason


@pytest.mark.slow
def test_a_fit_that_hangs_in_compiled_code_costs_nobody_else_a_fit(small, bad, tmp_path):
    given = {"data": {"iris": small().data["iris"]}, "learners": {"hangs": bad("hangs in C"), "nb": GaussianNB()}}
    runs = small(**given, timeout=5).run(tmp_path / "results.db", workers=2, progress=False)
    assert runs.run("nb").complete and runs.run("hangs").failed == 1
    assert runs.run("hangs").reason == "the fit hung past its timeout of 5 s"
    (failure,) = [outcome for outcome in runs.store.outcomes() if outcome.status == "failed"]
    assert re.search("line [0-9]+ in fit", failure.traceback)  # where


class HangsOnArrival(GaussianNB):
    """As a module whose import in a worker never ends."""

    def __init__(self, owner=0):
        super().__init__()
        self.owner = owner

    def __setstate__(self, state):
        self.__dict__.update(state)
        if os.getpid() != self.owner:
            time.sleep(600)


def test_workers_that_never_begin_a_fit_end_the_run_and_no_fit_is_blamed(small, content, tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "START_TIMEOUT_S", 1.0)
    study = small(learners={"never": HangsOnArrival(os.getpid())}, timeout=0.05)
    with pytest.raises(EngineLost, match=r"no worker has begun a fit for 1 s \(never\): .*; what is finished is kept"):
        study.run(tmp_path / "results.db", workers=2, progress=False)
    assert content(tmp_path / "results.db") == {}
