"""A class that is too rare to be spread: it is named, and each way out that is offered can be gone."""

import re

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.core.errors import Refused
from veracity.designs.make_design import make_design
from veracity.records.data import Data
from veracity.records.design import Rows
from veracity.risk.designs import design_for

THREE = Rows(30, np.repeat([0, 1], [27, 3]), labels=("no", "yes"), name="iris")
MANY = Rows(30, np.repeat([0, 2, 4], [16, 13, 1]), labels=("a", "b", "c", "d", "e"), name="iris")


def refused(asked, rows):
    with pytest.raises(Refused) as why:
        make_design(asked, rows, 0)
    assert why.value.code == "rare-class"
    return str(why.value)


@pytest.mark.parametrize(
    ("asked", "rows", "has"),
    [
        ("kfold(k=5)", THREE, "'yes' of iris has 3 rows, too few for 5 parts: use at most 3 folds, collect more"),
        ("paired_subsampling(outer=2, inner=2)", THREE, "'yes' of iris has 3 rows, too few for 4 parts: collect"),
        ("nested_cv_bates(k=5, repeats=1)", THREE, "'yes' of iris has 3 rows, too few for 5 parts: use at most 3"),
        ("nested(outer=kfold(k=5), inner=kfold(k=3))", THREE, "'yes' of iris has 3 rows, too few for 5"),
        ("three_way", MANY, "'e' of iris has 1 row, too few for 3 parts: leave its rows out, or"),
        ("holdout", MANY, "'e' of iris has 1 row, too few for 2 parts: leave its rows out, or"),
        ("kfold(k=2)", Rows(30, MANY.classes), "the rarest class has 1 row, too few for 2 parts: leave its rows out"),
    ],
)
def test_it_is_named_and_the_design_that_leaves_it_to_chance_can_be_made(asked, rows, has):
    says = refused(asked, rows)
    assert has in says
    offered = re.search(r"leave it to chance with (.*)$", says)[1]
    assert make_design(offered, rows, 0).splits


def test_an_estimator_is_offered_as_itself():
    with pytest.raises(Refused, match=r"chance with corrected_kfold\(k=5, stratified=False\)$"):
        design_for("corrected_kfold(k=5)", THREE, 0)
    assert design_for("corrected_kfold(k=5, stratified=False)", THREE, 0).splits


def test_the_number_of_folds_that_is_offered_works():
    assert len(make_design("kfold(k=3)", THREE, 0)) == 3
    assert "2 to 3 folds" in _says("kfold(k=40)", THREE)


def _says(asked, rows):
    with pytest.raises(Refused) as why:
        make_design(asked, rows, 0)
    return str(why.value)


def test_four_rows_are_enough_for_two_halves_with_two_parts_each():
    for rows in (30, 31):
        classes = np.repeat([0, 1], [rows - 4, 4])
        assert make_design("paired_subsampling(outer=3, inner=2)", Rows(rows, classes), 0).splits


def test_data_tell_their_name_and_their_classes():
    features = np.arange(30.0)[:, None]
    data = Data("iris", features, "classes", THREE.classes, ("no", "yes"))
    assert data.for_designs.labels == ("no", "yes") and data.for_designs.name == "iris"
    with pytest.raises(Refused, match="the rarest class 'yes' of data has 3 rows"):
        vc.evaluate(GaussianNB(), features, np.array(["no", "yes"])[THREE.classes], by="kfold(k=5)")
