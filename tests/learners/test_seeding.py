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

from veracity.learners.seeding import Seeding, unfitted_copy


def _seeds(model, key="k"):
    """Every random_state inside after seeding, by its parameter name."""
    with Seeding(model, 7, key):
        found = {name: value for name, value in model.get_params().items() if name.endswith("random_state")}
        return {name: v.get_state()[1][0] if hasattr(v, "get_state") else v for name, v in found.items()}


def test_every_state_that_is_none_becomes_a_number_of_its_own():
    learner = make_pipeline(StandardScaler(), BaggingClassifier(DecisionTreeClassifier()))
    found = _seeds(unfitted_copy(learner))
    assert set(found) == {"baggingclassifier__random_state", "baggingclassifier__estimator__random_state"}
    assert all(isinstance(value, int) and 0 <= value < 2**31 for value in found.values())
    assert len(set(found.values())) == 2
    assert found == _seeds(unfitted_copy(learner))
    assert not set(found.values()) & set(_seeds(unfitted_copy(learner), "other").values())
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
    assert _seeds(unfitted_copy(RandomForestClassifier(random_state=3))) == {"random_state": 3}


def test_a_splitter_inside_a_learner_is_seeded():
    learner = unfitted_copy(GridSearchCV(GaussianNB(), {}, cv=KFold(3, shuffle=True)))
    with Seeding(learner, 7, "k"):
        assert isinstance(learner.cv.random_state, int)


def test_a_simple_learner_draws_as_if_the_number_had_been_given():
    model, other = unfitted_copy(DecisionTreeClassifier()), unfitted_copy(make_pipeline(DecisionTreeClassifier()))
    with Seeding(model, 7, "k"):
        first = model.random_state.randint(2**31 - 1, size=5)
    with Seeding(unfitted_copy(DecisionTreeClassifier()), 7, "other"):
        pass
    again = unfitted_copy(DecisionTreeClassifier())
    with Seeding(again, 7, "k"):
        assert (again.random_state.randint(2**31 - 1, size=5) == first).all()
    with Seeding(other, 7, "k"):
        assert isinstance(other.steps[0][1].random_state, int)


def test_a_kept_generator_is_not_lent_again():
    kept = unfitted_copy(DecisionTreeClassifier())
    with Seeding(kept, 7, "k") as seeded:
        seeded.keep()
    following = kept.random_state.get_state()[1].copy()
    other = unfitted_copy(DecisionTreeClassifier())
    with Seeding(other, 7, "another"):
        other.random_state.random(1000)
    assert (kept.random_state.get_state()[1] == following).all()


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
        with Seeding(Own(), 7, key):
            drawn.append(Own().draw())
    assert drawn[0] == drawn[1]
    assert drawn[0][0] != drawn[2][0] and drawn[0][1] != drawn[2][1]
    assert Own().draw() == expected


def test_put_back_after_an_error_too():
    before = np.random.get_bit_generator()
    with pytest.raises(RuntimeError), Seeding(Own(), 7, "a"):
        raise RuntimeError
    assert np.random.get_bit_generator() is before


def test_a_frozen_model_is_left_alone():
    frozen_estimator = pytest.importorskip("sklearn.frozen").FrozenEstimator  # from scikit-learn 1.6 on
    tree = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    with Seeding(unfitted_copy(make_pipeline(StandardScaler(), frozen_estimator(tree))), 7, "k"):
        assert tree.random_state is None


def test_an_object_that_holds_itself_ends():
    own = Own()
    own.parts = [own]
    own.random_state = None
    with Seeding(own, 7, "k"):
        assert isinstance(own.random_state, int)
