"""The ledger: looks are counted where they are taken, claims are adjusted for all of them, and reading never fails."""

import gzip
import json
import pickle
import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import veracity as vc
from veracity.cli.main import cli
from veracity.evidence.looks import uncounted
from veracity.stores.open_store import open_store

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(90, 3))
Y = (X[:, 0] + RANDOM.normal(size=90) > 0).astype(int)
LEARNERS = {
    "nb": GaussianNB(),
    "nn": KNeighborsClassifier(1),
    "logit": vc.tuned(LogisticRegression(), grid={"C": [0.1, 1, 10]}, by="kfold(k=2)", score="error"),
}
EARLY = Path(__file__).parent / "assets" / "study_of_0.1.0.db.gz"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    where = tmp_path_factory.mktemp("looks") / "results.db"
    vc.evaluate(LEARNERS, X, Y, by="kfold(k=5)", seed=1, store=where)
    return where


@pytest.fixture
def where(made, tmp_path):
    return Path(shutil.copy(made, tmp_path / "results.db"))


def test_what_was_asked_is_counted_once_and_every_look_too(where):
    runs = vc.read_runs(where)
    assert vc.ledger(runs).counts["looks"] == 0 and "nothing was asked" in str(vc.ledger(runs))
    vc.estimate(runs, ["error", "net_benefit(threshold=0.3)"])
    vc.estimate(runs, ["error", "net_benefit(threshold=0.3)"])
    vc.compare(runs, "error")
    vc.compare(runs, ["error", "brier"])
    found = vc.ledger(runs)
    assert found.looks == {"estimate": 2, "compare": 2} and found.counts["looks"] == 4
    assert found.counts["scores"] == 3 and found.counts["thresholds"] == 1 and found.counts["learners"] == 3
    assert found.counts["configurations"] == 5  # two learners as they are, and a grid of three
    assert found.counts["tests"] == 6  # three pairs by error, asked twice, and three by brier
    assert vc.ledger(runs).to_json() == found.to_json()  # to read it is no look


def test_claims_are_adjusted_by_holm_over_all_of_them(where):
    runs = vc.read_runs(where)
    pairs = [*vc.compare(runs, "error"), *vc.compare(runs, "brier"), *vc.compare(runs, "auc")]
    claims = vc.ledger(runs).rows
    assert [one.p_value for one in claims] == sorted(one.p_value for one in pairs)
    adjusted = vc.adjust([one.p_value for one in claims], "holm")
    assert [one.adjusted_p_value for one in claims] == pytest.approx(list(adjusted))


def test_the_best_of_many_has_an_interval_for_all_that_were_looked_at(where):
    runs = vc.read_runs(where)
    every = vc.estimate(runs, "error")
    found = vc.ledger(runs)
    (best,) = found.best
    assert best.learner == min(every, key=lambda row: row.value).learner and best.of == 3
    alone = vc.estimate(uncounted(runs).only(best.learner), "error", level=1 - 0.05 / 3)[best.learner].interval
    assert (best.low, best.high) == (alone.low, alone.high)
    assert "best-of-many" in {note.code for note in found.notes}


def test_one_of_many_shown_alone_is_said_to_be_so(where):
    runs = vc.read_runs(where)
    assert not [note for note in vc.estimate(runs.only("nb"), "error").notes if note.code == "best-of-many"]
    vc.estimate(runs, "error")
    (note,) = [note for note in vc.estimate(runs.only("nb"), "error").notes if note.code == "best-of-many"]
    assert note.weight == "caution" and "2 other learners had been looked at" in note.says
    assert not [note for note in vc.estimate(runs.only("nb"), "log_loss").notes if note.code == "best-of-many"]


def test_slices_and_thresholds_of_predictions_that_were_taken_out_count(where):
    runs = vc.read_runs(where)
    p = runs.predictions("nb").with_positive(1)
    place, half = np.where(X[p.rows, 1] > 0.5, "high", "low"), p.rows % 2
    for _ in range(2):
        vc.slices(p, place, ["error", "auc"])
    found = vc.ledger(runs)
    assert found.looks == {"slices": 2} and found.counts["slices"] == 2 and found.counts["scores"] == 2
    assert found.counts["learners"] == 1 and found.counts["data sets"] == 1 and found.counts["designs"] == 1
    vc.slices({name: runs.predictions(name) for name in ("nb", "nn")}, half, "error")
    chosen = vc.best_threshold(p, "youden")
    chosen.cross_fit()
    found = vc.ledger(runs)
    assert found.looks == {"slices": 3, "best_threshold": 1, "estimate": 1} and found.counts["slices"] == 4
    assert found.counts["thresholds"] == len(np.unique(p.probability(1))) + 1 and found.counts["learners"] == 2
    assert "4 slices" in found.sentence()


def test_models_that_were_taken_out_are_compared_as_their_runs(where):
    runs = vc.read_runs(where)
    models = {name: runs.predictions(name) for name in ("nb", "nn")}
    alone = vc.compare(models, "error")
    vc.estimate(models["nb"], "brier")
    found = vc.ledger(runs)
    assert found.looks == {"compare": 1, "estimate": 1} and found.rows[0].p_value == alone.p_value
    assert found.counts["scores"] == 2 and found.counts["learners"] == 2


def test_slices_of_a_hold_out_make_tests(tmp_path):
    store = tmp_path / "holdout.db"
    runs = vc.evaluate({"nb": GaussianNB(), "nn": KNeighborsClassifier(1)}, X, Y, by="holdout(test=0.5)", store=store)
    models = {name: runs.predictions(name) for name in ("nb", "nn")}
    place = np.where(X[models["nb"].rows, 1] > 0, "high", "low")
    pairs = vc.compare(models, "error", slices=place)
    found = vc.ledger(runs)
    assert found.counts["slices"] == found.counts["tests"] == 2 and found.looks == {"compare": 1}
    assert {one.data for one in found.rows} == {f"{runs.names[0]}, high", f"{runs.names[0]}, low"}
    assert sorted(one.p_value for one in found.rows) == sorted(one.p_value for one in pairs)


def test_what_is_taken_elsewhere_forgets_its_store(where):
    runs = vc.read_runs(where)
    away = pickle.loads(pickle.dumps(runs.predictions("nb")))
    vc.slices(away, away.rows % 2, "error")
    vc.slices(uncounted(runs).predictions("nb"), away.rows % 2, "error")
    assert vc.ledger(runs).counts["looks"] == 0


def test_a_page_is_one_look_with_its_tests_and_advice_is_none(where):
    runs = vc.read_runs(where)
    vc.report(runs, "error")
    vc.advise(runs, "compare", "error")
    found = vc.ledger(runs)
    assert found.looks == {"report": 1} and found.counts["looks"] == 1 and found.counts["tests"] == 3


def test_a_store_that_may_only_be_read_is_read_and_counts_nothing(where):
    runs = vc.read_runs(where)
    vc.estimate(runs, "error")
    where.chmod(0o444)
    where.parent.chmod(0o555)
    try:
        again = vc.read_runs(where)
        vc.estimate(again, "brier")
        assert vc.ledger(again).counts["scores"] in (1, 2)  # 2 for whoever may write everywhere
    finally:
        where.parent.chmod(0o755)


def test_an_older_store_gets_its_table(tmp_path):
    where = tmp_path / "early.db"
    where.write_bytes(gzip.decompress(EARLY.read_bytes()))
    runs = vc.read_runs(where)
    assert vc.ledger(runs).counts["looks"] == 0
    vc.estimate(runs, "error")
    assert vc.ledger(runs).looks == {"estimate": 1}
    assert open_store(where).problems() == ()


def test_an_older_store_without_the_table_is_read_and_says_so(where):
    with sqlite3.connect(where) as other:
        other.execute("drop table veracity_questions")
    other.close()
    runs = vc.read_runs(where)
    assert vc.estimate(runs, "error")["nb"].value >= 0
    assert "no-ledger" in {note.code for note in vc.ledger(runs).notes}


@pytest.mark.parametrize(
    "damage",
    [
        "update veracity_questions set times = times + 3",
        "update veracity_questions set question = 'x'",
        "update veracity_questions set found = 'x'",
        "drop table veracity_questions",
    ],
)
def test_a_ledger_that_was_tampered_with_is_noticed(where, damage):
    vc.estimate(vc.read_runs(where), "error")
    with sqlite3.connect(where) as other:
        other.execute(damage)
    other.close()
    store = open_store(where)
    problems = store.problems()
    assert {problem.code for problem in problems} == {"table" if damage.startswith("drop") else "ledger"}
    if not damage.startswith("drop"):
        store.repair(problems)
        assert store.problems() == ()


def test_the_command(where):
    vc.compare(vc.read_runs(where), "error")
    done = CliRunner().invoke(cli, ["ledger", str(where), "--json"])
    shape = json.loads(done.stdout)
    assert done.exit_code == 0 and shape["counts"]["tests"] == 3 and len(shape["claims"]) == 3
    assert "adjusted by holm for all 3 tests" in CliRunner().invoke(cli, ["ledger", str(where)]).stdout
    absent = CliRunner().invoke(cli, ["ledger", str(where.with_name("nope.db"))])
    assert absent.exit_code == 2 and absent.stderr.count("\n") == 1
    with pytest.raises(vc.BadInput, match="a ledger is that of runs in a store, not of str"):
        vc.ledger("results.db")
