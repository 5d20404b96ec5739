"""Adjustments of all pairs: published answers, all set partitions by brute force, order of strength, relabelling."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veracity.adjustments.adjust import adjust, possible_numbers
from veracity.core.errors import Refused
from veracity.kernels import recursions

TABLE = json.loads((Path(__file__).parents[1] / "reference" / "gh2008_expected.json").read_text("utf-8"))
NAMES = ("holm", "shaffer", "shaffer_dynamic", "bergmann_hommel")
PRINTED = {  # raw; holm; shaffer; shaffer_dynamic; bergmann_hommel, of the learners C4.5, 1NN, NB, Kernel, CN2
    (0, 3): (4.487e-7, 4.487e-7, 4.487e-7, 4.487e-7),
    (2, 3): (1.563e-6, 1.042e-6, 1.042e-6, 1.042e-6),
    (3, 4): (0.02304, 0.01728, 0.01728, 0.01152),
    (0, 1): (0.03394, 0.02909, 0.02909, 0.02909),
    (1, 3): (0.04778, 0.04778, 0.03185, 0.03185),
    (1, 2): (0.05056, 0.04778, 0.03185, 0.03034),
    (0, 4): (0.05105, 0.05105, 0.03829, 0.03829),
    (2, 4): (0.07423, 0.07423, 0.04949, 0.03829),
    (1, 4): (1, 1, 1, 1),
    (0, 2): (1, 1, 1, 1),
}
CHANCES = st.one_of(st.floats(0, 1), st.sampled_from([0.001, 0.004, 0.01, 0.03, 0.03, 0.2, np.nan]))


@st.composite
def pairs(draw, missing=True, most=6):
    k = draw(st.integers(2, most))
    size = k * (k - 1) // 2
    p = np.array(draw(st.lists(CHANCES, min_size=size, max_size=size)))
    return k, p if missing else np.where(np.isnan(p), 0.02, p)


def matrix(name):
    return np.array(TABLE[name], float)


def partitions(items):
    if not items:
        yield []
        return
    head, *rest = items
    for smaller in partitions(rest):
        yield [[head], *smaller]
        for i, block in enumerate(smaller):
            yield [*smaller[:i], [head, *block], *smaller[i + 1 :]]


def exhaustive(k, p):
    """Every set of tested pairs that can be exactly the true ones, as places in the upper triangle."""
    place = {pair: i for i, pair in enumerate(itertools.combinations(range(k), 2))}
    for blocks in partitions(list(range(k))):
        inside = [place[pair] for block in blocks for pair in itertools.combinations(sorted(block), 2)]
        yield [i for i in inside if not np.isnan(p[i])]


def brute_dynamic(k, p):
    sets = list(exhaustive(k, p))
    most = {t: max(sum(1 for _ in s) for s in sets if all(p[i] >= t for i in s)) for t in p[~np.isnan(p)]}
    return [min(1, max((t * most[t] for t in most if t <= own), default=0)) if own == own else own for own in p]


def brute_bergmann_hommel(k, p):
    found = np.where(np.isnan(p), np.nan, 0.0)
    for chosen in exhaustive(k, p):
        for i in chosen:
            found[i] = max(found[i], len(chosen) * min(p[j] for j in chosen))
    return np.minimum(found, 1)


@pytest.mark.parametrize("place", range(4), ids=NAMES)
def test_garcia_and_herrera(place):
    rows = TABLE["recomputed_APVs_friedman"]["rows"]
    raw = np.full((5, 5), np.nan)
    for (i, j), p in zip(PRINTED, (row[1] for row in rows), strict=True):
        raw[i, j] = raw[j, i] = p
    found = adjust(raw, NAMES[place])
    assert np.isnan(np.diagonal(found)).all() and (found == found.T)[~np.eye(5, dtype=bool)].all()
    for pair, answers in PRINTED.items():
        assert found[pair] == pytest.approx(answers[place], rel=4e-4)


@pytest.mark.parametrize("name", ["shaffer_static_of_aligned", "bergmann_hommel_of_aligned"])
def test_aligned_ranks_of_scmamp(name):
    using = "shaffer" if "shaffer" in name else "bergmann_hommel(cumulative=True)"
    found = adjust(matrix("raw_p_aligned_ranks_posthoc"), using)
    assert found == pytest.approx(matrix(name), rel=1e-5, nan_ok=True)


def test_numbers_of_pairs_that_can_be_equal():
    assert possible_numbers(4) == {0, 1, 2, 3, 6}
    assert possible_numbers(5) == {0, 1, 2, 3, 4, 6, 10}
    assert possible_numbers(6) == {0, 1, 2, 3, 4, 6, 7, 10, 15}


@settings(max_examples=60, deadline=None)
@given(pairs())
def test_every_partition(case):
    k, p = case
    assert adjust(p, "shaffer_dynamic") == pytest.approx(brute_dynamic(k, p), abs=1e-12, nan_ok=True)
    assert adjust(p, "bergmann_hommel") == pytest.approx(brute_bergmann_hommel(k, p), abs=1e-12, nan_ok=True)


@settings(max_examples=60, deadline=None)
@given(pairs())
def test_order_of_strength(case):
    _, p = case
    there = ~np.isnan(p)
    found = [adjust(p, name)[there] for name in ("bonferroni", *NAMES)]
    assert (found[-1] >= p[there]).all()
    for weaker, stronger in itertools.pairwise(found):
        assert (stronger <= weaker * (1 + 1e-12)).all()


@settings(max_examples=40, deadline=None)
@given(pairs(missing=False), st.randoms(use_true_random=False))
def test_names_and_order_of_learners_do_not_matter(case, random):
    k, p = case
    upper = np.triu_indices(k, 1)
    square = np.full((k, k), np.nan)
    square[upper] = square.T[upper] = p
    order = random.sample(range(k), k)
    for name in NAMES[1:]:
        found = adjust(square, name)
        assert found[upper] == pytest.approx(adjust(p, name))
        assert found[np.ix_(order, order)] == pytest.approx(adjust(square[np.ix_(order, order)], name), nan_ok=True)


@settings(max_examples=40, deadline=None)
@given(pairs(missing=False))
def test_equal_and_larger_p_values(case):
    _, p = case
    for name in ("shaffer", "shaffer_dynamic", "bergmann_hommel(cumulative=True)"):
        found = adjust(p, name)
        assert (np.diff(found[np.argsort(p)]) >= -1e-12).all()
        assert all(np.ptp(found[p == value]) <= 1e-12 for value in set(p))


def test_a_learner_without_pairs_is_no_learner():
    four = np.array([0.01, 0.02, np.nan, 0.2, np.nan, np.nan])
    for name in NAMES[1:]:
        assert adjust(four, name)[[0, 1, 3]] == pytest.approx(adjust([0.01, 0.02, 0.2], name))


def test_compiled_and_plain_agree(monkeypatch):
    p = np.random.default_rng(1).random(28).round(2) ** 2
    compiled = adjust(p, "bergmann_hommel")
    monkeypatch.setattr(recursions, "MIN_LEARNERS_COMPILED", 99)
    assert (adjust(p, "bergmann_hommel") == compiled).all()


@pytest.mark.parametrize("name", ["shaffer_dynamic", "bergmann_hommel"])
def test_too_many_learners_are_refused_with_the_time(name):
    p = np.random.default_rng(2).random(20 * 19 // 2)
    with pytest.raises(Refused, match=r"of 20 learners would take up to about \d+ (minutes|hours).*shaffer"):
        adjust(p, name)
    assert (adjust(p, "shaffer") >= p).all()
