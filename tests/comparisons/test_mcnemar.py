"""McNemar's four forms against theory's worked examples, brute force and each other."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multinomial

import veracity as vc
from veracity.comparisons import comparisons
from veracity.core.confidence import Confidence
from veracity.evidence.same_rows import Pairs
from veracity.intervals.proportions import newcombe_paired, tango

KNOWN = [
    ("mcnemar", 15, 5, 4.05, 0.0442),
    ("mcnemar_z", 15, 5, 2.236, 0.0253),
    ("mcnemar_exact", 15, 5, None, 0.0414),
    ("mcnemar_midp", 15, 5, None, 0.0266),
    ("mcnemar", 6, 16, 3.682, 0.0550),
    ("mcnemar_z", 6, 16, -2.132, 0.0330),
    ("mcnemar_exact", 6, 16, None, 0.0525),
    ("mcnemar_midp", 6, 16, None, 0.0347),
    ("mcnemar_exact", 1, 7, None, 0.0703),
    ("mcnemar_midp", 1, 7, None, 0.0391),
]


@pytest.mark.parametrize(("name", "b", "c", "statistic", "p_value"), KNOWN)
def test_known_answers(name, b, c, statistic, p_value):
    found = comparisons[name].function(Pairs(60, b, c, 20))
    assert found.p_value == pytest.approx(p_value, abs=5e-5)
    assert statistic is None or found.statistic == pytest.approx(statistic, abs=5e-4)


REFERENCE = Path(__file__).parent.parent / "reference" / "mcnemar_cochran_expected.json"
TABLES = json.loads(REFERENCE.read_text())["mcnemar"]["tables"]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table["t"]))
def test_published_tables(table):
    (a, b), (c, d) = table["t"]
    pairs = Pairs(a, b, c, d)
    published = {"mcnemar": ("chi2_cc", "p_cc"), "mcnemar_exact": (None, "p_exact"), "mcnemar_midp": (None, "p_mid")}
    for name, (statistic, p_value) in published.items():
        found = comparisons[name].function(pairs)
        if p_value in table:
            digits = 5e-5 if table[p_value] > 0.001 else 1e-6 * table[p_value]
            assert found.p_value == pytest.approx(table[p_value], abs=digits)
        if statistic in table:
            assert found.statistic == pytest.approx(table[statistic], abs=1e-7)
    if "chi2" in table:
        plain = comparisons["mcnemar_z"].function(pairs)
        assert plain.statistic**2 == pytest.approx(table["chi2"], abs=1e-7)
        assert plain.p_value == pytest.approx(table["p"], rel=1e-6)


def test_level_under_the_null():
    """Mid-p is close to its level where the exact test is far below."""
    random = np.random.default_rng(0)
    counts = random.multinomial(100, [0.7, 0.1, 0.1, 0.1], size=3_000)
    rejected = {
        name: np.mean([comparisons[name].function(Pairs(*row)).p_value < 0.05 for row in counts])
        for name in ("mcnemar_midp", "mcnemar_exact")
    }
    assert 0.03 <= rejected["mcnemar_midp"] <= 0.06
    assert rejected["mcnemar_exact"] < rejected["mcnemar_midp"]


@pytest.mark.parametrize("name", ["mcnemar", "mcnemar_z", "mcnemar_exact", "mcnemar_midp"])
def test_models_that_never_disagree_give_no_evidence(name):
    found = comparisons[name].function(Pairs(10, 0, 0, 3))
    assert found.p_value == 1
    assert found.notes[0].code == "never-disagree"


@given(st.integers(0, 8), st.integers(0, 8))
def test_exact_forms_equal_enumeration(b, c):
    if b + c == 0:
        return
    outcomes = [sum(signs) for signs in product((0, 1), repeat=b + c)]
    smaller = min(b, c)
    below = sum(x <= smaller for x in outcomes) / len(outcomes)
    at = sum(x == smaller for x in outcomes) / len(outcomes)
    pairs = Pairs(5, b, c, 5)
    assert comparisons["mcnemar_exact"].function(pairs).p_value == pytest.approx(min(1, 2 * below))
    assert comparisons["mcnemar_midp"].function(pairs).p_value == pytest.approx(min(1, 2 * below - at) if b != c else 1)


def test_newcombe_paired_known_answer():
    low, high, *_ = newcombe_paired.function(Pairs(60, 15, 5, 20), Confidence())
    assert (low, high) == pytest.approx((0.0120, 0.1866), abs=5e-5)


TESTS = ["mcnemar", "mcnemar_z", "mcnemar_exact", "mcnemar_midp"]


def limits_and_p(name, pairs, level):
    found = comparisons[name].function(pairs)
    return found.confidence_interval(level), found.p_value


@pytest.mark.parametrize("name", TESTS)
def test_interval_and_test_never_contradict_each_other_on_any_small_table(name):
    for rows in range(1, 13):
        for b, c in product(range(rows + 1), repeat=2):
            if b + c <= rows:
                (low, high, *_), p = limits_and_p(name, Pairs(rows - b - c, b, c, 0), 0.95)
                assert (p < 0.05) is (low > 0 or high < 0)
                assert low <= (b - c) / rows + 1e-9 and (b - c) / rows - 1e-9 <= high


@given(
    st.sampled_from(TESTS), *(st.integers(0, most) for most in (60, 60, 1000)), st.sampled_from([0.5, 0.8, 0.9, 0.99])
)
def test_nor_on_larger_ones_and_at_other_levels(name, b, c, rest, level):
    if b + c + rest == 0:
        return
    (low, high, *_), p = limits_and_p(name, Pairs(rest, b, c, 0), level)
    if abs(p - (1 - level)) > 1e-9:
        assert (p < 1 - level) is (low > 0 or high < 0)


def test_the_interval_of_mcnemar_z_is_tangos():
    pairs = Pairs(60, 15, 5, 20)
    found, _ = limits_and_p("mcnemar_z", pairs, 0.95)
    assert found[:2] == pytest.approx(tango.function(pairs, Confidence())[:2])


@pytest.mark.parametrize("rows", [5, 12, 30, 60])
def test_the_default_interval_covers_by_enumeration(rows):
    """Over all tables of so many rows: nothing is left to chance."""
    tables = [(b, c) for b in range(rows + 1) for c in range(rows + 1 - b)]
    limits = np.array([limits_and_p("mcnemar_midp", Pairs(rows - b - c, b, c, 0), 0.95)[0][:2] for b, c in tables])
    for discordant, first in product((0.1, 0.25, 0.45), (0.5, 0.62, 0.8)):
        chances = [discordant * first, discordant * (1 - first)]
        weight = multinomial.pmf([(b, c, rows - b - c) for b, c in tables], rows, [*chances, 1 - discordant])
        truth = chances[0] - chances[1]
        assert weight[(limits[:, 0] <= truth) & (truth <= limits[:, 1])].sum() >= 0.93


@pytest.mark.parametrize(("name", "most"), [("mcnemar_exact", 5), ("mcnemar_midp", 4)])
def test_remark_where_no_outcome_is_below_a_twentieth(name, most):
    (limit,) = comparisons[name].limits
    for discordant in (most, most + 1):
        pairs = Pairs(10, discordant, 0, 10)
        assert limit.when(pairs) is (comparisons[name](pairs).p_value >= 0.05)


@pytest.mark.parametrize("weigh", ["rows", "groups"])
def test_asked_for_anyway_rows_without_groups_are_groups_of_one_and_one_group_says_nothing(weigh):
    truth, first, second = [0, 1] * 10, [0, 1] * 10, [1, 1] * 5 + [0, 1] * 5
    ask = f"clustered_mcnemar(weigh='{weigh}')"
    found = {}
    for name, groups in (("none", None), ("each", list(range(20))), ("one", [0] * 20)):
        models = {one: vc.predictions(truth, label=said, groups=groups) for one, said in (("a", first), ("b", second))}
        found[name] = vc.compare(models, "error", using=ask, anyway=True).p_value
    assert found["none"] == found["each"] < 0.05
    assert found["one"] == 1.0


@pytest.mark.parametrize("using", ["mcnemar_exact", "mcnemar_midp"])
def test_more_rows_than_32_bits_count(using):
    pairs = vc.pairs(n01=5 * 10**10, n10=5 * 10**10 + 400_000, of=10**12)
    normal = vc.compare(pairs, using="mcnemar_z").p_value
    assert vc.compare(pairs, using=using).p_value == pytest.approx(normal, rel=1e-5)
