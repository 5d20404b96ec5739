"""Rows of which it is known already how well they were predicted: right or wrong, or a loss."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veracity as vc

ANSWERS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=4, max_size=40)
RANDOM = np.random.default_rng(7)
RIGHT, ALSO = RANDOM.random((2, 120)) < [[0.8], [0.65]]
LOSS, WORSE = RANDOM.gamma(1.0, [[1.0], [1.4]], (2, 120))
GROUPS = np.arange(120) // 4


@given(ANSWERS)
def test_right_and_wrong_rows_are_scored_as_labels_of_the_same_rows_are(answers):
    """Labels that say for each row what the truth says, or something else, have the same errors."""
    right = np.array(answers)
    truth = np.arange(len(right)) % 3
    for column in right.T:
        p, q = vc.predictions(correct=column), vc.predictions(truth, label=np.where(column, truth, truth + 1))
        for name in ("error", "accuracy"):
            mine, other = (vc.estimate(one, name)[name] for one in (p, q))
            assert (mine.value, mine.interval.low, mine.interval.high) == (
                other.value,
                other.interval.low,
                other.interval.high,
            )


@pytest.mark.parametrize("using", ["mcnemar", "mcnemar_midp", "paired_loss_t", "paired_delta", "paired_permutation"])
def test_comparisons_are_those_of_labels(using):
    truth = np.zeros(120, int)
    ready = {"a": vc.predictions(correct=RIGHT), "b": vc.predictions(correct=ALSO.astype(float))}
    labels = {
        name: vc.predictions(truth, label=(~right).astype(int), classes=[0, 1])
        for name, right in (("a", RIGHT), ("b", ALSO))
    }
    mine, other = (vc.compare(models, "error", using=using) for models in (ready, labels))
    assert (mine.difference, mine.p_value, mine.n01, mine.n10) == (
        other.difference,
        other.p_value,
        other.n01,
        other.n10,
    )


def test_a_loss_is_scored_by_its_mean_with_the_tests_of_differences():
    from scipy import stats

    a, b = vc.predictions(loss=LOSS), vc.predictions(loss=WORSE)
    assert vc.score(a, "mean") == pytest.approx(LOSS.mean())
    assert vc.score(a, "mean_loss") == vc.score(a, "mean")
    found = vc.compare({"a": a, "b": b})
    assert (found.score, found.using, found.better) == ("mean", "paired_loss_t", "lower")
    assert found.p_value == pytest.approx(stats.ttest_rel(LOSS, WORSE).pvalue)
    student = vc.estimate(a, "mean", interval="mean_t")["mean"].interval
    expected = stats.t.interval(0.95, 119, LOSS.mean(), stats.sem(LOSS))
    assert (student.low, student.high) == pytest.approx(expected)


@pytest.mark.parametrize("column", [{"correct": RIGHT}, {"loss": LOSS}])
def test_groups_and_weights_count(column):
    name = "error" if "correct" in column else "mean"
    plain, grouped, weighted = (
        vc.estimate(vc.predictions(**column, **more), name)[name]
        for more in ({}, {"groups": GROUPS}, {"weights": np.where(GROUPS % 2, 1.0, 3.0)})
    )
    assert grouped.value == plain.value
    assert grouped.interval.low != plain.interval.low
    assert weighted.value != plain.value


@pytest.mark.parametrize("column", [{"correct": RIGHT}, {"loss": LOSS}])
def test_folds_are_read_as_those_of_runs(column):
    p = vc.predictions(**column, fold=np.arange(120) % 10)
    row = next(iter(vc.estimate(p, "error" if "correct" in column else "mean")))
    assert row.splits == 10
    assert row.interval.method not in ("wilson", "hall_t")


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: vc.predictions(correct=[1, 0.5, 0]),
            "correct: row 1 is 0.5; right is 1 or true, wrong 0 or false: what",
        ),
        (
            lambda: vc.predictions([1, 0], correct=[1, 0]),
            "`correct=` says how well each row was predicted, so `truth=` has",
        ),
        (
            lambda: vc.predictions(correct=[1, 0], positive=1),
            "`correct=` says how well each row was predicted, so `positive=`",
        ),
        (lambda: vc.predictions(correct=[1, 0], loss=[1, 2]), "`correct=` and `loss=` both say how well"),
        (lambda: vc.predictions(), "give the truth, `y=`, or what is known of each row already, `correct=` or `loss="),
        (
            lambda: vc.predictions(correct=["a", "b"]),
            "correct: row 0 holds 'a': right is written 1 or true, wrong 0 or false",
        ),
        (lambda: vc.predictions(correct=[]), "correct: there are no rows"),
        (lambda: vc.predictions(loss=[1, np.nan]), "loss: row 1 is nan; every number must be finite"),
        (lambda: vc.predictions(loss=[1, 2], groups=[1, 2, 3]), "groups has 3 rows, but loss has 2"),
        (
            lambda: vc.score(vc.predictions(correct=RIGHT), "kappa"),
            "kappa cannot be had from right and wrong rows alone",
        ),
        (lambda: vc.score(vc.predictions(loss=LOSS), "auc"), "auc cannot be had from losses: their score is mean"),
        (
            lambda: vc.curve(vc.predictions(correct=RIGHT), "roc"),
            "roc is drawn from truth and predictions, and `correct=`",
        ),
        (
            lambda: vc.score(vc.predictions(RIGHT, label=ALSO), "mean"),
            "mean needs a loss of each row (`loss=`), but these",
        ),
        (
            lambda: vc.compare({"a": vc.predictions(correct=RIGHT), "b": vc.predictions(loss=LOSS)}),
            "one model tells right and wrong rows and the other losses: give both in one form",
        ),
        (
            lambda: vc.estimate(vc.predictions(loss=LOSS), "mean", interval="hoeffding"),
            "mean is not a mean of losses in a known range",
        ),
        (
            lambda: vc.compare({"a": vc.predictions(loss=LOSS), "b": vc.predictions(loss=WORSE)}, using="mcnemar"),
            "a test of right and wrong rows compares error or accuracy, not mean",
        ),
    ],
)
def test_what_needs_more_is_refused_in_a_sentence(call, sentence):
    with pytest.raises(vc.VeracityError) as caught:
        call()
    assert str(caught.value).startswith(sentence)


def test_nothing_is_said_of_classes_that_are_not_known():
    p = vc.predictions(correct=np.repeat([1, 0], [95, 5]))
    card = vc.scorecard(p)
    assert [row.score for row in card] == ["error", "accuracy"]
    assert not [note for row in card for note in row.notes]
    assert next(iter(vc.worst(vc.predictions(loss=LOSS), 1))).loss == LOSS.max()
