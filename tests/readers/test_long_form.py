"""Tables with a row for each item and model."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

import veracity as vc
from veracity.core.errors import BadInput

MODELS = ("gpt", "claude", "llama")


@pytest.fixture
def long():
    random = np.random.default_rng(3)
    rows = [
        {"q": f"q{item}", "model": model, "ok": int(random.random() < 0.7), "y": item % 2, "p": random.random()}
        for item in range(30)
        for model in MODELS
    ]
    return pandas.DataFrame(rows)


def read(source, **more):
    return vc.read_predictions(source, **{"model": "model", "rows": "q", "correct": "ok", **more})


def test_models_come_in_the_order_of_the_table_and_their_rows_are_the_same(long, tmp_path):
    wide = long.pivot(index="q", columns="model", values="ok")
    shuffled = long.sample(frac=1, random_state=1)
    shuffled.to_csv(tmp_path / "log.csv", index=False)
    for source in (long, shuffled, tmp_path / "log.csv"):
        models = read(source)
        assert set(models) == set(MODELS)
        first = next(iter(models.values())).rows
        for name, p in models.items():
            np.testing.assert_array_equal(p.rows, first)
            np.testing.assert_array_equal(p.label == 0, wide.loc[first, name] == 1)
            assert p.name == name
    assert list(read(long)) == list(MODELS)


def test_a_long_table_is_compared_as_the_wide_one(long):
    wide = long.pivot(index="q", columns="model", values="p").reset_index()
    wide["y"] = [int(q[1:]) % 2 for q in wide["q"]]
    models = vc.read_predictions(long, model="model", rows="q", truth="y", proba="p", positive=1)
    other = {name: vc.read_predictions(wide, truth="y", proba=name, positive=1) for name in MODELS}
    for mine, theirs in zip(vc.compare(models, "brier"), vc.compare(other, "brier"), strict=True):
        assert (mine.a, mine.b) == (theirs.a, theirs.b)
        assert mine.p_value == pytest.approx(theirs.p_value)


def test_models_that_lack_rows(long):
    holes = long.drop(index=[0, 7, 13])  # q0 of gpt, q2 of claude, q4 of claude
    with pytest.raises(BadInput) as caught:
        read(holes)
    assert str(caught.value) == (
        "model claude lacks 2 of 30 rows ('q2', 'q4'), model gpt lacks 1 of 30 rows ('q0'): "
        "all models must predict the same rows; to leave out rows that not all have, give `missing='drop'`"
    )
    models = read(holes, missing="drop")
    assert {len(p) for p in models.values()} == {27}
    (note,) = models["gpt"].notes
    assert (note.code, note.weight) == ("rows-left-out", "caution")
    assert note.says == (
        "3 of 30 rows are not there for every model and were left out: model claude lacks 2, model gpt lacks 1"
    )


def test_a_missing_cell_of_one_model_costs_the_row_of_all(long):
    long["ok"] = long["ok"].astype(float)
    long.loc[4, "ok"] = np.nan
    with pytest.raises(BadInput, match=r"the frame, column ok: row 4 has no value; .* `missing='drop'`"):
        read(long)
    models = read(long, missing="drop")
    assert {len(p) for p in models.values()} == {29}
    assert [note.says for note in models["gpt"].notes] == [
        "the frame: 1 of 90 rows has a missing cell (ok 1) and was left out",
        "1 of 30 rows are not there for every model and were left out: model claude lacks 1",
    ]


def test_an_item_twice_is_named_with_the_rows_of_the_file(long, tmp_path):
    twice = pandas.concat([long, long.iloc[[4]]])
    twice.to_csv(tmp_path / "log.csv", index=False)
    with pytest.raises(BadInput) as caught:
        read(tmp_path / "log.csv", correct=None, truth="y", label="ok")
    assert str(caught.value) == (
        "model claude: the row id 'q1' occurs twice, in rows 5 and 91: each row needs its own; of items that were"
        " tried several times `correct=` or `loss=` is averaged, or give `groups=` in its place"
    )


def test_rows_in_sentences_are_those_of_the_file_also_behind_dropped_ones(long, tmp_path):
    long["p"] = long["p"].round(3).astype(object)
    long.loc[2, "p"], long.loc[10, "p"] = None, 7.0
    long.to_csv(tmp_path / "log.csv", index=False)
    with pytest.raises(BadInput, match=r"log\.csv, column p: row 11 is 7"):
        read(tmp_path / "log.csv", correct=None, truth="y", proba="p", positive="1", missing="drop", percent=False)


def test_a_truth_that_models_tell_differently(long):
    long.loc[4, "y"] = 1 - long.loc[4, "y"]
    with pytest.raises(BadInput, match="the truth of id 'q1' differs: 1 in model gpt, 0 in model claude"):
        vc.read_predictions(long, model="model", rows="q", truth="y", proba="p", positive=1)


def test_without_ids_rows_are_matched_by_their_order_and_that_is_told(long):
    models = read(long, rows=None)
    assert [note.weight for note in models["gpt"].notes if note.code == "rows-by-order"] == ["caution"]
    models = vc.read_predictions(long, model="model", truth="y", proba="p", positive=1)
    assert [note.weight for note in models["gpt"].notes if note.code == "rows-by-order"] == ["remark"]
    with pytest.raises(BadInput, match="model gpt has 29 rows, but model claude has 30: name a column of row ids"):
        read(long.drop(index=[0]), rows=None)


def test_folds_of_a_long_table(long):
    long["fold"] = [int(q[1:]) % 5 for q in long["q"]]
    found = vc.compare(read(long, fold="fold"), "error")
    assert {row.using for row in found} <= {"conservative_t", "corrected_t"}


def test_a_column_of_ids_is_no_column_of_models():
    table = {"q": np.arange(2_000), "ok": np.ones(2_000, int)}
    with pytest.raises(BadInput, match="column q tells 2,000 models apart: name the column"):
        vc.read_predictions(table, model="q", correct="ok")


@pytest.mark.parametrize("name", ["model", "Model name", "learner"])
def test_a_long_file_that_is_taken_for_one_model_is_told_of(tmp_path, name):
    lines = [f"{row},{model},{row % 2},{(row + len(model)) % 2}" for row in range(6) for model in ("a", "bb")]
    (tmp_path / "long.csv").write_text("\n".join([f"id,{name},y,label", *lines]) + "\n")
    one = vc.read_predictions(tmp_path / "long.csv", truth="y", label="label")
    assert [note.code for note in one.notes] == ["looks-like-models"] and f"{name} looks" in one.notes[0].says
    models = vc.read_predictions(tmp_path / "long.csv", truth="y", label="label", model=name, rows="id")
    assert all(note.code != "looks-like-models" for p in models.values() for note in p.notes)
