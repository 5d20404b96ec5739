"""Files of predictions, and the command line called inside the process."""

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import veracity as vc
from veracity.cli.main import cli

ROWS = """id,y,p,yhat,other,s,w,g,n,k,country
1,spam,0.9,spam,spam,2.5,1,a,1.5,2,DE
2,ham,0.2,ham,spam,-1.0,2,a,2.5,1,DE
3,spam,0.7,spam,ham,0.5,1,b,3.5,1,FR
4,ham,0.6,spam,ham,0.4,1,b,1.0,3,FR
5,spam,0.4,ham,spam,-0.2,3,c,2.0,1,DE
6,ham,0.1,ham,ham,-2.0,1,c,3.0,1,FR
7,ham,0.3,ham,ham,-0.6,1,d,4.5,1,DE
8,spam,0.8,spam,spam,1.5,1,d,5.0,1,FR
"""


@pytest.fixture
def here(same_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with nothing but preds.csv in it."""
    monkeypatch.delenv("VERACITY_TRACEBACK", raising=False)
    (same_folder / "preds.csv").write_text(ROWS, "utf-8")
    return same_folder


@pytest.fixture
def run(here: Path) -> Callable[..., Result]:
    """The command line, inside the process."""

    def call(*words: str, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(cli, words, input=stdin, prog_name="veracity")

    return call


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The store of a study of built-in data by its text, which is run once."""

    @cache
    def run_once(text: str) -> Path:
        folder = tmp_path_factory.mktemp("study")
        (folder / "study.toml").write_text(text)
        vc.Study.read(folder / "study.toml").run(str(folder / "kept.db"), progress=False)
        return folder / "kept.db"

    return run_once


@pytest.fixture
def keep(here: Path, stores: Callable[[str], Path]) -> Callable[[str], Path]:
    """A function that puts a study as study.toml and a copy of its store as kept.db into this folder."""

    def write(text: str) -> Path:
        (here / "study.toml").write_text(text)
        shutil.copy(stores(text), here / "kept.db")
        return here

    return write


@pytest.fixture
def said(run: Callable[..., Result]) -> Callable[..., Any]:
    """The JSON that a call prints, which must be all that it prints."""

    def call(*words: str) -> Any:
        result = run(*words, "--json")
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout, parse_constant=lambda word: pytest.fail(f"{word} in JSON"))

    return call
