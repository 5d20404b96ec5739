"""Many pairs at once have the numbers of each pair alone, bit for bit."""

import numpy as np
import pytest

import veracity as vc
from veracity.comparisons.wilcoxon import MIN_DIFFERENCES_AT_ONCE, median, walsh_averages

RANDOM = np.random.default_rng(5)
SHAPES = {
    "normal": lambda shape: RANDOM.normal(size=shape) + 0.2,
    "tenths": lambda shape: RANDOM.normal(size=shape).round(1),
    "whole": lambda shape: RANDOM.normal(size=shape).round(),
    "heavy tails": lambda shape: RANDOM.standard_cauchy(shape),
    "skew": lambda shape: np.exp(3 * RANDOM.normal(size=shape)),
    "constant": np.ones,
}


@pytest.mark.parametrize(("shape", "data_sets"), [("normal", 60), ("tenths", 60), ("normal", 301), ("tenths", 302)])
def test_a_ranking_of_many_pairs_is_that_of_each_pair_alone(shape, data_sets):
    learners = 4 + int((2 * MIN_DIFFERENCES_AT_ONCE / data_sets) ** 0.5)
    values = SHAPES[shape]((data_sets, learners))
    values[:, 1] = values[:, 0]  # all their differences are 0: a pair with more to say
    ranking = vc.rank(values)
    assert len(ranking.pairs) * data_sets > MIN_DIFFERENCES_AT_ONCE
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
