"""Paired bootstrap against resampling of the rows themselves, McNemar, bca by hand, and its level under the null."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veracity.comparisons.paired_resampling import JoinedRows, paired_bootstrap
from veracity.contests.compare import compare
from veracity.core.errors import BadInput, Refused
from veracity.evidence.make_predictions import predictions
from veracity.evidence.predictions import subset
from veracity.evidence.same_rows import SameRows
from veracity.scores import scores

SCORES = ["error", "auc", "average_precision", "brier", "fbeta", "auc(average='macro_ovr')"]


def pair(score, rows=80, seed=0, digits=2, better=0.0):
    random = np.random.default_rng(seed)
    truth = np.arange(rows) % 2
    chances = [
        np.clip(np.round(0.3 + shift * (truth - 0.5) + 0.4 * truth + 0.3 * random.normal(size=rows), digits), 0, 1)
        for shift in (better, 0.0)
    ]
    return SameRows.of(scores.choose(score), *(predictions(truth, proba=one, positive=1) for one in chances))


def turned(same):
    return SameRows(same.score, same.second, same.first)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize(("rows", "digits"), [(80, 2), (400, 1)])
def test_replicates_are_the_score_of_drawn_rows(score, rows, digits):
    """A draw, written out as rows, gives the same difference as its counts do: by rows and by cells."""
    same = pair(score, rows, digits=digits)
    joined = JoinedRows.of(same)
    drawn = next(joined._draw(3, 5))
    code = [tracked.cell for tracked in same.tracked]
    for counts, difference in zip(drawn, joined.differences(drawn), strict=True):
        rows_of_unit = [
            np.flatnonzero((code[0] == a) & (code[1] == b))
            for a, b in zip(joined.units.first, joined.units.second, strict=True)
        ]
        rows_drawn = np.concatenate(
            [np.repeat(own[:1], times) for own, times in zip(rows_of_unit, counts, strict=True) if times]
        )
        assert len(rows_drawn) == rows
        expected = SameRows(same.score, subset(same.first, rows_drawn), subset(same.second, rows_drawn)).difference
        assert difference == pytest.approx(expected, abs=1e-12)


def test_labels_of_many_rows_are_drawn_by_cell():
    joined = JoinedRows.of(pair("error", 10_000))
    assert len(joined.units.times) <= 8 and joined.units.rows == 10_000
    difference = joined.pair.difference
    found = joined.replicates(20_000, 0)
    share = (joined.pair.first.labels() != joined.pair.second.labels()).mean()
    assert found.mean() == pytest.approx(difference, abs=5e-4)
    assert found.std() == pytest.approx(np.sqrt((share - difference**2) / 10_000), rel=0.02)


@settings(max_examples=10)
@given(st.integers(0, 500), st.sampled_from(SCORES[:5]))
def test_the_other_way_round(seed, score):
    same = pair(score, 60, seed)
    found, other = (paired_bootstrap.function(one, draws=400) for one in (same, turned(same)))
    assert found.estimate == pytest.approx(-other.estimate)
    assert found.p_value == pytest.approx(other.p_value, abs=0.08)  # units are drawn in another order


@pytest.mark.parametrize("score", ["error", "auc"])
def test_row_order_does_not_matter_at_all(score):
    same = pair(score, 60)
    order = np.random.default_rng(1).permutation(60)
    moved = SameRows(same.score, subset(same.first, order), subset(same.second, order))
    assert paired_bootstrap.function(same, draws=200).p_value == paired_bootstrap.function(moved, draws=200).p_value


def test_interval_and_p_value_agree():
    """0 lies outside the interval just when the p-value is below its miss, draws aside."""
    for better in (0.0, 0.15, 0.3):
        found = paired_bootstrap.function(pair("auc", 120, 4, better=better))
        limits = found.confidence_interval()
        outside = limits.low > 0 or limits.high < 0
        assert outside == (found.p_value < 0.05) or abs(found.p_value - 0.05) < 0.005
        assert limits.low < found.estimate < limits.high


def test_bca_acceleration_is_the_jackknife():
    same = pair("auc", 60)
    left_out = []
    for row in range(60):
        kept = np.arange(60) != row
        left_out.append(SameRows(same.score, subset(same.first, kept), subset(same.second, kept)).difference)
    gap = np.mean(left_out) - np.array(left_out)
    expected = (gap**3).sum() / (6 * (gap**2).sum() ** 1.5)
    assert JoinedRows.of(same).acceleration() == pytest.approx(expected, rel=1e-9)


def test_bca_acceleration_of_many_rows_by_groups_is_near():
    same = pair("brier", 4_000, digits=9)
    gap = same.tracked[0].evidence.columns[:, 0] - same.tracked[1].evidence.columns[:, 0]
    gap = gap - gap.mean()
    expected = (gap**3).sum() / (6 * (gap**2).sum() ** 1.5)
    assert JoinedRows.of(same).acceleration() == pytest.approx(expected, abs=0.01)


def test_bca_is_asked_for_by_name():
    same = pair("auc", 80)
    models = {"a": same.first, "b": same.second}
    found = compare(models, "auc", using="paired_bootstrap(interval=bca)")
    assert found.interval.method == "paired_bootstrap(interval='bca')"
    with pytest.raises(BadInput, match="percentile, bca"):
        compare(models, "auc", using="paired_bootstrap(interval=wide)")


def test_identical_predictions_say_so():
    same = pair("auc")
    found = compare({"a": same.first, "b": same.first}, "auc", using="paired_bootstrap")
    assert found.p_value == 1 and found.interval is None
    assert "never-differ" in {note.code for note in found.notes}


def test_all_replicates_alike_are_refused():
    truth = np.arange(40) % 2
    models = {"a": predictions(truth, label=truth), "b": predictions(truth, label=1 - truth)}
    with pytest.raises(Refused, match="every bootstrap sample gives the same difference"):
        compare(models, "error", using="paired_bootstrap")


def test_undefined_replicates_are_counted():
    truth, value = np.array([1] + [0] * 29), np.abs(np.arange(30) - 12)  # the only positive row ranks in the middle
    models = {name: predictions(truth, value=value * sign, positive=1) for name, sign in (("a", 1), ("b", -1))}
    with pytest.raises(Refused, match=r"gave no finite value.*; paired_bootstrap\(stratified=True\) draws within"):
        compare(models, "auc", using="paired_bootstrap")
    found = compare(models, "auc", using="paired_bootstrap(stratified=True)")
    assert found.interval is not None and "undefined-replicates" not in {note.code for note in found.notes}
    assert "stratified" in {note.code for note in found.notes}


@pytest.mark.parametrize(("score", "rows", "digits"), [("error", 400, 1), ("auc", 90, 2), ("brier", 90, 4)])
def test_draws_within_classes_keep_their_sizes(score, rows, digits):
    same = pair(score, rows, digits=digits)
    rare = subset(same.first, np.r_[:rows:2, 1:30:2]), subset(same.second, np.r_[:rows:2, 1:30:2])
    joined = JoinedRows.of(SameRows(same.score, *rare), stratified=True)
    drawn = next(joined._draw(50, 5))
    sizes = [part.rows for part in joined.parts]
    assert sizes == np.bincount(rare[0].truth).tolist()
    ends = np.cumsum([len(part.times) for part in joined.parts])
    assert (drawn[:, : ends[0]].sum(1) == sizes[0]).all() and (drawn[:, ends[0] :].sum(1) == sizes[1]).all()
    assert drawn[:, : ends[0]].std() > 0 and drawn[:, ends[0] :].std() > 0


def test_within_classes_the_spread_is_that_within_classes():
    same = pair("error", 300, seed=2, better=0.4)
    gap = (same.first.labels() != same.first.truth) * 1.0 - (same.second.labels() != same.second.truth)
    found = paired_bootstrap.function(same, draws=20_000, stratified=True)
    of_class = [gap[same.first.truth == label] for label in (0, 1)]
    expected = np.sqrt(sum(len(own) * own.var() for own in of_class)) / 300
    assert found.standard_error == pytest.approx(expected, rel=0.02)


def test_what_cannot_be_drawn_within_classes_is_refused():
    same = pair("auc")
    with pytest.raises(BadInput, match="percentile limits alone"):
        paired_bootstrap.function(same, interval="bca", stratified=True)
    numbers = [predictions([1.0, 2.0, 4.0], number=one) for one in ([1.1, 2.0, 3.0], [1.5, 2.5, 4.5])]
    with pytest.raises(BadInput, match="this target is of numbers"):
        paired_bootstrap.function(SameRows.of(scores.choose("mse"), *numbers), stratified=True)


def rejections(score, rows, repeats, draws):
    found = [paired_bootstrap.function(pair(score, rows, seed, 3), draws=draws).p_value for seed in range(repeats)]
    return np.mean(np.array(found) <= 0.05)


def test_level_under_the_null():
    assert 0.02 <= rejections("auc", 100, 300, 199) <= 0.10


@pytest.mark.slow
@pytest.mark.parametrize("score", ["auc", "brier", "fbeta"])
def test_level_under_the_null_is_close(score):
    assert 0.035 <= rejections(score, 200, 2_000, 399) <= 0.07
