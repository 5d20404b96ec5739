"""Scores from sums over rows are those from columns of losses: values, means, moments, intervals."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import veracity as vc
from veracity.evidence import predictions as module
from veracity.evidence.losses import Losses, SummedLosses
from veracity.scores import scores
from veracity.scores.on_rows import RowScore

NAMES = (
    "brier", "brier_half", "log_loss", "informational_loss", "calibration_error",
    "kb_information(baseline='test')", "kb_information(baseline='test', relative=True)",
    "sf_entropy_gain(baseline='test')",
)  # fmt: skip


def rows(seed, number, kind):
    random = np.random.default_rng(seed)
    truth = random.integers(0, 2, number)
    truth[:2] = 0, 1
    proba = np.clip(0.05 + 0.5 * random.random(number) + 0.4 * truth * random.random(number), 0, 1)
    if kind == "tied":
        proba = np.round(proba, 1)
    elif kind == "equal":
        proba[:] = 0.5
    elif kind == "certain":
        proba[random.random(number) < 0.1] = 0.0
    elif kind == "single":
        proba = proba.astype(np.float32)
    elif kind == "both":
        proba = np.stack([1 - proba, proba], 1)
    elif kind == "tiny":
        proba[:] = 5e-324
    return truth, proba


@given(
    st.integers(0, 10**6),
    st.integers(3, 300),
    st.sampled_from(["spread", "tied", "equal", "certain", "single", "both", "tiny"]),
    st.sampled_from([0, 1]),
)
@example(100, 148, "certain", 0)  # the first row is given probability 0, as others are
@settings(deadline=None, max_examples=60)
def test_sums_give_what_columns_give(seed, number, kind, positive):
    truth, proba = rows(seed, number, kind)
    columns = vc.predictions(truth, proba=proba, positive=positive)
    assert columns.row_sums is None
    sums = replace(columns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MANY_ROWS", 1)
        assert sums.row_sums is not None
    for name in NAMES:
        choice = scores.choose(name)
        entry, given = choice.entry, choice.given
        one, other = entry.gather(sums, **given), entry.gather(columns, **given)
        assert type(other) is Losses and one.rows == other.rows and one.width == other.width
        here, there = float(entry.evaluate(one, **given)), float(entry.evaluate(other, **given))
        assert here == pytest.approx(there, rel=1e-11, abs=1e-13, nan_ok=True), name
        moments = entry.moments_of(one, **given)
        if moments is not None and math.isfinite(there):
            psi = entry.influence_of(other, **given)
            direct = [len(psi), psi.sum(), (psi**2).sum(), (psi**3).sum()]
            np.testing.assert_allclose(moments, direct, rtol=1e-8, atol=1e-9 * (1 + direct[2]), err_msg=name)
        np.testing.assert_array_equal(one.columns, other.columns)


def test_the_front_door_takes_sums_of_many_rows_alone():
    truth, proba = rows(1, module.MANY_ROWS, "spread")
    p = vc.predictions(truth, proba=proba, positive=1)
    assert isinstance(scores["brier"].gather(p), SummedLosses)
    for other in (
        vc.predictions(truth, proba=proba, positive=1, weights=np.ones(len(truth))),
        vc.predictions(truth, proba=proba, positive=1, groups=np.arange(len(truth))),
        vc.predictions(truth, proba=proba, positive=1, counts=np.ones(len(truth), int)),
    ):
        assert type(scores["brier"].gather(other)) is Losses
    assert scores["log_loss"].gather(p, clip=1e-3).columns.shape == (len(p), 1)


def test_a_scorecard_of_many_rows_is_that_of_the_same_rows_counted_once_each():
    truth, proba = rows(2, module.MANY_ROWS, "spread")
    fast = vc.scorecard(vc.predictions(truth, proba=proba, positive=1))
    plain = vc.scorecard(vc.predictions(truth, proba=proba, positive=1, counts=np.ones(len(truth), int)))
    assert [row.score for row in fast.rows] == [row.score for row in plain.rows]
    for one, other in zip(fast.rows, plain.rows, strict=True):
        assert float(one.value) == pytest.approx(float(other.value), rel=1e-10), one.score
        if one.interval is not None and one.interval.method == other.interval.method:
            assert one.interval.low == pytest.approx(other.interval.low, rel=1e-9), one.score
            assert one.interval.high == pytest.approx(other.interval.high, rel=1e-9), one.score


def test_every_score_from_sums_is_among_those_compared():
    with_sums = {entry.name for entry in scores if isinstance(entry, RowScore) and entry.sums is not None}
    assert with_sums == {name.partition("(")[0] for name in NAMES}
