"""Intervals of ranks: by hand, by simulation, and where they are shown."""

import numpy as np
import pytest
from scipy.stats import rankdata

import veracity as vc
from veracity.contests.rank import rank_intervals
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput


def matrix(random, rows, shift):
    return vc.score_matrix(random.normal(size=(rows, len(shift))) + np.array(shift), better="lower")


def test_of_two_learners_it_is_the_interval_of_the_share_of_wins():
    """The mean rank of two is 2 less the share of wins, of which Wilson's interval is known."""
    table = vc.score_matrix(np.stack([np.zeros(10), np.r_[np.ones(7), -np.ones(3)]], 1), better="lower")
    one = rank_intervals(table, "marginal", (), None, Confidence(0.95))["learner 1"]
    share = vc.estimate(vc.errors(3, of=10), "error", interval="wilson")["error"].interval
    assert (one.low - 1, one.high - 1) == pytest.approx((share.low, share.high), abs=1e-6)


@pytest.mark.parametrize("shift", [[0, 0, 0, 0], [0, 0.5, 1, 3]])
def test_they_hold(shift):
    random = np.random.default_rng(0)
    truth = rankdata(random.normal(size=(100_000, 4)) + np.array(shift), axis=1).mean(axis=0)
    alone, together = [], []
    for _ in range(40):
        table = matrix(random, 12, shift)
        for kind, held in (("marginal", alone), ("simultaneous", together)):
            found = rank_intervals(table, kind, (), None, Confidence(0.95)).values()
            held.append([one.low <= true <= one.high for one, true in zip(found, truth, strict=True)])
    assert np.mean(alone) > 0.9 and np.mean(np.all(together, axis=1)) > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 40)


def test_places_are_what_the_pairs_leave():
    table = matrix(np.random.default_rng(1), 40, [0, 0, 3, 6])
    found = vc.rank(table, intervals="simultaneous")
    places = [(one.first, one.last) for one in found.rank_intervals.values()]
    assert places == [(1, 2), (1, 2), (3, 3), (4, 4)]
    narrow = vc.rank(table, intervals="marginal").rank_intervals["learner 1"]
    wide = found.rank_intervals["learner 1"]
    assert wide.low < narrow.low <= found.average_ranks["learner 1"] <= narrow.high < wide.high
    shape = found.to_json()["rank_intervals"]["learner 4"]
    assert (shape["first"], shape["last"], shape["level"]) == (4, 4, 0.95)
    assert "1 to 2" in str(found) and "rank_intervals" not in vc.rank(table).to_json()
    assert vc.rank(table, intervals="marginal", control="learner 1").rank_intervals["learner 1"].first is None


def test_what_is_asked_wrongly():
    with pytest.raises(BadInput, match="'marginal' or 'simultaneous', not 'both'"):
        vc.rank(matrix(np.random.default_rng(1), 5, [0, 1, 2]), intervals="both")
