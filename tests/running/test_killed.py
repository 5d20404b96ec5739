"""A study that is killed at any moment and run again ends as an undisturbed one, to the last bit."""

import os
import random
import runpy
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

TICKETS = 4  # slow fits that get through before the study is disturbed: no machine is so fast that it ends before
SCRIPT = """
import os, sys, time
from pathlib import Path
import numpy as np
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
import veracity as vc

class Slow(DecisionTreeClassifier):
    def fit(self, X, y, sample_weight=None):
        time.sleep(0.04 if "TICKETS" not in os.environ or taken(Path(os.environ["TICKETS"])) else 600)
        return super().fit(X, y)

def taken(tickets):
    for ticket in tickets.iterdir():
        try:
            ticket.unlink()
        except FileNotFoundError:
            continue
        return True
    return False

random = np.random.default_rng(3)
X = random.normal(size=(60, 3))
y = (X[:, 0] + random.normal(size=60) > 0).astype(int)
if __name__ == "__main__":
    learners = {"slow": Slow(max_features=1), "nb": GaussianNB()}
    study = vc.Study({"made": (X, y)}, learners, "repeated_kfold(k=5, repeats=6)", seed=3)
    study.run(sys.argv[1], workers=2, progress=False)
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "study.py"
    path.write_text(SCRIPT)
    return path


def started(script, store):
    """A study that gets stuck after some fits."""
    tickets = Path(tempfile.mkdtemp(dir=script.parent))
    for number in range(TICKETS):
        (tickets / str(number)).touch()
    command, environment = [sys.executable, script, store], {**os.environ, "TICKETS": str(tickets)}
    return subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True, env=environment)


def finished(script, store):
    """The same study to its end, in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(script), str(store)])
        runpy.run_path(str(script), run_name="__main__")


def killed(script, store, content, moments):
    """Killed alone or with its workers: at the start, or some time after it has stored more than was there before."""
    before = _some(content, store)
    process = started(script, store)
    while process.poll() is None and not store.exists():
        time.sleep(0.02)
    if moments.random() < 0.3:
        time.sleep(moments.uniform(0, 1))
    else:
        while process.poll() is None and _some(content, store) == before:
            time.sleep(0.05)
        time.sleep(moments.uniform(0, 0.1))
    if process.poll() is None:
        (os.kill if moments.random() < 0.5 else os.killpg)(process.pid, signal.SIGKILL)
    process.communicate()
    return _some(content, store)


def disturbed(script, tmp_path, content, times):
    moments = random.Random(11)
    stored = [killed(script, tmp_path / "disturbed.db", content, moments) for _ in range(times)]
    assert any(0 < number < 60 for number in stored)  # else nothing was disturbed
    finished(script, tmp_path / "disturbed.db")
    finished(script, tmp_path / "plain.db")
    return tmp_path / "disturbed.db", tmp_path / "plain.db"


@pytest.mark.slow
def test_killed_twice(script, tmp_path, content):
    first, second = disturbed(script, tmp_path, content, 2)
    assert content(first) == content(second)
    assert len(content(first)) == 60


@pytest.mark.slow
def test_killed_at_twenty_random_moments(script, tmp_path, content):
    first, second = disturbed(script, tmp_path, content, 20)
    assert content(first) == content(second)
    assert len(content(first)) == 60


def test_interrupted_it_keeps_what_is_finished(script, tmp_path, content):
    store = tmp_path / "interrupted.db"
    process = started(script, store)
    while process.poll() is None and not _some(content, store):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode != 0
    before = content(store)
    assert 0 < len(before) < 60
    finished(script, store)
    assert before.items() <= content(store).items()


def _some(content, store):
    from veracity.core.errors import VeracityError

    try:
        return len(content(store)) if store.exists() else 0
    except VeracityError:  # it is just being made
        return 0
