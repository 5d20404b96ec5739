"""Packed rows answer as the blocks of the same rows do: every score, every moment, every value written out."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from veracity import predictions, scorecard
from veracity.evidence import sort_rows
from veracity.evidence.ordering import Ordering
from veracity.evidence.packed_ordering import PackedOrdering
from veracity.evidence.sort_rows import MANY_ROWS, distinct_values, sort_signed
from veracity.kernels import packed as kernels
from veracity.kernels.add_rows import add_rows
from veracity.scores import scores
from veracity.scores.on_orderings import OrderingScore

SCORES = [entry for entry in scores if isinstance(entry, OrderingScore)]
SMALLEST = 5e-324


def draw(seed, rows, kind, positives=0.3):
    random = np.random.default_rng(seed)
    positive = random.random(rows) < positives
    chance = np.clip(0.6 * random.random(rows) + 0.4 * positive * random.random(rows), 0, 1)
    if kind == "tied":
        chance = np.round(chance, 2)
    elif kind == "few":
        chance = np.round(chance)
    elif kind == "equal":
        chance[:] = 0.3
    elif kind == "crowded":
        chance = 1e-6 * chance
    elif kind == "tiny":
        chance = np.where(random.random(rows) < 0.5, SMALLEST * random.integers(0, 9, rows), -0.0)
    elif kind == "single":
        chance = chance.astype(np.float32)
    return chance, positive


def same(chance, positive):
    packed = PackedOrdering.of_rows(chance, positive)
    blocks = Ordering.of_classes(chance[positive], chance[~positive])
    np.testing.assert_array_equal(packed.positives, blocks.positives)
    np.testing.assert_array_equal(packed.negatives, blocks.negatives)
    np.testing.assert_array_equal(packed.values, blocks.values)
    assert packed.blocks == blocks.blocks and packed.rows == blocks.rows
    fresh = PackedOrdering.of_rows(chance, positive)
    with np.errstate(invalid="ignore", divide="ignore"):
        for entry in SCORES:
            here, there = entry.evaluate(fresh), entry.evaluate(blocks)
            np.testing.assert_allclose(here, there, rtol=1e-11, atol=1e-13, err_msg=entry.name)
            if entry.influence is not None and np.isfinite(there) and 1 < positive.sum() < len(positive) - 1:
                here, there = entry.moments_of(fresh), entry.moments_of(blocks)
                close = 1e-8 * abs(there[2]) + 1e-15 * len(chance)
                np.testing.assert_allclose(here, there, rtol=1e-8, atol=close, err_msg=entry.name)
                here, there = entry.influence_of(fresh), entry.influence_of(blocks)
                np.testing.assert_allclose(here, there, rtol=1e-9, atol=1e-9, err_msg=entry.name)


KINDS = st.sampled_from(["spread", "tied", "few", "equal", "crowded", "tiny", "single"])


@given(st.integers(0, 10**6), st.integers(1, 700), KINDS, st.sampled_from([0.0, 0.01, 0.3, 0.9, 1.0]))
@example(1, 500, "spread", 0.3)
@settings(deadline=None, max_examples=40)
def test_as_blocks(seed, rows, kind, positives):
    same(*draw(seed, rows, kind, positives))


@given(st.integers(0, 10**6), st.integers(4, 700), KINDS, st.sampled_from([1e-9, 0.004, 0.1, 0.5, 0.999, 1.0]))
@settings(deadline=None, max_examples=60)
def test_part_of_an_area_as_blocks_wherever_it_ends(seed, rows, kind, limit):
    chance, positive = draw(seed, rows, kind, 0.4)
    positive[:4] = True, True, False, False
    packed = PackedOrdering.of_rows(chance, positive)
    blocks = Ordering.of_classes(chance[positive], chance[~positive])
    partial = scores["partial_auc"]
    here, there = (partial.evaluate(o, max_fpr=limit) for o in (packed, blocks))
    np.testing.assert_allclose(here, there, rtol=1e-11, atol=1e-13)
    here, there = (partial.moments_of(o, max_fpr=limit) for o in (packed, blocks))
    np.testing.assert_allclose(here, there, rtol=1e-8, atol=1e-8 * abs(there[2]) + 1e-15 * len(chance))


@pytest.mark.parametrize("kind", ["spread", "tied", "crowded"])
def test_as_blocks_of_many_rows(kind):
    same(*draw(7, 30_000, kind))


@pytest.mark.parametrize("name", ["max_fbeta", "hull_auc", "break_even", "equal_error_rate", "lift_at"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_few_stretches_that_are_looked_into_hold_the_point_that_is_sought(name, seed):
    """Of so many rows a stretch is a small part, and most are passed over."""
    chance, positive = draw(seed, 200_000, "spread")
    packed = PackedOrdering.of_rows(chance, positive)
    blocks = Ordering.of_classes(chance[positive], chance[~positive])
    np.testing.assert_allclose(*(scores[name].evaluate(o) for o in (packed, blocks)), rtol=1e-12)
    np.testing.assert_allclose(*(scores[name].moments_of(o) for o in (packed, blocks)), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["auc", "partial_auc", "average_precision"])
@pytest.mark.parametrize("positives_above", [True, False])
@pytest.mark.parametrize("strangers", [0, 5])
def test_rows_almost_all_on_one_side_keep_the_digits_of_their_spread(name, positives_above, strangers):
    chance, positive = draw(5, 100_000, "spread")
    chance = (0.49 * chance + 0.5 * (positive == positives_above)).clip(0, 1)
    chance[np.flatnonzero(positive)[:strangers]] = np.linspace(0.3, 0.7, strangers)
    packed = PackedOrdering.of_rows(chance, positive)
    blocks = Ordering.of_classes(chance[positive], chance[~positive])
    here, there = (scores[name].moments_of(o) for o in (packed, blocks))
    if name == "auc":
        area = float(scores[name].evaluate(blocks))
        assert packed.area_variance(area) == pytest.approx(blocks.area_variance(area), rel=1e-9, abs=1e-30)
    close = 1e-22 * len(chance)  # where there is no spread at all
    np.testing.assert_allclose(here[2], there[2], rtol=1e-9, atol=close)
    np.testing.assert_allclose(here[3], there[3], rtol=1e-9, atol=close)


@pytest.mark.parametrize("kind", ["spread", "tied", "tiny"])
def test_sorted_by_size_with_the_class_as_sign(kind):
    chance, positive = draw(2, 40_000, kind)
    signed = sort_signed(chance, positive)
    np.testing.assert_array_equal(np.abs(signed), np.sort(np.abs(chance)))
    assert np.signbit(signed).sum() == (~positive).sum()


def test_arrays_of_every_kind_run_the_same_machine_code():
    """Each further kind would be compiled by itself, a second that `veracity warm` does not spare."""
    chance, positive = draw(6, MANY_ROWS, "single")
    truth, seen = positive.astype(int), []
    for proba in (chance.astype(float), chance, np.repeat(chance, 2)[::2], np.stack([1 - chance, chance], 1)):
        p = predictions(truth, proba=proba, positive=1)
        _ = p.ordering, p.row_sums
        seen.append([len(loop.compiled.signatures) for loop in (kernels.count_buckets, kernels.scatter, add_rows)])
    assert seen[1:] == seen[:-1]


def test_front_door_takes_the_packed_way_and_gives_the_same_numbers():
    chance, positive = draw(3, MANY_ROWS, "spread")
    p = predictions(positive.astype(int), proba=chance, positive=1)
    as_values = predictions(positive.astype(int), value=chance, positive=1)
    assert isinstance(p.ordering, PackedOrdering) and not isinstance(as_values.ordering, PackedOrdering)
    strided = np.repeat(chance, 2)[::2]
    strided.flags.writeable = False
    for entry in SCORES:
        np.testing.assert_allclose(entry.evaluate(p.ordering), entry.evaluate(as_values.ordering), rtol=1e-11)
        again = predictions(positive.astype(int), proba=strided, positive=1)
        assert entry.evaluate(again.ordering) == entry.evaluate(p.ordering), entry.name


@pytest.mark.parametrize("apart", [0.3, 0.6])
def test_a_scorecard_of_many_rows_writes_no_blocks_down(apart):
    """They take more memory than the rows, also of classes that are separated."""
    chance, positive = draw(4, MANY_ROWS, "spread")
    p = predictions(positive.astype(int), proba=0.4 * chance + apart * positive, positive=1)
    assert scorecard(p).rows
    assert "positives" not in p.ordering.__dict__


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("label", [0, 1])
def test_many_rows_of_one_class_warn_of_nothing(label):
    chance, _ = draw(4, MANY_ROWS, "spread")
    found = scorecard(predictions(np.full(len(chance), label), proba=chance, positive=1, classes=[0, 1]))
    assert found.rows


@pytest.mark.parametrize("kind", ["spread", "tied", "few", "equal", "crowded", "tiny", "single"])
def test_distinct_values_are_those_of_numpy(kind, monkeypatch):
    monkeypatch.setattr(sort_rows, "MANY_ROWS", 1)
    for seed, rows in ((1, 1), (2, 7), (3, 3000)):
        chance, _ = draw(seed, rows, kind)
        values, place = distinct_values(chance)
        theirs, inverse = np.unique(-chance, return_inverse=True)
        np.testing.assert_array_equal(values, -theirs)
        np.testing.assert_array_equal(place, inverse)
        assert values.dtype == chance.dtype


def test_many_rows_are_sorted_alike_by_one_and_by_two_threads(monkeypatch):
    monkeypatch.setattr(sort_rows, "WORTH_A_THREAD", 1_000)
    chance, positive = draw(3, MANY_ROWS, "tied")
    found = []
    for threads in "12":
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        rows = np.empty(len(chance), np.int32)
        found.append((sort_signed(chance, positive, rows).tobytes(), rows.tobytes()))
    assert found[0] == found[1]
