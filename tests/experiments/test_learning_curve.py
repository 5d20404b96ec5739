"""Risk against the number of training rows, from end to end."""

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import veracity as vc

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[::3], Y[::3]


@pytest.fixture(scope="module")
def curve():
    return vc.learning_curve(KNeighborsClassifier(1), X, Y, sizes=[20, 40, 80, 1.0], by="kfold(k=5)", seed=7)


def test_the_last_size_is_the_estimate_of_evaluate(curve):
    runs = vc.evaluate(KNeighborsClassifier(1), X, Y, by="kfold(k=5)", seed=7)
    whole = vc.estimate(runs, "error")["error"]
    assert curve.places == (20, 40, 80, 152)
    last = curve[152]
    assert last.value == pytest.approx(whole.value, abs=0.003)  # one of five folds trains on a row more
    assert last.interval.method == whole.interval.method == "conservative_t"
    assert last.answers == "mean risk of the procedure trained on 80 % of the rows"
    assert curve[20].answers == "mean risk of the procedure trained on 10.5 % of the rows"


def test_one_neighbour_knows_its_training_rows_by_heart(curve):
    assert [row.value for row in curve.training] == [0, 0, 0, 0]
    assert all(row.interval is None for row in curve.training)
    assert "no-interval" in {note.code for note in curve.all_notes}


def test_it_prints_and_travels_as_every_table_does(curve):
    assert "training rows" in repr(curve) and "error of KNeighborsClassifier by kfold(k=5)" in repr(curve)
    assert len(curve.to_csv().splitlines()) == 5
    said = json.loads(json.dumps(curve.to_json(), allow_nan=False))
    assert [place["place"] for place in said["places"]] == [20, 40, 80, 152]
    assert said["places"][0]["test"]["value"] == curve[20].value


def test_a_place_that_is_not_there_lists_those_that_are(curve):
    with pytest.raises(vc.BadInput, match="there are 20, 40, 80, 152"):
        curve[33]


def test_the_power_law_can_be_drawn(curve):
    assert curve.fitted.largest == 152
    ax = vc.plot(curve, fitted=True)
    ax.figure.canvas.draw()
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend[:3] == ["test rows", "training rows", "95% interval"] and legend[3].startswith("power law")


def test_a_law_that_the_sizes_do_not_determine_is_drawn_with_its_caution(curve):
    straight = replace(
        curve, test=tuple(replace(row, value=0.1 + 0.001 * n) for n, row in zip(curve.places, curve.test, strict=True))
    )
    chart = straight.curve(fitted=True)
    assert "no-power-law" in {note.code for note in chart.notes} and "caution" in str(straight.fitted)
    assert not any("caution" in guide.name for guide in chart.guides)
    assert "no-power-law" not in {note.code for note in straight.curve().notes}


def test_the_mean_of_numbers_has_the_risk_that_theory_gives():
    """The training mean has the risk s^2 (1 + 1/n) and the training error s^2 (1 - 1/n)."""
    y = np.random.default_rng(0).normal(0, 1, 400)
    found = vc.learning_curve(
        DummyRegressor(),
        np.zeros((400, 1)),
        y,
        sizes=[2, 5, 20],
        by="repeated_holdout(repeats=60, test=0.5)",
        score="mse",
    )
    for size, test, training in zip(found.places, found.test, found.training, strict=True):
        assert test.value / y.var() == pytest.approx(1 + 1 / size, abs=0.1)
        assert training.value / y.var() == pytest.approx(1 - 1 / size, abs=0.15)
        assert y.var() * (1 - 1 / size) in training.interval


def test_fits_are_stored_and_shared(tmp_path):
    store = tmp_path / "curve.db"
    vc.evaluate(GaussianNB(), X[:100], Y[:100], by="kfold(k=5)", store=str(store))
    told = []
    again = []
    given = {"sizes": [40, 80], "by": "kfold(k=5)", "store": str(store)}
    vc.learning_curve(GaussianNB(), X[:100], Y[:100], **given, progress=lambda p, left: told.append(p))
    vc.learning_curve(GaussianNB(), X[:100], Y[:100], **given, progress=lambda p, left: again.append(p))
    assert (
        told[0].fits == 20 and told[0].done == 0
    )  # fits of the whole training parts predict their training rows too now
    assert told[-1].left == 0
    assert again[0].left == 0 if again else True


def test_holdouts_numbers_groups_and_time():
    x, y = load_diabetes(return_X_y=True)
    assert vc.learning_curve(Ridge(), x, y, sizes=[50, 100], by="holdout", score="rmse")[100].interval is not None
    groups = np.arange(len(Y)) // 5
    assert len(vc.learning_curve(GaussianNB(), X, Y, sizes=[60], by="kfold(k=3)", groups=groups)) == 1
    assert len(vc.learning_curve(Ridge(), x, y, sizes=[60], by="kfold(k=3)", score="mae", time=np.arange(len(y)))) == 1


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"sizes": [500]}, "the size 500 is more than the 152 training rows"),
        ({"sizes": [1]}, "too small to show all 2 classes"),
        ({"score": "mse"}, "mse is not a score for a target of classes"),
        ({"draws": 3}, "learning_curve takes no draws=: of fits it takes engine, address, timeout"),
        ({"by": "bootstrap(draws=5)"}, "use a design such as"),
        ({"y": np.ones(len(Y), int)}, "holds only the class 1"),
    ],
)
def test_wrong_calls_say_what_is_wrong(given, says):
    with pytest.raises((vc.BadInput, vc.Refused)) as told:
        vc.learning_curve(GaussianNB(), X, given.pop("y", Y), **{"by": "kfold(k=5)", **given})
    assert says in str(told.value)


def test_one_learner_at_a_time():
    with pytest.raises(vc.BadInput, match="give one learner, not 2"):
        vc.learning_curve({"a": GaussianNB(), "b": GaussianNB()}, X, Y)
