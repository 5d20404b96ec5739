"""One list of missing marks for every format and every question: NA, ?, NULL and the like among numbers are missing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.core.errors import BadInput
from veracity.core.missing import MISSING_MARKS
from veracity.readers.columns import read_columns
from veracity.readers.read_data import from_file

MARKS = ["NA", "?", "NULL", "nan", "N/A", "None", "na", " NA ", "#N/A", "<NA>"]
AGES = [str(20 + row % 45) for row in range(60)]


def write_ages(path, mark, rows=range(0, 60, 6)):
    """Write 60 rows with an age, every sixth of them a mark, in the format that the file's ending names."""
    ages = [mark if row in rows else age for row, age in enumerate(AGES)]
    labels = ["no" if row % 2 else "yes" for row in range(60)]
    if path.suffix in (".csv", ".tsv"):
        sign = "," if path.suffix == ".csv" else "\t"
        lines = [f"age{sign}y", *(f"{age}{sign}{label}" for age, label in zip(ages, labels, strict=True))]
        path.write_text("\n".join(lines) + "\n", "utf-8")
    elif path.suffix == ".jsonl":
        cells = [None if age == "" else age if age == mark else int(age) for age in ages]
        lines = [json.dumps({"age": cell, "y": label}) for cell, label in zip(cells, labels, strict=True)]
        path.write_text("\n".join(lines) + "\n", "utf-8")
    elif path.suffix == ".arff":
        body = "".join(f"{'?' if age == '' else age},{label}\n" for age, label in zip(ages, labels, strict=True))
        path.write_text(f"@relation r\n@attribute age numeric\n@attribute y {{no,yes}}\n@data\n{body}", "utf-8")
    else:
        pandas.DataFrame({"age": [age or None for age in ages], "y": labels}).to_parquet(path)
    return path


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "arff", "parquet"])
@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_among_numbers_is_a_missing_number_in_every_format(tmp_path, ending, mark):
    data = from_file(write_ages(tmp_path / f"d.{ending}", mark), target="y")
    empty = from_file(write_ages(tmp_path / "empty.csv", ""), target="y")
    assert data.categorical == () and data.incomplete
    assert np.array_equal(data.features, empty.features, equal_nan=True)
    assert data.fingerprint == empty.fingerprint  # so that a fit is the same, imputation and all


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_in_a_frame_of_texts_and_numbers_is_a_missing_number(tmp_path, mark):
    empty = from_file(write_ages(tmp_path / "empty.csv", ""), target="y")
    labels = ["no" if row % 2 else "yes" for row in range(60)]
    texts = [mark if row % 6 == 0 else age for row, age in enumerate(AGES)]
    mixed = [mark if row % 6 == 0 else int(age) for row, age in enumerate(AGES)]
    for ages in (texts, mixed):
        data = from_file(pandas.DataFrame({"age": ages, "y": labels}), target="y")
        assert np.array_equal(data.features, empty.features, equal_nan=True)


def test_numbers_with_marks_are_imputed_and_not_encoded(tmp_path):
    data = {"path": write_ages(tmp_path / "d.csv", "NA"), "empty": write_ages(tmp_path / "e.csv", "")}
    found = {}
    for name, path in data.items():
        study = vc.Study({"d": from_file(path, target="y")}, {"logit": LogisticRegression()}, by="kfold(k=3)")
        runs = study.run(store=tmp_path / f"{name}.db")
        says = " ".join(note.says for note in runs.notes)
        assert "one-hot" not in says and "missing numbers set to the median" in says
        found[name] = vc.estimate(runs, "log_loss")["logit"].value
    assert found["path"] == found["empty"]


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_among_predictions_is_missing(tmp_path, mark):
    path = tmp_path / "p.csv"
    path.write_text(f"y,p\na,0.2\nb,{mark}\nb,0.7\na,0.4\n", "utf-8")
    asked = {"truth": "y", "proba": "p", "positive": "b"}
    with pytest.raises(BadInput, match=r"p.csv, column p: row 2 has no value; .* `missing='drop'`"):
        vc.read_predictions(path, **asked)
    assert len(vc.read_predictions(path, **asked, missing="drop")) == 3


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_among_classes_that_are_numbers_is_a_missing_class(tmp_path, mark):
    path = tmp_path / "p.csv"
    path.write_text(f"y,p\n0,0.2\n1,0.1\n{mark},0.7\n1,0.4\n", "utf-8")
    with pytest.raises(BadInput, match=r"p.csv, column y: row 3 has no value"):
        vc.read_predictions(path, truth="y", proba="p", positive="1")
    assert vc.read_predictions(path, truth="y", proba="p", positive="1", missing="drop").classes == (0, 1)


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_in_a_table_of_scores_is_a_missing_score(tmp_path, mark):
    path = tmp_path / "s.csv"
    path.write_text(f"dataset,a,b\niris,0.9,0.8\nwine,{mark},0.7\nzoo,0.5,0.6\n", "utf-8")
    values = vc.read_scores(path, "accuracy").values
    assert np.isnan(values).tolist() == [[False, False], [True, False], [False, False]]
    frame = pandas.DataFrame({"data": ["x", "y"], "a": [mark, "0.5"], "b": [0.1, 0.2]})
    assert np.isnan(vc.score_matrix(frame).values).tolist() == [[True, False], [False, False]]


def test_marks_among_true_and_false_are_missing(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("x,y\ntrue,a\nNA,b\nFalse,a\n", "utf-8")
    assert read_columns(path)["x"].tolist() == [True, None, False]


def test_a_mark_in_a_column_of_texts_stays_a_text_and_is_told_where_it_counts(tmp_path):
    path = tmp_path / "d.csv"
    rows = [("DE", 1), ("NA", 2), ("FR", 3), ("", 4), ("NA", 5)]
    path.write_text("country,y\n" + "".join(f"{country},{y}\n" for country, y in rows), "utf-8")
    assert read_columns(path)["country"].tolist() == ["DE", "NA", "FR", None, "NA"]

    lines = [f"{row % 7},{('a', 'b', 'None')[row % 3]}" for row in range(30)]
    (tmp_path / "t.csv").write_text("x,y\n" + "\n".join(lines) + "\n", "utf-8")
    data = {"t": from_file(tmp_path / "t.csv", target="y")}
    runs = vc.Study(data, {"nb": GaussianNB()}, by="kfold(k=3)").run(store=tmp_path / "t.db")
    note = next(note for note in runs.notes if note.code == "mark-is-a-class")
    assert note.weight == "remark"  # none, mild, severe: a class more often than not
    assert "'None' in 10 of 30 rows" in note.says and "leave these cells empty" in note.says

    (tmp_path / "p.csv").write_text("y,yhat\n" + "a,a\nb,b\nNA,a\nNA,NA\n" * 5, "utf-8")
    p = vc.read_predictions(tmp_path / "p.csv", truth="y", label="yhat")
    assert p.classes == ("NA", "a", "b")
    assert [note.code for note in p.notes] == ["mark-is-a-class"]
    assert "'NA' in 10 of 20 rows" in p.notes[0].says


def test_rows_whose_group_is_a_mark_are_told_to_make_one_group(tmp_path):
    (tmp_path / "p.csv").write_text("y,yhat,g\n" + "a,a,u\nb,b,v\na,b,NA\nb,a,NA\n" * 5, "utf-8")
    p = vc.read_predictions(tmp_path / "p.csv", truth="y", label="yhat", groups="g")
    assert [note.code for note in p.notes] == ["mark-is-a-group"]


def test_a_column_of_marks_alone_stays_text(tmp_path):
    (tmp_path / "p.csv").write_text("y,yhat\nnone,none\nsome,none\nnone,none\n", "utf-8")
    p = vc.read_predictions(tmp_path / "p.csv", truth="y", label="yhat")
    assert vc.score(p, "error") == pytest.approx(1 / 3)


def test_texts_of_a_typed_file_stay_texts_without_a_mark(tmp_path):
    path = tmp_path / "d.parquet"
    pandas.DataFrame({"zip": ["123", "456"], "code": ["07", "NA"], "n": ["1", "NA"]}).to_parquet(path)
    found = read_columns(path)
    assert found["zip"].tolist() == ["123", "456"] and found["code"].tolist() == ["07", "NA"]
    assert found["n"].tolist() == [1, None] and found.missing == {"n": 1}


def test_a_mark_after_many_numbers_is_missing_all_the_same(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("x,y\n" + "1,0.5\n" * 50_000 + "NA,?\n", "utf-8")
    found = read_columns(path)
    assert found["x"][[0, -1]].tolist() == [1, None] and found.missing == {"x": 50_000, "y": 50_000}
    assert np.isnan(found["y"][-1]) and found["y"][0] == 0.5


def test_the_manual_lists_the_marks():
    page = (Path(__file__).parents[2] / "docs/how-to/files.md").read_text("utf-8")
    for mark in filter(None, MISSING_MARKS):
        assert f"`{mark}`" in page, mark


def test_a_mark_among_predicted_labels_is_told(tmp_path):
    """NA in a column of labels counted as a wrong answer, without a word."""
    rows = [f"{'ham' if i % 2 else 'spam'},{'NA' if i in (3, 8) else 'ham' if i % 3 else 'spam'}" for i in range(60)]
    (tmp_path / "p.csv").write_text("\n".join(["y,a", *rows]) + "\n")
    p = vc.read_predictions(tmp_path / "p.csv", truth="y", label="a")
    (note,) = (note for note in p.notes if note.code == "mark-is-a-class")
    assert "column a holds 'NA' in 2 of 60 rows" in note.says and note.weight == "caution"
