"""Blocks of tied rows, highest value first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veracity as vc
from veracity import Ordering, predictions

rows = st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=1, max_size=30)


def split(pairs):
    return np.array([value for value, _ in pairs], float), np.array([positive for _, positive in pairs])


@given(rows)
def test_blocks_are_counted_from_the_highest_value_down(pairs):
    value, positive = split(pairs)
    o = Ordering.of(value, positive)
    assert o.values.tolist() == sorted(set(value), reverse=True)
    assert o.positives.tolist() == [np.count_nonzero(positive & (value == v)) for v in o.values]
    assert o.negatives.tolist() == [np.count_nonzero(~positive & (value == v)) for v in o.values]


@given(rows)
def test_tracking_rows_gives_the_same_blocks(pairs):
    value, positive = split(pairs)
    plain, tracked = Ordering.of(value, positive), Ordering.of_tracked_rows(value, positive)
    assert plain.positives.tolist() == tracked.positives.tolist()
    assert plain.values.tolist() == tracked.values.tolist()
    assert np.bincount(tracked.sampling.cell, minlength=tracked.cells.size).tolist() == tracked.cells.tolist()


@given(rows)
def test_running_sums_start_at_nothing_and_end_at_all(pairs):
    o = Ordering.of(*split(pairs))
    assert (o.tp[0], o.fp[0]) == (0, 0)
    assert (o.tp[-1], o.fp[-1]) == (o.all_positives, o.all_negatives)
    assert o.tp[1:].tolist() == np.cumsum(o.positives).tolist()


def test_the_callers_values_are_not_sorted_in_place():
    value = np.array([3.0, 1, 2])
    Ordering.of(value, [True, False, True])
    assert value.tolist() == [3, 1, 2]


def test_weighted_rows_fill_blocks_with_their_weight():
    p = predictions([1, 0, 1], value=[2.0, 1, 1], positive=1, weights=[0.5, 2, 3])
    assert p.ordering.positives.tolist() == [0.5, 3]
    assert p.ordering.negatives.tolist() == [0, 2]
    assert p.ordering.rows == 3


def test_counts_are_repeats_and_stay_plain():
    p = predictions([1, 0, 1], value=[2.0, 1, 1], positive=1, counts=[5, 2, 3])
    assert p.ordering.positives.tolist() == [5, 3]
    assert p.ordering.sampling is None and p.ordering.rows == 10


def test_zero_and_minus_zero_are_one_value():
    assert Ordering.of(np.array([0.0, -0.0]), [True, False]).positives.tolist() == [1]


def test_reweighting_several_orderings_counts_each_row_again():
    p = predictions([0, 1, 2, 2], proba=[[0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6], [0.4, 0.3, 0.3]])
    evidence = p.each_against_rest.reweigh(np.array([[2, 0, 1, 1], [1, 1, 1, 1]]))
    assert evidence.prior() == pytest.approx(np.array([[0.5, 0, 0.5], [0.25, 0.25, 0.5]]))
    assert evidence.members[0].all_positives.tolist() == [2, 1]


def test_weights_of_an_ordering_are_one_positive_number_for_each_row():
    assert vc.score(vc.Ordering.of([0.1, 0.9], [0, 1], weight=[1, 2]), "auc") == 1.0
    for weight in ([1], [0, 1], [float("nan"), 1], "ab", [[1], [1]]):
        with pytest.raises(vc.BadInput, match="weight"):
            vc.Ordering.of([0.1, 0.9], [0, 1], weight=weight)


@pytest.mark.parametrize("average", ["macro_ovr", "prior_ovr"])
@pytest.mark.parametrize("role", ["weights", "groups"])
def test_counts_of_weighted_or_grouped_rows_of_several_classes_are_rows_one_by_one(role, average):
    """The orderings of the classes read the weights and groups of other rows where rows counted more than once."""
    random = np.random.default_rng(3)
    truth, counts = random.integers(0, 3, 90), random.integers(1, 4, 90)
    proba = random.dirichlet([1, 1, 1], 90)
    proba[np.arange(90), truth] += 0.4
    proba /= proba.sum(1, keepdims=True)
    own = random.uniform(0.5, 3, 90) if role == "weights" else random.integers(0, 15, 90)
    counted = vc.predictions(truth, proba=proba, counts=counts, **{role: own})
    each = np.repeat(np.arange(90), counts)
    one_by_one = vc.predictions(truth[each], proba=proba[each], **{role: own[each]})
    found, expected = (vc.estimate(p, f"auc(average='{average}')").to_json() for p in (counted, one_by_one))
    (found,), (expected,) = found["scores"].values(), expected["scores"].values()
    for key in ("value", "low", "high"):
        assert found[key] == pytest.approx(expected[key], rel=1e-12)
