"""What a drawing adds unless told: a band for the rows of one model, none for several and none for runs."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.curves import curves
from veracity.plots.plot import drawn_curve

RANDOM = np.random.default_rng(0)
TRUTH = RANDOM.integers(0, 2, 120)
P = vc.predictions(TRUTH, proba=np.clip(0.3 + 0.4 * TRUTH + 0.2 * RANDOM.normal(size=120), 0, 1), positive=1)
X, Y = make_classification(90, 5, flip_y=0.2, random_state=3)
LEARNERS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}


def bands(what, kind):
    return [guide for guide in drawn_curve(what, curves.choose(kind)).guides if guide.style == "band"]


@pytest.fixture(scope="module")
def runs():
    return vc.evaluate(LEARNERS, X, Y, by="kfold(k=3)", positive=1)


@pytest.mark.parametrize("kind", ["roc", "precision_recall"])
def test_one_model_has_a_band_and_others_none(kind, runs):
    assert len(bands(P, kind)) == len(bands({"a": P}, kind)) == 1
    assert bands(P, kind)[0].name == "95 % band, pointwise"
    assert not bands({"a": P, "b": P}, kind) and not bands(runs, kind)
    assert not bands(P, f"{kind}(band=None)") and bands(P, f"{kind}(band=0.8)")[0].name == "80 % band, pointwise"
    assert not [guide for guide in vc.curve(P, kind).guides if guide.style == "band"]  # data has what is asked for


def test_a_band_that_cannot_be_had_costs_no_picture():
    few = vc.predictions([1, 0, 0], proba=[0.9, 0.2, 0.1], positive=1)
    with pytest.raises(vc.BadInput, match="too few rows for a band"):
        vc.curve(few, "roc(band=0.95)")
    assert not bands(few, "roc") and len(vc.plot(few, "roc").lines) == 3  # with the diagonal and a mark
    with pytest.raises(vc.BadInput, match="there are no positive rows"):
        vc.plot(vc.predictions([0, 0], proba=[0.9, 0.2], positive=1, classes=[0, 1]), "roc")


def test_runs_are_drawn_by_their_learners(runs):
    chart = vc.curve(runs, "roc")
    assert [line.name for line in chart.lines] == ["nb", "tree"]
    alone = vc.curve({name: runs.predictions(name) for name in LEARNERS}, "roc")
    assert np.array_equal(chart.line("nb").y, alone.line("nb").y)
    assert len(vc.plot(runs, "roc").lines) > 2
    assert len(vc.plot(runs, "calibration").lines) > 2


def test_runs_of_several_data_sets_say_how_to_choose_one(tmp_path):
    study = vc.Study({"a": (X, Y), "b": (X, 1 - Y)}, LEARNERS, "kfold(k=3)")
    runs = study.run(tmp_path / "kept.db", progress=False).with_positive(1)
    with pytest.raises(vc.BadInput, match=r"one of the data sets a, b: runs.only\(data='a'\) chooses one"):
        vc.plot(runs, "roc")
    assert [line.name for line in vc.curve(runs.only(data="a"), "det").lines] == ["nb", "tree"]
