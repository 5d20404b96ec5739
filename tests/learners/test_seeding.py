"""Random numbers that seed and key decide, wherever a learner draws them from."""

from __future__ import annotations

import random

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from veracity.learners.seeding import seeded, unfitted_copy


def _seeds(learner, key="k"):
    """Every random_state inside after seeding, by its parameter name."""
    with seeded(learner, 7, key) as (model, _):
        found = {name: value for name, value in model.get_params().items() if name.endswith("random_state")}
        return {name: v.get_state()[1][0] if hasattr(v, "get_state") else v for name, v in found.items()}


def test_every_state_that_is_none_becomes_a_number_of_its_own():
    learner = make_pipeline(StandardScaler(), BaggingClassifier(DecisionTreeClassifier()))
    found = _seeds(learner)
    assert set(found) == {"baggingclassifier__random_state", "baggingclassifier__estimator__random_state"}
    assert all(isinstance(value, int) and 0 <= value < 2**31 for value in found.values())
    assert len(set(found.values())) == 2
    assert found == _seeds(learner)
    assert not set(found.values()) & set(_seeds(learner, "other").values())
    assert learner.get_params()["baggingclassifier__random_state"] is None


def test_a_copy_is_what_scikit_learn_clones():
    fitted = DecisionTreeClassifier(max_depth=2).fit([[0.0], [1.0]], [0, 1])
    shown = GaussianNB().set_params(var_smoothing=1e-3)
    for learner in (
        fitted,
        shown,
        StandardScaler().set_output(transform="pandas"),
        RandomForestClassifier(7, random_state=3),
        GridSearchCV(shown, {}),
    ):
        copied, cloned = unfitted_copy(learner), clone(learner)
        assert type(copied) is type(learner) and copied is not learner
        assert vars(copied).keys() == vars(cloned).keys() and repr(copied) == repr(cloned)


def test_a_change_of_a_copy_is_no_change_of_its_original():
    learner = DecisionTreeClassifier(max_depth=3)
    unfitted_copy(learner).set_params(max_depth=1).fit([[0.0], [1.0]], [0, 1])
    assert vars(learner) == vars(DecisionTreeClassifier(max_depth=3))


def test_a_state_that_was_given_stays():
    assert _seeds(RandomForestClassifier(random_state=3)) == {"random_state": 3}


def test_a_splitter_inside_a_learner_is_seeded():
    with seeded(GridSearchCV(GaussianNB(), {}, cv=KFold(3, shuffle=True)), 7, "k") as (model, _):
        assert isinstance(model.cv.random_state, int)


def test_a_simple_learner_draws_as_if_the_number_had_been_given():
    with seeded(DecisionTreeClassifier(), 7, "k") as (model, _):
        first = model.random_state.randint(2**31 - 1, size=5)
    with seeded(DecisionTreeClassifier(), 7, "k") as (model, restart):
        assert (model.random_state.randint(2**31 - 1, size=5) == first).all()
        restart()
        later = model.random_state.random()
        restart()
        assert model.random_state.random() == later
    with seeded(make_pipeline(DecisionTreeClassifier()), 7, "k") as (model, _):
        assert isinstance(model.steps[0][1].random_state, int)


class Own:
    """Draws from the global generators."""

    def draw(self):
        return float(np.random.random()), random.random()  # noqa: NPY002


def test_global_generators_are_seeded_and_put_back():
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    expected = Own().draw()
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    drawn = []
    for key in ("a", "a", "b"):
        with seeded(Own(), 7, key):
            drawn.append(Own().draw())
    assert drawn[0] == drawn[1]
    assert drawn[0][0] != drawn[2][0] and drawn[0][1] != drawn[2][1]
    assert Own().draw() == expected


def test_put_back_after_an_error_too():
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    with pytest.raises(RuntimeError), seeded(Own(), 7, "a"):
        raise RuntimeError
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


def test_a_frozen_model_is_left_alone():
    frozen_estimator = pytest.importorskip("sklearn.frozen").FrozenEstimator  # from scikit-learn 1.6 on
    tree = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    with seeded(make_pipeline(StandardScaler(), frozen_estimator(tree)), 7, "k"):
        assert tree.random_state is None


def test_an_object_that_holds_itself_ends():
    own = Own()
    own.parts = [own]
    own.random_state = None
    with seeded(own, 7, "k") as (copied, _):
        assert isinstance(copied.random_state, int) and copied.parts[0] is copied
