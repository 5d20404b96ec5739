"""ROC, precision-recall and detection error curves against known answers, identities and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import veracity as vc

VALUES = [0.99, 0.90, 0.85, 0.80, 0.78, 0.70, 0.60, 0.45, 0.40, 0.30, 0.20, 0.15, 0.10, 0.05]
TRUTH = [1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0]
FEW = st.integers(0, 6).map(float)
ROWS = st.lists(st.tuples(FEW, st.booleans()), min_size=2, max_size=40).filter(lambda r: len({y for _, y in r}) == 2)


def of(values, truth, **more):
    return vc.predictions(np.asarray(truth, int), value=np.asarray(values, float), positive=1, **more)


def curve_of(rows, kind="roc"):
    values, truth = zip(*rows, strict=True)
    return vc.curve(of(values, truth), kind).only


@pytest.mark.parametrize(("threshold", "tp", "fp"), [(0.8, 3, 1), (0.60, 5, 2), (0.2, 6, 5)])
def test_roc_passes_the_counts_of_example_d(threshold, tp, fp):
    line = vc.curve(of(VALUES, TRUTH), "roc").only
    place = line.threshold.tolist().index(threshold)
    assert (line.y[place] * 6, line.x[place] * 8) == pytest.approx((tp, fp))


def test_roc_starts_at_infinity_and_has_one_point_per_value():
    line = vc.curve(of(VALUES, TRUTH), "roc").only
    assert line.threshold.tolist() == [np.inf, *VALUES]
    assert (line.x[0], line.y[0], line.x[-1], line.y[-1]) == (0, 0, 1, 1)
    assert vc.curve(of(VALUES, TRUTH), "roc").facts["auc"]["model"] == pytest.approx(0.8333, abs=5e-5)


def test_tied_rows_are_one_diagonal_step():
    line = vc.curve(of([0.95, 0.93, 0.93, 0.88, 0.70, 0.60], [1, 1, 0, 1, 0, 0]), "roc").only
    assert line.x[1:3] == pytest.approx([0, 1 / 3])
    assert line.y[1:3] == pytest.approx([1 / 3, 2 / 3])
    assert len(line.x) == 6
    assert np.trapezoid(line.y, line.x) == pytest.approx(7.5 / 9)


@given(ROWS)
def test_roc_rises_and_its_area_is_the_auc(rows):
    line = curve_of(rows)
    values, truth = zip(*rows, strict=True)
    assert (np.diff(line.x) >= 0).all() and (np.diff(line.y) >= 0).all()
    assert (line.x[0], line.y[0], line.x[-1], line.y[-1]) == (0, 0, 1, 1)
    assert np.trapezoid(line.y, line.x) == pytest.approx(vc.score(of(values, truth), "auc"))


@given(ROWS, st.randoms(use_true_random=False))
def test_roc_knows_only_the_order_of_the_values(rows, random):
    line = curve_of(rows)
    moved = [(np.exp(value) - 7, truth) for value, truth in rows]
    random.shuffle(moved)
    other = curve_of(moved)
    assert np.array_equal(line.x, other.x) and np.array_equal(line.y, other.y)


@given(ROWS)
def test_roc_agrees_with_scikit_learn(rows):
    values, truth = zip(*rows, strict=True)
    false, true, thresholds = metrics.roc_curve(truth, values, drop_intermediate=False)
    line = curve_of(rows)
    assert line.x == pytest.approx(false) and line.y == pytest.approx(true)
    assert np.array_equal(line.threshold, thresholds)


@given(ROWS)
def test_precision_recall_agrees_with_scikit_learn(rows):
    values, truth = zip(*rows, strict=True)
    precision, recall, thresholds = metrics.precision_recall_curve(truth, values)
    line = curve_of(rows, "precision_recall")
    assert line.y == pytest.approx(precision[:-1][::-1]) and line.x == pytest.approx(recall[:-1][::-1])
    assert np.array_equal(line.threshold, thresholds[::-1])


def test_weights_are_repeats_of_rows():
    weights = np.arange(1, 15)
    repeated = of(np.repeat(VALUES, weights), np.repeat(TRUTH, weights))
    for kind in ("roc", "precision_recall"):
        weighted, plain = vc.curve(of(VALUES, TRUTH, weights=weights), kind).only, vc.curve(repeated, kind).only
        assert weighted.x == pytest.approx(plain.x) and weighted.y == pytest.approx(plain.y)


def test_uneven_weights_still_end_at_one():
    weights = np.random.default_rng(0).random(14) + 0.1
    line = vc.curve(of(VALUES, TRUTH, weights=weights), "roc").only
    assert (line.x[-1], line.y[-1]) == (1, 1)
    assert not np.isnan(vc.curve(of(VALUES, TRUTH, weights=weights), "det").only.y).any()


def test_precision_recall_starts_at_the_first_block():
    line = vc.curve(of(VALUES, TRUTH), "precision_recall").only
    assert (line.x[0], line.y[0], line.threshold[0]) == pytest.approx((1 / 6, 1, 0.99))
    assert len(line.x) == 14


def test_precision_recall_interpolates_counts():
    """From 1 of 1 selected to 4 of 11: with two hits, a third of the ten more rows are selected."""
    line = vc.curve(of([2, *[1] * 10, 0], [1, 1, 1, 1, *[0] * 7, 1]), "precision_recall").only
    recall, precision = line.path
    assert np.interp(2 / 5, recall, precision) == pytest.approx(2 / (2 + 7 / 3), abs=0.01)
    assert np.interp(2 / 5, line.x, line.y) > 0.6  # where a straight line would promise more


def test_small_blocks_need_no_path():
    random = np.random.default_rng(0)
    values = random.random(5000)
    assert vc.curve(of(values, random.random(5000) < values), "precision_recall").only.path is None


def test_det_holds_deviates_and_flags_infinite_ones():
    chart = vc.curve(of(VALUES, TRUTH), "det")
    line = chart.only
    assert line.x[2 + 2] == pytest.approx(-1.150349, abs=1e-6)  # one false positive of eight
    assert line.y[3] == pytest.approx(0, abs=1e-12)  # three of six missed
    assert np.isneginf(line.x[0]) and np.isposinf(line.y[0]) and np.isposinf(line.x[-1]) and np.isneginf(line.y[-1])
    number = int((np.isinf(line.x) | np.isinf(line.y)).sum())
    assert [note.code for note in chart.notes] == ["infinite"] and str(number) in chart.notes[0].says
    assert chart.scale == "normal" and chart.facts["equal_error_rate"]["model"] == pytest.approx(0.25)


def test_several_models_are_several_lines():
    chart = vc.curve({"a": of(VALUES, TRUTH), "b": of(VALUES[::-1], TRUTH)}, "roc")
    assert [line.name for line in chart.lines] == ["a", "b"]
    assert chart.facts["auc"]["a"] + chart.facts["auc"]["b"] == pytest.approx(1)


def test_rows_of_one_class_have_no_roc():
    with pytest.raises(vc.BadInput, match="no negative rows"):
        vc.curve(of([1, 2], [1, 1], classes=[0, 1]), "roc")
    assert vc.curve(of([1, 2], [1, 1], classes=[0, 1]), "precision_recall").only.y.tolist() == [1, 1]


SCORED = vc.predictions(
    [1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0], proba=np.linspace(0.95, 0.05, 14).round(2), positive=1
)


def test_the_equal_error_rate_is_marked():
    found = vc.curve(SCORED, "roc")
    (mark,) = found.marks
    rate = vc.score(SCORED, "equal_error_rate")
    assert (mark.name, mark.x, mark.y, mark.says) == ("equal error", rate, 1 - rate, f"{rate:.3f}")
    on_line = np.interp(mark.x, found.x, found.y), np.interp(mark.y, found.y, found.x)  # level, or straight up
    assert on_line[0] == pytest.approx(mark.y) or on_line[1] == pytest.approx(mark.x)
    assert list(found.facts["equal_error_rate"].values()) == [rate]
    both = vc.curve({"a": SCORED, "b": SCORED}, "roc")
    assert [(mark.name, mark.says) for mark in both.marks] == [(n, f"equal error {rate:.3f}") for n in "ab"]
    assert vc.curve(dict.fromkeys("abcd", SCORED), "roc").marks == ()  # too many to be told apart


def test_break_even_and_the_best_f_are_marked():
    found = vc.curve(SCORED, "precision_recall")
    even, best = found.marks
    assert even.x == even.y == vc.score(SCORED, "break_even")
    truth, value = np.asarray(SCORED.truth), np.asarray(SCORED.proba)
    f = {t: 2 * truth[value >= t].sum() / ((value >= t).sum() + truth.sum()) for t in value}
    assert best.threshold == max(f, key=f.get) and float(best.says) == pytest.approx(max(f.values()), abs=5e-4)
    chosen = value >= best.threshold
    assert (best.x, best.y) == (truth[chosen].sum() / truth.sum(), truth[chosen].mean())
    assert found.facts["max_fbeta"] == pytest.approx({found.lines[0].name: max(f.values())})


def test_labels_alone_have_no_further_marks():
    crisp = vc.predictions([1, 0, 1, 0], label=[1, 0, 0, 0], positive=1)
    assert [mark.name for mark in vc.curve({"a": crisp}, "roc").marks] == ["a"]
    assert [mark.name for mark in vc.curve({"a": crisp}, "precision_recall").marks] == ["a"]
