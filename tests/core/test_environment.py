"""Temporary folders are private and go with their process; versions are needed nowhere."""

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import veracity
from veracity.core.environment import PrivateFolder, version_of

ASKED = """
import importlib.metadata, sys
sys.path[:] = [path for path in sys.path if not path.endswith("site-packages")] + sys.argv[1:]
import veracity as vc
assert not list(importlib.metadata.distributions(name="veracity"))
truth = [0, 1] * 20
models = {"a": vc.predictions(truth, label=truth), "b": vc.predictions(truth, label=truth[::-1])}
print(vc.compare(models, "error"))
"""
MAKE = """
import sys, time
from veracity.core.environment import PrivateFolder
folder = PrivateFolder()
(folder.path / "1.pickle").write_bytes(b"rows of somebody")
print(folder.path, flush=True)
time.sleep(float(sys.argv[1]))
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def test_nobody_else_can_read_a_folder_and_it_goes(place):
    folder = PrivateFolder()
    assert folder.path.parent == place and folder.path.stat().st_mode & 0o777 == 0o700
    (folder.path / "file").touch()
    folder.close()
    folder.close()
    assert not folder.path.exists()
    forgotten = PrivateFolder().path
    assert not forgotten.exists()


def test_a_folder_goes_when_its_process_ends(place):
    done = subprocess.run([sys.executable, "-c", MAKE, "0"], capture_output=True, text=True, check=True)
    assert "veracity-" in done.stdout and not list(place.iterdir())


@pytest.fixture
def other(place):
    """Another process with a folder of its own."""
    process = subprocess.Popen([sys.executable, "-c", MAKE, "600"], stdout=subprocess.PIPE, text=True)
    yield process, place / process.stdout.readline().strip().rpartition("/")[2]
    process.kill()
    process.communicate()


def test_the_next_folder_removes_what_a_killed_process_left_and_nothing_else(place, other):
    process, left = other
    (place / "veracity-of-somebody").mkdir()
    (place / "veracity-link").symlink_to(left)
    PrivateFolder().close()
    assert (left / "1.pickle").exists()  # its owner lives
    process.send_signal(signal.SIGKILL)
    process.wait()
    PrivateFolder().close()
    assert not left.exists()
    assert (place / "veracity-of-somebody").exists() and (place / "veracity-link").is_symlink()


def test_versions_of_what_is_installed():
    assert version_of("numpy")[0].isdigit() and version_of("no such package") == "unknown"


def test_a_comparison_needs_no_package_metadata(tmp_path):
    """Run from an archive, every comparison was a PackageNotFoundError."""
    folders = [tmp_path / "package"]
    folders[0].mkdir()
    (folders[0] / "veracity").symlink_to(Path(veracity.__file__).parent)
    for number, path in enumerate(path for path in sys.path if path.endswith("site-packages")):
        folders.append(tmp_path / f"{number}")
        folders[-1].mkdir()
        for one in Path(path).iterdir():
            if not one.name.startswith("veracity"):
                (folders[-1] / one.name).symlink_to(one)
    command = [sys.executable, "-c", ASKED, *map(str, folders)]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "The error of a is 1 lower" in found.stdout, found.stderr
