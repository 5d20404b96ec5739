"""What splits with the class shares of the sample hide of scores that are no means of rows."""

from dataclasses import replace
from itertools import permutations
from math import inf, sqrt

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import average_precision_score
from sklearn.svm import SVC

import veracity as vc
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.lab.simulate import design_of, make_run
from veracity.lab.worlds import Sample
from veracity.records.arrays import freeze
from veracity.risk.estimate_run import chance_precision
from veracity.risk.fold_scores import Resampling
from veracity.risk.interval_evidence import class_pull, log_odds, loss_traits
from veracity.scores import scores
from veracity.scores.entry import value_of

ROWS = 60


def run_by_hand(by="kfold(k=5)", seed=0, apart=1.0):
    """Probabilities that nobody fitted, so that only scores are at work."""
    random = np.random.default_rng(seed)
    target = np.sort((np.arange(ROWS) % 3 == 0).astype(np.int64))
    sample = Sample(np.zeros((ROWS, 1)), target)
    design = design_of("classes", sample, by, 0)
    tested = np.concatenate([split.test for split in design.splits])
    told = (apart * (2 * target - 1) + random.normal(size=ROWS))[tested]
    run = make_run("classes", sample, design, told > 0)
    return replace(run, predictions=replace(run.predictions, proba=freeze(1 / (1 + np.exp(-told)))))


def pull_of(score, run):
    r = Resampling(scores.choose(score), run)
    numbers = r.numbers(r.main_part)
    return class_pull(r, r.predictions(numbers, "fresh"), numbers), r


def weighted_mean_of_splits(r, weight):
    """The mean score of the splits when positive rows weigh more, by the verb for weighted rows."""
    parts = r.main_predictions.values()
    return np.mean([value_of(r.score, replace(p, weights=freeze(np.where(p.truth == 1, weight, 1.0)))) for p in parts])


@pytest.mark.parametrize("score", ["fbeta", "precision", "jaccard", "mcc", "kappa", "lift", "average_precision"])
def test_tested_rows_pull_as_weights_do(score):
    pull, r = pull_of(score, run_by_hand(apart=0.7))
    step = 1e-4
    slope = (weighted_mean_of_splits(r, 1 + step) - weighted_mean_of_splits(r, 1 - step)) / (2 * step)
    assert pull.tested == pytest.approx([-slope / (2 / 3), slope / (1 / 3)], rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("score", ["recall", "balanced_accuracy", "auc"])
def test_what_is_inside_classes_does_not_heed_how_many_are_tested(score):
    pull, _ = pull_of(score, run_by_hand())
    assert pull.tested == pytest.approx([0, 0], abs=1e-12)


def test_models_follow_the_rows_that_they_learn_from():
    """Twenty positive rows of sixty: one deviation of their log odds is 0.274, and rows as near to the cut change."""
    run = run_by_hand()
    pull, r = pull_of("recall", run)
    odds = log_odds(run.predictions)
    positive, rise = odds[:, 1] - odds[:, 0], 1 / sqrt(ROWS * 2 / 9)
    truth, splits = run.predictions.truth, run.predictions.splits

    def recall(shift):
        return np.mean([np.mean(positive[(splits == one) & (truth == 1)] + shift > 0) for one in range(5)])

    slopes = [(recall(far * rise) - recall(-far * rise)) / (2 * far * rise) for far in (1, 2)]
    assert pull.trained == pytest.approx(max(slopes) * np.array([-3 / 2, 3])) and max(slopes) > 0
    assert pull.known
    traits = loss_traits(r)
    assert traits.trained_away == pytest.approx(max(slopes) ** 2 * 9 / 2 / 12)
    assert pull_of("auc", run)[0].trained.tolist() == [0, 0]


def test_decision_values_are_brought_to_log_odds():
    random = np.random.default_rng(3)
    truth = random.integers(2, size=4000)
    value = random.normal(size=4000) + truth  # log odds rise by 1 with each unit
    p = Predictions("classes", truth, classes=("a", "b"), positive=1, label=(value > 0.5).astype(int), value=7 * value)
    found = log_odds(p)
    assert found[:, 0].tolist() == [0] * 4000
    assert np.polyfit(value, found[:, 1], 1)[0] == pytest.approx(1, abs=0.1)
    assert log_odds(replace(p, value=None)) is None
    backwards = log_odds(replace(p, value=-value))
    assert np.ptp(backwards) < 1e-100  # that tells nothing: any share would decide


def test_labels_alone_or_decision_values_do_not_tell_how_models_follow_shares():
    run = run_by_hand(apart=2.0)
    assert pull_of("fbeta", run)[0].known
    bare = replace(run, predictions=replace(run.predictions, proba=None))
    assert not pull_of("fbeta", bare)[0].known and loss_traits(pull_of("kappa", bare)[1]).trained_away == inf
    assert not pull_of("fbeta", run_by_hand(apart=0.0))[0].known  # what says nothing of classes follows shares alone


def test_three_classes_pull_by_their_weights_too():
    random = np.random.default_rng(1)
    target = np.sort(np.arange(90) % 3)
    sample = Sample(np.zeros((90, 1)), target, classes=3)
    design = design_of("classes", sample, "kfold(k=5)", 0)
    proba = random.dirichlet(np.ones(3), 90) + 0.8 * np.eye(3)[target]
    tested = np.concatenate([split.test for split in design.splits])
    proba = (proba / proba.sum(1, keepdims=True))[tested]
    run = make_run("classes", sample, design, proba.argmax(1))
    run = replace(run, predictions=replace(run.predictions, proba=freeze(proba)))
    for score in ("fbeta", "average_precision"):
        pull, r = pull_of(score, run)
        for at in range(3):
            ends = [_mean_with(r, at, weight) for weight in (1.0001, 0.9999)]
            assert pull.tested[at] == pytest.approx((ends[0] - ends[1]) / 2e-4 * 3, rel=1e-2, abs=1e-4)


def _mean_with(r, at, weight):
    parts = r.main_predictions.values()
    return np.mean([value_of(r.score, replace(p, weights=freeze(np.where(p.truth == at, weight, 1.0)))) for p in parts])


@pytest.mark.parametrize(("rows", "positives"), [(4, 1), (5, 2), (6, 3), (7, 2)])
def test_average_precision_by_chance_is_that_of_all_orders(rows, positives):
    truth = [1] * positives + [0] * (rows - positives)
    every = [average_precision_score(order, -np.arange(rows)) for order in set(permutations(truth))]
    assert chance_precision(np.array([float(rows)]), np.array([float(positives)]))[0] == pytest.approx(np.mean(every))


def fitted_runs(learner, apart, share, rows=120, seed=0, by="kfold(k=10)"):
    random = np.random.default_rng(seed)
    y = (np.arange(rows) < share * rows).astype(int)
    x = random.normal(size=(rows, 2)) + apart * y[:, None]
    return vc.evaluate(learner, x, y, by=by, positive=1)


def codes(runs, score):
    (row,) = vc.estimate(runs, score).rows
    return {note.code: note.weight for note in row.all_notes}, row


def test_models_of_noise_are_cautioned_and_models_that_find_classes_are_not():
    noise = fitted_runs(LinearDiscriminantAnalysis(), 0.0, 0.5)
    said, row = codes(noise, "recall")
    assert said["trained-alike"] == "caution"
    plain = vc.estimate(noise, "recall", interval="corrected_t").rows[0].interval
    assert row.interval.high - row.interval.low > 1.5 * (plain.high - plain.low)
    apart = fitted_runs(LinearDiscriminantAnalysis(), 2.0, 0.3)
    assert all("trained-alike" not in codes(apart, score)[0] for score in ("recall", "fbeta", "kappa", "auc"))
    assert "trained-alike" not in codes(noise, "auc")[0]


def test_learners_without_probabilities_are_cautioned_where_labels_count():
    for learner in (SVC(), RidgeClassifier()):
        runs = fitted_runs(learner, 2.0, 0.3)
        assert codes(runs, "fbeta")[0]["trained-alike"] == "caution"
        assert "trained-alike" not in codes(runs, "error")[0]


@pytest.mark.parametrize("score", ["hull_auc", "max_fbeta", "calibration_error"])
def test_values_that_their_own_rows_chose_have_no_interval_by_default(score):
    said, row = codes(fitted_runs(LinearDiscriminantAnalysis(), 1.0, 0.3), score)
    assert row.interval is None and said["on-request"] == "remark"
    asked = vc.estimate(fitted_runs(LinearDiscriminantAnalysis(), 1.0, 0.3), score, interval="conservative_t")
    assert asked.rows[0].interval is not None


def test_average_precision_of_few_rows_says_that_it_is_high():
    said, _ = codes(fitted_runs(LinearDiscriminantAnalysis(), 0.5, 0.25), "average_precision")
    assert said["small-test-parts"] == "caution"
    many = fitted_runs(LinearDiscriminantAnalysis(), 2.0, 0.5, rows=2000, by="kfold(k=5)")
    assert "small-test-parts" not in codes(many, "average_precision")[0]


def test_an_area_below_chance_has_an_interval_that_reaches_above_it():
    """Models of noise that all err to one side, as in a tenth of samples."""
    for seed in range(60):
        runs = fitted_runs(LinearDiscriminantAnalysis(), 0.0, 0.3, rows=100, seed=seed)
        said, row = codes(runs, "auc")
        if "below-chance" in said:
            break
    else:
        pytest.fail("no sample of sixty lies below chance")
    assert row.value < 0.5 and row.interval.high == pytest.approx(1 - row.value)
    assert vc.estimate(runs, "auc", interval="corrected_t").rows[0].interval.high < 0.5


def test_the_same_score_in_all_splits_has_no_interval():
    """A constant has a kappa of 0 everywhere, which says nothing of how sure that is."""
    from sklearn.dummy import DummyClassifier

    _, row = codes(fitted_runs(DummyClassifier(), 1.0, 0.3), "kappa")
    assert row.value == 0 and row.interval is None


def test_two_learners_are_compared_with_what_class_shares_do_to_both():
    """The same learner twice has the same pull, which cancels."""
    runs = fitted_runs(
        {"a": LinearDiscriminantAnalysis(), "b": LinearDiscriminantAnalysis(shrinkage=0.9, solver="lsqr")},
        0.4,
        0.5,
        by="repeated_kfold(k=5, repeats=2)",
    )
    from veracity.contests.score_sources import from_runs
    from veracity.evidence.score_matrix import SplitScores

    both = {name: runs.run(name) for name in ("a", "b")}
    source = from_runs(both, scores.choose("recall"), "recall")
    found = source.evidence[SplitScores]("a", "b")
    alone = [loss_traits(Resampling(scores.choose("recall"), source.input[name])) for name in ("a", "b")]
    assert 0 <= found.losses.spread_away < sum(one.spread_away for one in alone)
    assert isinstance(both["a"], Run) and vc.compare(runs, "recall").p_value <= 1
