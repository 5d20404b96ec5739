"""`veracity run`, `status` and `estimate` as typed: numbers, JSON, and one sentence for every bad input."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

STUDY = """
seed = 7
by = "kfold(k=4)"
scores = ["error", "log_loss"]
[data]
iris = "sklearn:load_iris"
own = { file = "own.csv", target = "y", positive = "yes" }
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
bad = { use = "learners:Bad", how = "raises" }
"""
INSTALLED = STUDY.partition("bad =")[0]  # whose workers have seen no module of ours and serve the next test
LEARNERS = """
import os
import time
from pathlib import Path

from sklearn.naive_bayes import GaussianNB


class Bad(GaussianNB):
    def __init__(self, how="raises"):
        super().__init__()
        self.how = how

    def fit(self, X, y, sample_weight=None):
        if self.how == "raises" and len(X) == 45 and not Path("healed").exists():
            raise RuntimeError("unwell")
        if self.how == "stuck" and len(X) == 45:
            time.sleep(600)
        if self.how == "talks":
            print("heard")
            os.write(1, b"heard below")
        return super().fit(X, y)
"""


@pytest.fixture
def folder(here, monkeypatch):
    """A folder with a study, its data and its learners."""
    rows = "".join(f"{i % 11},{i % 5},{'yes' if (i * 7) % 3 else 'no'}\n" for i in range(60))
    (here / "own.csv").write_text("a,b,y\n" + rows)
    (here / "study.toml").write_text(STUDY)
    (here / "learners.py").write_text(LEARNERS)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "learners", raising=False)
    return here


def test_run_status_and_estimate_of_a_store(folder, run, said):
    ran = said("run", "study.toml", "--trust-here", "--store", "results.db")
    counts = {"planned": 16, "done": 12, "failed": 4, "running": 0}
    assert (ran["fits"], ran["extra"]) == (counts, 0)
    assert ran["failed"][0] == {
        "data": "own",
        "learner": "bad",
        "by": "kfold(k=4)",
        "split": 0,
        "reason": "fit raised RuntimeError: unwell",
    }
    status = said("status", "results.db")
    assert (status["fits"], status["extra"]) == (counts, 0)
    found = said("estimate", "results.db", "error", "auc")
    row = found["estimates"]["iris"]["nb"]["error"]
    assert list(row) == ["value", "low", "high", "level", "method", "by", "answers", "splits", "failed"]
    assert (row["method"], row["by"], row["splits"], row["failed"]) == ("conservative_t", "kfold(k=4)", 4, 0)
    assert row["answers"] == "mean risk of the procedure trained on 75 % of the rows"
    assert found["estimates"]["own"]["bad"]["error"]["failed"] == 4
    assert found["estimates"]["own"]["bad"]["error"]["value"] is None
    assert any(note["code"] == "failed-splits" for note in found["notes"])
    (folder / "healed").touch()
    assert said("run", "study.toml", "--trust-here")["fits"]["failed"] == 4
    assert said("run", "study.toml", "--trust-here", "--retry", "failed")["fits"] == {**counts, "done": 16, "failed": 0}
    shown = run("status", "results.db")
    assert "2 data sets, 2 learners, 1 design, seed 7" in shown.stdout and "waiting for a worker" in shown.stdout
    assert said("status", "study.toml") == said("status", "results.db")
    (folder / "results.db").rename(folder / "other.db")
    assert run("status", "study.toml", "--store", "other.db").stdout == shown.stdout.replace("results.db", "other.db")
    (folder / "other.db").rename(folder / "results.db")
    (folder / "own.csv").write_text((folder / "own.csv").read_text().replace("yes", "no", 1))
    told = run("run", "study.toml", "--trust-here")
    assert (told.exit_code, told.stdout) == (2, "")
    assert told.stderr == (
        "error: the data set 'own' changed since results.db was made: give it another name, or use another store\n"
    )


def test_estimate_of_a_file(folder, said):
    learner = "sklearn.naive_bayes:GaussianNB"
    by = "repeated_kfold(k=3,repeats=2)"
    found = said("estimate", "own.csv", "--target", "y", "--learner", learner, "--by", by, "error", "auc")
    row = found["estimates"]["own"][learner]["auc"]
    assert row["splits"] == 6 and 0 <= row["low"] <= row["value"] <= row["high"] <= 1
    assert not list(folder.glob("*.db"))


def test_tables_and_files(folder, run):
    shown = run("estimate", "sklearn:load_iris", "--learner", "nb=sklearn.naive_bayes:GaussianNB", "--by", "kfold(k=3)")
    assert shown.exit_code == 0
    assert "mean risk of the procedure trained on 66.7 % of the rows" in shown.stdout
    run("estimate", "sklearn:load_iris", "--learner", "sklearn.dummy:DummyClassifier", "--out", "a.md")
    assert "| iris |" in (folder / "a.md").read_text()


def sentence(result, status=2):
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    *progress, last = result.stderr.splitlines()  # how far it came may be told before
    assert last.startswith("error: ") and not any(line.startswith("error: ") for line in progress)
    return last.removeprefix("error: ").strip()


def test_a_study_file_with_five_mistakes_reports_five(folder, run):
    (folder / "study.toml").write_text(
        'sed = 1\nby = "kfld"\nscores = ["eror"]\n[data]\na = "sklearn:load_irs"\n[learners]\nb = "sklearn.svm:SVK"\n'
    )
    result = run("run", "study.toml", "--trust-here")
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert [line.split(": ")[2] for line in lines] == ["sed", "by", "scores[0]", "data.a", "learners.b"]
    assert all(line.startswith("error: study.toml: ") for line in lines)


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        ("run none.toml", 2, "there is no study file none.toml"),
        ("run study.toml --trust-here --store folder", 2, "is a folder"),
        ("run study.toml --trust-here --store no/where.db", 2, "there is no folder"),
        (
            "run study.toml --trust-here --store preds.csv",
            2,
            "preds.csv is not a store: the file is not an SQLite database",
        ),
        ("run study.toml --trust-here --workers 0", 2, "workers is a whole number of at least 1, not 0"),
        ("run study.toml --trust-here --timeout -1", 2, "timeout is a number of seconds larger than 0"),
        ("run study.toml --trust-here --address tcp://x:1", 2, "--address is that of a dask cluster"),
        ("run study.toml --trust-here --level 2", 2, "level must lie strictly between 0 and 1"),
        ("run study.toml --trust-here --store postgresql+psycopg://u@127.0.0.1:1/x", 1, "cannot reach the database"),
        ("status none.db", 2, "there is no store at"),
        ("status study.toml", 2, "there is no store at"),
        ("status none.toml", 2, "there is no study file none.toml"),
        ("status preds.csv --store results.db", 2, "--store says where the results of a study file are"),
        ("estimate none.db", 2, "there is no store at"),
        ("estimate own.csv --target y", 2, "name a learner: --learner"),
        ("estimate own.csv --learner sklearn.svm:SVC", 2, "name the column to be predicted: --target"),
        ("estimate own.csv --target z --learner sklearn.svm:SVC", 2, "has no column 'z'"),
        ("estimate own.csv --target y --learner sklearn.svm:SVK", 2, "did you mean SVR or SVC or NuSVR?"),
        ("estimate own.csv --target y --learner sklearn.svm:SVC rmse", 2, "rmse is not for a target of classes"),
        ("estimate own.csv --target y --learner sklearn.svm:SVC --by kfld", 2, "did you mean kfold?"),
        ("estimate own.csv preds.csv", 2, "estimate reads one file or store, not 2"),
    ],
)
def test_bad_input_is_one_sentence(folder, run, words, status, says):
    (folder / "folder").mkdir()
    assert says in sentence(run(*words.split()), status)


def test_a_study_file_is_told_what_to_write_there(folder, run):
    """Its keys are no options of the command line."""
    (folder / "tuned.toml").write_text(
        'by = "kfold(k=4)"\n[data]\niris = "sklearn:load_iris"\n[learners]\n'
        'knn = { tune = "sklearn.neighbors:KNeighborsClassifier", grid = { n_neighbors = [1, 5] }, score = "mse" }\n'
    )
    assert "learners.knn: mse is for numbers" in sentence(run("run", "tuned.toml"), 2)
    assert "use score='error'" in sentence(run("run", "tuned.toml"), 2)


def test_the_kind_of_a_target_of_whole_numbers_is_told_by_the_learner_or_by_name(folder, run):
    (folder / "count.csv").write_text("x,y\n" + "".join(f"{n % 7}.5,{n % 5}\n" for n in range(40)))
    words = ("estimate", "count.csv", "--target", "y", "--by", "kfold(k=4)", "--learner")
    ridge = run(*words, "sklearn.linear_model:Ridge", "mse", "--json")
    assert json.loads(ridge.stdout)["estimates"]["count"]["sklearn.linear_model:Ridge"]["mse"]["value"] > 1
    named = run(*words, "sklearn.naive_bayes:GaussianNB", "mse", "--kind", "numbers", "--json")
    assert json.loads(named.stdout)["estimates"]["count"]["sklearn.naive_bayes:GaussianNB"]["mse"]["value"] > 1
    wrong = sentence(run(*words, "sklearn.naive_bayes:GaussianNB", "mse"), 2)
    assert "say --kind numbers if the target is of numbers" in wrong
    (folder / "whole.toml").write_text(
        'by = "kfold(k=4)"\nscores = ["mse"]\n[data]\ncount = { file = "count.csv", target = "y" }\n'
        '[learners]\nridge = "sklearn.linear_model:Ridge"\n'
    )
    study = json.loads(run("run", "whole.toml", "--store", "whole.db", "--json").stdout)
    assert study["estimates"]["count"]["ridge"]["mse"]["value"] > 1


def test_when_every_fit_fails_the_call_has_failed(folder, run):
    learner = "sklearn.naive_bayes:GaussianNB(priors=[0.5, 0.25, 0.25])"  # of which there is one more than classes
    told = run("estimate", "own.csv", "--target", "y", "--learner", learner, "--by", "kfold(k=4)", "error")
    assert "all 4 fits failed, the first because fit raised ValueError: Number of priors" in sentence(told, 1)


def test_a_learner_that_talks_does_not_talk_into_the_output(folder):
    (folder / "study.toml").write_text(STUDY.replace('"raises"', '"talks"'))
    done = command(folder, "run", "study.toml", "--trust-here", "--json")
    assert json.loads(done.stdout)["fits"]["done"] == 16
    assert "heard below" in done.stderr


def test_a_password_is_never_shown(folder, run, schema):
    address = schema.replace("veracity@", "veracity:secret@")
    assert "secret" in address
    for words in (
        ("run", "study.toml", "--trust-here", "--store", address),
        ("status", address),
        ("estimate", address, "error"),
    ):
        done = run(*words)
        assert done.exit_code == 0 and "postgresql+psycopg://veracity:***@" in done.output
        assert "secret" not in done.output


def test_a_read_only_folder_is_told(folder):
    (folder / "closed").mkdir(mode=0o500)
    if os.access(folder / "closed", os.W_OK):
        pytest.skip("this user may write everywhere")
    done = command(folder, "run", "study.toml", "--trust-here", "--store", "closed/results.db")
    assert done.returncode == 1
    assert "read-only" in done.stderr


def test_a_full_disk_is_told_and_nothing_is_lost(folder, run):
    """The largest size that the process may write stands in for the size of the disk."""
    (folder / "study.toml").write_text(INSTALLED)
    limit = f"ulimit -f 60; exec {sys.executable} -m veracity run study.toml --store results.db"
    done = subprocess.run(["bash", "-c", limit], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("error: ") and "room" in done.stderr
    assert run("run", "study.toml").exit_code == 0


def test_a_store_of_a_newer_version_is_told(folder, run):
    (folder / "study.toml").write_text(INSTALLED)
    run("run", "study.toml")
    with sqlite3.connect(folder / "results.db") as database:
        database.execute("update veracity_about set value = '999' where name = 'schema'")
    database.close()
    assert "newer" in sentence(run("status", "results.db"))


def test_interrupted_it_says_how_to_go_on(folder, run):
    (folder / "study.toml").write_text(STUDY.replace('"raises"', '"stuck"'))
    words = [sys.executable, "-m", "veracity", "run", "study.toml", "--trust-here", "--store", "results.db"]
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and _done(run) < 1:
        time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate()
    assert (process.returncode, stdout) == (130, "")
    assert "the same line goes on from here" in stderr
    done = _done(run)
    assert 0 < done < 16
    assert f"{done} stored" in stderr


def command(folder, *words):
    return subprocess.run([sys.executable, "-m", "veracity", *words], cwd=folder, capture_output=True, text=True)


def _done(run):
    told = run("status", "results.db", "--json")
    return json.loads(told.stdout)["fits"]["done"] if told.exit_code == 0 else 0


def test_help_needs_no_numpy():
    code = "import sys, veracity.cli.main; print(sorted({'numpy', 'pydantic', 'sqlalchemy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
