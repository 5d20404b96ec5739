"""Clients that are killed, a server that crashes, three processes at once: the store ends as an undisturbed one."""

import os
import random
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

from veracity.stores.open_store import open_store

FITS = 60
SCRIPT = """
import sys, time
import numpy as np
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
import veracity as vc

class Slow(DecisionTreeClassifier):
    def fit(self, X, y, sample_weight=None):
        time.sleep(float(sys.argv[2]) if len(sys.argv) > 2 else 0)
        return super().fit(X, y)

random = np.random.default_rng(3)
X = random.normal(size=(60, 3))
y = (X[:, 0] + random.normal(size=60) > 0).astype(int)
if __name__ == "__main__":
    learners = {"slow": Slow(max_features=1), "nb": GaussianNB()}
    study = vc.Study({"made": (X, y)}, learners, "repeated_kfold(k=5, repeats=6)", seed=3)
    study.run(sys.argv[1], workers=1)
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "study.py"
    path.write_text(SCRIPT)
    return path


def start(script, where, seconds):
    """A run of the study in a process of its own, whose slow fits take so long."""
    command = [sys.executable, script, where, str(seconds)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)


def wait_for_more(stored, before, processes):
    while stored() <= before and any(process.poll() is None for process in processes):
        time.sleep(0.1)


def plain_content(script, tmp_path, content):
    """What an undisturbed run leaves in an SQLite file."""
    process = start(script, str(tmp_path / "plain.db"), 0)
    assert process.communicate() and process.returncode == 0
    return content(tmp_path / "plain.db")


def kill_when_more_is_stored(script, where, stored, how, pause):
    """A run that is killed, alone or with its workers, after it has stored more; how many fits are there then."""
    before = stored()
    process = start(script, where, 1.5)
    wait_for_more(stored, before, [process])
    time.sleep(pause)
    assert process.poll() is None  # else nothing is disturbed
    how(process.pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    return stored()


@pytest.mark.slow
def test_ten_killed_clients(server, script, tmp_path, content, stored):
    moments, where = random.Random(7), server.address
    ways = [os.kill, os.killpg] * 5
    number = partial(stored, where)
    seen = [kill_when_more_is_stored(script, where, number, how, moments.uniform(0, 0.3)) for how in ways]
    assert seen == sorted(set(seen)) and seen[-1] < FITS
    last = start(script, server.address, 0)
    last.communicate()
    assert last.returncode == 0
    assert content(server.address) == plain_content(script, tmp_path, content) and number() == FITS
    with open_store(where) as store:
        assert store.problems() == () and store.status().running == 0


@pytest.mark.slow
def test_three_crashes_of_the_server_under_three_processes(server, script, tmp_path, content, stored):
    processes = [start(script, server.address, 0.4) for _ in range(3)]
    for _ in range(3):
        wait_for_more(partial(stored, server.address), stored(server.address), processes)
        server.crash()
        time.sleep(1)
        server.start()
    told = [process.communicate()[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], told
    assert any("trying again" in text for text in told) and not any("secret" in text for text in told)
    assert not any("Traceback" in text for text in told), told
    assert content(server.address) == plain_content(script, tmp_path, content) and stored(server.address) == FITS
    with open_store(server.address) as store:
        assert store.problems() == () and store.status().running == 0
