"""The end of a command: its status, its output and what must be cleared."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PREPARE = """
import atexit, sys, threading
atexit.register(lambda: print("cleared", flush=True))
sys.argv = ["veracity", *sys.argv[1:]]
from veracity.cli.main import command
"""
OTHER_THREAD = PREPARE + (
    "last = lambda: (threading.main_thread().join(), print('last thread', flush=True))\n"
    "threading.Thread(target=last).start()\n"
)


def end(*words: str, program: str = PREPARE) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program + "command()", *words], capture_output=True, text=True)


@pytest.mark.parametrize("program", [PREPARE, OTHER_THREAD])
@pytest.mark.parametrize(("words", "status"), [(["explain", "auc"], 0), (["score"], 2), (["nothing"], 2)])
def test_status_output_and_what_must_be_cleared(program, words, status):
    found = end(*words, program=program)
    assert found.returncode == status
    assert found.stdout.count("cleared") == 1
    assert ("Area under the ROC curve" in found.stdout) == (status == 0)
    assert ("error" in found.stderr) == (status != 0)
    assert ("last thread" in found.stdout) == (program == OTHER_THREAD)
    assert "Traceback" not in found.stderr


def test_what_is_cleared_at_the_end_is_gone(tmp_path):
    program = PREPARE + "import tempfile; folder = tempfile.TemporaryDirectory()\n"
    command = [sys.executable, "-c", program + "command()", "explain", "auc"]
    subprocess.run(command, env={**os.environ, "TMPDIR": str(tmp_path)}, check=True, capture_output=True)
    assert list(tmp_path.iterdir()) == []


def test_who_watches_keeps_what_was_seen(tmp_path):
    words = ["-m", "cProfile", "-o", str(tmp_path / "seen"), "-m", "veracity", "explain", "auc"]
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    assert (tmp_path / "seen").stat().st_size > 0


def test_who_calls_the_command_line_goes_on():
    program = """
import sys
from veracity.cli.main import command
sys.argv = ["veracity", "explain", "auc"]
try:
    command()
except SystemExit as end:
    print("goes on", end.code)
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.rstrip().endswith("goes on 0")


@pytest.mark.parametrize("closed", ["2>&-", ">&-", ">&- 2>&-"])
def test_a_closed_stream_is_no_failure(closed):
    command = f"{sys.executable} -m veracity explain auc {closed}"
    found = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")
