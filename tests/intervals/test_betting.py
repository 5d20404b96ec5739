import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.core.confidence import Confidence
from veracity.evidence.losses import Bounded
from veracity.intervals.attach import attach_interval
from veracity.intervals.betting import EVERY_TWELFTH, betting

SPACED = np.isin(np.arange(100), EVERY_TWELFTH).astype(float)


def capital(losses, mean, miss, cut=0.5):
    """The larger of both hedged capitals over time, by the formulas as printed."""
    rows = len(losses)
    up = down = 1.0
    most = 0.0
    total, squares = 0.5, 0.25
    for t, x in enumerate(losses):
        stake = np.sqrt(2 * np.log(2 / miss) / (rows * squares / (t + 1)))
        up *= 1 + min(stake, cut / mean) * (x - mean)
        down *= 1 - min(stake, cut / (1 - mean)) * (x - mean)
        most = max(most, up / 2, down / 2)
        total += x
        squares += (x - total / (t + 2)) ** 2
    return most


@pytest.mark.parametrize("losses", [SPACED, np.random.default_rng(3).random(60)], ids=["errors", "uniform"])
def test_ends_by_the_printed_formulas(losses):
    low, high, *_ = betting.function(Bounded(losses), Confidence(), shuffle=False)
    for end, outward in ((low, -1e-6), (high, 1e-6)):
        assert capital(losses, end + outward, 0.05) >= 20 > capital(losses, end - outward, 0.05)


def test_near_clopper_pearson():
    low, high, *_ = betting.function(Bounded(SPACED), Confidence(), shuffle=False)
    assert low == pytest.approx(0.0352, abs=0.02) and high == pytest.approx(0.1516, abs=0.03)


@given(losses=st.lists(st.floats(0, 1), min_size=1, max_size=40), seed=st.integers(0, 5))
def test_ordered_and_holding_the_mean(losses, seed):
    x = Bounded(np.array(losses))
    low, high, *_ = betting.function(x, Confidence(), seed=seed)
    assert -1e-12 <= low <= x.mean + 1e-12 and x.mean - 1e-12 <= high <= 1 + 1e-12


def test_mirrored_losses():
    losses = np.random.default_rng(1).random(80)
    low, high, *_ = betting.function(Bounded(losses), Confidence(), shuffle=False)
    mirrored = betting.function(Bounded(1 - losses), Confidence(), shuffle=False)
    assert (mirrored.low, mirrored.high) == pytest.approx((1 - high, 1 - low))


def test_one_sided_is_two_sided_at_twice_the_miss():
    x = Bounded(SPACED)
    assert betting.function(x, Confidence(0.95, "upper")).high == pytest.approx(
        betting.function(x, Confidence(0.9)).high
    )


def test_seed_is_recorded_and_decides(counted):
    m = counted("error", [[40, 10], [20, 130]])
    one, same, other = (attach_interval(m, "betting", Confidence(), seed) for seed in (1, 1, 2))
    assert one == same and one.low != other.low
    assert "betting: rows shuffled with seed 1" in [note.says for note in one.notes]


def test_holds_for_the_mean_of_a_skewed_law():
    random = np.random.default_rng(5)
    missed = 0
    for seed in range(100):
        low, high, *_ = betting.function(Bounded(random.beta(0.3, 3, 100)), Confidence(0.9), seed=seed)
        missed += not low <= 0.3 / 3.3 <= high
    assert missed <= 15
