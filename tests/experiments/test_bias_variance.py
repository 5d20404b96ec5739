"""A loss in parts, from end to end."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.dummy import DummyRegressor
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import veracity as vc


class Sine:
    noise = 0.09

    def draw(self, rows, seed):
        random = np.random.default_rng(seed)
        x = random.random((rows, 1))
        return x, self.mean(x) + random.normal(0, 0.3, rows)

    def mean(self, x):
        return np.sin(2 * np.pi * x[:, 0])


class Coin:
    """The class is 1 with chance 0.9 where x is positive, and 0.1 elsewhere."""

    def draw(self, rows, seed):
        random = np.random.default_rng(seed)
        x = random.normal(size=(rows, 1))
        return x, (random.random(rows) < self.chances(x)[:, 1]).astype(int)

    def chances(self, x):
        one = np.where(x[:, 0] > 0, 0.9, 0.1)
        return np.stack([1 - one, one], 1)


def test_the_training_mean_has_the_parts_that_theory_gives():
    """The mean of n rows of variance s^2 has variance s^2/n; its bias is the distance of the sine to its mean, 0."""
    found = vc.bias_variance(DummyRegressor(), world=Sine(), draws=200, rows=20, test=500)
    around = 0.5 + 0.09
    assert found.variance == pytest.approx(around / 20, rel=0.25)
    assert found.bias == pytest.approx(0.5, abs=0.05)
    assert found.noise == pytest.approx(0.09)
    assert found.loss == pytest.approx(found.bias + found.variance + found.noise)
    assert found.notes == ()


def test_deeper_trees_trade_bias_for_variance():
    shallow, deep = (
        vc.bias_variance(DecisionTreeRegressor(max_depth=depth), world=Sine(), draws=40, rows=40, test=200)
        for depth in (1, 8)
    )
    assert shallow.bias > deep.bias and shallow.variance < deep.variance


@pytest.mark.parametrize("kind", ["domingos", "kohavi_wolpert"])
def test_a_coin_has_the_noise_that_it_was_given(kind):
    found = vc.bias_variance(
        DecisionTreeClassifier(max_depth=1), world=Coin(), loss="zero_one", kind=kind, draws=30, rows=60, test=300
    )
    assert found.loss == pytest.approx(0.1, abs=0.03)
    assert found.noise == pytest.approx(0.1 if kind == "domingos" else 0.09, abs=0.02)
    assert found.loss == pytest.approx(sum(found.parts.values()))


@pytest.mark.parametrize("by", ["bootstrap", "subsample"])
def test_without_a_world_the_loss_is_that_of_the_models(by):
    x, y = load_diabetes(return_X_y=True)
    found = vc.bias_variance(DecisionTreeRegressor(max_depth=3), x, y, draws=10, by=by, seed=3)
    assert found.noise is None and {note.code for note in found.notes} == {"resampled-world", "noise-in-bias"}
    assert found.loss == pytest.approx(found.bias + found.variance)
    assert found.rows.shape == (148, 4)
    said = str(found)
    assert said.startswith("caution: training sets are drawn from the rows at hand")
    assert said.partition("\nThe ")[2].startswith("mean squared loss of DecisionTreeRegressor over 10 training sets by")
    assert "bias squared and noise" in said
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))["noise"] is None


def test_whole_numbers_are_numbers_when_the_loss_is_squared():
    x, y = load_iris(return_X_y=True)
    assert vc.bias_variance(DummyRegressor(), x, y, draws=5).loss == pytest.approx(2 / 3, rel=0.1)


def test_classes_by_hand():
    """With targets as they are, the loss is the mean share of models that are wrong."""
    x, y = load_iris(return_X_y=True)
    found = vc.bias_variance(GaussianNB(), x, y, loss="zero_one", draws=20, test=60)
    assert len(found.rows) == 60
    assert found.parts == {"bias and noise": found.bias, "variance": found.variance}
    other = vc.bias_variance(GaussianNB(), x, y, loss="zero_one", kind="kohavi_wolpert", draws=20, test=60)
    assert other.loss == pytest.approx(found.loss)


@pytest.mark.parametrize("test", range(30, 70))
def test_as_many_rows_are_tested_as_were_asked_for(test):
    x = np.arange(145.0)[:, None]
    assert len(vc.bias_variance(DummyRegressor(), x, x[:, 0], draws=2, test=test).rows) == test


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"draws": 1}, "draws must be at least 2"),
        ({"loss": "absolute"}, "loss is 'squared' or 'zero_one'"),
        ({"kind": "breiman"}, "kind is 'domingos' or 'kohavi_wolpert'"),
        ({"by": "kfold"}, "by is 'bootstrap' or 'subsample'"),
        ({"groups": np.arange(150)}, "bias_variance takes no groups=: its training sets are drawn row by row"),
        ({"score": "mse"}, "bias_variance takes no score=: of fits it takes engine, address, timeout"),
        ({"test": 1.5}, "test is a share"),
        ({"test": 500}, "test is a share"),
        ({"world": Sine()}, "not both"),
        ({"y": np.zeros(150, int)}, "holds only the class 0"),
        ({"y": np.ones(150), "loss": "squared"}, "every row has the target 1.0"),
    ],
)
def test_wrong_calls_say_what_is_wrong(given, says):
    x, y = load_iris(return_X_y=True)
    with pytest.raises((vc.BadInput, vc.Refused)) as told:
        vc.bias_variance(GaussianNB(), x, given.pop("y", y), **{"loss": "zero_one", "draws": 5, **given})
    assert says in str(told.value)


def test_a_world_must_draw_and_something_must_be_given():
    with pytest.raises(vc.BadInput, match="has a method draw"):
        vc.bias_variance(DummyRegressor(), world=object())
    with pytest.raises(vc.BadInput, match="give X and y, or a world"):
        vc.bias_variance(DummyRegressor())


class Broken(DummyRegressor):
    def fit(self, x, y, sample_weight=None):
        raise RuntimeError("no")


def test_models_that_fail_are_not_left_out():
    with pytest.raises(vc.Refused, match="5 of 5 fits failed"):
        vc.bias_variance(Broken(), *load_diabetes(return_X_y=True), draws=5)


def test_the_squared_loss_of_a_classifier_is_told():
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB

    X, y = load_iris(return_X_y=True)  # noqa: N806 (the name that everybody uses)
    found = vc.bias_variance(GaussianNB(), X, y, draws=2, loss="squared")
    assert "classes-as-numbers" in {note.code for note in found.notes}
    usual = vc.bias_variance(GaussianNB(), X, y, draws=2)
    assert usual.kind == "domingos" and "classes-as-numbers" not in {note.code for note in usual.notes}


def test_bias_falls_and_variance_grows_with_complexity():
    tree = DecisionTreeRegressor(random_state=0)
    along = {"parameter": "max_depth", "values": [1, 3, 6]}
    found = vc.bias_variance(tree, world=Sine(), draws=20, rows=60, test=100, **along)
    assert found[0].bias > found[1].bias and found[0].variance < found[1].variance < found[2].variance
    alone = vc.bias_variance(
        DecisionTreeRegressor(random_state=0, max_depth=3), world=Sine(), draws=20, rows=60, test=100
    )
    assert found[1].loss == alone.loss  # the same training sets
    chart = found.curve()
    assert [line.name for line in chart.lines] == ["loss", "bias squared", "variance", "noise"]
    parts = np.sum([chart.line(name).y for name in ("bias squared", "variance", "noise")], axis=0)
    assert chart.line("loss").y == pytest.approx(parts) and chart.x_title == "max_depth"
    drawn = [line for line in vc.plot(found).lines if len(line.get_xdata()) == 3]
    assert len(drawn) == 4 and "max_depth" in vc.report(found).html
    marks = [(mark.name, mark.x, mark.y) for mark in chart.marks]
    assert marks == [(line.name, x, y) for line in chart.lines for x, y in zip(line.x, line.y, strict=True)]
    assert chart.y_range[0] == 0 and chart.y_range[1] > chart.line("loss").y.max()  # parts of a sum, seen from 0 on
    assert json.loads(json.dumps(found.to_json()))["values"][2]["value"] == 6
    with pytest.raises(vc.BadInput, match="belong together"):
        vc.bias_variance(tree, world=Sine(), draws=5, parameter="max_depth")
    with pytest.raises(vc.BadInput, match="has no parameter 'depth'"):
        vc.bias_variance(tree, world=Sine(), draws=5, parameter="depth", values=[1])
