"""Temporary folders are private, and go with their process however it ends."""

import signal
import subprocess
import sys
import tempfile

import pytest

from veracity.core import private_folder
from veracity.core.private_folder import PrivateFolder, sweep

MAKE = """
import sys, time
from veracity.core.private_folder import PrivateFolder
folder = PrivateFolder()
(folder.path / "1.pickle").write_bytes(b"rows of somebody")
print(folder.path, flush=True)
time.sleep(600)
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(private_folder, "_SWEPT", set())
    return tmp_path


@pytest.fixture
def other(place):
    """Another process with a folder of its own."""
    process = subprocess.Popen([sys.executable, "-c", MAKE], stdout=subprocess.PIPE, text=True)
    yield process, place / process.stdout.readline().strip().rpartition("/")[2]
    process.kill()
    process.communicate()


def test_nobody_else_can_read_it_and_it_goes(place):
    folder = PrivateFolder()
    assert folder.path.parent == place and folder.path.stat().st_mode & 0o777 == 0o700
    (folder.path / "file").touch()
    folder.close()
    folder.close()
    assert not folder.path.exists()
    forgotten = PrivateFolder().path
    assert not forgotten.exists()


def test_the_next_one_sweeps_what_a_killed_process_left_and_nothing_else(place, other):
    process, left = other
    (place / "veracity-of-somebody").mkdir()
    (place / "veracity-link").symlink_to(left)
    PrivateFolder().close()
    assert (left / "1.pickle").exists()  # its owner lives
    process.send_signal(signal.SIGKILL)
    process.wait()
    sweep(place)
    assert not left.exists()
    assert (place / "veracity-of-somebody").exists() and (place / "veracity-link").is_symlink()


def test_a_process_sweeps_when_it_makes_its_first_folder(place, other):
    process, left = other
    process.kill()
    process.wait()
    PrivateFolder()
    assert not left.exists()
