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


def moments(name, p):
    """By sums, and by the influence of each row where no sums are taken."""
    choice = scores.choose(name)
    entry, given = choice.entry, choice.given
    found = entry.moments_of(entry.gather(p, **given), **given)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MANY_ROWS", 2 * len(p))
        columns = entry.gather(replace(p), **given)
    assert type(columns) is Losses
    psi = entry.influence_of(columns, **given)
    return found, [len(psi), psi.sum(), (psi**2).sum(), (psi**3).sum()]


def test_a_first_row_far_off_costs_the_others_no_digits():
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, 300_000)
    proba = np.abs(truth - 1e-9 * random.random(len(truth)))
    proba[0] = 0.9999 - 0.9998 * truth[0]
    found = vc.score(vc.predictions(truth, proba=proba, positive=1), "brier_half")
    exact = math.fsum((proba - truth) ** 2) / len(truth)
    assert float(found) == pytest.approx(exact, rel=1e-12, abs=0)


@pytest.mark.parametrize("name", ["sf_entropy_gain(baseline='test')", "kb_information(baseline='test')"])
def test_probabilities_close_to_the_class_shares_keep_the_digits_of_their_spread(name):
    random = np.random.default_rng(1)
    truth = (random.random(50_000) < 0.3).astype(int)
    proba = truth.mean() * (1 + 1e-5 * random.standard_normal(len(truth)))
    here, there = moments(name, vc.predictions(truth, proba=proba, positive=1))
    assert here[2:] == pytest.approx(there[2:], rel=1e-7, abs=0)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.7, 0.9])
@pytest.mark.parametrize("positive", [0, 1])
def test_a_row_given_just_the_share_of_its_class_is_helped_as_the_general_way_says(share, positive):
    random = np.random.default_rng(1)
    truth = (np.arange(module.MANY_ROWS) < share * module.MANY_ROWS).astype(int)
    proba = np.where(random.random(len(truth)) < 0.1, random.random(len(truth)), truth.mean())
    p = vc.predictions(truth, proba=proba if positive else 1 - proba, positive=positive)
    here, there = moments("kb_information(baseline='test')", p)
    assert here[2] == pytest.approx(there[2], rel=1e-9)


def test_the_layout_of_an_array_changes_no_digit():
    truth, proba = rows(3, module.MANY_ROWS, "spread")
    plain = vc.scorecard(vc.predictions(truth, proba=proba, positive=1))
    for other in (np.repeat(proba, 2)[::2], proba[::-1].copy()[::-1], np.stack([proba, proba])[1]):
        assert str(vc.scorecard(vc.predictions(truth, proba=other, positive=1)).to_json()) == str(plain.to_json())


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
    told = {"baseline": "test", "add_one": False, "train_rows": None, "floor": None}  # the defaults written out
    assert isinstance(scores["sf_entropy_gain"].gather(p, **told), SummedLosses)


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
