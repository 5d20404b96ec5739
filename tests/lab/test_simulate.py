"""What the lab refuses, each in one sentence, before anything is simulated."""

import pytest
from sklearn.naive_bayes import GaussianNB

from veracity import lab
from veracity.core.errors import Refused, VeracityError
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
        (lambda: coverage(WORLD, Never, by=BY, methods=(), rows=30), "`methods=` names nothing"),
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


class Fails:
    """Learns nothing where fewer than some rows are of class 1."""

    least = 6

    def fit(self, features, target):
        if target.sum() < self.least:
            raise ArithmeticError("too few")
        self.mean = features.mean()

    def predict(self, features):
        return (features[:, 0] > self.mean).astype(int)


class FailsAlways(Fails):
    least = 10**6


def test_samples_on_which_a_learner_fails_are_refused_and_the_others_measured():
    how = {"by": "kfold(k=4)", "methods": "corrected_t", "rows": 24, "trials": 30}
    world = "gaussians(share=0.35)"
    found = lab.coverage(world, Fails, **how)
    assert 0 < found[0].refused < 1 and found.to_json()["notes"][0]["code"] == "refused-samples"
    pair = lab.power(world, [Fails, NearestMean], **how)
    assert 0 < pair[0].refused < 1
    assert lab.bias(world, Fails, by="kfold(k=4)", rows=24, trials=30)[0].refused == pair[0].refused


def test_a_learner_that_always_fails_is_told_in_one_sentence():
    says = "FailsAlways cannot be trained on 18 rows of a sample: too few"
    for verb, learners in ((lab.coverage, FailsAlways), (lab.power, [FailsAlways, NearestMean])):
        with pytest.raises(Refused, match=says):
            verb("two_gaussians", learners, by="kfold(k=4)", methods="corrected_t", rows=24, trials=3)
