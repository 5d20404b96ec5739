"""A permutation test repeats the very estimate that an evaluation makes, tuning and all."""

from typing import ClassVar

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier

import veracity as vc
from veracity.experiments.permutation_test import PermutationQuestion
from veracity.experiments.risk_curves import choose_score, table_and_design


class Told(DummyClassifier):
    """A learner that tunes itself and remembers what it was told besides features and target."""

    tunes = True
    heard: ClassVar[list[set[str]]] = []

    def __init__(self, by=None):
        super().__init__()
        self.by = by

    def fit(self, X, y, groups=None, rows=None, positive=None, validation=None):  # noqa: N803
        told = {"groups": groups, "rows": rows, "positive": positive, "validation": validation}
        self.heard.append({name for name, value in told.items() if value is not None} | ({self.by} - {None}))
        return super().fit(X, y)


@pytest.mark.parametrize(
    ("by", "roles", "heard"),
    [
        ("nested(outer='kfold(k=3)', inner='kfold(k=2)')", {}, {"kfold(k=2)"}),
        ("three_way", {}, {"validation"}),
        ("loo_bootstrap(draws=3)", {}, {"rows"}),
        ("kfold(k=3)", {"groups": np.repeat(np.arange(10), 3)}, {"groups"}),
        ("kfold(k=3)", {"positive": "no"}, {"positive"}),
        ("kfold(k=3)", {}, set()),
    ],
)
@pytest.mark.parametrize("draw", [0, 1])
def test_a_learner_that_chooses_is_told_what_an_evaluation_tells_it(by, roles, heard, draw):
    target = np.repeat(np.array(["no", "yes"] * 5), 3)
    table, design = table_and_design(Told(), np.arange(60.0).reshape(30, 2), target, by, 0, **roles)
    Told.heard.clear()
    PermutationQuestion(Told(), table, design, choose_score("error", table), "labels", 0).ask([draw])
    assert Told.heard and all(one == heard for one in Told.heard)


@pytest.mark.parametrize("by", ["nested(outer='kfold(k=3)', inner='kfold(k=2)')", "three_way", "kfold(k=3)"])
def test_the_estimate_of_the_data_as_it_is_is_that_of_an_evaluation(by):
    rng = np.random.default_rng(4)
    features = rng.normal(size=(60, 2))
    target, groups = np.repeat(rng.integers(0, 2, 30), 2), np.repeat(np.arange(30), 2)
    learner = vc.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 3, 9]}, score="error")
    tested = vc.permutation_test(learner, features, target, by=by, draws=1, groups=groups)
    estimated = vc.estimate(vc.evaluate(learner, features, target, by=by, groups=groups), "error")["error"]
    assert tested.value == pytest.approx(estimated.value)
