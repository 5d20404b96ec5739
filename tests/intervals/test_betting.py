import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.evidence.losses import Bounded
from veracity.intervals.compute import attach_interval
from veracity.intervals.means import betting

SPACED = np.isin(np.arange(100), np.arange(6, 100, 12)).astype(float)


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


@pytest.mark.parametrize(
    ("score", "losses"),
    [
        ("error", lambda truth, said: truth != said),
        ("accuracy", lambda truth, said: truth == said),
        ("recall", lambda truth, said: said[truth == 1] == 1),
        ("precision", lambda truth, said: truth[said == 1] == 1),
        ("recall(average='micro')", lambda truth, said: truth == said),
        ("positive_rate", lambda truth, said: said == 1),
    ],
)
def test_the_order_of_rows_reaches_the_method(score, losses):
    random = np.random.default_rng(3)
    truth = random.integers(0, 2, 80)
    said = np.where(random.random(80) < 0.3, 1 - truth, truth)
    for times in (None, np.ones(80, int)):
        p = vc.predictions(truth, label=said, positive=1, counts=times)
        found = next(iter(vc.estimate(p, score, interval="betting(shuffle=False)"))).interval
        expected = betting.function(Bounded(losses(truth, said).astype(float)), Confidence(), shuffle=False)
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_counts_have_no_order(counted):
    with pytest.raises(Refused, match="counts do not know the order"):
        attach_interval(counted("error", [[5, 1], [2, 9]]), "betting(shuffle=False)", Confidence())
    # rows of a kind put together, hits first, would tell less than there is to fear
    put_together = vc.predictions([0, 0, 1, 1], label=[0, 1, 0, 1], counts=[30, 5, 7, 18])
    in_bits = vc.predictions([0, 1], proba=[0.2, 0.6], positive=1, counts=[30, 12])
    for evidence, score in (
        (vc.errors(12, of=60), "error"),
        (vc.Counts([[30, 5], [7, 18]]), "error"),
        (put_together, "error"),
        (in_bits, "brier"),
    ):
        with pytest.raises(Refused, match=r"counts do not know the order of their rows.*: give rows"):
            vc.estimate(evidence, score, interval="betting(shuffle=False)")
        assert vc.estimate(evidence, score, interval="betting").rows[0].interval is not None


@pytest.mark.slow
def test_betting_in_the_order_of_rows_holds_for_shares():
    """Hits first, it held in 54.7 % of samples."""
    random = np.random.default_rng(5)
    held = 0
    for _ in range(400):
        wrong = random.random(100) < 0.25
        p = vc.predictions(np.zeros(100, int), label=wrong.astype(int))
        found = vc.estimate(p, "error", interval="betting(shuffle=False)")["error"].interval
        held += found.low <= 0.25 <= found.high
    assert held >= 0.95 * 400
