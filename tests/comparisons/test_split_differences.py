"""t tests of two learners on the splits of one data set against printed answers."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veracity as vc
from veracity.comparisons.entry import worst_error_rate
from veracity.comparisons.resampled_t import conservative_t, corrected_t, kfold_t, resampled_t
from veracity.core.notes import check
from veracity.evidence.score_matrix import SplitScores

REFERENCE = Path(__file__).parents[1] / "reference"
TEN = [0.02, 0.04, -0.01, 0.03, 0.05, 0.00, 0.02, 0.03, 0.01, 0.01]
FOLDS = SplitScores.of(TEN, 90, 10)
differences = st.lists(st.integers(-20, 20), min_size=2, max_size=30).filter(lambda d: len(set(d)) > 1)


def codes(entry, evidence):
    return [note.code for note in check(entry.limits, evidence, anyway=True)]


def test_ten_differences_of_ten_folds():
    fair, naive = corrected_t.function(FOLDS), kfold_t.function(FOLDS)
    assert (fair.statistic, fair.p_value, fair.df) == pytest.approx((2.384, 0.0409, 9), abs=5e-4)
    assert (naive.statistic, naive.p_value) == pytest.approx((3.464, 0.0071), abs=5e-4)
    assert dict(naive.facts)["corrected_t_p_value"] == fair.p_value


def test_thirty_hold_outs_of_correct_r():
    known = json.loads((REFERENCE / "correctR_expected.json").read_text())
    s = SplitScores.of(np.subtract(known["x"], known["y"]), known["n_train"], known["n_test"], np.arange(30))
    found = corrected_t.function(s)
    assert found.statistic == pytest.approx(known["t"], abs=5e-7)
    assert found.p_value == pytest.approx(known["p_two_sided"], abs=5e-9)
    assert resampled_t.function(s).statistic == pytest.approx(7.018, abs=5e-4)


@given(differences, st.sampled_from([1, 2, 5]))
def test_conservative_t_and_its_interval_say_the_same(found, folds):
    s = SplitScores.of(found, 9, 1, np.arange(len(found)) // folds)
    result = conservative_t.function(s)
    low, high, *_ = result.confidence_interval(0.95)
    assert (result.p_value < 0.05) == (not low <= 0 <= high)
    assert conservative_t.function(SplitScores.of(-s.values, 9, 1, s.repeats)).p_value == pytest.approx(result.p_value)


def test_conservative_t_of_learners_that_are_alike():
    found = conservative_t.function(SplitScores.of([0.0] * 20, 9, 1, np.arange(20) // 10))
    assert found.p_value == 1 and found.df == 15 and found.notes[0].code == "all-equal"


def test_the_default_of_split_scores_goes_by_the_repeats():
    scores = {"a": np.arange(20) % 7, "b": np.arange(20) % 5}
    for words, using in (({"k": 20}, "corrected"), ({"k": 10, "repeats": 2}, "conservative"), ({}, "conservative")):
        found = vc.compare(vc.split_scores(scores, train=90, test=10, **words))
        assert found.using == f"{using}_t"
    cautioned = vc.compare(vc.split_scores(scores, train=90, test=10), using="corrected_t")
    says = next(note.says for note in cautioned.notes if note.code == "repeated-splits")
    assert f"rejects {worst_error_rate('corrected_t').rejected:.1%}" in says


def test_kfold_t_is_refused_on_all_but_one_round_of_folds():
    assert "not-kfold" not in codes(kfold_t, FOLDS)
    assert "not-kfold" in codes(kfold_t, SplitScores.of(TEN, 90, 10, np.arange(10) // 5))
    assert "not-kfold" in codes(kfold_t, SplitScores.of(TEN, 90, 10, np.arange(10)))
    assert "not-kfold" in codes(kfold_t, SplitScores.of(TEN, 67, 33))


def test_uneven_folds_are_folds():
    assert "not-kfold" not in codes(kfold_t, SplitScores.of(TEN[:4], [7, 8, 8, 7], [3, 2, 2, 3]))


def test_resampled_t_is_refused_with_what_was_measured():
    table = vc.split_scores({"a": TEN, "b": [0.0] * 10}, train=90, test=10)
    with pytest.raises(vc.Refused, match=r"use conservative_t \(measured where nothing differs: .*rejects 79\.9%"):
        vc.compare(table, using="resampled_t")
    found = vc.compare(table, using="resampled_t", anyway=True)
    assert "decides nothing" in str(found) and not found.rejected


def test_no_difference_anywhere_is_no_evidence():
    nothing = SplitScores.of(np.zeros(10), 90, 10)
    for entry in (corrected_t, kfold_t, resampled_t):
        assert entry.function(nothing).p_value == 1


def test_a_constant_difference_is_refused():
    table = vc.split_scores({"a": [0.1 + 0.7] * 5, "b": [0.3] * 5}, train=8, test=2)
    with pytest.raises(vc.Refused, match="same in all splits"):
        vc.compare(table)


def test_a_constant_difference_made_by_rounding_is_seen():
    first = np.array([0.3, 0.7, 0.9, 0.5]) + 0.1
    table = vc.split_scores({"a": first, "b": first - 0.1}, train=8, test=2)
    with pytest.raises(vc.Refused, match="same in all splits"):
        vc.compare(table)


def test_undefined_and_infinite_splits_have_no_answer_even_if_accepted():
    for bad in (np.nan, np.inf):
        table = vc.split_scores({"a": [0.1, bad, 0.3], "b": [0.2, 0.2, 0.2]}, train=8, test=2)
        with pytest.raises(vc.Refused):
            vc.compare(table)
        with pytest.raises(vc.Refused, match="no answer"):
            vc.compare(table, anyway=True)


def test_one_split_says_nothing():
    with pytest.raises(vc.Refused, match="one split"):
        vc.compare(vc.split_scores({"a": [0.1], "b": [0.2]}, train=8, test=2))


def test_few_and_skewed_splits_are_told():
    assert "few-splits" in codes(corrected_t, SplitScores.of(TEN[:5], 80, 20))
    assert "skewed-splits" in codes(corrected_t, SplitScores.of([0.0] * 5 + [0.001] * 6 + [0.9], 90, 10))
    assert codes(corrected_t, FOLDS) == []


@given(differences)
def test_turning_the_pair_turns_the_sign_and_nothing_else(d):
    one, other = (corrected_t.function(SplitScores.of(sign * np.array(d), 90, 10)) for sign in (1.0, -1.0))
    assert one.statistic == pytest.approx(-other.statistic)
    assert one.p_value == pytest.approx(other.p_value)


@given(differences)
def test_the_correction_never_finds_more(d):
    s = SplitScores.of(d, 90, 10)
    assert corrected_t.function(s).p_value >= resampled_t.function(s).p_value


def both(first, second, **how):
    return vc.split_scores({"a": first, "b": second}, **{"train": 90, "test": 10, "k": len(first), **how})


@pytest.mark.parametrize("using", ["corrected_t", "kfold_t", "correlated_t_posterior"])
def test_an_infinite_split_is_refused_in_words(using):
    scores = np.r_[np.linspace(0, 1, 11), np.inf]
    with pytest.raises(vc.Refused, match="infinite in some splits"):
        vc.compare(both(scores, np.zeros(12)), using=using)


def test_learners_that_score_alike_are_told():
    found = vc.compare(both(np.arange(10.0), np.arange(10.0)))
    assert found.p_value == 1 and [note.code for note in found.notes] == ["all-equal", "default"]


def test_a_difference_without_spread_has_a_way_out():
    with pytest.raises(vc.Refused, match="use a finer score such as brier"):
        vc.compare(both(np.arange(10.0), np.arange(10.0) + 1))
