"""A library that is upgraded makes another learner: what made each fit is kept, told, and made anew on demand."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import veracity as vc

CODE = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

__version__ = "{version}"


class Constant(ClassifierMixin, BaseEstimator):
    def __init__(self, strength=1):
        self.strength = strength

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        {broken}
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[{place}])
"""
STUDY = """
by = "repeated_kfold(k=3, repeats={repeats})"
scores = ["error"]

[data.small]
file = "small.csv"
target = "y"

[learners]
{learner}
"""
PLAIN = 'constant = "smalllib:Constant"'
IN_WRAPPER = (
    'constant = { tune = "smalllib:Constant", grid = { strength = [1, 2] }, score = "error", by = "kfold(k=2)" }'
)
CHANGED, UNKNOWN = "mixed-versions", "versions unknown"


class Place:
    """A folder with a study, and a library that is installed beside it."""

    def __init__(self, folder):
        self.folder, self.library = folder, folder / "site-packages"
        self.library.mkdir()
        rows = [f"{number},{'a' if number % 3 else 'b'}" for number in range(60)]
        (folder / "small.csv").write_text("\n".join(["x,y", *rows]))
        self.study(1)

    def install(self, version, place, broken=""):
        """Another version, which says another class of every row."""
        shutil.rmtree(self.library / "__pycache__", ignore_errors=True)
        (self.library / "smalllib.py").write_text(CODE.format(version=version, place=place, broken=broken or "pass"))

    def study(self, repeats, learner=PLAIN):
        (self.folder / "study.toml").write_text(STUDY.format(repeats=repeats, learner=learner))

    def call(self, *words, status=0):
        path = os.pathsep.join([str(self.library), os.environ.get("PYTHONPATH", "")])
        done = subprocess.run(
            [sys.executable, "-m", "veracity", *words],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout

    def run(self, *words):
        return json.loads(self.call("run", "study.toml", *words, "--json"))

    def error(self, repeats):
        by = f"repeated_kfold(k=3, repeats={repeats})"
        found = json.loads(self.call("estimate", "results.db", "error", "--by", by, "--json"))
        return found["estimates"]["small"]["constant"]["error"]["value"]

    def seconds(self):
        """How long each split took, which no second fit takes again."""
        return vc.read_runs(self.folder / "results.db").scores("error", by="repeated_kfold(k=3, repeats=2)").to_csv()

    def page(self):
        """The page of the store, in plain words."""
        self.call("report", "results.db", "--out", "page.html")
        return re.sub(r"<[^>]*>", "", (self.folder / "page.html").read_text())

    def cautions(self):
        found = json.loads(self.call("estimate", "results.db", "error", "--json"))
        return [note for note in found["notes"] if note["code"] == CHANGED]


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("learner", [PLAIN, IN_WRAPPER], ids=["alone", "in a wrapper"])
def test_fits_of_two_versions_are_told_and_made_anew(place, learner):
    place.study(1, learner)
    place.install("1.0", 0)
    assert not [note for note in place.run()["notes"] if note["code"] == CHANGED]
    assert place.error(1) == pytest.approx(1 / 3)
    place.install("2.0", 1)
    place.study(2, learner)
    told = [note for note in place.run()["notes"] if note["code"] == CHANGED]
    assert len(told) == 1 and told[0]["weight"] == "caution"
    assert "smalllib 1.0 and 2.0" in told[0]["says"] and "study.run(refit_outdated=True)" in told[0]["says"]
    assert place.cautions() == told
    assert "veracity run STUDY --refit-outdated" in " ".join(place.call("status", "results.db").split())
    assert "smalllib 1.0 and 2.0" in place.page()
    place.run("--refit-outdated")
    assert place.cautions() == [] and place.error(2) == pytest.approx(2 / 3)
    assert "smalllib 2.0" in place.page() and "smalllib 1.0" not in place.call("report", "results.db")
    before = place.seconds()
    place.run("--refit-outdated")
    assert place.seconds() == before  # there was nothing to do


@pytest.mark.slow
def test_a_library_in_a_relative_folder_changes_by_its_version_alone(place, monkeypatch):
    monkeypatch.setattr(place, "library", Path("site-packages"))
    monkeypatch.chdir(place.folder)
    place.install("1.0", 0)
    place.run()
    place.install("1.0", 0, "pass  # the same learner by another text")
    assert place.run()["fits"]["done"] == 3


@pytest.mark.slow
def test_a_page_names_the_versions_that_made_the_fits(place):
    place.install("1.0", 0)
    place.run()
    place.install("2.0", 1)
    assert "smalllib 1.0" in place.page()
