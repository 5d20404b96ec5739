"""Predictions from columns: roles, typed labels, and sentences that name file, column and row."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from veracity.core.errors import BadInput
from veracity.readers.read_predictions import predictions_of, read_predictions, read_table
from veracity.readers.source import model_name

ROWS = """y,word,flag,real,p,q,r,s,yhat,w,g,id
1,spam,true,1.0,0.9,0.1,0.0,2.5,1,1,a,x
0,ham,false,0.0,0.2,0.5,0.3,-1,0,2,a,y
1,spam,true,1.0,0.4,0.3,0.3,0.5,0,1,b,z
0,eggs,false,0.0,0.1,0.1,0.8,-2,0,3,b,u
"""


@pytest.fixture
def path(tmp_path):
    (tmp_path / "preds.csv").write_text(ROWS)
    return tmp_path / "preds.csv"


def said(path, **asked) -> str:
    with pytest.raises(BadInput) as caught:
        read_predictions(path, **asked)
    return str(caught.value).replace(f"{path.parent}/", "")


@pytest.mark.parametrize(
    ("truth", "typed", "positive"),
    [
        ("y", "1", 1),
        ("y", "1.0", 1),
        ("y", 1, 1),
        ("flag", "true", True),
        ("flag", "True", True),
        ("flag", "1", True),
        ("flag", True, True),
        ("real", "1", 1.0),
    ],
)
def test_positive_is_read_in_the_type_of_the_column(path, truth, typed, positive):
    p = read_predictions(path, truth=truth, proba="p", positive=typed)
    assert p.classes[p.positive] == positive
    assert type(p.classes[p.positive]) is type(positive)
    np.testing.assert_array_equal(p.truth == p.positive, [True, False, True, False])


def test_every_role(path):
    p = read_predictions(
        path,
        truth="y",
        label="yhat",
        proba="p",
        value="s",
        positive="1",
        weights="w",
        groups="g",
        rows="id",
        threshold=0.3,
        name="mine",
    )
    assert p.label.tolist() == [1, 0, 0, 0]
    assert p.proba.tolist() == [0.9, 0.2, 0.4, 0.1]
    assert p.value.tolist() == [2.5, -1, 0.5, -2]
    assert p.weights.tolist() == [1, 2, 1, 3]
    assert p.groups.tolist() == [0, 0, 1, 1]
    assert p.rows.tolist() == ["x", "y", "z", "u"]
    assert (p.name, p.threshold) == ("mine", 0.3)


def test_a_column_for_each_class(path):
    proba = {"spam": "p", "ham": "q", "eggs": "r"}
    p = read_predictions(path, truth="word", proba=proba)
    assert p.classes == ("eggs", "ham", "spam")
    assert p.proba[0].tolist() == [0.0, 0.1, 0.9]
    other = read_predictions(
        path, truth="word", proba={"spam": "p", "ham": "q", "eggs": "r"}, classes=["spam", "ham", "eggs"]
    )
    assert other.proba[0].tolist() == [0.9, 0.1, 0.0]
    assert other.labels().tolist() == [0, 1, 0, 2]


def test_one_named_class_is_the_positive_one(path):
    p = read_predictions(path, truth="y", proba={"1": "p"})
    assert p.positive == 1
    assert "name the same class" in said(path, truth="y", proba={"1": "p"}, positive="0")


def test_keys_are_read_in_the_type_of_the_column(path):
    two = read_predictions(
        pandas.DataFrame({"y": [1, 0], "a": [0.25, 0.5], "b": [0.75, 0.5]}), truth="y", proba={"0": "a", "1": "b"}
    )
    assert two.classes == (0, 1)
    assert two.proba.tolist() == [[0.25, 0.75], [0.5, 0.5]]


def test_numbers(path):
    p = read_predictions(path, truth="s", number="p")
    assert (p.kind, p.number.tolist()) == ("numbers", [0.9, 0.2, 0.4, 0.1])


def test_columns_read_once_serve_several_models(path):
    asked = [{"truth": "y", "label": "yhat"}, {"truth": "y", "value": "s", "positive": "1"}]
    columns = read_table(path, asked, "p")
    assert list(columns) == ["y", "yhat", "s", "p", "id"]
    assert predictions_of(columns, asked[0], "a").label.tolist() == [1, 0, 0, 0]
    assert predictions_of(columns, asked[1], "b").value[0] == 2.5


def test_text_that_is_a_number_serves_as_one(tmp_path):
    (tmp_path / "a.csv").write_text("y,s\n1,01\n0,2\n")
    assert read_predictions(tmp_path / "a.csv", truth="y", value="s", positive=1).value.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"truth": "yy", "label": "yhat"}, "preds.csv has no column 'yy': there are 'y', "),
        ({"proba": "p", "positive": "x"}, "the positive class 'x' does not occur: preds.csv, column y holds [0, 1]"),
        ({"proba": "s", "positive": 1}, "preds.csv, column s: row 1 is 2.5; probabilities must lie between 0 and 1"),
        ({"value": "word", "positive": 1}, "preds.csv, column word: row 1 holds 'spam', which is not a number"),
        ({"truth": "word", "proba": {"spam": "p", "ham": "g"}}, "preds.csv, column word holds 'eggs', but prob"),
        ({"proba": {"1": "p", "0": "g"}}, "preds.csv, column g: row 1 holds 'a', which is not a number"),
        ({"proba": {"1": "p", "0": "q"}}, "preds.csv, columns p, q: row 2 sums to 0.7, not to 1"),
        ({"proba": {"1": "p", "0": "q"}, "classes": [0, 2]}, "preds.csv, columns p, q: a column is needed for each"),
        ({"proba": {"1": "p", 1: "q"}}, "preds.csv, columns p, q: each class has one column"),
        (
            {"label": "yhat", "classes": ["0", "2"]},
            "preds.csv, column y: row 1 holds 1, which is not among the classes",
        ),
        ({"label": "yhat", "weights": "s"}, "preds.csv, column s: row 2 is -1; each must be greater than 0"),
        ({}, "name the column with what the model said, label=, proba=, value= or number=; "),
    ],
    ids=range(12),
)
def test_sentence(path, asked, sentence):
    assert said(path, **{"truth": "y", **asked}).startswith(sentence)


@pytest.mark.parametrize("role", ["truth", "value", "weights", "groups", "rows", "label", "proba"])
def test_an_empty_cell_is_named(tmp_path, role):
    asked = {
        "truth": "y",
        "value": "s",
        "positive": 1,
        "weights": "w",
        "groups": "g",
        "rows": "i",
        "label": "l",
        "proba": "p",
    }
    lines = ["y,s,w,g,i,l,p", "1,2,1,a,3,0,0.5", "0,1,1,b,4,1,0.25"]
    names = lines[0].split(",")
    cells = lines[2].split(",")
    cells[names.index(asked[role])] = ""
    (tmp_path / "a.csv").write_text("\n".join([*lines[:2], ",".join(cells)]) + "\n")
    unknown = "; where nobody knows it, `labelled='some'`" if role == "truth" else ""
    assert (
        said(tmp_path / "a.csv", **asked)
        == f"a.csv, column {asked[role]}: row 2 has no value; fill it in or leave such rows out,"
        f" `missing='drop'`{unknown}"
    )


def test_without_the_truth_the_columns_are_listed_with_a_guess(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("id,y,p\n" + "".join(f"{i},{int(i > 4)},0.{i}\n" for i in range(1, 9)))
    with pytest.raises(BadInput) as caught:
        read_predictions("a.csv")
    says = str(caught.value)
    assert says.startswith("name the column with the truth, truth=; a.csv has 'id', 'y', 'p'; perhaps: ")
    guess = says.partition("perhaps: ")[2]
    assert guess == "read_predictions('a.csv', truth='y', proba='p', positive='1')"
    assert eval(guess).proba.tolist() == read_predictions("a.csv", truth="y", proba="p", positive=1).proba.tolist()


def test_rows_of_a_frame_count_from_zero():
    frame = pandas.DataFrame({"y": [1, 0, 1], "s": [0.5, None, 1.0]})
    with pytest.raises(BadInput, match=r"the frame, column s: row 1 has no value"):
        read_predictions(frame, truth="y", value="s", positive=1)


def test_one_class_only(tmp_path):
    (tmp_path / "a.csv").write_text("y,p\n1,0.5\n1,0.25\n")
    assert said(tmp_path / "a.csv", truth="y", proba="p", positive="1").startswith(
        "a.csv, column y: there is only the class 1"
    )


@pytest.mark.parametrize(("path", "name"), [("a/b.csv", "b"), ("a/b.v2.csv.gz", "b.v2"), ("-", "standard input")])
def test_model_name(path, name):
    assert model_name(path) == name
