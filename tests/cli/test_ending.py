"""The end of a command: its status, its output and what must be cleared, whatever is not taken apart."""

from __future__ import annotations

import subprocess
import sys

import pytest

PREPARE = """
import atexit, sys, threading, time
atexit.register(lambda: print("cleared", flush=True))
sys.argv = ["veracity", *sys.argv[1:]]
from veracity.cli.main import main
"""
OTHER_THREAD = PREPARE + "threading.Thread(target=lambda: (time.sleep(1), print('last thread', flush=True))).start()\n"


def end(*words: str, program: str = PREPARE) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program + "main()", *words], capture_output=True, text=True)


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


def test_scratch_folders_are_gone(tmp_path):
    rows = "".join(f"{row % 2},0.{row}\n" for row in range(1, 9))
    (tmp_path / "rows.csv").write_text("y,p\n" + rows)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    words = ["score", "rows.csv", "--truth", "y", "--proba", "p", "--positive", "1", "auc"]
    command = [sys.executable, "-m", "veracity", *words]
    subprocess.run(command, cwd=tmp_path, env={"TMPDIR": str(scratch), "PATH": "/usr/bin:/bin"}, check=True)
    assert list(scratch.iterdir()) == []
