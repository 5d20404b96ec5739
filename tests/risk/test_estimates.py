"""What is said of values that are no ordinary numbers, and one value whatever interval stands beside it."""

import numpy as np
import pytest

import veracity as vc


def test_an_infinite_value_says_why():
    p = vc.predictions([0, 1], proba=[0.2, 0.0], positive=1)
    found = vc.estimate(p, "log_loss")["log_loss"]
    assert found.interval is None
    assert next(note for note in found.notes if note.code == "infinite").says.endswith("was given probability 0")


def test_a_score_of_out_of_fold_predictions_is_the_mean_over_rows_whatever_the_folds():
    fold = np.repeat([0, 1, 2], [20, 20, 60])
    truth = np.arange(100) % 2
    wrong = np.concatenate([np.arange(20) < 2, np.arange(20) < 5, np.arange(60) < 22])
    p = vc.predictions(truth, label=np.where(wrong, 1 - truth, truth), fold=fold)
    assert wrong.sum() == 29 and vc.score(p, "error") == pytest.approx(0.29, rel=1e-12)
    for interval in (None, "conservative_t", "corrected_t", "cv_wald", "percentile(draws=200)"):
        found = vc.estimate(p, "error", interval=interval).rows[0]
        assert found.value == vc.score(p, "error") and found.value in found.interval


@pytest.mark.parametrize("score", ["fbeta", "mcc", "balanced_accuracy", "precision"])
def test_a_score_of_counts_is_that_of_all_folds_together_whatever_its_interval(score):
    random = np.random.default_rng(4)
    truth = np.arange(120) % 3 % 2
    label = np.where(random.random(120) < 0.25, 1 - truth, truth)
    p = vc.predictions(truth, label=label, positive=1, fold=np.arange(120) // 12)
    together = vc.score(vc.predictions(truth, label=label, positive=1), score)
    values = {vc.estimate(p, score, interval=one).rows[0].value for one in (None, "corrected_t", "bca(draws=200)")}
    assert len(values | {vc.score(p, score)}) == 1 and values.pop() == pytest.approx(together, rel=1e-12)
