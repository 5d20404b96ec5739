"""Rows drawn by cells of like ones against rows drawn one by one, and against laws that are known."""

import math
from functools import cache

import numpy as np
import pytest
from scipy.stats import ks_2samp

import veracity as vc
from veracity.comparisons.paired_resampling import MANY, REST, JoinedRows, SummedRows
from veracity.evidence.same_rows import SameRows
from veracity.intervals.auc import delong_error
from veracity.scores import scores


@cache
def models(rows=MANY, share=0.4, apart=1.0, **more):
    """Two models that know the truth with errors of their own; the less they are apart, the more they share."""
    random = np.random.default_rng(3)
    truth = (random.random(rows) < share).astype(int)
    common = random.normal(size=rows)
    values = [truth * knows + common + apart * random.normal(size=rows) for knows in (1.0, 1.02)]
    return [vc.predictions(truth, proba=1 / (1 + np.exp(-value)), positive=1) for value in values]


def pair(score="auc", **more):
    return SameRows.of(scores.choose(score), *models(**more))


@pytest.mark.parametrize(
    ("score", "stratified"), [("auc", False), ("auc", True), ("brier", False), ("log_loss", False)]
)
def test_samples_are_as_those_of_rows_drawn_one_by_one(score, stratified):
    same = pair(score)
    found = SummedRows.of_pair(same, stratified).replicates(4_000, 1)
    rows = JoinedRows.of(same, stratified).replicates(400, 2)
    assert ks_2samp(found, rows).pvalue > 0.01
    assert abs(found.mean() - rows.mean()) < 4 * found.std() / math.sqrt(400)
    assert np.std(found) == pytest.approx(np.std(rows), rel=4 / math.sqrt(800))


def test_the_spread_is_delongs():
    same = pair()
    found = SummedRows.of_pair(same).replicates(40_000, 5)
    error, _ = delong_error(same)
    assert found.std() == pytest.approx(error, rel=4 / math.sqrt(80_000) + REST)
    assert found.mean() == pytest.approx(same.difference, abs=4 * error / 200)


def test_the_spread_of_a_mean_is_that_of_its_rows():
    same = pair("brier")
    row = [same.score.row_values(p) for p in (same.first, same.second)]
    found = SummedRows.of_pair(same).replicates(40_000, 5)
    error = np.std(row[0] - row[1]) / math.sqrt(len(same))
    assert found.std() == pytest.approx(error, rel=4 / math.sqrt(80_000))


def test_one_row_that_does_it_all_is_drawn_as_often_as_it_must():
    """Its number of draws is Poisson's with mean 1."""
    truth = np.zeros(MANY)
    said = np.random.default_rng(0).normal(size=(2, MANY)) * 1e-3
    said[0, 17] = 1_000.0
    same = SameRows.of(scores.choose("mse"), *(vc.predictions(truth, number=one) for one in said))
    summed = SummedRows.of_pair(same)
    times = np.round(summed.replicates(40_000, 1) / same.difference).astype(int)
    shares = np.bincount(times)[:4] / 40_000
    assert shares == pytest.approx([math.exp(-1) / math.factorial(k) for k in range(4)], abs=0.01)
    assert summed.acceleration() == pytest.approx(1 / 6, rel=1e-3)


def test_other_rows_are_drawn_one_by_one():
    few, plain = MANY - 1, pair()
    assert SummedRows.of_pair(plain) is not None
    assert SummedRows.of_pair(pair(rows=few)) is None and SummedRows.of_pair(pair("brier", rows=few)) is None
    assert SummedRows.of_pair(pair("average_precision")) is None and SummedRows.of_pair(pair("error")) is None
    assert SummedRows.of_pair(pair("brier"), stratified=True) is None
    assert SummedRows.of_pair(pair(share=0.005)) is None  # a class of some 500 rows
    assert SummedRows.of_pair(pair(apart=1e-4)) is None  # what pairs of rows do would count


def test_a_verdict_says_how_rows_were_drawn():
    one, other = models()
    for using in ("paired_bootstrap(draws=500)", "paired_bootstrap(draws=500, interval=bca)"):
        found = vc.compare({"a": one, "b": other}, "auc", using=using)
        assert "drawn-by-cells" in {note.code for note in found.notes}
        assert found.interval.low < found.difference < found.interval.high
        delong = vc.compare({"a": one, "b": other}, "auc", using="delong_test")
        width = delong.interval.high - delong.interval.low
        assert found.interval.high - found.interval.low == pytest.approx(width, rel=0.2)


def test_threads_change_no_bit(monkeypatch):
    found = []
    for number in ("1", "2"):
        monkeypatch.setenv("OMP_NUM_THREADS", number)
        found.append(SummedRows.of_pair(SameRows.of(scores.choose("auc"), *models())).replicates(50, 3))
    assert (found[0] == found[1]).all()
