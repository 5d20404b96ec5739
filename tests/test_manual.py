"""What README, CONTRIBUTING and the manual show is run: every Python block, and every command line."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner
from matplotlib import pyplot

from veracity.cli.main import cli

ROOT = Path(__file__).parents[1]
MADE = {"_build", "catalogue"}  # by the build
PAGES = sorted(page for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")] if not MADE & set(page.parts))
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHELL = set("|<>&;$`*?")  # what only a shell understands


def name_of(page):
    return str(page.relative_to(ROOT)).removeprefix("docs/")


def code(page):
    """The Python blocks of a page, at the lines where they stand in it."""
    lines = [""] * len((text := page.read_text()).splitlines())
    for block in BLOCK.finditer(text):
        if block[1] == "python":
            first = text[: block.start(2)].count("\n")
            inside = block[2].splitlines()
            lines[first : first + len(inside)] = inside
    return "\n".join(lines)


def commands(page):
    """The command lines of a page that start with veracity."""
    lines = [line for kind, text in BLOCK.findall(page.read_text()) if kind == "console" for line in text.splitlines()]
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ veracity")]


@pytest.fixture
def workshop(same_folder, monkeypatch):
    """An empty folder that has the examples, which modules are imported from."""
    (same_folder / "examples").symlink_to(ROOT / "examples")
    monkeypatch.setattr(sys, "path", [str(same_folder), *sys.path])
    yield same_folder
    pyplot.close("all")
    for name in [name for name in sys.modules if name.partition(".")[0] == "examples"]:
        del sys.modules[name]


@pytest.mark.parametrize("page", [p for p in PAGES if code(p).strip()], ids=name_of)
def test_python_blocks_run(page, workshop, monkeypatch):
    """Each page as a script of its own, warnings being errors."""
    script = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", script)
    exec(compile(code(page), f"<{name_of(page)}>", "exec", dont_inherit=True), vars(script))


@pytest.mark.parametrize("page", [p for p in PAGES if commands(p)], ids=name_of)
def test_console_blocks_run(page, workshop):
    for line in commands(page):
        program, *words = shlex.split(line, comments=True)
        assert program == "veracity" and not SHELL & set("".join(words))
        done = CliRunner().invoke(cli, words, prog_name=program)
        assert done.exit_code == 0, f"{line}: {done.stderr}"


def test_the_command_of_the_readme_is_installed(workshop):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", commands(ROOT / "README.md")[0]], capture_output=True, text=True, env={**os.environ, "PATH": path}
    )
    assert done.returncode == 0, done.stderr
