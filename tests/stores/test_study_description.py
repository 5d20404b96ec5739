"""Descriptions and names that no store can keep."""

import numpy as np
import pytest

from veracity.core.errors import BadInput
from veracity.records.data import Data
from veracity.records.plan import PlannedSplit
from veracity.stores.open_store import open_store


@pytest.fixture
def store(file):
    with open_store(file) as opened:
        yield opened


@pytest.mark.parametrize("study", [{"seed": {1, 2}}, {"level": float("nan")}, {"by": np.arange(3)}])
def test_a_description_must_be_json(store, study):
    with pytest.raises(BadInput, match="must be JSON"):
        store.save_study(study)
    assert store.study() == {}


@pytest.mark.parametrize("name", ["nul \0", "half \ud800"])
def test_names_that_databases_refuse_are_refused_everywhere(store, name):
    with pytest.raises(BadInput, match="cannot be stored"):
        store.save_data(Data(name, None, "numbers", np.zeros(2)))
    with pytest.raises(BadInput, match="cannot be stored"):
        store.save_cells([PlannedSplit("d", name, "kfold", 0, "k")])


def test_classes_are_texts_or_numbers(store):
    features, truth = np.zeros((2, 1)), np.array([0, 1])
    store.save_data(Data("d", features, "classes", truth, (np.str_("a"), np.int64(3))))
    assert store.data("d").classes == ("a", 3)
    with pytest.raises(BadInput, match="name classes by texts or numbers"):
        store.save_data(Data("e", features, "classes", truth, ((1, 2), (3, 4))))


def test_a_plan_with_holes_is_refused(store):
    with pytest.raises(BadInput, match="splits are missing in the plan of 'nb' on 'd'"):
        store.save_cells([PlannedSplit("d", "nb", "kfold", 1, "k")])


def test_versions_and_questions_may_change(store):
    store.save_study({"seed": 1, "versions": {"numpy": "2.0"}, "questions": ["error"]})
    store.save_study({"seed": 1, "versions": {"numpy": "2.1"}, "questions": ["auc"]})
    assert store.study()["versions"] == {"numpy": "2.1"} and store.study()["questions"] == ["auc"]
