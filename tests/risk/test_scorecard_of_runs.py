"""A scorecard of runs: every score of each learner, with the intervals of learners; and runs in a notebook."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeRegressor

import veracity as vc

X, Y = make_classification(80, 5, flip_y=0.2, random_state=3)


class Failing(GaussianNB):
    """Fails on every fit."""

    def fit(self, X, y):  # noqa: N803
        raise ValueError("no <luck>")


@pytest.fixture(scope="module")
def runs():
    return vc.evaluate({"nb": GaussianNB(), "svc": LinearSVC(), "bad": Failing()}, X, Y, by="kfold(k=4)", positive=1)


@pytest.fixture(scope="module")
def card(runs):
    return vc.scorecard(runs)


def test_every_score_has_the_interval_that_estimate_gives(runs, card):
    assert {row.learner for row in card} == {"nb", "svc"}
    asked = vc.estimate(runs, ["error", "auc", "recall"])
    for learner in ("nb", "svc"):
        for score in ("error", "auc", "recall"):
            mine, own = card[learner, score], asked[learner, score]
            assert (mine.value, mine.interval, mine.by) == (own.value, own.interval, own.by)
    assert "log_loss" in {row.score for row in card if row.learner == "nb"}
    assert "log_loss" not in {row.score for row in card if row.learner == "svc"}  # it gives no probabilities
    assert len(card) > 40


def test_a_learner_that_failed_everywhere_is_told_and_costs_nothing_else(card):
    (note,) = (note for note in card.notes if note.code == "all-failed")
    assert note.weight == "caution" and "bad on data by kfold(k=4): no split succeeded" in note.says
    assert "luck" in note.says


def test_numbers_have_the_scores_of_numbers():
    runs = vc.evaluate({"tree": DecisionTreeRegressor(max_depth=2)}, X, X[:, 0], by="kfold(k=4)")
    card = vc.scorecard(runs, level=0.9)
    names = {row.score.partition("(")[0] for row in card}
    assert {"mae", "rmse"} <= names and "error" not in names
    assert card["mae"].interval.level == 0.9


def test_runs_show_what_is_done_and_what_failed(runs):
    shown = runs._repr_html_()
    assert "1 data set, 3 learners, 1 design: 8 of 12 fits done, 4 failed" in shown
    assert "no &lt;luck&gt;" in shown
    assert "<luck>" not in shown and repr(runs) == "Runs(1 data set, 3 learners, 1 design)"
    fine = vc.evaluate(GaussianNB(), X, Y, by="kfold(k=4)")
    assert "4 of 4 fits done, 0 failed" in fine._repr_html_() and "first failure" not in fine._repr_html_()
    assert np.isfinite(vc.scorecard(fine)["error"].value)
