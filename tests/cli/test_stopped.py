"""Ctrl-C while learners are tried on a file: how far it came is told, and the same line goes on from there."""

import json
import signal
import subprocess
import sys
import time

import pytest

MODULE = """
import time
from pathlib import Path
from sklearn.naive_bayes import GaussianNB

class Stuck(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        Path("begun").touch()
        while not Path("open").exists():
            time.sleep(0.05)
        return super().fit(X, y)
"""
LINES = {
    "estimate": ("estimate", "own.csv", "error", "--learner", "nb=sklearn.naive_bayes:GaussianNB"),
    "compare": ("compare", "own.csv", "error", "--learner", "nb=sklearn.naive_bayes:GaussianNB"),
}
MORE = ("--target", "y", "--learner", "stuck=stuck_learner:Stuck", "--by", "kfold(k=4)", "--trust-here")


@pytest.fixture
def folder(here):
    """A folder with data and a learner that gets stuck until a file is there."""
    rows = "".join(f"{i % 11},{i % 5},{'yes' if (i * 7) % 3 else 'no'}\n" for i in range(60))
    (here / "own.csv").write_text("a,b,y\n" + rows)
    (here / "stuck_learner.py").write_text(MODULE)
    return here


def stopped(folder, words, ready):
    """What is printed by a line that is interrupted as soon as something has come about."""
    line = [sys.executable, "-m", "veracity", *words]
    process = subprocess.Popen(line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not ready():
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate()
    assert (process.returncode, stdout) == (130, ""), stderr
    return stderr


@pytest.mark.slow
@pytest.mark.parametrize("verb", LINES)
def test_with_a_store_the_same_line_goes_on(folder, run, verb):
    words = (*LINES[verb], *MORE, "--store", "results.db")

    def done():
        told = run("status", "results.db", "--json")
        return json.loads(told.stdout)["fits"]["done"] if told.exit_code == 0 else 0

    told = stopped(folder, words, lambda: done() == 4 and (folder / "begun").exists())
    assert told.splitlines()[-1] == "stopped; 8 fits: 4 to do, 4 stored, 0 failed; the same line goes on from here"
    (folder / "open").touch()
    assert run(*words).exit_code == 0
    assert done() == 8


@pytest.mark.slow
def test_without_a_store_nothing_is_kept(folder):
    told = stopped(folder, (*LINES["compare"], *MORE), (folder / "begun").exists)
    assert told.splitlines()[-1] == "stopped; nothing is kept, as no --store was named"
