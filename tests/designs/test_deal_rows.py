"""Whole numbers next to proportional ones, with all sums kept."""

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from veracity.designs.deal_rows import proportional_table
from veracity.designs.parameters import even_sizes

classes = st.lists(st.integers(0, 60), min_size=1, max_size=9).filter(any)


@st.composite
def sized(draw):
    counts = draw(classes)
    shares = draw(st.lists(st.floats(0.01, 1), min_size=1, max_size=6))
    cuts = np.round(np.cumsum(shares) / sum(shares) * sum(counts)).astype(int)
    return tuple(counts), tuple(np.diff(cuts, prepend=0).tolist())


@given(sized())
def test_any_sizes(given_):
    counts, sizes = given_
    table = proportional_table(counts, sizes)
    assert table.sum(axis=1).tolist() == list(counts) and table.sum(axis=0).tolist() == list(sizes)
    assert (np.abs(table * sum(counts) - np.outer(counts, sizes)) < sum(counts)).all()


@settings(max_examples=300)
@given(classes, st.integers(2, 12))
def test_even_sizes_also_keep_classes_even(counts, parts):
    sizes = even_sizes(sum(counts), parts)
    table = proportional_table(tuple(counts), sizes)
    assert table.sum(axis=0).tolist() == list(sizes) and table.sum(axis=1).tolist() == counts
    assert (np.ptp(table, axis=1) <= 1).all()
    assert (np.abs(table - np.outer(counts, sizes) / sum(counts)) < 1 + 1e-9).all()


def test_every_small_case():
    for counts in product(range(5), repeat=4):
        for parts in range(2, 6) if sum(counts) else ():
            table = proportional_table(counts, even_sizes(sum(counts), parts))
            assert (np.ptp(table, axis=1) <= 1).all() and np.ptp(table.sum(axis=0)) <= 1


def test_many_classes_in_many_parts():
    counts = tuple(np.random.default_rng(0).integers(1, 200, 300).tolist())
    table = proportional_table(counts, even_sizes(sum(counts), 50))
    assert (np.ptp(table, axis=1) <= 1).all() and np.ptp(table.sum(axis=0)) <= 1
