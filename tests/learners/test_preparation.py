"""The default preparation: what it does, that it learns from training rows only, and how it is replaced."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from veracity.core.errors import BadInput
from veracity.learners.fingerprint import fingerprint
from veracity.learners.preparation import preparation_notes, with_preparation
from veracity.records.data import Data

TABLE = np.array(
    [
        [1.0, "red", True],
        [3.0, "blue", None],
        [np.nan, None, False],
        [5.0, "red", True],
        [100.0, "green", True],
        [np.nan, "blue", False],
    ],
    object,
)
TRUTH = np.array([0, 1, 0, 1, 0, 1], np.int8)


@pytest.fixture
def mixed():
    names = ("size", "colour", "old")
    return Data("things", TABLE, "classes", TRUTH, ("no", "yes"), columns=names, categorical=(1, 2), incomplete=True)


def test_categories_one_hot_and_medians_with_an_indicator(mixed):
    model = with_preparation(GaussianNB(), mixed).fit(TABLE[:4], mixed.target[:4])
    made = model.steps[0][1].transform(TABLE)
    assert made.dtype == np.float64
    # size (median of 1, 3, 5), size missing, blue, red, no colour, False, True, no answer
    expected = [
        [1, 0, 0, 1, 0, 0, 1, 0],
        [3, 0, 1, 0, 0, 0, 0, 1],
        [3, 1, 0, 0, 1, 1, 0, 0],
        [5, 0, 0, 1, 0, 0, 1, 0],
        [100, 0, 0, 0, 0, 0, 1, 0],  # green was never seen in training
        [3, 1, 1, 0, 0, 1, 0, 0],
    ]
    assert made.tolist() == expected


def test_rows_outside_training_change_nothing(mixed):
    alone = with_preparation(GaussianNB(), mixed).fit(TABLE[:4], mixed.target[:4])
    other = TABLE.copy()
    other[4:] = [[-9.0, "black", None], [9e9, "white", None]]
    again = with_preparation(GaussianNB(), replace(mixed, features=other)).fit(other[:4], mixed.target[:4])
    assert (alone.predict_proba(TABLE[:4]) == again.predict_proba(TABLE[:4])).all()


def test_a_column_without_a_number_in_training(mixed):
    empty = TABLE.copy()
    empty[:4, 0] = np.nan
    model = with_preparation(GaussianNB(), mixed).fit(empty[:4], mixed.target[:4])
    assert np.isfinite(model.predict_proba(empty)).all()


def test_plain_numbers_are_left_alone():
    learner = GaussianNB()
    plain = Data("plain", np.ones((3, 2)), "classes", np.array([0, 1, 1]), (0, 1), columns=("a", "b"))
    assert with_preparation(learner, plain) is learner
    assert preparation_notes(plain) == ()


def test_none_and_a_transformer_replace_it(mixed):
    learner = GaussianNB()
    assert with_preparation(learner, replace(mixed, prepare=None)) is learner
    own = OneHotEncoder(handle_unknown="ignore")
    made = with_preparation(LogisticRegression(), replace(mixed, prepare=own))
    assert made.steps[0][1] is own
    plain = Data("p", np.ones((3, 1)), "numbers", np.arange(3.0), columns=("a",), prepare=StandardScaler())
    assert isinstance(with_preparation(learner, plain).steps[0][1], StandardScaler)
    with pytest.raises(BadInput, match="prepare is 'default', None or a transformer, not 'median'"):
        with_preparation(learner, replace(mixed, prepare="median"))


def test_the_preparation_is_part_of_the_fingerprint(mixed):
    kinds = [mixed, replace(mixed, prepare=None), replace(mixed, prepare=OneHotEncoder())]
    assert len({fingerprint(with_preparation(GaussianNB(), kind)) for kind in kinds}) == 3
    assert fingerprint(with_preparation(GaussianNB(), mixed)) == fingerprint(
        with_preparation(GaussianNB(), replace(mixed, name="b"))
    )


def test_notes_say_what_is_done(mixed):
    (note,) = preparation_notes(mixed)
    assert (note.code, note.weight) == ("prepared", "remark")
    assert "things: columns colour, old one-hot encoded" in note.says
    assert "missing numbers set to the median" in note.says and "training rows only" in note.says
    assert preparation_notes(replace(mixed, prepare=None)) == ()


def test_a_column_of_names_is_noticed(mixed):
    def said(number):
        table = np.tile(TABLE, (10, 1))
        table[:, 1] = [f"name {row % number}" for row in range(60)]
        data = replace(mixed, features=table, truth=np.tile(TRUTH, 10))
        return {note.code: note.says for note in preparation_notes(data)}

    assert "column colour holds 45 different values in 60 rows" in said(45)["many-categories"]
    assert "many-categories" not in said(25)
