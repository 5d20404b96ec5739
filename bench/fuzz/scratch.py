"""Files of a case, in a folder that the process keeps to itself, and the command line called inside of it."""

from __future__ import annotations

import atexit
import contextlib
import shlex
import shutil
import tempfile
from functools import cache
from pathlib import Path

from click.testing import CliRunner

from veracity.cli.main import TRACEBACK, cli
from veracity.core.errors import BadInput


@cache
def folder() -> Path:
    """One for the process; it goes with it."""
    made = Path(tempfile.mkdtemp(prefix="veracity-fuzz-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def write(name: str, body: bytes) -> Path:
    """A file of the case under way."""
    path = folder() / name
    path.write_bytes(body)
    return path


def run_command(words: list[str]) -> str:
    """What a command line writes to standard output; what it refuses is raised as the sentence that it told."""
    with contextlib.chdir(folder()):
        result = CliRunner().invoke(cli, [*words, TRACEBACK], prog_name="veracity")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code == 0:
        return result.stdout
    sentences = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    if result.exit_code not in (1, 2) or not sentences or "Traceback" in result.stderr:
        raise RuntimeError(f"status {result.exit_code} without a sentence: {result.stderr[-500:]!r}")
    raise BadInput(sentences[0].removeprefix("error: "))


def in_words(words: list[str]) -> str:
    """A command line as it would be typed."""
    return shlex.join(["veracity", *words])
