"""What README, CONTRIBUTING and the manual show is run: every Python block, and every command line."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page, kind):
    return [text for found, text in BLOCK.findall(page.read_text()) if found == kind]


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    """An empty folder that has the examples."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=lambda p: p.name)
def test_python_blocks_run(page, workshop):
    code = "\n".join(blocks(page, "python"))
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "console")], ids=lambda p: p.name)
def test_console_blocks_run(page, workshop):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for line in "".join(blocks(page, "console")).splitlines():
        if line.startswith("$ veracity"):
            command = line[2:]
            done = subprocess.run(
                ["sh", "-c", command], capture_output=True, text=True, env={**os.environ, "PATH": path}
            )
            assert done.returncode == 0, f"{shlex.quote(command)}: {done.stderr}"
