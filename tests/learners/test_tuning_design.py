"""The inner design reaches every part that tunes itself, and nothing else."""

import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from veracity import BadInput
from veracity.learners.inspection import with_inner_design
from veracity.tuning.tuned import tuned


def test_only_parts_that_name_no_design_are_told():
    nb = GaussianNB()
    grid = {"var_smoothing": [1e-9]}
    assert with_inner_design(nb, "kfold(k=3)") is nb
    own = tuned(nb, grid, by="kfold(k=4)")
    assert with_inner_design(own, "") is own and with_inner_design(own, "kfold(k=4)") is own
    with pytest.raises(BadInput, match="leave out the learner's own"):
        with_inner_design(own, "kfold(k=3)")
    free = tuned(nb, grid)
    assert with_inner_design(free, "") is free
    assert with_inner_design(free, "kfold(k=3)").by == "kfold(k=3)" and free.by is None


def test_however_deep():
    pipeline = make_pipeline(StandardScaler(), tuned(GaussianNB(), {"var_smoothing": [1e-9]}))
    assert with_inner_design(pipeline, "kfold(k=3)").steps[1][1].by == "kfold(k=3)"
    assert pipeline.steps[1][1].by is None


def test_a_learner_without_parameters_is_left_alone():
    learner = object()
    assert with_inner_design(learner, "kfold(k=3)") is learner
