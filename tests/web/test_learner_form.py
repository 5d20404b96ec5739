"""A learner comes back into the form and goes back to its place; entries move, and whole folders are added."""

import re
import tomllib
from html import unescape
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web.conftest import STUDY, client_of
from tests.web.test_setup import VALUES, text_in
from veracity.core.errors import BadInput
from veracity.learners.from_text import canonical_text
from veracity.studies.parse import learner_table
from veracity.web.edits import apply, learner_in_study, typed_value
from veracity.web.estimators import value_of

FOREST = "sklearn.ensemble:RandomForestClassifier"
LEARNERS = {
    "plain": "sklearn.naive_bayes:GaussianNB",
    "called": f"{FOREST}(n_estimators=7, max_features='sqrt', max_depth=3)",
    "table": {"use": FOREST, "n_estimators": 7, "max_features": 0.5, "warm_start": True},
    "tuned": {"tune": "sklearn.svm:SVC", "grid": {"C": [0.5, 2], "kernel": ["rbf"]}, "by": "kfold(k=3)"},
    "tuned with parameters": {
        "tune": {"use": "sklearn.svm:SVC", "kernel": "linear"},
        "grid": {"C": [1.5]},
        "by": "holdout",
    },
    "no field": {"use": "sklearn.neural_network:MLPClassifier", "hidden_layer_sizes": [5, 5], "max_iter": 9},
    "foreign": {"use": "mine.own:Learner", "a": 1, "b": "2", "c": [1, "x"], "d": float("inf"), "e": {"k": False}},
    "in order": "mine.own:Learner(1, 'x')",
    "nested": {
        "use": "sklearn.ensemble:BaggingClassifier",
        "estimator": {"use": "sklearn.tree:DecisionTreeClassifier"},
    },
}


def fields_in(page):
    """What a browser sends of the form as it is shown: all fields that have a value."""
    inputs = re.findall(r'<input type="(?:text|hidden)"[^>]*?name="([^"]*)"[^>]*?value="([^"]*)"', page.text)
    return {unescape(name): unescape(value) for name, value in inputs} | {"text": text_in(page)}


def press(bench, page, action, **changes):
    fields = {**fields_in(page), **{name.replace("__", "-"): value for name, value in changes.items()}}
    return bench.post("/study/new", content=urlencode({**fields, "action": action}, doseq=True))


def study_of(page):
    return tomllib.loads(text_in(page))


def opened(bench, text=STUDY):
    return bench.post("/study/new", content=urlencode({"text": text, "action": "text"}))


@given(st.one_of(VALUES, st.dictionaries(st.text(), st.integers())))
def test_what_stands_in_a_field_means_the_same_value(value):
    read = value_of(typed_value(value))
    assert read == value and type(read) is type(value)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_that_is_edited_and_left_as_it_is_stays_the_same(name):
    """Also where its parameters stood in its text: one spelling of the same learner."""
    after = apply({"learners": LEARNERS}, "change-learner", learner_in_study({"learners": LEARNERS}, name))["learners"]
    assert list(after) == list(LEARNERS)
    assert canonical_text(learner_table(after[name])) == canonical_text(learner_table(LEARNERS[name]))


def test_what_the_form_has_no_fields_for_is_left_to_the_text():
    tables = {"learners": {"a": {"tune": "m:A", "grid": {"C": [1]}, "rule": "one_se"}, "b": {"steps": ["m:B"]}, "c": 3}}
    for name in "abc":
        with pytest.raises(BadInput, match="change it in the text"):
            learner_in_study(tables, name)
    with pytest.raises(BadInput, match="no 'd' any more"):
        learner_in_study(tables, "d")


def test_a_learner_is_edited_through_the_page(folder):
    bench = client_of(folder)
    page = press(bench, opened(bench), "edit:learners:stump")
    fields = fields_in(page)
    assert fields["learner"] == "sklearn.tree:DecisionTreeClassifier" and text_in(page) == STUDY
    assert (fields["parameter-max_depth"], fields["parameter-criterion"]) == ("1", "")
    assert fields["learner-name"] == fields["learner-was"] == "stump"
    after = press(bench, page, "change-learner", parameter__max_depth="2", parameter__random_state="")
    expected = {"use": "sklearn.tree:DecisionTreeClassifier", "max_depth": 2}
    assert study_of(after)["learners"] == {**tomllib.loads(STUDY)["learners"], "stump": expected}
    first = press(bench, press(bench, after, "edit:learners:nb"), "change-learner", learner__name="bayes")
    assert list(study_of(first)["learners"]) == ["bayes", "majority", "stump"]
    taken = press(bench, press(bench, after, "edit:learners:nb"), "change-learner", learner__name="stump")
    assert list(study_of(taken)["learners"]) == ["stump 2", "majority", "stump"]
    added = press(bench, press(bench, after, "edit:learners:stump"), "add-learner")
    assert study_of(added)["learners"]["stump 2"] == expected


def test_a_learner_that_is_gone_or_cannot_be_made_keeps_what_was_typed(folder):
    bench = client_of(folder)
    page = press(bench, opened(bench), "edit:learners:stump")
    gone = press(bench, page, "change-learner", text=STUDY.replace("stump =", "tree ="))
    assert gone.status_code == 400 and "any more" in gone.text and fields_in(gone)["parameter-max_depth"] == "1"
    bad = press(bench, page, "change-learner", learner__grid="C = 3")
    assert bad.status_code == 400 and fields_in(bad)["learner-grid"] == "C = 3" and text_in(bad) == STUDY
    unknown = press(bench, opened(bench), "look-learner", learner="mine:Own")
    assert "no learner of scikit-learn" in unknown.text and text_in(unknown) == STUDY


def test_data_sets_and_learners_move(folder):
    bench = client_of(folder)
    page = press(bench, opened(bench), "up:learners:stump")
    assert list(study_of(page)["learners"]) == ["nb", "stump", "majority"]
    assert "Move up nb" not in page.text and "Move down majority" not in page.text
    page = press(bench, page, "down:data:moons")
    assert list(study_of(page)["data"]) == ["circles", "moons", "blobs"]
    for stays in ("up:data:circles", "down:data:blobs", "sideways:data:moons"):
        assert study_of(press(bench, page, stays)) == study_of(page)
    before, after = tomllib.loads(STUDY), study_of(page)
    assert before == after and before["data"] == after["data"]  # the order alone is another
    assert press(bench, page, "up:data:squares").status_code == 400


def test_all_tables_of_a_folder_are_added(folder):
    rows = "size,class\n" + "".join(f"{n},{'ab'[n % 2]}\n" for n in range(40))
    (folder / "many" / "deeper").mkdir(parents=True)
    for name in ("one.csv", "two.csv", "moons.csv", "deeper/four.csv"):
        (folder / "many" / name).write_text(rows)
    (folder / "many" / "notes.txt").write_text("no table")
    bench = client_of(folder)
    page = press(bench, opened(bench), "add-folder", source="many/", data__target="class")
    data = study_of(page)["data"]
    expected = {
        name: {"file": f"many/{file}.csv", "target": "class"}
        for name, file in (("moons 2", "moons"), ("one", "one"), ("two", "two"))
    }
    assert {name: data[name] for name in list(data)[3:]} == expected
    assert "40 rows, 1 column, 2 classes" in page.text and 'value="many/deeper/"' in page.text
    again = press(bench, page, "add-folder", source="many")
    assert (
        again.status_code == 400
        and "all its tables are in the study" in again.text
        and study_of(again) == study_of(page)
    )
    for nothing in ("elsewhere", "many/one.csv", "../.."):
        assert "no tables lie there" in press(bench, page, "add-folder", source=nothing).text


def test_a_study_in_a_folder_names_its_files_from_there(folder):
    (folder / "sub").mkdir()
    (folder / "sub" / "own.toml").write_text(STUDY)
    for name in ("sub/near.csv", "far.csv"):
        (folder / name).write_text("size,class\n" + "".join(f"{n},{'ab'[n % 2]}\n" for n in range(40)))
    bench = client_of(folder)
    page = bench.get("/study/sub%2Fown.toml/setup")
    assert 'value="near.csv"' in page.text and 'value="../far.csv"' in page.text
    for name in ("near.csv", "../far.csv"):
        sent = {**fields_in(page), "action": "look", "source": name}
        assert 'aria-label="First rows"' in bench.post("/study/sub%2Fown.toml/setup", content=urlencode(sent)).text
        sent = {**sent, "action": "add-data", "data-target": "class"}
        added = bench.post("/study/sub%2Fown.toml/setup", content=urlencode(sent))
        assert "40 rows, 1 column, 2 classes" in added.text
