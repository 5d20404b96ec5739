"""What a store has lost is told by every verb, in one caution, or in one sentence where nothing can be answered."""

import json
import sqlite3

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.cli.main import cli
from veracity.core.errors import StoreError
from veracity.stores.open_store import open_store

LEARNERS = {
    "nb": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=2),
    "stump": DecisionTreeClassifier(max_depth=1),
}


def make_study(learners=LEARNERS):
    draw = np.random.default_rng(5)
    features = draw.normal(size=(60, 2))
    target = (features[:, 0] + draw.normal(size=60) > 0).astype(int)
    data = {
        name: (features[rows], target[rows])
        for name, rows in (("a", slice(40)), ("b", slice(60)), ("c", slice(20, 60)))
    }
    return vc.Study(data, learners, "kfold(k=3)", seed=1, scores=["error"])


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    where = tmp_path_factory.mktemp("whole") / "results.db"
    make_study().run(where, progress=False)
    return where


@pytest.fixture
def where(whole, tmp_path):
    """A store of one's own."""
    copy = tmp_path / "results.db"
    copy.write_bytes(whole.read_bytes())
    return copy


def spoil(where, statement, *values):
    with sqlite3.connect(where) as other:
        assert other.execute(statement, values).rowcount > 0
    other.close()


def call(*words):
    """What the command line says, as JSON."""
    done = CliRunner().invoke(cli, [*map(str, words), "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


VERBS = [
    ("status",),
    ("estimate", "error"),
    ("rank", "--score", "error", "--using", "skillings_mack"),
    ("compare", "error"),
    ("report",),
]


def test_a_lost_split_is_told_and_comes_back(where):
    with open_store(where) as store:
        keys, before = store.planned_keys(), store.finished()
    for condition in ("learner = 'tree' and data = 'a' and split = 1", "learner = 'nb' and split = 2"):
        spoil(where, f"delete from veracity_splits where {condition}")
        with pytest.raises(StoreError, match="is damaged"):
            vc.estimate(vc.read_runs(where), "error")
        make_study().run(where, progress=False)
        with open_store(where) as store:
            assert store.planned_keys() == keys and store.finished() == before


def test_a_lost_data_set_or_design_is_told_and_comes_back(where):
    for table, noun in (("data", "data set called 'a'"), ("designs", "design of 'a' called 'kfold(k=3)'")):
        column = "name" if table == "data" else "data"
        spoil(where, f"delete from veracity_{table} where {column} = 'a'")
        with pytest.raises(StoreError, match="run the study again, which writes it anew") as why:
            vc.estimate(vc.read_runs(where), "error")
        assert noun in str(why.value)
        make_study().run(where, progress=False)
        assert len(vc.estimate(vc.read_runs(where), "error")) == 9


@pytest.mark.parametrize(
    "value", ["[", "{}", "7", '["x"]', "null", '{"data": 3}', '{"notes": [3]}', "[" * 10**5, b"\xff\xfe"]
)
def test_a_damaged_description_is_told_in_one_sentence(where, value):
    spoil(where, "update veracity_about set value = ? where name = 'study'", value)
    for verb in VERBS:
        done = CliRunner().invoke(cli, [verb[0], str(where), *verb[1:], "--json"])
        assert done.exit_code in (0, 1, 2) and "unexpected" not in done.output, done.output
        if done.exit_code:
            assert len(done.stderr.strip().splitlines()) == 1, done.stderr


@pytest.mark.parametrize("value", ["[", "{}", "7", "null", '{"kind": "x"}', "x", b"\0"])
@pytest.mark.parametrize("table", ["data", "designs"])
@pytest.mark.parametrize("column", ["described", "arrays"])
def test_damaged_data_sets_and_designs_are_told_in_one_sentence(where, table, column, value):
    spoil(where, f"update veracity_{table} set {column} = ?", value)
    with pytest.raises(StoreError, match="is damaged"):
        vc.estimate(vc.read_runs(where), "error")


@pytest.mark.parametrize("value", ["x", b"x", 7])
@pytest.mark.parametrize("column", ["payload", "seconds"])
def test_damaged_fits_are_told_in_one_sentence(where, column, value):
    spoil(where, f"update veracity_fits set {column} = ?", value)
    with pytest.raises(StoreError, match=r"is damaged \(predictions of"):
        vc.estimate(vc.read_runs(where), "error")


def test_predictions_of_other_rows_are_never_taken_for_those_of_a_split(where):
    with open_store(where) as store:
        key = store.cells("a", "tree", "kfold(k=3)")[1]
    spoil(where, "update veracity_fits set payload = (select payload from veracity_fits where key = ?)", key)
    with pytest.raises(StoreError, match=r"damaged \(predictions of fit \w+\): `vc.check_store` says"):
        vc.estimate(vc.read_runs(where), "error")


def test_a_lost_table_is_told(where):
    with sqlite3.connect(where) as other:
        other.execute("drop table veracity_splits")
    other.close()
    with pytest.raises(StoreError, match=r"is damaged \(no such table"):
        vc.estimate(vc.read_runs(where), "error")


def test_a_lost_description_of_the_study_is_told(where):
    spoil(where, "delete from veracity_about where name = 'study'")
    (note,) = call("status", where)["notes"]
    assert note["weight"] == "caution" and "has lost the description of its study" in note["says"]
