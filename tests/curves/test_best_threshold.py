import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from veracity.core.errors import BadInput, Refused
from veracity.curves.best_threshold import best_threshold
from veracity.evidence.make_predictions import predictions
from veracity.risk.estimates import score

SCORES = [0.99, 0.90, 0.85, 0.80, 0.78, 0.70, 0.60, 0.45, 0.40, 0.30, 0.20, 0.15, 0.10, 0.05]
TRUTH = [1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0]
D = predictions(TRUTH, proba=SCORES, positive=1)
TEST = predictions(TRUTH[::-1], proba=SCORES, positive=1)

rows = st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=2, max_size=25)


def by_hand(data, value_of):
    """The highest threshold of the largest value, trying each."""
    value, truth = (np.array(column) for column in zip(*data, strict=True))
    assume(0 < truth.sum() < len(truth))
    tried = []
    for t in [np.inf, *np.unique(value)]:
        said = value >= t
        cells = (said & truth).sum(), (said & ~truth).sum(), (~said & truth).sum(), (~said & ~truth).sum()
        tried.append((round(value_of(*cells), 10), t))
    p = predictions(truth.astype(int), value=value.astype(float), positive=1)
    return p, *max(tried)


@given(rows, st.integers(1, 5), st.integers(1, 5))
def test_costs_agree_with_trying_every_threshold(data, of_fp, of_fn):
    p, value, threshold = by_hand(data, lambda tp, fp, fn, tn: -(of_fp * fp + of_fn * fn) / (tp + fp + fn + tn))
    found = best_threshold(p, costs={"FP": of_fp, "FN": of_fn})
    assert (found.threshold, found.value) == (threshold, pytest.approx(-value))


@given(rows, st.sampled_from([0.5, 1.0, 2.0]))
def test_fbeta_agrees_with_trying_every_threshold(data, beta):
    b = beta**2
    p, value, threshold = by_hand(data, lambda tp, fp, fn, tn: (1 + b) * tp / ((1 + b) * tp + b * fn + fp))
    found = best_threshold(p, score=f"fbeta(beta={beta})")
    assert (found.threshold, found.value) == (threshold, pytest.approx(value))


@given(rows)
def test_youden_agrees_with_trying_every_threshold(data):
    p, value, threshold = by_hand(data, lambda tp, fp, fn, tn: tp / (tp + fn) + tn / (tn + fp) - 1)
    found = best_threshold(p, "youden")
    assert (found.threshold, found.value) == (threshold, pytest.approx(value, abs=1e-9))


def test_example_d():
    assert best_threshold(D, "fbeta").threshold == 0.60
    assert best_threshold(D, "fbeta").value == pytest.approx(0.7692, abs=5e-5)
    assert best_threshold(D, costs={"FP": 1, "FN": 5}).threshold == 0.20


def test_the_highest_of_equal_thresholds():
    found = best_threshold(predictions([1, 0, 1], proba=[0.9, 0.5, 0.1], positive=1), "youden")
    assert found.threshold == 0.9 and found.ties == 0
    tied = best_threshold(predictions([1, 0, 1, 0], proba=[0.9, 0.7, 0.5, 0.1], positive=1), "accuracy")
    assert tied.threshold == 0.9 and tied.ties == 1  # also at 0.5
    assert "tied-thresholds" in {note.code for note in tied.notes}


def test_fractional_costs_tie_as_whole_ones_do():
    p = predictions([0, 0, 0, 1], proba=[0.9, 0.8, 0.7, 0.6], positive=1)
    found = best_threshold(p, costs={"FP": 0.1, "FN": 0.3})  # three false alarms cost as much as one miss
    assert found.threshold == np.inf and found.ties == 1


def test_predict_nobody_where_alarms_are_dear():
    found = best_threshold(predictions([0, 1], proba=[0.9, 0.1], positive=1), costs={"FP": 10, "FN": 1})
    assert found.threshold == np.inf
    assert "predict-nobody" in {note.code for note in found.notes}
    assert "predict nobody" in str(found)
    assert found.on(TEST)["positive_rate"].value == 0


def test_matrix_and_names_of_cells_mean_the_same_whichever_class_is_positive():
    for positive, order in (("spam", ["ham", "spam"]), ("ham", ["ham", "spam"])):
        truth = ["spam" if t else "ham" for t in TRUTH]
        p = predictions(truth, proba=SCORES, classes=order, positive=positive)
        cells = {
            ("ham", "spam"): "FP" if positive == "spam" else "FN",
            ("spam", "ham"): "FN" if positive == "spam" else "FP",
        }
        costs = {cells["ham", "spam"]: 2, cells["spam", "ham"]: 7}
        named, full = best_threshold(p, costs=costs), best_threshold(p, costs=[[0, 2], [7, 0]])
        assert (named.threshold, named.value) == (full.threshold, full.value)


def test_a_benefit_is_a_negative_cost():
    found = best_threshold(D, costs={"TP": -10, "FP": 1})
    assert found.value == pytest.approx(-(10 * 6 - 5) / 14)
    assert "mistake-pays" not in {note.code for note in found.notes}


@pytest.mark.parametrize("positive", [0, 1])
def test_mistakes_that_pay_are_doubted(positive):
    p = predictions(TRUTH, proba=SCORES, positive=positive)
    said = [note.says for note in best_threshold(p, costs={"FP": -1, "FN": -1}).notes if "sign" in note.says]
    assert said == [
        "by these costs a false positive and a false negative costs less than being right: is a sign wrong?"
    ]


@pytest.mark.parametrize("positive", [0, 1])
@pytest.mark.parametrize(
    ("costs", "called", "cell"),
    [
        ({"FN": 8}, "positive", "FP"),
        ({"FP": 8}, "negative", "FN"),
        ({"FP": 0, "FN": 8}, "positive", "FP"),
        ({"FP": -1, "FN": 1}, "positive", "FP"),
        ({"FP": 1, "FN": -1}, "negative", "FN"),
        ({"FP": 1, "FN": 5, "TP": 6}, "negative", "FN"),
        ({"FP": 0, "FN": 0}, "positive", "FP"),
    ],
)
def test_costs_that_no_row_can_change_are_refused(costs, called, cell, positive):
    p = predictions(TRUTH, proba=SCORES, positive=positive)
    tp, fp, fn, tn = (costs.get(name, 0) for name in ("TP", "FP", "FN", "TN"))
    matrix = [[tn, fp], [fn, tp]] if positive == 1 else [[tp, fn], [fp, tn]]
    for asked in ({"costs": costs}, {"costs": matrix}, {"score": f"cost(matrix={matrix})"}):
        with pytest.raises(BadInput, match=f"calling every row {called} is never dearer") as caught:
            best_threshold(p, **asked)
        assert f"{cell} must cost more" in str(caught.value) and "costs={'FP': 1, 'FN': 5}" in str(caught.value)


def test_report_on_other_rows():
    found = best_threshold(D, costs={"FP": 1, "FN": 5})
    table = found.on(TEST)
    assert table["cost"].value == pytest.approx(score(TEST.confusion(found.threshold), found.score))
    assert table["cost"].interval is not None
    counts = TEST.confusion(0.20)
    assert table["recall"].value == counts.tp / (counts.tp + counts.fn)
    assert table["recall"].interval.method == "wilson"
    assert "chosen-elsewhere" in {note.code for note in table.notes}
    assert "optimistic" in {note.code for note in found.notes}


def test_report_shows_the_score_it_was_chosen_for_first_and_once():
    table = best_threshold(D, "fbeta(beta=2)").on(TEST)
    assert table.values()[0].score == "fbeta(beta=2)"
    names = [row.score for row in best_threshold(D, "youden").on(TEST)]
    assert names[0] == "youden" and names.count("youden") == 1


def test_report_on_the_same_rows_is_refused():
    found = best_threshold(D, "youden")
    with pytest.raises(Refused, match="optimistic"):
        found.on(D)
    with pytest.raises(Refused):
        found.on(predictions(TRUTH, proba=SCORES, positive=1))  # equal arrays
    one, other = (
        predictions(TRUTH, proba=s, positive=1, rows=ids) for s, ids in ((SCORES, range(14)), (SCORES[::-1], range(14)))
    )
    with pytest.raises(Refused):
        best_threshold(one, "youden").on(other)


def test_some_shared_rows_are_a_caution():
    one = predictions(TRUTH, proba=SCORES, positive=1, rows=np.arange(14))
    other = predictions(TRUTH, proba=SCORES[::-1], positive=1, rows=np.arange(10, 24))
    notes = {note.code: note.says for note in best_threshold(one, "youden").on(other).notes}
    assert "chose the threshold: 4, optimistic" in notes["shared-rows"]


def test_probabilities_are_cut_even_beside_decision_values():
    both = predictions(TRUTH, proba=SCORES, value=np.arange(14.0), positive=1)
    found = best_threshold(both, "fbeta")
    assert found.threshold == 0.60
    assert found.on(TEST)["recall"].value == best_threshold(D, "fbeta").on(TEST)["recall"].value
    with pytest.raises(BadInput, match="proba="):
        found.on(predictions(TRUTH, value=SCORES, positive=1))


def test_values_are_cut_even_beside_probabilities():
    found = best_threshold(predictions(TRUTH, value=np.array(SCORES) * 100, positive=1), "fbeta")
    assert found.threshold == 60
    test = predictions(TRUTH, value=np.arange(100, 30, -5.0), proba=SCORES, positive=1)
    assert found.on(test)["positive_rate"].value == 9 / 14


def test_labels_given_do_not_override_the_threshold():
    test = predictions(TRUTH[::-1], proba=SCORES, label=[0] * 14, classes=[0, 1], positive=1)
    assert best_threshold(D, "fbeta").on(test)["positive_rate"].value == 0.5


def test_weights_count_as_repeats():
    weight = np.arange(1, 15)
    heavy = predictions(TRUTH, proba=SCORES, positive=1, weights=weight.astype(float))
    long = predictions(np.repeat(TRUTH, weight), proba=np.repeat(SCORES, weight), positive=1)
    one, other = (best_threshold(p, costs={"FP": 1, "FN": 2}) for p in (heavy, long))
    assert (one.threshold, one.value) == (other.threshold, pytest.approx(other.value))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "costs="),
        ({"score": "youden", "costs": {"FP": 1}}, "either"),
        ({"score": "auc"}, "does not depend on a threshold"),
        ({"costs": {"fp": 1}}, "TP, FP, FN, TN"),
        ({"costs": [[0, 1, 2]]}, "2 x 2"),
        ({"costs": {"FP": np.nan}}, "finite"),
    ],
)
def test_bad_calls(arguments, says):
    with pytest.raises(BadInput, match=says):
        best_threshold(D, **arguments)


def test_rows_that_no_threshold_can_cut():
    with pytest.raises(BadInput, match="`proba=` or `value=`"):
        best_threshold(predictions([0, 1], label=[0, 1], positive=1), "youden")
    with pytest.raises(BadInput, match="two classes"):
        best_threshold(predictions([1.0, 2.0], number=[1.0, 2.0]), costs={"FP": 1})
    with pytest.raises(Refused, match="undefined"):
        best_threshold(predictions([1, 1], proba=[0.1, 0.2], classes=[0, 1], positive=1), "youden")
    with pytest.raises(BadInput, match="same `classes=`"):
        best_threshold(D, "youden").on(predictions(["a", "b"], proba=[0.1, 0.2], positive="a"))
