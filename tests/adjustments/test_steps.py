"""Adjustments of any family: published answers, closed testing by brute force, and what all of them promise."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from veracity.adjustments import adjustments
from veracity.adjustments.adjust import adjust
from veracity.core.references import REFERENCES

REFERENCE = Path(__file__).parents[1] / "reference"
PLAIN = [entry.name for entry in adjustments if not entry.pairs]
FIVE = [0.005, 0.011, 0.02, 0.04, 0.13]
KNOWN = {
    "bonferroni": [0.025, 0.055, 0.1, 0.2, 0.65],
    "sidak": [0.0248, 0.0538, 0.0961, 0.1846, 0.5016],
    "holm": [0.025, 0.044, 0.06, 0.08, 0.13],
    "hochberg": [0.025, 0.044, 0.06, 0.08, 0.13],
    "hommel": [0.025, 0.04, 0.06, 0.08, 0.13],
    "holland": [0.0248, 0.0433, 0.0588, 0.0784, 0.13],
    "finner": [0.0248, 0.0273, 0.0331, 0.0497, 0.13],
    "rom": [0.0248, 0.0434, 0.0591, 0.08, 0.13],
    "li": [0.0057, 0.0125, 0.0225, 0.0440, 0.13],
    "benjamini_hochberg": [0.025, 0.0275, 0.0333, 0.05, 0.13],
    "benjamini_yekutieli": [0.0571, 0.0628, 0.0761, 0.1142, 0.2968],
}
COLUMNS = {
    "Bonferroni": "bonferroni",
    "Holm": "holm",
    "Hochberg": "hochberg",
    "SidakSS": "sidak",
    "SidakSD": "holland",
    "BH": "benjamini_hochberg",
    "BY": "benjamini_yekutieli",
}
R_COLUMNS = {**COLUMNS, **{name: name for name in ("holm", "hochberg", "hommel", "bonferroni")}}
chances = st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.05, 0.5, 1.0])), min_size=1, max_size=12)


def read(name):
    return json.loads((REFERENCE / name).read_text("utf-8"))


def test_known_answers_are_of_adjustments_that_exist():
    assert set(KNOWN) <= set(PLAIN)


@pytest.mark.parametrize("name", KNOWN)
def test_five_p_values(name):
    shuffled = [3, 0, 4, 2, 1]
    found = adjust(np.array(FIVE)[shuffled], name)
    assert found == pytest.approx(np.array(KNOWN[name])[shuffled], abs=5.1e-5)


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("part", ["set1", "set2", "set3", "set_large_8dp_inputs"])
def test_multtest(part, name):
    table = read("p_adjust_expected.json")
    rows = np.array(table[part])
    near = 1e-6 if "8dp" in part else 1e-10
    assert adjust(rows[:, 0], COLUMNS[name]) == pytest.approx(rows[:, table["columns"].index(name)], abs=near)


def test_hommel_of_r():
    case = read("p_adjust_expected.json")["hommel"]
    assert adjust(case["p"], "hommel") == pytest.approx(np.array(case["adj"]), abs=1e-12)


@pytest.mark.parametrize("place", range(1, 7))
def test_the_example_of_r(place):
    table = read("r_padjust_example.json")
    rows = np.array(table["rows_full_precision_computed_here"])
    name = R_COLUMNS[table["columns"][place]]
    assert adjust(rows[:, 0], name) == pytest.approx(rows[:, place], rel=1e-9)


SOME = st.sampled_from([0.0, 5e-324, 1e-300, 0.001, 0.01, 0.012, 0.02, 0.03, 0.04, 0.2, 0.7, 1.0])


@given(st.lists(st.one_of(SOME, st.floats(0, 1)), min_size=1, max_size=8))
def test_hommel_is_closed_testing_with_simes(p):
    expected = np.zeros(len(p))
    for size in range(1, len(p) + 1):
        for subset in itertools.combinations(range(len(p)), size):
            simes = min(size * value / rank for rank, value in enumerate(sorted(p[i] for i in subset), 1))
            expected[list(subset)] = np.maximum(expected[list(subset)], simes)
    assert adjust(p, "hommel") == pytest.approx(np.minimum(expected, 1), rel=1e-12, abs=1e-322)


def hommel_size_by_size(p):
    """As it is defined: of each size the largest p-values, beside which each one stands."""
    p, size = np.sort(p), len(p)
    largest = p.copy()
    for number in range(2, size + 1):
        rest = number * p[size - number + 1 :] / np.arange(2, number + 1)
        own = number * np.minimum(p, p[size - number])
        np.maximum(largest, np.minimum(own, rest.min()), out=largest)
    return np.minimum(np.maximum.accumulate(largest), 1)


@given(st.integers(0, 10**6), st.integers(1, 400), st.sampled_from([0.3, 1.0, 3.0, 12.0]), st.sampled_from([1, 3, 16]))
def test_hommel_is_that_of_each_size(seed, number, power, digits):
    p = np.round(np.random.default_rng(seed).random(number) ** power, digits)
    assert np.sort(adjust(p, "hommel")) == pytest.approx(hommel_size_by_size(p), rel=1e-12, abs=1e-300)


def test_hommel_of_many_is_that_of_each_size():
    for p in (np.random.default_rng(1).random(8_000) ** 2, np.linspace(0, 1, 6_000) ** 1.5, np.full(6_000, 0.03)):
        assert np.sort(adjust(p, "hommel")) == pytest.approx(hommel_size_by_size(p), rel=1e-12)


@pytest.mark.parametrize("name", PLAIN)
@given(p=chances)
def test_promises_of_every_adjustment(name, p):
    found = adjust(p, name)
    assert (np.array(p) <= found).all() and (found <= 1).all()
    order = np.argsort(p)
    assert (np.diff(found[order]) >= -1e-12).all()
    assert found[order] == pytest.approx(adjust(np.array(p)[order], name), rel=1e-9, abs=1e-300)
    for value in set(p):
        assert np.ptp(found[np.array(p) == value]) <= 1e-12


@given(p=chances)
@example(p=[1.0, 5e-324, 5e-324])
def test_stronger_methods_are_never_larger(p):
    near = 1 + 1e-9
    for weaker, stronger in itertools.pairwise(["bonferroni", "holm", "hochberg", "hommel", "benjamini_hochberg"]):
        assert (adjust(p, stronger) <= near * adjust(p, weaker)).all()
    assert (adjust(p, "rom") <= near * adjust(p, "hochberg")).all()
    assert (adjust(p, "finner") <= near * adjust(p, "holland")).all()
    assert (adjust(p, "holland") <= near * adjust(p, "holm")).all()


@pytest.mark.parametrize("name", PLAIN)
def test_one_p_value_stays_as_it_is(name):
    assert adjust([0.03], name) == pytest.approx([0.03])


def test_li_warns_when_the_largest_is_large():
    (note,) = adjust([0.01, 0.7], "li").notes
    assert (note.code, note.weight) == ("large-last-p", "caution")
    assert adjust([0.01, 0.4], "li").notes == ()


@pytest.mark.parametrize("entry", adjustments, ids=lambda entry: entry.name)
def test_entries_describe_themselves(entry):
    assert entry.title and entry.sentence.endswith(".")
    assert entry.cite and all(key in REFERENCES for key in entry.cite)
    assert entry.controls in ("family-wise error", "false discovery rate")
    assert ("LOGIC" in entry.assumes) == entry.pairs
