"""Post hoc tests of pairs: printed tables and p-values, and standard errors that hold on null worlds."""

import json
from pathlib import Path

import numpy as np
import pytest

from veracity.posthoc import posthocs
from veracity.readers.scores_of_arrays import score_matrix

REFERENCE = Path(__file__).parents[1] / "reference"
DEMSAR = json.loads((REFERENCE / "demsar2006_expected.json").read_text("utf-8"))
EXPECTED = json.loads((REFERENCE / "gh2008_expected.json").read_text("utf-8"))
BLOCKS = json.loads((REFERENCE / "scikit_posthocs_expected.json").read_text("utf-8"))
GARCIA = np.loadtxt(REFERENCE / "gh2008_accuracy.csv", delimiter=",", skiprows=1, usecols=range(1, 6))
EXAMPLE = [
    (0.84, 0.79, 0.89, 0.43),
    (0.57, 0.78, 0.78, 0.93),
    (0.62, 0.87, 0.88, 0.71),
    (0.95, 0.55, 0.49, 0.72),
    (0.84, 0.67, 0.89, 0.89),
    (0.51, 0.63, 0.98, 0.55),
]


def asked(name, values, miss=0.05, better="higher", control=None):
    m = score_matrix(values, better=better)
    k = len(m.learners)
    others = [j for j in range(k) if j != control]
    first, second = np.triu_indices(k, 1) if control is None else (np.full(k - 1, control), np.array(others))
    choice = posthocs.choose(name)
    return choice.function(m, first, second, miss)


def test_a_worked_example():
    found = asked("mean_ranks", EXAMPLE)
    assert found.statistic == pytest.approx([0.3354, 1.5652, 0.7826, 1.2298, 0.4472, -0.7826], abs=5e-5)
    assert found.p == pytest.approx([0.7373, 0.1175, 0.4338, 0.2188, 0.6547, 0.4338], abs=5e-5)
    assert asked("tukey", EXAMPLE).critical_difference == pytest.approx(0.3016, abs=5e-5)
    assert asked("dunnett", EXAMPLE, control=0).critical_difference == pytest.approx(0.2732, abs=5e-5)


@pytest.mark.parametrize(
    ("name", "key"), [("mean_ranks", "raw_p_friedman_posthoc"), ("quade(convention='scmamp')", "raw_p_quade_posthoc")]
)
def test_published_pairs(name, key):
    expected = np.array(EXPECTED[key], float)[np.triu_indices(5, 1)]
    assert asked(name, GARCIA).p == pytest.approx(expected, rel=2e-6)


def test_published_aligned_pairs_up_to_their_false_non_ties():
    expected = np.array(EXPECTED["raw_p_aligned_ranks_posthoc"], float)[np.triu_indices(5, 1)]
    assert asked("aligned_ranks(convention='scmamp')", GARCIA).p == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize("alpha", ["0.05", "0.10"])
def test_printed_critical_values(alpha):
    nemenyi, dunn = DEMSAR["table5a_nemenyi_q"], DEMSAR["table5b_bonferroni_dunn_q"]
    for k, q, d in zip(nemenyi["k"], nemenyi[alpha], dunn[alpha], strict=True):
        table = np.zeros((2, k))
        unit = np.sqrt(k * (k + 1) / 12)
        misprint = (k, alpha) == (9, "0.05")
        assert asked("nemenyi", table, float(alpha)).critical_difference / unit == pytest.approx(q, abs=1.1e-3)
        found = asked("bonferroni_dunn", table, float(alpha), control=0).critical_difference / unit
        assert found == pytest.approx(2.734 if misprint else d, abs=1.1e-3)


def test_demsar():
    ranks = DEMSAR["ranks_published"]
    for alpha, nemenyi, dunn in ((0.05, 1.25, 1.17), (0.10, 1.12, 1.04)):
        assert asked("nemenyi", ranks, alpha, "lower").critical_difference == pytest.approx(nemenyi, abs=5e-3)
        found = asked("bonferroni_dunn", ranks, alpha, "lower", 0)
        assert found.critical_difference == pytest.approx(dunn, abs=5e-3)
        assert found.p == pytest.approx([0.0192, 0.6084, 0.0157], abs=5e-5)
    assert asked("nemenyi", ranks, 0.05, "lower").adjusted[[0, 2]] == pytest.approx([0.0887, 0.0742], abs=5e-5)


def test_nemenyi_as_other_packages_print_it():
    assert asked("nemenyi", GARCIA).critical_difference == pytest.approx(1.1136092236789705)
    assert asked("nemenyi(df='finite')", GARCIA).critical_difference == pytest.approx(1.1277, abs=5e-5)
    assert asked("nemenyi(df='finite')", GARCIA, 0.1).critical_difference == pytest.approx(1.014, abs=5e-4)
    lower = [p for row in BLOCKS["nemenyi_friedman_lower_triangle"] for p in row]
    rows, columns = np.tril_indices(7, -1)
    table = np.zeros((7, 7))
    table[np.triu_indices(7, 1)] = asked("nemenyi", BLOCKS["blocks"]).adjusted
    assert table.T[rows, columns] == pytest.approx(lower, abs=5e-7)


@pytest.mark.parametrize(
    ("name", "deviation"),
    [
        ("aligned_ranks", 1.0),
        ("aligned_ranks(convention='scmamp')", 1.1),
        ("quade", 1.0),
        ("mean_ranks", 1.0),
        ("quade(convention='scmamp')", 0.70),
    ],
)
def test_deviation_of_z_when_all_learners_are_equal(name, deviation):
    random = np.random.default_rng(1)
    z = [asked(name, random.normal(size=(20, 5)) + random.normal(size=(20, 1))).statistic for _ in range(1000)]
    assert np.std(z) == pytest.approx(deviation, abs=0.04)


@pytest.mark.parametrize(
    ("name", "control"), [("nemenyi", None), ("bonferroni_dunn", 0), ("tukey", None), ("dunnett", 1)]
)
def test_differ_exactly_where_the_difference_reaches_the_critical_one(name, control):
    random = np.random.default_rng(2)
    for _ in range(20):
        found = asked(name, random.random((15, 4)) + np.linspace(0, 0.3, 4), control=control)
        assert ((found.adjusted <= 0.05) == (np.abs(found.difference) >= found.critical_difference)).all()
        assert (found.adjusted >= found.p - 1e-12).all()


@pytest.mark.parametrize(("name", "control"), [("nemenyi", None), ("tukey", None), ("dunnett", 0)])
def test_the_family_rejects_at_its_level(name, control):
    random = np.random.default_rng(3)
    times = 400
    any_rejected = [
        asked(name, random.normal(size=(30, 5)), control=control).adjusted.min() < 0.05 for _ in range(times)
    ]
    assert np.mean(any_rejected) == pytest.approx(0.05, abs=3 * np.sqrt(0.05 * 0.95 / times))
