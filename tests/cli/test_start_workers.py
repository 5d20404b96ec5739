"""Workers start while a command reads what it is about, where fits are sure to come."""

import pytest

from veracity.running import engines

NB = "nb=sklearn.naive_bayes:GaussianNB"
STUDY = """
by = "holdout"
[data]
iris = "sklearn:load_iris"
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
"""
FILE = ("own.csv", "error", "--target", "y", "--by", "kfold(k=4)")


@pytest.fixture
def started(here, monkeypatch):
    """How many workers each call has started ahead; a study and a table are there."""
    (here / "study.toml").write_text(STUDY)
    (here / "named.toml").write_text('store = "named.db"\n' + STUDY)
    (here / "broken.toml").write_text("by =")
    (here / "wrong.toml").write_text('store = ""\n' + STUDY)
    (here / "own.csv").write_text("a,b,y\n" + "".join(f"{i % 11},{i % 5},{(i * 7) % 3 > 0}\n" for i in range(60)))
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    numbers: list[int] = []
    monkeypatch.setattr(engines, "start_ahead", numbers.append)
    return numbers


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (("run", "study.toml", "--store", "new.db", "--workers", "3"), [3]),
        (("run", "study.toml"), [1]),
        (("run", "named.toml"), [1]),
        (("estimate", *FILE, "--learner", NB), [1]),
        (("estimate", *FILE, "--learner", NB, "--store", "new.db"), [1]),
        (("estimate", *FILE, "--learner", "nb=sklearn.naive_bayes:Gaussian"), [1]),
        (("compare", *FILE, "--learner", NB, "--learner", f"b{NB}"), [1]),
        (("learning_curve", *FILE, "--learner", NB), [1]),
    ],
)
def test_where_fits_are_sure_to_come(run, started, words, numbers):
    run(*words)
    assert started == numbers


@pytest.mark.parametrize(
    "words",
    [
        ("run", "study.toml", "--store", "old.db"),
        ("run", "study.toml", "--store", "postgresql+psycopg://localhost:1/none"),
        ("run", "study.toml", "--store", "new.db", "--trust-here"),
        ("run", "study.toml", "--store", "new.db", "--workers", "0"),
        ("run", "study.toml", "--store", "new.db", "--workers", "4"),  # which leave no core for the command itself
        ("run", "study.toml", "--store", "new.db", "--engine", "dask", "--address", "tcp://127.0.0.1:1"),
        ("run", "study.toml", "--store", "x" * 300),
        ("run", "broken.toml", "--store", "new.db"),
        ("estimate", "none.csv", "error", "--target", "y", "--learner", NB),
        ("permutation_test", *FILE, "--learner", NB, "--draws", "1"),
        ("run", "no_such.toml", "--store", "new.db"),
        ("run", "wrong.toml"),
        ("estimate", *FILE, "--learner", NB, "--store", "old.db"),
        ("estimate", *FILE),
        ("compare", "preds.csv", "accuracy"),
        ("estimate", "study.toml", "error"),
    ],
)
def test_where_nothing_may_be_to_fit(here, run, started, words):
    (here / "old.db").touch()
    run(*words)
    assert started == []


def test_a_mistake_in_the_study_is_told_as_ever(run, started):
    told = run("run", "wrong.toml")
    assert told.exit_code == 2 and "wrong.toml: store" in told.stderr
