"""A data set comes back into the form with its roles and goes back to its place."""

import re
import tomllib
from html import unescape

import pytest

from tests.web.conftest import client_of
from tests.web.test_learner_form import fields_in, opened, press, study_of
from tests.web.test_setup import text_in
from veracity.core.errors import BadInput
from veracity.web.edits import apply, data_in_study

DATA = {
    "plain": "things.csv",
    "iris": "sklearn:load_iris",
    "whole": {
        "file": "things.csv",
        "target": "class",
        "positive": "a",
        "groups": "who",
        "weights": "size",
        "time": "size",
        "test": "more.csv",
        "kind": "classes",
        "leave_out": ["who", "size"],
    },
    "number": {"file": "things.csv", "target": "class", "positive": 1},
    "one left out": {"file": "things.csv", "target": "class", "leave_out": "who"},
}
STUDY = """by = "kfold(k=3)"

[data]
things = { file = "things.csv", target = "class", positive = "a", leave_out = ["who"] }
iris = "sklearn:load_iris"

[learners]
nb = "sklearn.naive_bayes:GaussianNB"
"""


@pytest.fixture
def bench(folder):
    rows = "size,who,class\n" + "".join(f"{n},{n % 5},{'ab'[n % 2]}\n" for n in range(40))
    for name in ("things.csv", "other.csv"):
        (folder / name).write_text(rows)
    return client_of(folder)


def all_fields(page):
    """What a browser sends: texts, picked options and checked boxes."""
    picked = {}
    for name, inside in re.findall(r'<select name="(data-[^"]*)">(.*?)</select>', page.text, re.S):
        found = re.search(r'<option selected value="([^"]*)"|<option selected>([^<]*)', inside)
        picked[unescape(name)] = unescape(found[1] or found[2]) if found else ""
    checked = re.findall(r'name="data-leave_out" value="([^"]*)" checked', page.text)
    return fields_in(page) | picked | {"data-leave_out": [unescape(one) for one in checked]}


@pytest.mark.parametrize("name", DATA)
def test_a_data_set_that_is_edited_and_left_as_it_is_stays_the_same(name):
    after = apply({"data": DATA}, "change-data", data_in_study({"data": DATA}, name))["data"]
    same = {**DATA, "one left out": {**DATA["one left out"], "leave_out": ["who"]}} if "left" in name else DATA
    assert after == same and list(after) == list(DATA)
    assert type(after["number"]["positive"]) is int


def test_what_the_form_has_no_fields_for_is_left_to_the_text():
    for part in ({"file": 3}, {"target": "y"}, {"file": "a.csv", "odd": 1}, 7):
        with pytest.raises(BadInput, match="change it in the text"):
            data_in_study({"data": {"a": part}}, "a")
    with pytest.raises(BadInput, match="no 'b' any more"):
        data_in_study({"data": {}}, "b")


def test_a_data_set_is_edited_through_the_page(bench):
    page = press(bench, opened(bench, STUDY), "edit:data:things")
    fields = all_fields(page)
    assert text_in(page) == STUDY and 'aria-label="First rows"' in page.text
    assert (fields["source"], fields["data-was"], fields["data-positive"]) == ("things.csv", "things", "a")
    assert (fields["data-target"], fields["data-groups"], fields["data-leave_out"]) == ("class", "", ["who"])
    fields |= {"source": "other.csv", "data-groups": "who", "data-positive": "b", "data-leave_out": ""}
    after = press(bench, page, "change-data", **fields)
    changed = {"file": "other.csv", "target": "class", "positive": "b", "groups": "who"}
    assert study_of(after)["data"] == {"things": changed, "iris": "sklearn:load_iris"}
    assert list(study_of(after)["data"]) == ["things", "iris"] and fields_in(after)["source"] == ""
    named = press(bench, press(bench, after, "edit:data:iris"), "change-data", **{"data-name": "things"})
    assert list(study_of(named)["data"]) == ["things", "things 2"]


def test_a_data_set_of_scikit_learn_has_no_columns_to_pick(bench):
    page = press(bench, opened(bench, STUDY), "edit:data:iris")
    assert "First rows" not in page.text and 'name="data-positive"' in page.text and 'name="data-test"' not in page.text
    after = press(bench, page, "change-data", **{**all_fields(page), "source": "sklearn:load_wine"})
    assert study_of(after)["data"]["iris"] == "sklearn:load_wine"


def test_a_file_that_cannot_be_read_costs_no_draft(bench):
    for action, source in (("look", "nowhere.csv"), ("look", "../../etc/passwd")):
        page = press(bench, opened(bench, STUDY), action, source=source)
        assert 'role="alert"' in page.text and text_in(page) == STUDY and fields_in(page)["source"] == source
    gone = STUDY.replace("things.csv", "gone.csv")
    page = press(bench, opened(bench, gone), "edit:data:things")
    assert 'role="alert"' in page.text and text_in(page) == gone
    mended = press(bench, page, "change-data", source="things.csv")  # its roles stand in the form all the same
    assert study_of(mended) == tomllib.loads(STUDY)
    missing = press(bench, press(bench, opened(bench, STUDY), "edit:data:things"), "change-data", source="")
    assert missing.status_code == 400 and text_in(missing) == STUDY
