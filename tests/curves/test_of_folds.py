"""Models of several folds: charts of every kind read the same folds, which are made once."""

import numpy as np
import pytest

import veracity as vc
from veracity.curves import curves
from veracity.curves.over_folds import ChartedModels, make_curve


@pytest.fixture(scope="module")
def models():
    """A learner by ten folds, and a fixed model beside it."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.naive_bayes import GaussianNB

    features, target = load_breast_cancer(return_X_y=True)
    runs = vc.evaluate({"nb": GaussianNB()}, features[:150], target[:150], by="kfold(k=10)", seed=1, positive=1)
    fixed = vc.predictions(target[:150], proba=np.linspace(0, 1, 150), positive=1)
    return {"nb": runs.run("nb").fresh.predictions, "fixed": fixed}


@pytest.mark.parametrize("kind", ["roc", "precision_recall", "gain", "det", "calibration", "cost_curve"])
def test_a_chart_after_others_is_that_chart_alone(models, kind):
    shared = ChartedModels(models)
    for other in ("cost_curve", "calibration", "roc"):
        make_curve(curves.choose(other), shared)
    alone, after = (make_curve(curves.choose(kind), each).to_json() for each in (ChartedModels(models), shared))
    assert alone == after


def test_each_fold_has_the_models_that_tested_it(models):
    charted = ChartedModels(models)
    assert charted.of_several == {"nb"} and charted.by_fold is charted.by_fold
    assert [sorted(fold) for fold in charted.by_fold] == [["fixed", "nb"], *[["nb"]] * 9]
    assert sum(len(fold["nb"]) for fold in charted.by_fold) == len(charted.each_row_once["nb"]) == 150


def test_folds_of_one_class_show_nothing():
    from sklearn.naive_bayes import GaussianNB

    target = np.arange(12) % 2
    runs = vc.evaluate({"nb": GaussianNB()}, np.arange(24.0).reshape(12, 2), target, by="leave_one_out", positive=1)
    charted = ChartedModels({"nb": runs.run("nb").fresh.predictions})
    assert charted.by_fold == ()
    with pytest.raises(vc.Refused, match="no fold holds both classes"):
        make_curve(curves.choose("roc"), charted)
