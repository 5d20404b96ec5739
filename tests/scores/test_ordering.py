"""Scores of an ordering: published answers, brute force, properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity import BadInput, Ordering, predictions, score

D_VALUES = [0.99, 0.90, 0.85, 0.80, 0.78, 0.70, 0.60, 0.45, 0.40, 0.30, 0.20, 0.15, 0.10, 0.05]
D_TRUTH = [1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0]
D = predictions(D_TRUTH, value=D_VALUES, positive=1)
E = predictions([1, 1, 0, 1, 0, 0], value=[0.95, 0.93, 0.93, 0.88, 0.70, 0.60], positive=1)
E2 = predictions(
    [1, 1, 2, 2, 3, 3, 3, 1],
    proba=[
        [0.6, 0.3, 0.1],
        [0.5, 0.2, 0.3],
        [0.2, 0.5, 0.3],
        [0.4, 0.4, 0.2],
        [0.1, 0.3, 0.6],
        [0.3, 0.4, 0.3],
        [0.2, 0.2, 0.6],
        [0.45, 0.35, 0.2],
    ],
)
OF_D = {
    "auc": 0.8333,
    "average_precision": 0.8433,
    "equal_error_rate": 0.25,
    "break_even": 0.6667,
    "max_fbeta(beta=1)": 0.7692,
    "hull_auc": 0.8854,
    "partial_auc(max_fpr=0.25)": 0.1458,
    "partial_auc(max_fpr=0.25, standardised=True)": 0.7619,
    "lift_at(fraction=0.25)": 2.0,
    "lift_at(fraction=0.5)": 1.6667,
    "gain_area": 0.6905,
}
OF_E2 = {
    "auc": 0.9639,
    "auc(average='macro_ovr')": 0.9639,
    "auc(average='prior_ovr')": 0.9646,
    "auc(average='ovo')": 0.9630,
}
rows = st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=2, max_size=40).filter(
    lambda pairs: len({positive for _, positive in pairs}) == 2
)


def ordered(pairs, sign=1):
    return Ordering.of(sign * np.array([value for value, _ in pairs], float), [positive for _, positive in pairs])


@pytest.mark.parametrize(("name", "expected"), OF_D.items())
def test_example_d(name, expected):
    assert score(D, name) == pytest.approx(expected, abs=0.5e-4)


@pytest.mark.parametrize(("threshold", "tp", "fp"), [(0.8, 3, 1), (0.5, 5, 2), (0.2, 6, 5)])
def test_counts_of_example_d_at_thresholds(threshold, tp, fp):
    counts = D.confusion(threshold=threshold)
    assert (counts.tp, counts.fp) == (tp, fp)


def test_example_e_with_a_tie():
    assert score(E, "auc") == pytest.approx(7.5 / 9)


@pytest.mark.parametrize(("name", "expected"), OF_E2.items())
def test_example_e2_with_three_classes(name, expected):
    assert score(E2, name) == pytest.approx(expected, abs=0.5e-4)


def test_each_class_of_example_e2():
    each = [score(member, "auc") for member in E2.each_against_rest.members]
    assert each == pytest.approx([1, 0.9583, 0.9333], abs=0.5e-4)


@pytest.mark.parametrize(("fraction", "answering", "expected"), [(0.1, 400, 4.0), (0.4, 800, 2.0)])
def test_response_example(fraction, answering, expected):
    """A population of a million with 0.1 % response: a tenth of it answers 0.4 %, four tenths answer 0.2 %."""
    selected = int(fraction * 1_000_000)
    positives = np.array([answering, 1_000 - answering])
    o = Ordering(positives, np.array([selected, 1_000_000 - selected]) - positives)
    assert score(o, f"lift_at(fraction={fraction})") == pytest.approx(expected)


@given(rows)
def test_auc_is_the_share_of_pairs_in_the_right_order(pairs):
    of_positives = np.array([value for value, positive in pairs if positive])
    of_negatives = np.array([value for value, positive in pairs if not positive])
    gap = of_positives[:, None] - of_negatives
    assert score(ordered(pairs), "auc") == pytest.approx(((gap > 0) + (gap == 0) / 2).mean())


@given(rows)
def test_turning_the_values_round_turns_the_area_round(pairs):
    assert score(ordered(pairs, -1), "auc") == pytest.approx(1 - score(ordered(pairs), "auc"))
    assert score(ordered(pairs, -1), "equal_error_rate") == pytest.approx(1 - score(ordered(pairs), "equal_error_rate"))


@given(rows)
def test_the_hull_lies_above_the_curve(pairs):
    o = ordered(pairs)
    assert score(o, "hull_auc") >= max(score(o, "auc"), 0.5) - 1e-12


@given(rows)
def test_gain_area_follows_from_auc(pairs):
    o = ordered(pairs)
    prevalence = float(o.all_positives / (o.all_positives + o.all_negatives))
    assert score(o, "gain_area") == pytest.approx(prevalence / 2 + (1 - prevalence) * score(o, "auc"))


@given(rows)
def test_gain_area_is_the_trapezoid_under_the_gain_curve(pairs):
    o = ordered(pairs)
    share = (o.tp + o.fp) / (o.all_positives + o.all_negatives)
    assert score(o, "gain_area") == pytest.approx(np.trapezoid(o.tp / o.all_positives, share))


@given(rows)
def test_the_whole_partial_area_is_the_area(pairs):
    o = ordered(pairs)
    assert score(o, "partial_auc(max_fpr=1)") == pytest.approx(score(o, "auc"))
    assert score(o, "partial_auc(max_fpr=1, standardised=True)") == pytest.approx(score(o, "auc"))


@given(rows, st.floats(0.05, 1))
def test_partial_area_is_the_trapezoid_up_to_the_limit(pairs, limit):
    o = ordered(pairs)
    x, y = o.fp / o.all_negatives, o.tp / o.all_positives
    inside = x < limit
    end = np.flatnonzero(~inside)[0]
    share = (limit - x[end - 1]) / (x[end] - x[end - 1])
    height = y[end - 1] + share * (y[end] - y[end - 1])
    area = np.trapezoid([*y[inside], height], [*x[inside], limit])
    assert score(o, f"partial_auc(max_fpr={limit!r})") == pytest.approx(area)


@given(rows)
def test_equal_error_rate_lies_on_the_curve_where_the_rates_meet(pairs):
    o = ordered(pairs)
    rate = score(o, "equal_error_rate")
    x, y = o.fp / o.all_negatives, o.tp / o.all_positives
    grid = np.linspace(0, 1, 200)
    points_x = np.concatenate([x[k] + grid * (x[k + 1] - x[k]) for k in range(len(x) - 1)])
    points_y = np.concatenate([y[k] + grid * (y[k + 1] - y[k]) for k in range(len(y) - 1)])
    nearest = np.abs(points_x - (1 - points_y)).argmin()
    assert rate == pytest.approx(points_x[nearest], abs=0.01)


@given(rows, st.floats(0.3, 3))
def test_best_f_is_the_largest_over_thresholds(pairs, beta):
    o = ordered(pairs)
    tp, fp = o.tp[1:], o.fp[1:]
    each = (1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * (o.all_positives - tp) + fp)
    assert score(o, f"max_fbeta(beta={beta!r})") == pytest.approx(each.max())


@given(rows)
def test_break_even_is_recall_and_precision_where_as_many_are_selected_as_are_positive(pairs):
    o = ordered(pairs)
    found = np.interp(o.all_positives, o.tp + o.fp, o.tp)
    assert score(o, "break_even") == pytest.approx(float(found / o.all_positives))


@pytest.mark.parametrize("labels", [[0, 0, 1, 1, 0, 1], [1, 1, 1, 0, 0, 0]])
def test_area_of_a_crisp_model_is_its_balanced_accuracy(labels):
    truth = [0, 1, 1, 1, 0, 0]
    crisp = predictions(truth, value=labels, positive=1)
    assert score(crisp, "auc") == pytest.approx(
        score(predictions(truth, label=labels, positive=1), "balanced_accuracy")
    )


@pytest.mark.parametrize(
    "name", ["partial_auc(max_fpr=0)", "partial_auc(max_fpr=1.1)", "lift_at(fraction=0)", "max_fbeta(beta=0)"]
)
def test_parameters_outside_their_range_are_named(name):
    with pytest.raises(BadInput, match=name.split("(")[0]):
        score(D, name)


def test_an_average_over_classes_needs_a_probability_each():
    with pytest.raises(BadInput, match="needs a probability per class"):
        score(D, "auc(average='ovo')")


def test_an_unknown_average_lists_the_known_ones():
    with pytest.raises(BadInput, match="macro_ovr, prior_ovr, ovo"):
        score(E2, "auc(average='weighted')")
