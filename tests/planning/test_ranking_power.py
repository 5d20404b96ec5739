"""Power of Friedman's test and of the pairs after it: the verdicts of `rank`, and the shares of simulation."""

import numpy as np
import pytest

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.planning.tests import _adjust, _critical_sum, _p_values, _ranks, _sum_of_squares, _tables

TOLD = {"sd": 0.03, "learners": 5}


def verdicts(scores, **how):
    """What `rank` says of one table: whether any learners differ, and which pairs do."""
    found = vc.rank(vc.score_matrix(scores), **how)
    return found.omnibus.p_value < 0.05, [pair.rejected for pair in found.pairs]


@pytest.mark.parametrize("how", [{}, {"then": "bonferroni"}, {"pairs": "mean_ranks"}], ids=str)
def test_each_simulated_table_is_judged_as_rank_judges_it(how):
    concluded, scores = next(_tables(14, 0.03, Confidence(), 0.03, 4, 12, 3))
    first, second = np.triu_indices(4, 1)
    adjusted = _adjust(_p_values(scores, first, second, how.get("pairs", "wilcoxon")), how.get("then", "holm"))
    for table, omnibus, apart in zip(scores, concluded, adjusted < 0.05, strict=True):
        assert verdicts(table, using="iman_davenport", **how) == (omnibus, (apart & omnibus).tolist())
    assert concluded.sum() > 0


def test_of_few_data_sets_the_law_of_ranks_decides_as_the_exact_law():
    random = np.random.default_rng(1)
    scores = random.normal(size=(40, 5, 4)) + 0.8 * np.arange(4)
    cut = _critical_sum(5, 4, 0.05)
    exact = [vc.rank(vc.score_matrix(table), using="friedman(exact=True)").omnibus.p_value <= 0.05 for table in scores]
    assert (_sum_of_squares(_ranks(scores)) >= cut).tolist() == exact and 0 < sum(exact) < 40


def test_where_hardly_anything_differs_the_power_is_the_size():
    found = vc.power("friedman", datasets=20, difference=1e-6, **TOLD)
    assert found.power == pytest.approx(0.05, abs=4 * found.error)
    assert vc.power("friedman_pairs", datasets=20, difference=1e-6, **TOLD).power < 0.03


def test_what_more_learners_and_weaker_adjustments_cost():
    pairs = [vc.power("friedman_pairs", datasets=30, difference=0.02, sd=0.03, learners=k).power for k in (3, 5, 8)]
    assert pairs[0] > pairs[1] > pairs[2]
    told = {"datasets": 30, "difference": 0.02, **TOLD, "pairs": "mean_ranks"}
    holm, nemenyi = (vc.power("friedman_pairs", then=then, **told).power for then in ("holm", "nemenyi"))
    assert holm > nemenyi
    assert "then nemenyi" in str(vc.power("friedman_pairs", then="nemenyi", **told))


def test_data_sets_needed_and_the_smallest_difference_agree():
    needed = vc.power("friedman", difference=0.03, power=0.8, draws=500, **TOLD)
    assert needed.power >= 0.8 > vc.power("friedman", datasets=needed.datasets - 3, difference=0.03, **TOLD).power
    seen = vc.power("friedman", datasets=needed.datasets, power=needed.power, draws=500, **TOLD)
    assert seen.difference == pytest.approx(0.03, rel=0.05)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"learners": 2}, "`learners=` is a whole number from 3 to 40, not 2"),
        ({"sd": 0.0}, "`sd=` must be larger than 0"),
        ({"then": "hommel"}, "`then=` is holm or bonferroni or nemenyi here, not 'hommel'"),
        ({"pairs": "sign"}, "`pairs=` is wilcoxon or mean_ranks here, not 'sign'"),
        ({"datasets": 500}, "up to 200 data sets, not 500"),
    ],
)
def test_bad_input_in_one_sentence(given, says):
    with pytest.raises(vc.BadInput, match=says):
        vc.power("friedman_pairs", **{"datasets": 10, "difference": 0.02, **TOLD, **given})


@pytest.mark.slow
@pytest.mark.parametrize("how", [{"then": "holm"}, {"then": "nemenyi"}], ids=str)
def test_the_power_of_pairs_is_that_of_rank_on_fresh_tables(how):
    random, tables = np.random.default_rng(99), 400
    found = vc.power("friedman_pairs", datasets=25, difference=0.02, sd=0.03, learners=4, draws=20_000, **how)
    shares = []
    for _ in range(tables):
        scores = 0.7 + 0.1 * random.normal(size=(25, 1)) + 0.03 / 2**0.5 * random.normal(size=(25, 4))
        scores[:, 0] += 0.02
        ranking = vc.rank(vc.score_matrix(scores), using="iman_davenport", **how)
        shares.append(np.mean([pair.rejected for pair in ranking.pairs if "learner 1" in (pair.a, pair.b)]))
    assert found.power == pytest.approx(np.mean(shares), abs=3.5 * np.std(shares) / tables**0.5 + 3 * found.error)
