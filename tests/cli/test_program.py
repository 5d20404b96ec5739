"""Exit status, streams, interrupts, pipes, and what is imported: the command as the shell sees it."""

import fcntl
import inspect
import os
import signal
import struct
import subprocess
import sys
import termios
import time
from typing import IO

import click
import pytest

import veracity as vc
from veracity.cli.main import COMMANDS, PARTS, cli

HEAVY = {"numpy", "scipy", "numba", "duckdb", "matplotlib", "sklearn", "rich", "narwhals"}
WORDS = ("score", "preds.csv", "--truth", "y", "--label", "yhat")


def shell(*words: str, **more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "veracity", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def test_done_is_0_and_only_standard_output_speaks(here):
    result = shell(*WORDS, "error")
    assert (result.returncode, result.stderr) == (0, "")
    assert "wilson" in result.stdout


def test_bad_input_is_2_and_only_standard_error_speaks(here):
    result = shell(*WORDS, "--json", "--positive", "eggs", "error")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1


def test_an_unexpected_error_is_1_with_a_hint(run, monkeypatch):
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("veracity.explain", fails)
    result = run("explain", "auc")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "error: unexpected error: RuntimeError: two lines (add --traceback to see where)\n"
    assert isinstance(run("explain", "auc", "--traceback").exception, RuntimeError)
    monkeypatch.setenv("VERACITY_TRACEBACK", "1")
    assert isinstance(run("explain", "auc").exception, RuntimeError)


def test_even_with_traceback_bad_input_is_one_sentence(run):
    result = run("--traceback", "score", "absent.csv", "--truth", "y", "--label", "yhat")
    assert result.exit_code == 2 and result.stderr.count("\n") == 1


def test_too_little_memory_is_said(run, monkeypatch):
    def fails(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("veracity.explain", fails)
    result = run("explain", "auc")
    assert (result.exit_code, result.stderr) == (1, "error: there is not enough memory for this\n")


@pytest.mark.parametrize(
    ("why", "status", "says"),
    [
        (RuntimeError("Query interrupted"), 130, ""),
        (OSError(28, "No space left on device"), 1, "error: there is no space left where the output goes\n"),
    ],
)
def test_what_is_nobodys_mistake_is_no_unexpected_error(run, monkeypatch, why, status, says):
    def fails(*_: object, **__: object) -> None:
        raise why

    monkeypatch.setattr("veracity.explain", fails)
    result = run("explain", "auc")
    assert (result.exit_code, result.stderr) == (status, says)


def test_interrupts_are_quiet(here):
    process = subprocess.Popen(
        [sys.executable, "-m", "veracity", "score", "-", "--truth", "y", "--label", "z"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(b"y,z\n")
    process.stdin.flush()
    while process.poll() is None and waiting(process.stdin):  # it is at work once it has taken what it was given
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert out == b"" and err.strip() == b""


def waiting(pipe: IO[bytes]) -> int:
    """How many bytes of a pipe nobody has read yet."""
    return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]


def test_a_closed_pipe_is_quiet(here):
    read, write = os.pipe()
    os.close(read)
    result = subprocess.run(
        [sys.executable, "-m", "veracity", "list", "scores"], stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert (result.returncode, result.stderr) == (0, b"")


def loaded(words: list[str], **environment: str) -> set[str]:
    """The heavy modules that a call imports."""
    code = (
        "import sys\nfrom veracity.cli.main import cli\n"
        f"try:\n    cli.main({words!r}, prog_name='veracity')\n"
        "except SystemExit:\n    pass\n"
        "print('LOADED', *sorted(m for m in sys.modules if '.' not in m), file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, **environment}
    )
    return HEAVY & set(result.stderr.rpartition("LOADED")[2].split())


@pytest.mark.parametrize("words", [["--help"], ["score", "--help"], ["curve", "--help"], ["--version"], ["scor"]])
def test_help_imports_nothing_heavy(words):
    assert loaded(words) == set()


def test_every_command_stands_in_a_module_of_commands():
    """They are all imported for the help, so none of these modules may import anything heavy."""
    for name, command in cli.commands.items():
        assert inspect.unwrap(command.callback).__module__ == f"veracity.cli.commands.{COMMANDS[name]}"


def test_completion_imports_nothing_heavy():
    environment = {"_VERACITY_COMPLETE": "bash_complete", "COMP_WORDS": "veracity score a.csv au", "COMP_CWORD": "3"}
    assert loaded([], **environment) == set()


def completed(words: str, here) -> list[str]:
    count = str(len(words.split(" ")) - 1)
    environment = {**os.environ, "_VERACITY_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": count}
    code = "from veracity.cli.main import command; command()"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False, cwd=here
    )
    return result.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("veracity scor", ["plain,score"]),
        ("veracity scores results.db --trac", []),
        ("veracity failures results.db --trac", ["plain,--tracebacks"]),
        ("veracity learning", ["plain,learning_curve"]),
        ("veracity learning-curve data.csv err", ["file,err", "plain,error"]),
        ("veracity permutation_test data.csv --kind w", ["plain,within_class"]),
        ("veracity score preds.csv au", ["file,au", "plain,auc"]),
        ("veracity score preds.csv --interval clop", ["plain,clopper_pearson"]),
        ("veracity curve preds.csv --kind roc_", ["plain,roc_hull"]),
        ("veracity explain wilson1", ["plain,wilson1927"]),
        ("veracity score preds.csv --side lo", ["plain,lower"]),
        ("veracity list asu", []),
        ("veracity list assu", ["plain,assumptions"]),
    ],
)
def test_completion_offers_names(here, words, offered):
    assert completed(words, here) == offered


ASKED = (
    *("score", "curve", "best_threshold", "worst", "dominance", "estimate", "compare", "rank", "adjust", "power"),
    *("learning_curve", "validation_curve", "bias_variance", "permutation_test", "optimism", "report", "explain"),
)


def test_what_is_asked_in_python_is_asked_by_the_same_word():
    assert all(name in {*cli.commands, *PARTS} and name in vc.__all__ for name in ASKED)


def every_command() -> dict[tuple[str, ...], click.Command]:
    """All verbs by their words, of a group, such as lab, the ones inside; but serve, which answers in the browser."""
    verbs: dict[tuple[str, ...], click.Command] = {}
    for name, verb in ((name, verb) for name, verb in cli.commands.items() if name != "serve"):
        inside = verb.commands.items() if isinstance(verb, click.Group) else ()
        verbs |= {(name, word): one for word, one in inside} or {(name,): verb}
    return verbs


@pytest.mark.parametrize("words", list(every_command()), ids=" ".join)
def test_every_verb_explains_itself_writes_json_and_files_and_takes_a_seed(run, words):
    shown = run(*(word.replace("_", "-") for word in words), "--help")
    assert shown.exit_code == 0 and "--json" in shown.stdout and "--out FILE" in shown.stdout
    assert "has an apostrophe in front" in " ".join(shown.stdout.split())
    assert {"--seed", "--level"} <= {name for one in every_command()[words].params for name in one.opts}


def test_help_names_every_verb_and_how_to_start(run):
    result = run("--help")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in ("score", "curve", "list", "explain", "demo", "_VERACITY_COMPLETE"))
    assert next(iter(cli.commands)) == "score" and [*cli.commands][-3:] == ["list", "explain", "demo"]


def test_no_words_at_all_show_the_help(run):
    result = run()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: veracity")


def test_every_verb_takes_level_and_seed(run):
    assert run("list", "scores", "--level", "0.9", "--seed", "1").exit_code == 0
    assert run("explain", "auc", "--level", "0.9", "--seed", "1").exit_code == 0


def test_help_tells_every_verb_whole(run):
    verbs = run("--help").stdout.partition("Commands:")[2].partition("Start here")[0]
    assert verbs and "..." not in verbs


def test_every_verb_has_json_and_out():
    for verb in every_command().values():
        assert {"--json", "--out"} <= {name for option in verb.params for name in option.opts}


def test_the_version(run):
    assert run("--version").stdout.startswith("veracity ")


def test_what_a_spreadsheet_would_calculate_is_told(run, here):
    (here / "s.csv").write_text(
        "data,=1+1,b,c\n" + "".join(f"d{row},0.{row + 1},0.{9 - row},0.5\n" for row in range(8))
    )
    result = run("rank", "s.csv", "--out", "out.csv")
    assert result.exit_code == 0 and "with an apostrophe in front, as a spreadsheet would" in result.stderr
    assert "'=1+1" in (here / "out.csv").read_text()
