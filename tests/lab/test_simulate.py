"""What the lab refuses, each in one sentence, before anything is simulated."""

import pytest
from sklearn.naive_bayes import GaussianNB

from veracity.core.errors import VeracityError
from veracity.lab import NearestMean, PureNoise, Sine, TwoGaussians, coverage, learner_risk, quality, run_of, size

WORLD, BY = TwoGaussians(), "kfold(k=5)"


class Never(NearestMean):
    """Must not be fitted."""

    def fit(self, features, target):
        raise AssertionError("it was fitted")


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: TwoGaussians(distance=-1), "distance is a number of 0 or more, not -1"),
        (lambda: TwoGaussians(distance="far"), "distance is a number of 0 or more, not 'far'"),
        (lambda: TwoGaussians(features=0), "features must be at least 1, not 0"),
        (lambda: PureNoise(features=1.5), "features must be a whole number, not 1.5"),
        (lambda: Sine(noise=float("nan")), "noise is a number of 0 or more, not nan"),
        (lambda: WORLD.draw(0), "rows must be at least 1, not 0"),
        (lambda: learner_risk(WORLD, Never, 10, draws=0), "draws must be at least 1, not 0"),
        (lambda: learner_risk(WORLD, Never, -3), "rows must be at least 1, not -3"),
        (lambda: quality(WORLD, Never, BY, 30, trials=0), "trials must be at least 1, not 0"),
        (lambda: quality(TwoGaussians, Never, BY, 30), "the world <class .*TwoGaussians.*> is none"),
        (lambda: quality(WORLD, GaussianNB(), BY, 30), "give GaussianNB or lambda: GaussianNB\\(...\\)"),
        (lambda: quality(WORLD, lambda: "tree", BY, 30), "the learner is a str, which has no fit and no predict"),
        (lambda: coverage(WORLD, Never, by=BY, methods=(), rows=30), "methods= names nothing"),
        (
            lambda: coverage(WORLD, Never, methods="corrected_t", rows=30, trials=-1),
            "trials must be at least 1, not -1",
        ),
        (lambda: size(WORLD, (Never, 3), methods="corrected_t", by=BY, rows=30), "give int or lambda: int"),
        (lambda: size(WORLD, (Never, Never), methods="corrected_t", by=BY, rows=30, level=5), "level"),
        (lambda: run_of(WORLD, WORLD.draw(30), GaussianNB(), BY), "the lab calls a learner for a fresh one"),
    ],
)
def test_bad_input_is_told(ask, says):
    with pytest.raises(VeracityError, match=says) as told:
        ask()
    assert "\n" not in str(told.value)


def test_one_interval_can_be_named_alone():
    (found,) = coverage(WORLD, NearestMean, by=BY, methods="corrected_t", rows=30, trials=5)
    assert found.method == "corrected_t"
