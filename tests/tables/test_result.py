"""Every result shows itself in a notebook, and no name in it is HTML."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

import veracity as vc

TRUTH = np.tile([0, 1], 20)
LABEL = np.where(np.arange(40) < 30, TRUTH, 1 - TRUTH)
NAME = "<b>x</b>"


@pytest.fixture(scope="module")
def models():
    return {
        NAME: vc.predictions(TRUTH, label=LABEL, classes=[0, 1], positive=1),
        "y": vc.predictions(TRUTH, label=TRUTH, classes=[0, 1], positive=1),
    }


def results(models):
    matrix = vc.score_matrix(np.random.default_rng(0).random((8, 3)), learners=[NAME, "y", "z"])
    return {
        "estimates": vc.estimate(models, "error"),
        "estimate": vc.estimate(models, "error")[NAME],
        "comparison": vc.compare(models, "error"),
        "comparisons": vc.compare({**models, "z": models["y"]}, "error"),
        "ranking": vc.rank(matrix),
        "power": vc.power("mcnemar", difference=0.03, discordant=0.10, power=0.8),
        "permutation": vc.permutation_test({NAME: DummyClassifier()}, TRUTH[:, None], TRUTH, by="kfold(k=2)", draws=5),
        "catalogue": vc.catalogue("designs"),
        "explanation": vc.explain("auc"),
        "report": vc.report(models, "error"),
    }


def test_every_result_shows_itself(models):
    for name, result in results(models).items():
        shown = result._repr_html_()
        assert "<" in shown and NAME not in shown, name


def test_a_figure_shows_itself(models):
    ax = vc.plot(vc.predictions(TRUTH, proba=np.linspace(0, 1, 40), positive=1), "roc")
    assert ax._repr_png_().startswith(b"\x89PNG")
