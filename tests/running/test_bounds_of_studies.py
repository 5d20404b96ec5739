"""What a study would cost is told before it begins, and refused where nobody can have meant it."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import veracity as vc
from veracity.core.errors import Refused
from veracity.running import make_plan

X, Y = np.arange(40.0)[:, None], np.arange(40) % 2
ROWS = {"rows": (X, Y)}


def refusal(call):
    with pytest.raises(Refused) as caught:
        call()
    assert caught.value.code == "too-much"
    return str(caught.value)


def test_fits_of_all_learners_by_all_designs(monkeypatch):
    monkeypatch.setattr(make_plan, "FITS", 30)
    learners = {f"dummy {k}": DummyClassifier() for k in range(4)}
    study = vc.Study(ROWS, learners, ["kfold(k=5)", "repeated_kfold(k=3, repeats=1)"])
    says = refusal(study.plan)
    assert "take 32 fits" in says and "more than 30" in says and "anyway=True" in says
    meant = vc.Study(ROWS, learners, ["kfold(k=5)", "repeated_kfold(k=3, repeats=1, anyway=True)"])
    assert len(meant.plan().plan.cells) == 32


@pytest.mark.parametrize("inside", [False, True], ids=["alone", "in a pipeline"])
@pytest.mark.parametrize("nested", [False, True])
def test_fits_inside_a_tuned_learner(nested, inside):
    grid = {"constant": [0] * 100}
    inner = "repeated_kfold(k=10, repeats=1000)"
    tuned = vc.tuned(DummyClassifier(strategy="constant"), grid, by=None if nested else inner, score="error")
    tuned = make_pipeline(StandardScaler(), tuned) if inside else tuned
    by = f"nested(outer=kfold(k=20), inner={inner})" if nested else "kfold(k=20)"
    assert "20,000,020 fits" in refusal(vc.Study(ROWS, {"tuned": tuned}, by).plan)


def test_a_splitter_is_asked_before_it_splits():
    assert "100,000,000 splits" in refusal(lambda: vc.Study(ROWS, {"d": DummyClassifier()}, ShuffleSplit(10**8)).plan())
    search = GridSearchCV(DummyClassifier(), {"constant": [0]}, cv=KFold(2))
    assert len(vc.Study(ROWS, {"d": search}, KFold(4)).plan()) == 4


def test_sizes_of_a_learning_curve(monkeypatch):
    monkeypatch.setattr("veracity.experiments.risk_curves.SPLITS", 10)
    says = refusal(lambda: vc.learning_curve(DummyClassifier(), X, Y, sizes=[10, 20, 30], by="kfold(k=4)"))
    assert "3 sizes of 4 splits are 12 fits" in says
