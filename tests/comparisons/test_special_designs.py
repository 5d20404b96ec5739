"""Five times two folds against theory's worked example."""

import numpy as np
import pytest

import veracity as vc
from veracity.comparisons.entry import error_rates_of
from veracity.comparisons.resampled_t import five_by_two_f, five_by_two_t
from veracity.core.errors import Refused
from veracity.evidence.score_matrix import SplitScores

EXAMPLE = five_by_two_t.known_answers()[0].given["differences"]

TEN = np.ravel(EXAMPLE)


def table(first=TEN, **how):
    said = {"train": 50, "test": 50, "k": 2, "repeats": 5, **how}
    return vc.split_scores({"a": first, "b": np.zeros(len(first))}, **said)


def test_the_worked_example():
    t = vc.compare(table(), using="five_by_two_t")
    f = vc.compare(table(), using="five_by_two_f")
    assert (t.statistic, t.p_value, t.df) == pytest.approx((2.372, 0.0638, 5), abs=5e-4)
    assert (f.statistic, f.p_value) == pytest.approx((4.375, 0.0585), abs=5e-4)
    assert f.df == (10, 5)
    assert [note.code for note in t.notes] == ["unstable-learner", "one-of-ten"]
    worst = max(row.rejected for row in error_rates_of("five_by_two_f"))
    assert [note.code for note in f.notes] == ["unstable-learner"] and f"rejects {worst:.1%}" in f.notes[0].says
    assert worst > 0.1


def test_f_does_not_depend_on_the_order_of_repeats_or_folds():
    turned = np.array(EXAMPLE)[::-1, ::-1].ravel()
    given = vc.compare(table(), using="five_by_two_f").statistic
    assert vc.compare(table(turned), using="five_by_two_f").statistic == pytest.approx(given)
    assert vc.compare(table(turned), using="five_by_two_t").statistic != pytest.approx(2.372, abs=5e-4)


@pytest.mark.parametrize("how", [{"k": 5, "repeats": 2}, {"k": 10, "repeats": 1}, {"train": 90, "test": 10}])
@pytest.mark.parametrize("name", ["five_by_two_t", "five_by_two_f"])
def test_other_designs_are_refused_and_the_right_one_named(name, how):
    with pytest.raises(vc.Refused, match="by='five_by_two'"):
        vc.compare(table(**how), using=name)


def test_a_hundred_rows_and_one_swap_too():
    s = SplitScores.of(TEN, [51, 50] * 5, [50, 51] * 5, np.repeat(np.arange(5), 2))
    assert five_by_two_f.function(s).statistic == pytest.approx(4.375)


def test_no_spread_within_repeats_is_refused_unless_nothing_differs():
    with pytest.raises(vc.Refused, match="nothing about chance"):
        vc.compare(table(np.full(10, 0.02)), using="five_by_two_f")
    for entry in (five_by_two_t, five_by_two_f):
        assert vc.compare(table(np.zeros(10)), using=entry.name).p_value == 1


@pytest.mark.parametrize("using", ["five_by_two_t", "five_by_two_f"])
def test_another_number_of_splits_has_no_answer_whatever_is_accepted(using):
    splits = vc.split_scores({"a": np.arange(12.0), "b": np.zeros(12)}, train=50, test=50, k=2)
    with pytest.raises(Refused, match="five repeats of two folds"):
        vc.compare(splits, using=using, anyway=True)
