"""Several files brought to the same rows."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from veracity.core.errors import BadInput
from veracity.readers.read_models import join_files
from veracity.readers.source import expand_patterns, unique_names


@pytest.fixture
def models(frame, tmp_path):
    """Three models over the same rows, each file in another order and format."""
    rng = np.random.default_rng(1)
    for name, ending in (("first", "csv"), ("second", "parquet"), ("third", "jsonl")):
        table = frame[["id", "y", "p"]].assign(p=rng.random(len(frame))).sample(frac=1, random_state=len(name))
        if ending == "csv":
            table.to_csv(tmp_path / "first.csv", index=False)
        elif ending == "parquet":
            table.to_parquet(tmp_path / "second.parquet")
        else:
            table.to_json(tmp_path / "third.jsonl", orient="records", lines=True, double_precision=15)
        table.set_index("id").to_pickle(tmp_path / f"{name}.expected")
    return tmp_path


def said(*files, **asked) -> str:
    with pytest.raises(BadInput) as caught:
        join_files(list(files), **{"truth": "y", "proba": "p", "positive": "1", "rows": "id", **asked})
    return str(caught.value)


def write(path, ids, truth, p=None):
    pandas.DataFrame({"id": ids, "y": truth, "p": 0.5 if p is None else p}).to_csv(path, index=False)
    return str(path)


def test_rows_are_matched_by_id(models):
    files = [models / "first.csv", models / "second.parquet", models / "third.jsonl"]
    found = join_files(files, truth="y", proba="p", positive="1", rows="id")
    assert list(found) == ["first", "second", "third"]
    order = found["first"].rows
    for name, p in found.items():
        expected = pandas.read_pickle(models / f"{name}.expected").loc[order]
        np.testing.assert_array_equal(p.rows, order)
        np.testing.assert_array_equal(p.truth, expected["y"])
        np.testing.assert_allclose(p.proba, expected["p"], rtol=0, atol=1e-15)
        assert p.name == name


def test_pattern(models, monkeypatch):
    monkeypatch.chdir(models)
    assert expand_patterns("f*.csv") == ["first.csv"]
    assert expand_patterns(["third.jsonl", "*.parquet"]) == ["third.jsonl", "second.parquet"]
    assert expand_patterns(str(models / "*.csv")) == [str(models / "first.csv")]
    with pytest.raises(BadInput, match="no file matches nothing"):
        expand_patterns("nothing*.csv")


def test_a_file_whose_name_looks_like_a_pattern(tmp_path):
    path = write(tmp_path / "a[1].csv", [1, 2], [0, 1])
    assert list(join_files(path, truth="y", proba="p", positive=1)) == ["a[1]"]


def test_names_are_made_different():
    assert list(unique_names(["x/a.csv", "y/a.csv", "b.csv.gz"])) == ["x/a", "y/a", "b"]
    assert list(unique_names(["z/x/a.csv", "y/x/a.csv"])) == ["z/x/a", "y/x/a"]
    assert list(unique_names(["x/a.csv", "x/a.tsv", "b.csv"])) == ["a.csv", "a.tsv", "b"]
    assert list(unique_names([pandas.DataFrame(), pandas.DataFrame()])) == ["frame 1", "frame 2"]


def test_without_ids_rows_stay_in_order(tmp_path):
    one = write(tmp_path / "one.csv", [1, 2, 3], [0, 1, 1], [0.1, 0.2, 0.3])
    two = write(tmp_path / "two.csv", [3, 2, 1], [0, 1, 1], [0.4, 0.5, 0.6])
    found = join_files([one, two], truth="y", proba="p", positive=1)
    assert found["two"].proba.tolist() == [0.4, 0.5, 0.6]
    three = write(tmp_path / "three.csv", [1, 2, 3], [0, 0, 1])
    assert said(one, three, rows=None).startswith(
        f"the truth of row 2 differs: 1 in {one}, 0 in {three}; name a column"
    )
    four = write(tmp_path / "four.csv", [1, 2], [0, 1])
    assert said(one, four, rows=None).startswith(f"{four} has 2 rows, but {one} has 3: name a column of row ids")


def test_ids_that_do_not_match(tmp_path):
    one = write(tmp_path / "one.csv", [1, 2, 3, 4], [0, 1, 1, 0])
    two = write(tmp_path / "two.csv", [1, 2, 9], [0, 1, 1])
    assert said(one, two) == (
        f"{one} lacks 1 of 5 rows (9), {two} lacks 2 of 5 rows (3, 4): all models must predict the same rows; "
        "to leave out rows that not all have, give `missing='drop'`"
    )
    again = write(tmp_path / "again.csv", [1, 2, 3, 2, 3], [0, 1, 1, 1, 1])
    sentence = f"{again}: the row id 2 occurs twice, in rows 2 and 4: each row needs its own"
    assert said(one, again) == sentence
    assert said(again, one) == sentence
    assert said(again) == sentence
    words = write(tmp_path / "words.csv", ["a", "b", "c", "d"], [0, 1, 1, 0])
    assert "the row ids are text in one of" in said(one, words)


def test_truth_that_differs_is_named_by_its_id(tmp_path):
    one = write(tmp_path / "one.csv", [7, 8, 9], ["ham", "spam", "spam"])
    two = write(tmp_path / "two.csv", [9, 8, 7], ["spam", "ham", "ham"])
    assert said(one, two, positive="spam") == f"the truth of id 8 differs: 'spam' in {one}, 'ham' in {two}"


def test_rows_in_sentences_are_those_of_the_file(tmp_path):
    one = write(tmp_path / "one.csv", [1, 2, 3], [0, 1, 1])
    two = write(tmp_path / "two.csv", [3, 2, 1], [1, 1, 0], [1.5, 0.5, 0.5])
    assert said(one, two) == f"{two}, column p: row 1 is 1.5; probabilities must lie between 0 and 1"


def test_a_class_that_only_one_model_predicts(tmp_path):
    pandas.DataFrame({"y": [0, 1], "l": [0, 1]}).to_csv(tmp_path / "one.csv", index=False)
    pandas.DataFrame({"y": [0, 1], "l": [2, 1]}).to_csv(tmp_path / "two.csv", index=False)
    found = join_files([tmp_path / "one.csv", tmp_path / "two.csv"], truth="y", label="l")
    assert {p.classes for p in found.values()} == {(0, 1, 2)}
    assert found["two"].label.tolist() == [2, 1]


def test_frames_by_name():
    one = pandas.DataFrame({"y": [0, 1], "p": [0.5, 0.5]})
    two = pandas.DataFrame({"y": [1, 1], "p": [0.5, 0.5]})
    with pytest.raises(BadInput, match="the truth of row 1 differs: 0 in the frame of a, 1 in the frame of b"):
        join_files({"a": one, "b": two}, truth="y", proba="p", positive=1, classes=[0, 1])
