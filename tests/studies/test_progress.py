"""What is told of a run while it lasts."""

import gc
import os
import pty
import re
import subprocess
import sys
import weakref
from contextlib import suppress

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.core.errors import StoreError
from veracity.records.plan import Progress
from veracity.running import runner
from veracity.stores import errors, results
from veracity.stores.errors import OutOfReach
from veracity.stores.open_store import open_store
from veracity.studies.progress import Bar, Lines, NotebookBar, line, per_second, teller
from veracity.studies.study import Study

TROUBLE = "cannot reach the database x: it starts; trying again for 60 s"


def test_a_line_says_what_a_run_waits_for():
    assert line(Progress(10, 4, 1, 2, TROUBLE), 3.0) == f"4 of 10 fits done, 1 failed, 2 running; {TROUBLE}"
    assert line(Progress(10, 4, 1, 2), 3.0).endswith("2 running, 3 s left")


def test_trouble_is_told_at_once_and_then_now_and_again(capsys):
    lines = Lines()
    lines(Progress(10, 4, 1), None)
    for _ in range(3):
        lines(Progress(10, 4, 1, 0, TROUBLE), None)
    assert capsys.readouterr().err.count(TROUBLE) == 1
    lines.printed -= 10
    lines(Progress(10, 4, 1), None)
    lines(Progress(10, 4, 1, 0, TROUBLE), None)
    assert capsys.readouterr().err.count(TROUBLE) == 1


@pytest.fixture
def study():
    features = np.random.default_rng(0).normal(size=(40, 2))
    return Study({"d": (features, (features[:, 0] > 0).astype(int))}, {"nb": GaussianNB()}, "kfold(k=4)", seed=1)


def break_writes(monkeypatch, times):
    """Let the database of a store be away for the next so many writes of outcomes."""
    left, write = [times], results.remove

    def remove(*arguments):
        if left[0] > 0:
            left[0] -= 1
            raise OutOfReach("cannot reach the database x: it starts")
        return write(*arguments)

    monkeypatch.setattr(results, "remove", remove)


def test_a_run_waits_for_its_database_and_says_so(study, tmp_path, monkeypatch):
    break_writes(monkeypatch, 3)
    told = []
    with open_store(tmp_path / "results.db") as store:
        study.run(store, progress=lambda progress, left: told.append(progress))
        assert store.status().done == 4
    trouble = [progress.trouble for progress in told if progress.trouble]
    assert trouble == [TROUBLE] * 3 and told[-1] == Progress(4, 4, 0)


@pytest.mark.slow
def test_a_run_whose_database_stays_away_ends_with_a_sentence(study, tmp_path, monkeypatch):
    monkeypatch.setattr(errors, "RETRY_TIMEOUT_S", 0.3)
    with open_store(tmp_path / "results.db") as store:
        with monkeypatch.context() as broken:
            break_writes(broken, 10**6)
            with pytest.raises(StoreError, match="everything stored before is kept, and the same call goes on"):
                study.run(store, progress=False)
        assert study.run(store, progress=False).store.status().done == 4


def test_a_store_does_not_hold_on_to_who_listened(study, tmp_path):
    store = open_store(tmp_path / "results.db")
    heard = weakref.ref(store)
    study.run(store, progress=False)
    gc.collect()
    gc.disable()
    try:
        del store
        assert heard() is None
    finally:
        gc.enable()


def test_a_bar_knows_its_rate_and_ends_with_a_line():
    bar = Bar()
    assert bar.ending == ""
    bar.began -= 10
    bar(Progress(100, 20, 0), None)  # stored before: no work of this run
    bar(Progress(100, 69, 1), 6.0)
    assert bar.rate == pytest.approx(5, rel=0.05)
    assert bar.ending.startswith("69 of 100 fits done, 1 failed, in 10 s (") and bar.ending.endswith(" a second)")
    assert line(Progress(100, 69, 1, 2), 6.0, 5.0) == "69 of 100 fits done, 1 failed, 2 running, 5 a second, 6 s left"
    assert per_second(0.5) == "30 a minute"


def test_evaluate_writes_nothing_where_nobody_watches(capsys):
    features = np.random.default_rng(0).normal(size=(40, 2))
    target = (features[:, 0] > 0).astype(int)
    vc.evaluate(GaussianNB(), features, target, by="kfold(k=4)")
    assert capsys.readouterr() == ("", "")
    told = []
    vc.evaluate(GaussianNB(), features, target, by="kfold(k=4)", progress=lambda progress, left: told.append(progress))
    assert told[-1] == Progress(4, 4, 0)


WATCHED = """
import numpy as np, veracity as vc
from sklearn.naive_bayes import GaussianNB
x = np.random.default_rng(0).normal(size=(40, 2))
vc.evaluate(GaussianNB(), x, (x[:, 0] > 0).astype(int), by="kfold(k=4)")
"""


def test_evaluate_draws_a_bar_in_a_terminal_and_leaves_a_line():
    """A real terminal, without being asked to."""
    master, terminal = pty.openpty()
    watched = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen([sys.executable, "-c", WATCHED], stdout=terminal, stderr=terminal, env=watched) as process:
        os.close(terminal)
        seen = b""
        with suppress(OSError):  # of a terminal that nobody writes to any more
            while piece := os.read(master, 4096):
                seen += piece
    os.close(master)
    text = seen.decode()
    assert process.returncode == 0
    assert "━" in text and "0 of 4 fits done" in text
    last = [part for part in re.split(r"[\r\n]|\x1b\[[0-9;?]*[A-Za-z]", text) if part.strip()][-1]
    assert re.fullmatch(r"4 of 4 fits done, 0 failed, in .* s \(.*\)", last)


def test_no_more_fits_run_than_there_are_workers(study, tmp_path, monkeypatch):
    """Some more are sent ahead, so that no worker waits; they do not run yet."""
    monkeypatch.setattr(runner, "FLUSH_INTERVAL_S", 0)  # each turn of the run is told
    told = []
    study.run(tmp_path / "results.db", progress=lambda progress, left: told.append(progress.running))
    assert max(told) == 1


@pytest.fixture
def shell():
    """IPython itself, as the kernel of a notebook has it."""
    from IPython.core.interactiveshell import InteractiveShell

    one = InteractiveShell.instance()
    one.kernel = object()  # what tells a notebook from a terminal
    yield one
    InteractiveShell.clear_instance()


def test_a_notebook_gets_a_bar_below_its_cell(shell):
    from IPython.utils.capture import capture_output

    with capture_output() as seen, teller() as tell:
        assert isinstance(tell, NotebookBar)
        tell(Progress(10, 4, 1, 2, "waits for <b>"), None)
        tell(Progress(10, 10, 0), None)
    shown = [one.data["text/html"] for one in seen.outputs]
    assert [one.update for one in seen.outputs] == [False, True, True, True]  # one cell that changes
    assert len({one.transient["display_id"] for one in seen.outputs}) == 1
    assert shown[1].startswith('<progress value="5" max="10"></progress> 4 of 10 fits done')
    assert "<b>" not in shown[1] and shown[-1].startswith("10 of 10 fits done, 0 failed, in 0 s")
    with capture_output() as stopped:
        bar = teller()
        bar(Progress(10, 4, 1), None)
        bar.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert stopped.outputs[-1].data["text/html"].startswith("<progress")  # what was stopped has no last line
    del shell.kernel
    assert isinstance(teller(), Lines)


def test_a_cell_shows_runs_tables_and_sentences_as_html(shell):
    """By the formatter of IPython, which finds `_repr_html_` where there is one and a plain text beside it."""
    features = np.random.default_rng(0).normal(size=(40, 2))
    runs = vc.evaluate(
        {"nb": GaussianNB()}, features, (features[:, 0] > 0).astype(int), by="kfold(k=4)", progress=False
    )
    estimates = vc.estimate(runs, "error")
    for finding, word in ((runs, "nb"), (estimates, "0.95"), (vc.compare(vc.pairs(n01=9, n10=22, of=100)), "p = ")):
        data, _ = shell.display_formatter.format(finding)
        assert word in data["text/html"] and data["text/plain"] == repr(finding)


NOTEBOOK = """
import numpy as np, veracity as vc
from sklearn.naive_bayes import GaussianNB
X = np.random.default_rng(0).normal(size=(40, 2))
vc.evaluate({"nb": GaussianNB()}, X, (X[:, 0] > 0).astype(int), by="kfold(k=4)")
"""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the machinery of notebooks
def test_a_real_notebook_shows_the_bar_and_the_runs(tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(NOTEBOOK)])
    nbclient.NotebookClient(
        book, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    ).execute()
    bar, runs = book.cells[0].outputs
    assert bar.data["text/html"].startswith("4 of 4 fits done, 0 failed, in ")  # the last line stands in its place
    assert "<table" in runs.data["text/html"] and runs.data["text/plain"].startswith("Runs(")


SCRIPT = """
import numpy as np, veracity as vc
from sklearn.naive_bayes import GaussianNB
X = np.random.default_rng(0).normal(size=(40, 2))
vc.evaluate(GaussianNB(), X, (X[:, 0] > 0).astype(int), by="kfold(k=4)", **OPTIONS)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal of its own")
@pytest.mark.parametrize(("options", "moves"), [("{}", True), ("{'progress': False}", False)])
def test_a_terminal_gets_a_bar_and_a_last_line(options, moves):
    ours, theirs = os.openpty()
    script = SCRIPT.replace("OPTIONS", options)
    process = subprocess.Popen([sys.executable, "-c", script], stderr=theirs, stdout=subprocess.PIPE)
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        seen += part
    os.close(ours)
    assert process.communicate()[0] == b"" and process.returncode == 0, seen
    assert (b"4 of 4 fits done, 0 failed, in " in seen) is moves
    assert (b"\x1b[" in seen) is moves  # a bar moves
