"""Closed forms of risk against very many rows."""

import numpy as np
import pytest

from veracity.lab import NearestMean, NearestRow, Polynomial, PureNoise, Sine, TwoGaussians


class Rule:
    """A linear rule."""

    def __init__(self, coef, intercept):
        self.coef_, self.intercept_ = np.array(coef, float), intercept

    def predict(self, features):
        return (features @ self.coef_ + self.intercept_ >= 0).astype(int)


class Opaque:
    """The same rule without showing its weights."""

    def __init__(self, rule):
        self.predict = rule.predict


@pytest.mark.parametrize(("coef", "intercept"), [((1, 0), 0), ((2, 1), 0.5), ((-1, 3), 1), ((0, 0), 1)])
def test_risk_of_a_linear_rule(coef, intercept):
    world, rule = TwoGaussians(distance=1.5), Rule(coef, intercept)
    assert world.risk(rule) == pytest.approx(world.risk(Opaque(rule)), abs=0.005)  # 4 standard errors of 200,000 rows


def test_the_best_rule_reaches_the_best_risk():
    world = TwoGaussians(distance=2.0, features=3)
    assert world.risk(Rule((1, 0, 0), 0)) == pytest.approx(world.best)
    assert world.best == pytest.approx(0.158655, abs=1e-6)
    assert world.best < world.risk(NearestMean().fit(*world.draw(30)))


def test_a_seed_gives_the_same_rows():
    for world in (TwoGaussians(), PureNoise(), Sine()):
        first, again, other = world.draw(20, 1), world.draw(20, 1), world.draw(20, 2)
        assert np.array_equal(first.features, again.features) and np.array_equal(first.target, again.target)
        assert not np.array_equal(first.features, other.features)


def test_a_model_of_noise_errs_on_half_of_the_rows():
    world = PureNoise()
    model, fresh = NearestMean().fit(*world.draw(50)), world.draw(200_000, 9)
    assert np.mean(model.predict(fresh.features) != fresh.target) == pytest.approx(world.risk(model), abs=0.005)


def test_risk_of_a_polynomial_is_its_error_on_new_rows():
    world = Sine()
    model, fresh = Polynomial(3).fit(*world.draw(100)), world.draw(200_000, 9)
    assert world.risk(model) == pytest.approx(np.mean((model.predict(fresh.features) - fresh.target) ** 2), rel=0.02)
    assert world.best == pytest.approx(0.09)


def test_one_class_only_is_always_predicted():
    features = np.zeros((3, 2))
    for only in (0, 1):
        assert (NearestMean().fit(features, np.full(3, only)).predict(np.ones((4, 2))) == only).all()


def test_the_nearest_row_as_scikit_learn_finds_it_and_its_risk():
    from sklearn.neighbors import KNeighborsClassifier

    world = TwoGaussians(distance=1.5, features=1)
    sample = world.draw(25, seed=3)
    model, peer = NearestRow().fit(*sample), KNeighborsClassifier(1).fit(*sample)
    fresh = world.draw(5000, seed=4).features
    assert (model.predict(fresh) == peer.predict(fresh)).all()
    assert len(model.cuts_) >= 3, "a rule of one cut would prove little"
    assert world.risk(model) == pytest.approx(world.risk(Opaque(model)), abs=0.005)


def test_the_nearest_row_of_one_class_is_always_that_class():
    model = NearestRow().fit(np.array([[1.0], [2.0]]), np.array([1, 1]))
    assert model.predict(np.array([[-9.0], [9.0]])).tolist() == [1, 1]
    assert TwoGaussians(distance=1.0).risk(model) == pytest.approx(0.5)
