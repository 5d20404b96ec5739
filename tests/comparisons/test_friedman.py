"""Friedman and Iman-Davenport: printed answers, enumeration of all orders, scipy, and what must not matter."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import friedmanchisquare, rankdata

from veracity.comparisons import comparisons
from veracity.comparisons.friedman import exact_tail
from veracity.contests.rank import rank
from veracity.core.errors import BadInput, Refused
from veracity.readers.scores_of_arrays import score_matrix

REFERENCE = Path(__file__).parents[1] / "reference"
EXAMPLE = [
    (0.84, 0.79, 0.89, 0.43),
    (0.57, 0.78, 0.78, 0.93),
    (0.62, 0.87, 0.88, 0.71),
    (0.95, 0.55, 0.49, 0.72),
    (0.84, 0.67, 0.89, 0.89),
    (0.51, 0.63, 0.98, 0.55),
]
DEMSAR = json.loads((REFERENCE / "demsar2006_expected.json").read_text("utf-8"))
GARCIA = np.loadtxt(REFERENCE / "gh2008_accuracy.csv", delimiter=",", skiprows=1, usecols=range(1, 6))
few = arrays(float, st.tuples(st.integers(2, 3), st.just(3)), elements=st.integers(0, 4).map(float))


def asked(name, values, better="higher"):
    return comparisons.choose(name)(score_matrix(values, better=better))


def numbers(found):
    return found.statistic, found.p_value


@pytest.mark.parametrize(
    ("name", "statistic", "p"),
    [
        ("friedman", 2.8448, 0.4162),
        ("friedman(tie_correction=False)", 2.75, 0.4318),
        ("friedman(exact=True)", 2.8448, 0.4418),
        ("iman_davenport", 0.9386, 0.4466),
        ("iman_davenport(tie_correction=False)", 0.9016, 0.4634),
    ],
)
def test_a_worked_example(name, statistic, p):
    found = asked(name, EXAMPLE)
    assert (found.statistic, found.p_value) == pytest.approx((statistic, p), abs=5e-5)
    assert score_matrix(EXAMPLE).average_ranks == pytest.approx([3, 2.75, 1.8333, 2.4167], abs=5e-5)


def test_demsar_with_the_published_ranks():
    ranks = DEMSAR["ranks_published"]
    plain, f = (asked(f"{name}(tie_correction=False)", ranks, "lower") for name in ("friedman", "iman_davenport"))
    assert plain.statistic == pytest.approx(DEMSAR["friedman_chi2"], abs=5e-3)
    assert plain.p_value == pytest.approx(DEMSAR["friedman_chi2_p"], abs=5e-7)
    assert f.statistic == pytest.approx(DEMSAR["iman_davenport_F"], abs=5e-3)
    assert f.p_value == pytest.approx(DEMSAR["iman_davenport_p"], abs=5e-7)
    assert f.df == tuple(DEMSAR["iman_davenport_df"])
    assert asked("friedman", ranks, "lower").statistic == pytest.approx(10.228, abs=5e-4)
    assert asked("iman_davenport", ranks, "lower").statistic == pytest.approx(4.185, abs=5e-4)


def test_demsar_with_the_printed_table_has_one_tie_more():
    printed = np.loadtxt(REFERENCE / "demsar2006_auc.csv", delimiter=",", skiprows=1, usecols=range(1, 5))
    assert asked("friedman(tie_correction=False)", printed).statistic == pytest.approx(9.857, abs=5e-4)
    assert asked("iman_davenport(tie_correction=False)", printed).statistic == pytest.approx(3.987, abs=5e-4)


def test_garcia_and_herrera():
    assert numbers(asked("friedman(tie_correction=False)", GARCIA)) == pytest.approx((39.647, 5.121e-8), rel=2e-4)
    assert numbers(asked("friedman", GARCIA)) == pytest.approx((39.91275167785245, 4.512033059024698e-08))
    assert numbers(asked("iman_davenport(tie_correction=False)", GARCIA)) == pytest.approx((14.309, 1.593e-9), rel=2e-4)


@given(few)
def test_scipy_agrees(values):
    if (values == values[:, :1]).all():
        return
    expected = friedmanchisquare(*values.T)
    assert numbers(asked("friedman", values)) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-9)


@given(few)
def test_the_exact_law_is_that_of_all_orders(values):
    ranks = rankdata(-values, axis=1)
    every = itertools.product(*([list(order) for order in itertools.permutations(row)] for row in ranks))
    uneven = [np.square(2 * np.sum(rows, axis=0) - len(rows) * 4).sum() for rows in every]
    observed = np.square(2 * ranks.sum(axis=0) - len(ranks) * 4).sum()
    assert exact_tail(ranks) == pytest.approx(np.mean(np.array(uneven) >= observed - 1e-9))


def test_printed_exact_values():
    alike = np.tile([3.0, 2, 1], (4, 1))
    assert numbers(asked("friedman(exact=True)", alike)) == pytest.approx((8, (1 / 6) ** 3))
    assert asked("friedman", alike).p_value == pytest.approx(0.0183, abs=5e-5)
    uneven = [(1, 2, 3), (1, 2, 3), (1, 2, 3), (2, 1, 3)]
    assert numbers(asked("friedman(exact=True)", uneven)) == pytest.approx((6.5, 0.0417), abs=5e-5)


def test_permutations_come_close_to_the_exact_law():
    found = asked("friedman(draws=20000, seed=3)", EXAMPLE)
    ((_, error),) = found.facts
    assert found.p_value == pytest.approx(0.4418, abs=4 * error)
    assert found == asked("friedman(draws=20000, seed=3)", EXAMPLE)


@pytest.mark.parametrize("learners", [3, 5])
def test_data_sets_that_all_rank_alike(learners):
    found = asked("iman_davenport", np.tile(np.arange(learners), (3, 1)))
    assert found.statistic == np.inf
    assert found.p_value == pytest.approx(asked("friedman(exact=True)", np.tile(np.arange(learners), (3, 1))).p_value)
    tied = np.tile([1.0, 1, 2, 3], (3, 1))
    assert asked("iman_davenport", tied).p_value == pytest.approx(1 / 12**2)


@pytest.mark.parametrize(
    "name",
    [
        "friedman",
        "friedman(exact=True)",
        "friedman(draws=9)",
        "iman_davenport",
        "quade",
        "aligned_ranks",
        "anova",
        "skillings_mack",
    ],
)
def test_learners_that_are_always_tied_are_indistinguishable(name):
    found = asked(name, np.tile([[0.1], [0.7], [0.3]], (1, 3)))
    assert found.p_value == 1
    assert found.notes[0].code == "all-tied"


@pytest.mark.parametrize("name", ["friedman", "iman_davenport", "friedman(exact=True)"])
@given(st.integers(0, 10_000))
def test_only_the_order_within_a_data_set_matters(name, seed):
    random = np.random.default_rng(seed)
    values = random.integers(0, 6, (6, 4)).astype(float)
    if (values == values[:, :1]).all():
        return
    p = asked(name, values).p_value
    assert asked(name, values[random.permutation(6)]).p_value == pytest.approx(p)
    assert asked(name, values[:, random.permutation(4)]).p_value == pytest.approx(p)
    assert asked(name, np.exp(values) * random.uniform(1, 9, (6, 1))).p_value == pytest.approx(p)
    assert asked(name, -values, "lower").p_value == pytest.approx(p)


def test_what_is_too_large_says_what_is_not():
    with pytest.raises(Refused, match=r"5 on 14, 6 on 6 data sets at most: use friedman\(draws=10000\)"):
        asked("friedman(exact=True)", np.random.default_rng(0).random((9, 7)))
    with pytest.raises(BadInput, match="give one of them"):
        asked("friedman(exact=True, draws=9)", EXAMPLE)
    with pytest.raises(BadInput, match="such as 10000"):
        asked("friedman(draws=-1)", EXAMPLE)


def test_small_tables_get_a_caution():
    assert [note.code for note in asked("friedman", EXAMPLE).notes] == ["small-table"]
    assert not asked("friedman", GARCIA).notes
    assert not asked("friedman(exact=True)", EXAMPLE).notes


@pytest.mark.parametrize("using", ["iman_davenport", "friedman(exact=True)"])
def test_an_exact_p_value_is_not_called_asymptotic(using):
    """All data sets alike: the p-value is a count of arrangements."""
    found = rank(score_matrix([[1, 2, 3]] * 7), using=using).omnibus
    assert found.p_value == pytest.approx(6**-6) and "small-table" not in {note.code for note in found.notes}
