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

pytestmark = pytest.mark.usefixtures("nothing_is_ignored")

KILLS = 24
TICKETS = 4  # slow fits that get through before the study is disturbed: no machine is so fast that it ends before
FITS = 240  # half of them slow, more than there are tickets for all kills
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
    study = vc.Study({"made": (X, y)}, learners, "repeated_kfold(k=5, repeats=24)", seed=3)
    study.run(sys.argv[1], workers=2, progress=False)
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "study.py"
    path.write_text(SCRIPT)
    return path


def started(script, store):
    """A study that gets stuck after some fits, and puts what is temporary beside its script."""
    tickets = Path(tempfile.mkdtemp(dir=script.parent))
    for number in range(TICKETS):
        (tickets / str(number)).touch()
    (script.parent / "temporary").mkdir(exist_ok=True)
    places = {"TICKETS": str(tickets), "TMPDIR": str(script.parent / "temporary")}
    how = {"stderr": subprocess.PIPE, "start_new_session": True, "env": {**os.environ, **places}}
    return subprocess.Popen([sys.executable, script, store], **how)


def finished(script, store):
    """The same study to its end, in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(script), str(store)])
        runpy.run_path(str(script), run_name="__main__")


def kill(script, store, stored, moments, how):
    """Killed alone or with its workers: at the start, or some time after it has stored more than was there before."""
    before = stored(store)
    process = started(script, store)
    while process.poll() is None and not store.exists():
        time.sleep(0.02)
    if moments.random() < 0.3:
        time.sleep(moments.uniform(0, 1))
    else:
        while process.poll() is None and stored(store) == before:
            time.sleep(0.05)
        time.sleep(moments.uniform(0, 0.1))
    assert process.poll() is None  # else nothing is disturbed
    how(process.pid, signal.SIGKILL)
    process.communicate()
    return stored(store)


@pytest.mark.slow
def test_killed_at_random_moments(script, tmp_path, content, stored):
    moments, store, plain = random.Random(11), tmp_path / "disturbed.db", tmp_path / "plain.db"
    ways = [os.kill, os.killpg] * (KILLS // 2)
    seen = [kill(script, store, stored, moments, how) for how in ways]
    assert seen == sorted(seen) and 0 < seen[-1] < FITS
    finished(script, store)
    finished(script, plain)
    assert content(store) == content(plain) and len(content(plain)) == FITS


@pytest.mark.parametrize(
    ("asks", "status", "goes_on"),
    [
        (signal.SIGINT, -signal.SIGINT, False),
        pytest.param(signal.SIGINT, -signal.SIGINT, True, marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, 143, True, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, 129, True, marks=pytest.mark.slow),
    ],
)
def test_asked_to_end_it_keeps_what_is_finished_and_leaves_no_folder(
    script, tmp_path, content, stored, asks, status, goes_on
):
    store = tmp_path / "interrupted.db"
    process = started(script, store)
    while process.poll() is None and not stored(store):
        time.sleep(0.2)
    (folder,) = (tmp_path / "temporary").glob("veracity-*")
    assert folder.stat().st_mode & 0o777 == 0o700 and list(folder.glob("*.pickle"))
    process.send_signal(asks)
    process.communicate()
    assert process.returncode == status
    assert not list((tmp_path / "temporary").glob("veracity-*"))
    before = content(store)
    assert 0 < len(before) < FITS and {bits[0] for bits in before.values()} == {"done"}
    if goes_on:
        finished(script, store)
        assert before.items() <= content(store).items()
