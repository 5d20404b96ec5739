"""A disk that fills up costs nobody a fit: one sentence, and with room again the study ends as an undisturbed one."""

import os
import subprocess
import sys
import tempfile

import pytest
from sklearn.naive_bayes import GaussianNB

from veracity.core.errors import EngineLost
from veracity.stores.open_store import open_store

FITS = 400
STUDY = """
seed = 3
by = "repeated_kfold(k=10, repeats=20)"
scores = ["error"]
[data]
cancer = "sklearn:load_breast_cancer"
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
tree = "sklearn.tree:DecisionTreeClassifier"
"""
BYTES = 16 * 2**20


@pytest.fixture
def disk(tmp_path):
    """A disk of sixteen megabytes."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={BYTES}", "tmpfs", place]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small disk can be mounted by root alone")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


def fill(disk, leave=0):
    """All that is free goes to one file, but for so many bytes."""
    with (disk / "ballast").open("wb", buffering=0) as ballast:
        free = os.statvfs(disk)
        os.posix_fallocate(ballast.fileno(), 0, max(1, free.f_bavail * free.f_bsize - leave))


def run(folder, store, **places):
    """The command, with its status and what it says."""
    (folder / "study.toml").write_text(STUDY)
    command = [sys.executable, "-m", "veracity", "run", "study.toml", "--store", store, "--workers", "2"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, **places})
    return ended.returncode, ended.stderr


def errors_of(said):
    assert "Traceback" not in said, said
    return [line for line in said.splitlines() if line.startswith("error: ")]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("undisturbed")
    status, said = run(folder, folder / "results.db")
    assert status == 0, said
    return content(folder / "results.db")


@pytest.mark.slow
def test_a_full_disk_loses_nothing_that_is_stored(disk, tmp_path, undisturbed, content):
    store, grown = disk / "results.db", []
    for leave in (0, 500_000, 900_000):
        fill(disk, leave)
        status, said = run(tmp_path, store)
        (says,) = errors_of(said)
        assert status == 1 and says.startswith(f"error: there is no room left for {store}: free some and run again")
        grown.append(content(store) if leave else {})
        (disk / "ballast").unlink()
    assert all(before.items() <= after.items() for before, after in zip(grown, [*grown[1:], undisturbed], strict=True))
    assert 0 < len(grown[-1]) < FITS
    status, said = run(tmp_path, store)
    assert status == 0, said
    assert content(store) == undisturbed and len(undisturbed) == FITS
    with open_store(store) as opened:
        assert opened.problems() == ()


@pytest.mark.slow
def test_no_room_for_what_workers_are_sent_is_told(disk, tmp_path, undisturbed, content):
    fill(disk, leave=16_384)  # enough for the folder, too little for the data
    store = tmp_path / "results.db"
    status, said = run(tmp_path, store, TMPDIR=str(disk))
    (says,) = errors_of(said)
    assert status == 1 and "cannot write to a temporary folder: No space left on device; make room there" in says
    assert "TMPDIR" in says and content(store) == {} and [path.name for path in disk.iterdir()] == ["ballast"]
    (disk / "ballast").unlink()
    assert run(tmp_path, store, TMPDIR=str(disk))[0] == 0
    assert content(store) == undisturbed


class Fills(GaussianNB):
    """Fills a disk when a worker unpacks it, if there is a file that says so."""

    def __init__(self, disk=""):
        super().__init__()
        self.disk = disk

    def __setstate__(self, state):
        super().__setstate__(state)
        from pathlib import Path

        if Path(self.disk, "fill").exists():
            fill(Path(self.disk))


@pytest.mark.slow
def test_a_worker_that_cannot_write_down_which_fit_it_begins_blames_no_fit(small, disk, tmp_path, content, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(disk))
    study, store = small(learners={"fills": Fills(str(disk))}, timeout=600), tmp_path / "results.db"
    (disk / "fill").touch()
    with pytest.raises(EngineLost, match="cannot write to a temporary folder: No space left on device"):
        study.run(store, workers=2, progress=False)
    assert content(store) == {}
    for path in (disk / "fill", disk / "ballast"):
        path.unlink()
    study.run(store, workers=2, progress=False)
    study.run(tmp_path / "plain.db", workers=2, progress=False)
    found = content(store)
    assert found == content(tmp_path / "plain.db") and {bits[0] for bits in found.values()} == {"done"}
