"""Comparisons of models of which only counts are known."""

import numpy as np
import pytest

import veracity as vc
from veracity.comparisons import comparisons
from veracity.evidence.same_rows import Pairs, SameRows
from veracity.intervals import intervals

PAIRED = [entry.name for entry in comparisons if entry.reads is Pairs]
OF_PAIRS = [entry.name for entry in intervals if entry.reads is Pairs]


def two_models(both, first_only, second_only, neither):
    """Two models' predictions with these counts."""
    first = np.repeat([1, 1, 0, 0], [both, first_only, second_only, neither])
    second = np.repeat([1, 0, 1, 0], [both, first_only, second_only, neither])
    truth = np.ones(len(first), int)
    return {name: vc.predictions(truth, label=label, classes=[0, 1]) for name, label in (("a", first), ("b", second))}


@pytest.mark.parametrize("using", PAIRED)
@pytest.mark.parametrize("score", ["error", "accuracy"])
def test_pairs_are_compared_as_the_rows_that_they_count(using, score):
    counted = vc.compare(vc.pairs(n01=9, n10=22, of=120), score, using=using)
    seen = vc.compare(two_models(80, 22, 9, 9), score, using=using)
    assert counted.difference == pytest.approx(seen.difference, rel=1e-12)  # of counts, of two shares
    assert {**counted.to_json(), "difference": 0} == {**seen.to_json(), "difference": 0}


@pytest.mark.parametrize("interval", OF_PAIRS)
def test_intervals_of_four_counts(interval):
    counted = vc.compare(vc.pairs(n01=9, n10=22, both=80, neither=9), interval=interval)
    assert counted.interval == vc.compare(two_models(80, 22, 9, 9), interval=interval).interval


def test_an_interval_that_needs_four_counts_says_so():
    with pytest.raises(vc.Refused, match=r"rows that both models got right apart .* give `both=`: or use tango"):
        vc.compare(vc.pairs(n01=9, n10=22, of=120), interval="newcombe_paired")


@pytest.mark.parametrize(
    "using",
    [
        *(entry.name for entry in comparisons if entry.reads is SameRows and entry.compares == 2),
        "tost(of='paired_loss_t', margin=0.2)",
        "non_inferiority(of='paired_loss_t', margin=0.2)",
    ],
)
def test_counted_pairs_are_all_that_tests_of_losses_need(using):
    """Where two models were right tells the loss of every row, whatever the order of rows."""
    numbers = [80, 22, 9, 9]
    right = {"a": np.repeat([1, 1, 0, 0], numbers), "b": np.repeat([1, 0, 1, 0], numbers)}
    of_rows = {name: vc.predictions(correct=of) for name, of in right.items()}
    try:
        seen = vc.compare(of_rows, "error", using=using)
    except vc.VeracityError as why:  # a test of an area, of groups
        with pytest.raises(type(why)):
            vc.compare(vc.pairs(n01=9, n10=22, both=80, neither=9), "error", using=using)
        return
    counted = vc.compare(vc.pairs(n01=9, n10=22, both=80, neither=9), "error", using=using)
    assert (counted.difference, counted.p_value) == pytest.approx((seen.difference, seen.p_value), rel=1e-9)
    limits = (seen.interval.low, seen.interval.high)
    assert (counted.interval.low, counted.interval.high) == pytest.approx(limits, rel=1e-9)


def test_more_rows_than_can_be_taken_apart_are_left_to_mcnemar():
    many = vc.pairs(n01=9, n10=22, of=10**9)
    assert vc.compare(many, "error").p_value == vc.compare(vc.pairs(n01=9, n10=22, of=1000), "error").p_value
    with pytest.raises(vc.Refused, match="use mcnemar_midp"):
        vc.compare(many, "error", using="paired_loss_t")


def test_effect_sizes_of_counted_pairs():
    counted = vc.compare(vc.pairs(n01=9, n10=22, both=80, neither=9), "error", effect=["cohens_d", "a12"])
    assert counted.effects == vc.compare(two_models(80, 22, 9, 9), "error", effect=["cohens_d", "a12"]).effects
    found = vc.compare(vc.pairs(n01=9, n10=22, of=120), "error", effect="a12")
    assert found.effects == () and any("how many rows both models got right" in note.says for note in found.notes)


def test_mcnemar_by_hand():
    found = vc.compare(vc.pairs(n01=9, n10=22, of=1000), "error", using="mcnemar")
    assert found.statistic == pytest.approx((22 - 9 - 1) ** 2 / 31) and found.difference == pytest.approx(-0.013)
    assert (found.n01, found.n10, round(found.p_value, 4)) == (9, 22, 0.0311)


def test_errors_of_different_rows_by_two_proportions():
    # theory: 12 of 40 against 20 of 50, z = -.9848, p = .3247
    found = vc.compare({"a": vc.errors(12, of=40), "b": vc.errors(20, of=50)}, "error", using="two_proportion_z")
    assert (round(found.statistic, 4), round(found.p_value, 4)) == (-0.9848, 0.3247)
    assert "other-rows" in {note.code for note in found.notes if note.weight == "caution"}


def test_matrices_are_compared_by_any_share():
    one, other = ([[28, 2], [3, 7]], [[20, 10], [1, 9]])
    models = {name: vc.Counts(matrix, ["ok", "bad"], "bad") for name, matrix in (("a", one), ("b", other))}
    assert vc.compare(models, "recall").difference == pytest.approx(-0.2)
    with pytest.raises(vc.Refused, match="kappa is not a share of rows"):
        vc.compare(models, "kappa")


def test_one_model_of_counts_against_a_value():
    counted = vc.compare(vc.errors(3, of=40), using="one_sample(value=0.2)")
    assert (
        counted.p_value < 0.05 and counted.notes == vc.compare(vc.errors(3, of=40), using="one_sample(value=0.2)").notes
    )


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: vc.compare(vc.pairs(n01=1, n10=2, of=9), "auc"), "auc cannot be had from the rows that only one"),
        (lambda: vc.compare({"a": vc.errors(1, of=3)}), "compare needs two models or learners, not 1"),
        (
            lambda: vc.compare({"a": vc.errors(1, of=3), "b": vc.errors(2, of=3)}, using="mcnemar"),
            "mcnemar cannot be had from counts of each model",
        ),
    ],
)
def test_what_counts_do_not_tell(ask, says):
    with pytest.raises(vc.VeracityError, match=says):
        ask()
