"""What a store has lost is told by every verb, in one caution, or in one sentence where nothing can be answered."""

import json
import sqlite3
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.cli.main import cli
from veracity.core.errors import StoreError
from veracity.records.plan import PlannedSplit
from veracity.stores.open_store import open_store
from veracity.stores.recorded_places import recorded_places

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


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_a_lost_row_of_the_plan_is_told_by_every_verb(where, verb):
    def notes():
        found = call(verb[0], where, *verb[1:])
        first = found["comparisons"][0] if verb[0] == "compare" else found
        return [note for note in first["notes"] if note["code"] == "store-incomplete"]

    assert notes() == []
    spoil(where, "delete from veracity_cells where learner = 'tree' and data = 'a'")
    (note,) = notes()
    assert note["weight"] == "caution" and "has lost the plan of tree on a by kfold(k=3)," in note["says"]


def test_a_learner_lost_on_all_data_sets_is_told_in_python_too(where):
    spoil(where, "delete from veracity_cells where learner = 'tree'")
    runs = vc.read_runs(where)
    with pytest.raises(vc.Refused, match="tree has no error and is left out: no result of it is stored"):
        vc.rank(runs, "error")
    assert "store-incomplete" in {note.code for note in vc.estimate(runs, "error").notes}
    (note,) = runs.store.notes()
    assert "tree on a by kfold(k=3), tree on b by kfold(k=3), tree on c by kfold(k=3)" in note.says


def test_many_are_counted(where):
    spoil(where, "delete from veracity_cells")
    assert "and 6 more" in vc.read_runs(where).notes[0].says


def test_running_the_study_again_brings_it_back_and_fits_nothing(where):
    with open_store(where) as store:
        places, before = store.places(), store.finished()
    spoil(where, "delete from veracity_cells where learner = 'tree'")
    assert make_study().plan().against(where).left == 0
    runs = make_study().run(where, progress=False)
    assert runs.store.places() == places and runs.store.finished() == before and runs.store.notes() == ()


def test_what_was_lost_stays_known_when_the_study_grows(where):
    spoil(where, "delete from veracity_cells where learner = 'tree'")
    make_study({"nb": GaussianNB(), "deep": DecisionTreeClassifier()}).run(where, progress=False)
    (note,) = vc.read_runs(where).store.notes()
    assert "tree on a" in note.says


def test_a_lost_list_is_told(where):
    spoil(where, "delete from veracity_about where name = 'places'")
    (note,) = vc.read_runs(where).store.notes()
    assert "has lost the list of what it planned" in note.says
    make_study().run(where, progress=False)


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
@pytest.mark.parametrize("name", ["study", "planned", "places"])
def test_damaged_texts_are_told_in_one_sentence(where, name, value):
    spoil(where, "update veracity_about set value = ? where name = ?", value, name)
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
@pytest.mark.parametrize("column", ["arrays", "seconds"])
def test_damaged_fits_are_told_in_one_sentence(where, column, value):
    spoil(where, f"update veracity_outcomes set {column} = ?", value)
    if (column, value) == ("seconds", 7):
        return  # a number is a number
    with pytest.raises(StoreError, match=r"is damaged \(predictions of"):
        vc.estimate(vc.read_runs(where), "error")


def test_predictions_of_other_rows_are_never_taken_for_those_of_a_split(where):
    with open_store(where) as store:
        key = store.cells("a", "tree", "kfold(k=3)")[1]
    spoil(where, "update veracity_outcomes set arrays = (select arrays from veracity_outcomes where key = ?)", key)
    with pytest.raises(StoreError, match=r"damaged \(predictions of fit \w+\): vc.check_store says"):
        vc.estimate(vc.read_runs(where), "error")


def test_a_lost_table_is_told(where):
    with sqlite3.connect(where) as other:
        other.execute("drop table veracity_cells")
    other.close()
    with pytest.raises(StoreError, match=r"is damaged \(no such table"):
        vc.read_runs(where)


def test_looking_whether_all_is_there_costs_little(tmp_path):
    """Less than reading the keys of the plan once, and few bytes."""
    designs, names = ["kfold(k=10)", "holdout"], [f"d{number}" for number in range(100)]
    planned = [
        PlannedSplit(data, f"l{learner}", by, split, f"{data}-{learner}-{by}-{split:020d}")
        for data in names
        for learner in range(20)
        for by in designs
        for split in range(10)
    ]
    with open_store(tmp_path / "large.db") as store:
        store.save_study({"seed": 1})
        store.save_cells(planned)
        begun = time.perf_counter()
        assert store.notes() == ()
        looked = time.perf_counter() - begun
        store.forget()
        begun = time.perf_counter()
        for data in names:
            for by in designs:
                store.cells_of(data, by, [f"l{learner}" for learner in range(20)])
        assert looked < time.perf_counter() - begun
        with store._reading() as connection:
            assert len(recorded_places(connection)) == 4000
            text = connection.exec_driver_sql("select value from veracity_about where name = 'places'").scalar()
    assert len(text) < 5000 and Path(tmp_path / "large.db").exists()


def test_a_lost_description_of_the_study_is_told(where):
    spoil(where, "delete from veracity_about where name = 'study'")
    (note,) = call("status", where)["notes"]
    assert note["weight"] == "caution" and "has lost the description of its study" in note["says"]
