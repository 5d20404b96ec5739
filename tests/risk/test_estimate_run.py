"""Which number stands for a run, what surrounds it, and what is said first."""

import math
from dataclasses import replace

import numpy as np
import pytest

from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.risk.fold_scores import Resampling
from veracity.scores import scores

Y = [1, 2, 3, 4, 5, 6]
ROWS = np.arange(6)


def asked(name, **how):
    return EstimateRequest(scores.choose(name), name, Confidence(0.95), **how)


def folds(rows, *tests):
    return [(np.setdiff1d(np.arange(rows), test), np.array(test)) for test in tests]


@pytest.fixture
def mean_learner(designed, numeric_run):
    """The learner of Example J, which predicts the mean of its training rows."""

    def make(design, **more):
        y = np.array(Y, float)
        return numeric_run(Y, design, [y[split.train].mean() for split in design.splits], **more)

    return make


def test_example_j_kfold(designed, mean_learner):
    found = estimate_run(mean_learner(designed(6, *folds(6, [0, 1], [2, 3], [4, 5]))), asked("mse"))
    assert found.value == pytest.approx(6.25)
    assert found.interval.method == "conservative_t"
    assert found.answers == "mean risk of the procedure trained on 66.7 % of the rows"
    assert (found.data, found.learner, found.by, found.splits, found.failed) == ("data", "mean", "kfold(k=3)", 3, 0)
    assert "few-splits" in {note.code for note in found.all_notes}


def test_example_j_holdout_is_one_fixed_model(designed, mean_learner):
    found = estimate_run(mean_learner(designed(6, *folds(6, [4, 5]), name="holdout")), asked("mse"))
    assert found.value == pytest.approx(9.25)
    assert found.answers == "risk of the one model trained on 66.7 % of the rows"
    assert found.interval.method == "hall_t"


def test_example_j_leave_one_out_takes_rows_as_independent(designed, mean_learner):
    found = estimate_run(
        mean_learner(designed(6, *folds(6, *[[i] for i in range(6)]), name="leave_one_out")), asked("mse")
    )
    assert found.value == pytest.approx(4.2)
    losses = np.array([9.0, 3.24, 0.36, 0.36, 3.24, 9.0])  # (row - mean of the others)^2
    assert found.interval.high - found.value == pytest.approx(1.959964 * losses.std() / np.sqrt(6))
    assert found.interval.method == "cv_wald" and "rows-only" in {note.code for note in found.interval.notes}


def test_example_j_resubstitution_is_optimistic(designed, mean_learner):
    found = estimate_run(mean_learner(designed(6, (ROWS, ROWS), name="resubstitution")), asked("mse"))
    assert found.value == pytest.approx(2.9167, abs=5e-5)
    assert found.interval is None
    assert [note.weight for note in found.notes if note.code == "optimistic"] == ["caution"]


def test_the_mean_over_rows_of_unequal_folds_is_the_value_with_and_without_an_interval(designed, numeric_run):
    design = designed(5, *folds(5, [0], [1, 2, 3, 4]))
    run = numeric_run([0, 0, 0, 0, 0], design, [3, 1])
    found = estimate_run(run, asked("mse"))
    assert found.value == pytest.approx(2.6)  # (9 + 4 x 1) / 5
    corrected = estimate_run(run, asked("mse", interval="corrected_t"))
    assert corrected.value == found.value and corrected.interval.about == pytest.approx(2.6)
    assert found.interval.low <= 2.6 <= found.interval.high
    same = estimate_run(numeric_run([0, 0, 0, 0, 0], design, [1, 1]), asked("mse"))
    assert (same.value, same.interval) == (1.0, None)  # no spread: none, and the mean over rows


def test_counts_are_pooled_over_folds_and_orderings_are_not(designed, class_run):
    design = designed(6, *folds(6, [0, 1], [2, 3], [4, 5]), name="leave_one_out")
    run = class_run(
        [0, 1, 0, 1, 0, 1], designed(6, *folds(6, *[[i] for i in ROWS])), [[c] for c in (0.9, 0.8, 0.1, 0.7, 0.2, 0.3)]
    )
    pooled = estimate_run(run, asked("fbeta"))
    assert pooled.value == pytest.approx(2 * 2 / (2 * 2 + 1 + 1))
    auc = estimate_run(run, asked("auc"))
    assert math.isnan(auc.value) and "6 of 6 splits" in auc.value.reason
    by_fold = class_run([0, 1, 0, 1, 0, 1], design, [(0.9, 0.8), (0.1, 0.7), (0.2, 0.3)])
    assert estimate_run(by_fold, asked("auc")).value == pytest.approx(2 / 3)


def test_counts_of_repeats_are_pooled_within_each(designed, class_run):
    once = folds(4, [0, 1], [2, 3])
    design = designed(4, *[(*pair, repeat) for repeat in (0, 1) for pair in once])
    run = class_run([0, 1, 0, 1], design, [(0.1, 0.9), (0.9, 0.9), (0.1, 0.1), (0.1, 0.9)])
    choice = scores.choose("precision")
    found = Resampling(choice, run).pooled_value
    assert found == pytest.approx((2 / 3 + 1) / 2)  # 2 of 3 in the first repeat, 1 of 1 in the second


def test_bootstrap_averages_over_rows_not_over_draws(designed, numeric_run):
    design = designed(3, ([0, 0, 1], [2]), ([0, 0, 0], [1, 2]), name="bootstrap(draws=2)")
    found = estimate_run(numeric_run([0, 0, 0], design, [1, 2]), asked("mse"))
    assert found.value == pytest.approx(((1 + 4) / 2 + 4) / 2)
    assert "bootstrap draws" in found.answers


def test_training_facts_of_each_split_reach_relative_scores(designed, mean_learner):
    found = estimate_run(mean_learner(designed(6, *folds(6, [0, 1], [2, 3], [4, 5]))), asked("relative_squared_error"))
    assert found.value == pytest.approx(1.0)


def test_failed_splits_are_said_first(designed, mean_learner, numeric_run):
    design = designed(6, *folds(6, [0, 1], [2, 3], [4, 5]))
    found = estimate_run(numeric_run(Y, design, [4.5, 3.5], failed=1), asked("mse"))
    assert found.notes[0].code == "failed-splits"
    assert "1 of 3 splits of mean on data failed (the first: it broke)" in found.notes[0].says
    assert found.failed == 1


def test_an_interval_for_a_fixed_model_is_refused(designed, mean_learner):
    run = mean_learner(designed(6, *folds(6, [0, 1], [2, 3], [4, 5])))
    with pytest.raises(Refused, match="use conservative_t `by='repeated_kfold"):
        estimate_run(run, asked("mse", interval="mean_t"))


def test_two_classes_without_a_named_positive_one_take_the_last(designed, class_run):
    named = class_run(
        [0, 1, 0, 1, 0, 1], designed(6, *folds(6, [0, 1], [2, 3], [4, 5])), [(0.9, 0.8), (0.1, 0.7), (0.2, 0.3)]
    )
    unnamed = replace(named, predictions=replace(named.predictions, positive=None))
    found = estimate_run(unnamed, asked("auc"))
    assert found.value == estimate_run(named, asked("auc")).value
    assert any(note.code == "positive-taken" and "1" in note.says for note in found.notes)
    assert not any(note.code == "positive-taken" for note in estimate_run(unnamed, asked("error")).notes)
