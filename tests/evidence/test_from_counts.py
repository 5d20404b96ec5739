"""Evidence from counts in hand, through the verbs that read it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veracity as vc
from veracity.intervals import intervals

SHARES = [entry.name for entry in intervals if entry.answers == "model" and entry.reads.__name__ == "Proportion"]


def as_predictions(wrong, of):
    """Rows of two classes with so many errors."""
    truth = np.arange(of) % 2
    return vc.predictions(truth, label=np.where(np.arange(of) < wrong, 1 - truth, truth))


@pytest.mark.parametrize("interval", [None, *SHARES])
def test_errors_have_the_interval_of_the_rows_they_count(interval):
    counted = vc.estimate(vc.errors(12, of=40), "error", interval=interval)["error"]
    seen = vc.estimate(as_predictions(12, 40), "error", interval=interval)["error"]
    assert counted.value == seen.value == 0.3 and counted.interval == seen.interval


def test_a_published_interval():
    low_high = vc.estimate(vc.errors(12, of=40), "error", interval="wald")["error"].interval
    assert (round(low_high.low, 4), round(low_high.high, 4)) == (0.1580, 0.4420)  # .3 +- 1.96 sqrt(.3 * .7 / 40)


def test_a_scorecard_of_errors_holds_what_errors_tell_and_no_word_on_classes():
    card = vc.scorecard(vc.errors(1, of=40))
    assert [row.score for row in card] == ["error", "accuracy"] and not card.notes
    assert all(not row.notes for row in card)


@given(st.integers(1, 2000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_a_rounded_rate_gives_the_number_back(counts):
    number, of = counts
    rate = round(number / of, 6)
    if 0 < rate < 1:
        assert vc.score(vc.errors(rate, of=of), "error") == number / of


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: vc.errors(41, of=40), "41 errors of 40: give a whole number from 0 to 40"),
        (lambda: vc.errors(-1, of=40), "-1 errors of 40"),
        (lambda: vc.errors(2.5, of=40), "2.5 errors of 40"),
        (lambda: vc.errors(2, of=0), "`of=` is how many rows there were: at least 1, not 0"),
        (lambda: vc.errors(0.173, of=40), "no whole number of 40 rows is a rate of 0.173: 7 are 0.175"),
        (lambda: vc.estimate(vc.errors(2, of=9), "auc"), "auc cannot be had from a number of errors alone"),
        (lambda: vc.score(vc.errors(2, of=9), "recall"), "recall cannot be had from a number of errors alone"),
        (lambda: vc.pairs(n01=9, n10=22, of=20), "`n01=` and `n10=` are 31 rows together, more than the 20 there were"),
        (
            lambda: vc.pairs(n01=9, n10=22),
            "say how many rows there were, `of=`, or how many `both=` and `neither=` hold",
        ),
        (lambda: vc.pairs(n01=9, n10=-1, of=20), "`n10=` counts rows: it is at least 0, not -1"),
        (lambda: vc.pairs(n01=1, n10=1, both=5, neither=5, of=20), "the four counts do not add up to the 20 rows"),
        (lambda: vc.pairs(n01=1, n10=1, both=50, of=20), "the four counts do not add up to the 20 rows"),
        (lambda: vc.Counts([[1, 2, 3], [4, 5, 6]]), r"a confusion matrix is square .*, not of shape \(2, 3\)"),
        (lambda: vc.Counts([[1, 2], [4, 5]], classes=["a", "b"], positive="c"), "positive class 'c' is not among"),
    ],
)
def test_what_cannot_be_counted_is_one_sentence(ask, says):
    with pytest.raises(vc.BadInput, match=says):
        ask()


def test_a_matrix_of_lists_names_its_positive_class():
    counts = vc.Counts([[28, 2], [3, 7]], classes=["ok", "bad"], positive="bad")
    assert vc.score(counts, "recall") == 0.7 and vc.score(counts, "precision") == pytest.approx(7 / 9)
    assert vc.score(counts.with_positive(0), "recall") == pytest.approx(28 / 30)


def test_four_counts_may_leave_one_to_the_sum():
    whole = vc.pairs(n01=9, n10=22, both=900, neither=69)
    assert whole == vc.pairs(n01=9, n10=22, both=900, of=1000) == vc.pairs(n01=9, n10=22, neither=69, of=1000)


def test_a_matrix_of_lists_shows_itself_as_it_is_typed():
    typed = "Counts([[50, 5], [7, 38]], classes=['ham', 'spam'], positive='spam')"
    assert repr(eval(f"vc.{typed}")) == typed


@pytest.mark.parametrize("rate", [1e-05, 0.0001, 0.004])
def test_a_rate_above_nothing_is_never_no_error(rate):
    """The digits of 1e-05 were counted as none, so that it was 0 errors."""
    with pytest.raises(vc.BadInput, match="no whole number of 100 rows"):
        vc.errors(rate, of=100)
    assert vc.errors(rate, of=100_000).cells.tolist() == vc.errors(round(rate * 100_000), of=100_000).cells.tolist()


@pytest.mark.parametrize("kind", [float, np.float64, np.float32])
def test_a_rate_of_any_type_of_number_has_the_digits_that_are_written(kind):
    assert vc.errors(kind(0.333), of=3).cells.tolist() == vc.errors(1, of=3).cells.tolist()
