"""Many pairs at once have the numbers of each pair alone, bit for bit."""

import numpy as np
import pytest

import veracity as vc
from veracity.comparisons.wilcoxon import TOGETHER, median, signed_ranks, walsh_averages
from veracity.kernels.recursions import rank_sums, sums_at
from veracity.records.arrays import TIE

RANDOM = np.random.default_rng(5)
SHAPES = {
    "normal": lambda shape: RANDOM.normal(size=shape) + 0.2,
    "tenths": lambda shape: RANDOM.normal(size=shape).round(1),
    "whole": lambda shape: RANDOM.normal(size=shape).round(),
    "heavy tails": lambda shape: RANDOM.standard_cauchy(shape),
    "skew": lambda shape: np.exp(3 * RANDOM.normal(size=shape)),
    "constant": np.ones,
}


@pytest.mark.parametrize("number", [1, 2, 7, 8, 57, 130])
@pytest.mark.parametrize("shape", SHAPES)
def test_sums_at_their_places_are_those_of_all_sums_in_order(shape, number):
    drawn = np.sort(SHAPES[shape]((12, number)), axis=1)
    last = number * (number + 1) // 2 - 1
    for places in ([0, last // 2, last], [last // 3, last // 2, last - last // 3]):
        sums = sums_at(drawn, np.array(places))
        for row, one in zip(drawn, sums, strict=True):
            means = walsh_averages(row)
            assert np.array_equal(one[:3] / 2, means[places])
            assert one[3] / 2 == (means[last // 2 + 1] if last else np.inf)


@pytest.mark.parametrize("shape", SHAPES)
def test_rank_sums_are_those_of_each_row(shape):
    drawn = np.sort(SHAPES[shape]((20, 41)), axis=1)
    for row, (plus, minus, squares, nonzero, zeros, ties) in zip(drawn, rank_sums(drawn, TIE), strict=True):
        one = signed_ranks(row)
        ranks = np.concatenate([one.doubled / 2, one.zero_ranks])
        assert (plus, minus, nonzero, zeros) == (one.plus, one.minus, one.nonzero, len(one.zero_ranks))
        assert squares == (ranks**2).sum() and ties == one.nonzero - len(np.unique(one.doubled))


@pytest.mark.parametrize(("shape", "data_sets"), [("normal", 60), ("tenths", 60), ("normal", 301), ("tenths", 302)])
def test_a_ranking_of_many_pairs_is_that_of_each_pair_alone(shape, data_sets):
    learners = 4 + int((2 * TOGETHER / data_sets) ** 0.5)
    values = SHAPES[shape]((data_sets, learners))
    values[:, 1] = values[:, 0]  # all their differences are 0: a pair with more to say
    ranking = vc.rank(values)
    assert len(ranking.pairs) * data_sets > TOGETHER
    for pair in ranking.pairs[:: len(ranking.pairs) // 40]:
        alone = vc.compare(ranking.matrix.only(pair.a, pair.b), using="wilcoxon")
        assert (pair.difference, pair.statistic, pair.p_value) == (alone.difference, alone.statistic, alone.p_value)
        limits = (None, None) if alone.interval is None else (alone.interval.low, alone.interval.high)
        assert (pair.low, pair.high) == limits
        assert pair.sums == tuple(dict(alone.facts)[name] for name in ("w_plus", "w_minus"))
    twins = ranking["learner 1", "learner 2"]
    assert twins.p_value == 1 and twins.low is None
    zeros = [note for note in ranking.notes if note.code == "zeros"]
    assert len(zeros) == 1 and ("other pair" in zeros[0].says) == (shape == "tenths")
    assert median(walsh_averages(values[:, 2] - values[:, 3])) == ranking["learner 3", "learner 4"].difference
